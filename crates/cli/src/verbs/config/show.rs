//! `runward config show` and `config get`: values in force, and where they came from.

use super::VerbResult;
use crate::args::ConfigShowArgs;
use crate::output::{OutputFormat, VerbFailure, emit, print};
use crate::setup::Setup;
use runward::config::{ConfigValue, Settings, ValueOrigin, nearest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Every value.
pub(super) fn all(how: &ConfigShowArgs, file: Option<&Path>) -> VerbResult {
    let settings = Setup::open(file)?.settings;
    match OutputFormat::of(&how.format) {
        OutputFormat::Plain if how.origin => print(&with_origins(&settings))?,
        OutputFormat::Plain => print(&lines(&settings).join("\n"))?,
        structured => {
            let all: BTreeMap<String, ShownSetting> =
                shown(&settings).map(|one| (one.name.clone(), one)).collect();
            emit(&all, structured)?;
        }
    }
    Ok(0)
}

/// The value of one key: alone, so that a script can use it.
pub(super) fn one(key: &str, how: &ConfigShowArgs, file: Option<&Path>) -> VerbResult {
    let settings = Setup::open(file)?.settings;
    let Some(found) = shown(&settings).find(|one| one.name == key) else {
        let near = nearest(key).map(|near| format!("Did you mean `{near}`? ")).unwrap_or_default();
        let hint = format!("{near}See `runward config show` for the keys.");
        return Err(VerbFailure::bad_value(format!("there is no key `{key}`"), &hint));
    };
    match OutputFormat::of(&how.format) {
        OutputFormat::Plain if how.origin => print(&format!("{}  # {}", found.value, found.origin))?,
        OutputFormat::Plain => print(&found.value.to_string())?,
        structured => emit(&found, structured)?,
    }
    Ok(0)
}

/// One value in force.
#[derive(Serialize)]
struct ShownSetting {
    #[serde(skip)]
    name: String,
    value: ConfigValue,
    origin: ValueOrigin,
}

fn shown(settings: &Settings) -> impl Iterator<Item = ShownSetting> + '_ {
    let keys = settings.iter().map(|setting| ShownSetting {
        name: setting.key.name.to_owned(),
        value: setting.value.clone(),
        origin: setting.origin.clone(),
    });
    let languages = settings.configured_languages().iter().map(|setting| ShownSetting {
        name: format!("languages.{}", setting.language.name),
        value: setting.value(),
        origin: setting.origin.clone(),
    });
    let rules = settings.configured_rules().map(|setting| ShownSetting {
        name: format!("policy.rules.{}", setting.rule.name),
        value: ConfigValue::Word(setting.rule.decision.name().to_owned()),
        origin: setting.origin.clone(),
    });
    let commands = settings.configured_commands().iter().map(|setting| ShownSetting {
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
    let with = |(line, one): (&String, ShownSetting)| format!("{line:<width$}  # {}", one.origin);
    lines.iter().zip(shown(settings)).map(with).collect::<Vec<_>>().join("\n")
}
