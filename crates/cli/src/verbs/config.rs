//! `runward config show`: every value in force, and where it came from.

use super::Done;
use crate::args::ConfigVerb;
use crate::house::House;
use crate::output::{Format, emit, print};
use runward::config::{Setting, Settings};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn run(verb: &ConfigVerb, file: Option<&Path>) -> Done {
    let ConfigVerb::Show { origin, format } = verb;
    let settings = House::open(file)?.settings;
    match Format::of(format) {
        Format::Plain if *origin => print(&with_origins(&settings))?,
        Format::Plain => print(&lines(&settings).join("\n"))?,
        structured => {
            let all: BTreeMap<&str, &Setting> = settings.iter().map(|s| (s.key.name, s)).collect();
            emit(&all, structured)?;
        }
    }
    Ok(0)
}

fn lines(settings: &Settings) -> Vec<String> {
    settings.iter().map(|setting| format!("{} = {}", setting.key.name, setting.value)).collect()
}

fn with_origins(settings: &Settings) -> String {
    let lines = lines(settings);
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let with = |(line, setting): (&String, &Setting)| format!("{line:<width$}  # {}", setting.origin);
    lines.iter().zip(settings.iter()).map(with).collect::<Vec<_>>().join("\n")
}
