//! `runward config show`: every value in force, and where it came from.

use super::Done;
use crate::args::ConfigVerb;
use crate::house::House;
use crate::output::{Format, emit, print};
use runward::config::{Origin, Settings, Value};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn run(verb: &ConfigVerb, file: Option<&Path>) -> Done {
    let ConfigVerb::Show { origin, format } = verb;
    let settings = House::open(file)?.settings;
    match Format::of(format) {
        Format::Plain if *origin => print(&with_origins(&settings))?,
        Format::Plain => print(&lines(&settings).join("\n"))?,
        structured => {
            let all: BTreeMap<String, Shown> = shown(&settings).map(|one| (one.name.clone(), one)).collect();
            emit(&all, structured)?;
        }
    }
    Ok(0)
}

/// One value in force.
#[derive(Serialize)]
struct Shown {
    #[serde(skip)]
    name: String,
    value: Value,
    origin: Origin,
}

fn shown(settings: &Settings) -> impl Iterator<Item = Shown> + '_ {
    let keys = settings.iter().map(|setting| Shown {
        name: setting.key.name.to_owned(),
        value: setting.value.clone(),
        origin: setting.origin.clone(),
    });
    let languages = settings.configured_languages().iter().map(|setting| Shown {
        name: format!("languages.{}", setting.language.name),
        value: setting.value(),
        origin: setting.origin.clone(),
    });
    let rules = settings.configured_rules().map(|setting| Shown {
        name: format!("policy.rules.{}", setting.rule.name),
        value: Value::Word(setting.rule.decision.name().to_owned()),
        origin: setting.origin.clone(),
    });
    let commands = settings.configured_commands().iter().map(|setting| Shown {
        name: format!("commands.{}.{}", setting.command, setting.key),
        value: setting.value.clone(),
        origin: setting.origin.clone(),
    });
    keys.chain(languages).chain(commands).chain(rules)
}

fn lines(settings: &Settings) -> Vec<String> {
    shown(settings).map(|one| format!("{} = {}", one.name, one.value)).collect()
}

fn with_origins(settings: &Settings) -> String {
    let lines = lines(settings);
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let with = |(line, one): (&String, Shown)| format!("{line:<width$}  # {}", one.origin);
    lines.iter().zip(shown(settings)).map(with).collect::<Vec<_>>().join("\n")
}
