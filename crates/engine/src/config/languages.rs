//! `[languages.NAME]`: tables with names of the owner's choice. May not be set by a project file.

use super::{ConfigProblem, ConfigValue, ValueOrigin};
use crate::languages::{Language, LanguageReader, Languages};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The table that holds them.
pub(super) const TABLE: &str = "languages";

const KEYS: &[&str] = &["command", "args", "aliases"];

/// One language, as a file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageSetting {
    /// The language.
    pub language: Language,
    /// Where it came from.
    pub origin: ValueOrigin,
}

impl LanguageSetting {
    /// Its value, as a file would spell it.
    pub fn value(&self) -> ConfigValue {
        let words = [&self.language.command].into_iter().chain(&self.language.args);
        ConfigValue::List(words.cloned().collect())
    }
}

/// What was said about one language.
#[derive(Default)]
struct SaidLanguage {
    command: Option<String>,
    args: Option<Vec<String>>,
    aliases: Option<Vec<String>>,
}

/// Parses one table; each problem comes with its position.
pub(super) fn read(
    name: &Spanned<impl AsRef<str>>,
    value: &DeValue<'_>,
) -> Result<Language, Vec<(usize, String)>> {
    let (at, name) = (name.span().start, name.get_ref().as_ref());
    let DeValue::Table(table) = value else {
        return Err(vec![(at, format!("`{TABLE}.{name}` must be a table"))]);
    };
    let (said, mut problems) = entries(name, table);
    match complete(name, said) {
        Ok(language) if problems.is_empty() => Ok(language),
        Ok(_) => Err(problems),
        Err(what) => {
            problems.push((at, what));
            Err(problems)
        }
    }
}

fn entries(name: &str, table: &DeTable<'_>) -> (SaidLanguage, Vec<(usize, String)>) {
    let mut said = SaidLanguage::default();
    let mut problems = Vec::new();
    for (key, value) in table {
        let dotted = format!("{TABLE}.{name}.{}", key.get_ref());
        let fine = match (key.get_ref().as_ref(), value.get_ref()) {
            ("command", DeValue::String(word)) if !word.trim().is_empty() => {
                said.command = Some(word.to_string());
                true
            }
            ("args", DeValue::Array(_)) => set(&mut said.args, value.get_ref()),
            ("aliases", DeValue::Array(_)) => set(&mut said.aliases, value.get_ref()),
            (known, _) if KEYS.contains(&known) => false,
            _ => {
                let what = format!("unknown key `{dotted}`; a language has `command`, `args` and `aliases`");
                problems.push((key.span().start, what));
                true
            }
        };
        if !fine {
            let expected =
                if key.get_ref() == "command" { "a program's name" } else { "a list of words in quotes" };
            problems.push((value.span().start, format!("`{dotted}` must be {expected}")));
        }
    }
    (said, problems)
}

/// Takes a list of words; false if it is something else.
fn set(place: &mut Option<Vec<String>>, value: &DeValue<'_>) -> bool {
    let DeValue::Array(items) = value else { return false };
    let word = |item: &Spanned<DeValue<'_>>| item.get_ref().as_str().map(str::to_owned);
    *place = items.iter().map(word).collect();
    place.is_some()
}

/// What is not set has its built-in value; what is not built in must be set.
fn complete(name: &str, said: SaidLanguage) -> Result<Language, String> {
    let built_in = Languages::default().iter().find(|language| language.name == name).cloned();
    // An interpreter with other arguments than ours may not understand how we pass large code.
    let same_args =
        built_in.as_ref().is_some_and(|known| said.args.as_ref().is_none_or(|args| *args == known.args));
    let missing = |key: &str| format!("`{TABLE}.{name}` has no `{key}`");
    let known = |pick: fn(&Language) -> Vec<String>| built_in.as_ref().map(pick);
    Ok(Language {
        name: name.to_owned(),
        command: said
            .command
            .or_else(|| built_in.as_ref().map(|known| known.command.clone()))
            .ok_or_else(|| missing("command"))?,
        args: said.args.or_else(|| known(|known| known.args.clone())).ok_or_else(|| missing("args"))?,
        aliases: said.aliases.or_else(|| known(|known| known.aliases.clone())).unwrap_or_default(),
        reader: built_in.as_ref().filter(|_| same_args).map_or(LanguageReader::Other, |known| known.reader),
    })
}

/// Why a project's file may not say this.
pub(super) fn not_a_projects_business(setting: &LanguageSetting) -> ConfigProblem {
    let (file, line) = match &setting.origin {
        ValueOrigin::File { file, line } => (file.clone(), Some(*line)),
        other => (other.to_string(), None),
    };
    ConfigProblem {
        file,
        line,
        what: format!("`{TABLE}.{}` may not be set by a project file", setting.language.name),
    }
}
