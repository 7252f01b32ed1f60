//! Parses one file's text (TOML) to entries, with every problem in it. May not know other files: layers are elsewhere.

use super::commands::{self, CommandSetting};
use super::key::{ConfigKey, ValueKind};
use super::languages::{self, LanguageSetting};
use super::rules::{self, RuleSetting};
use super::sandbox;
use super::table::is_table;
use super::{ConfigProblem, ConfigSource, ConfigValue, ConfigVariable, VARIABLES, ValueOrigin, key, nearest};
use crate::telemetry::Collector;
use runward_core::render::one_line;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

/// A value that a file gave.
#[derive(Debug)]
pub(super) struct ConfigEntry {
    pub(super) key: &'static ConfigKey,
    pub(super) value: ConfigValue,
    pub(super) origin: ValueOrigin,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct SaidFile {
    pub(super) entries: Vec<ConfigEntry>,
    pub(super) languages: Vec<LanguageSetting>,
    pub(super) commands: Vec<CommandSetting>,
    pub(super) rules: Vec<RuleSetting>,
}

/// Reads a file. What cannot be used is a problem, and the rest is read on.
pub(super) fn read(
    source: &ConfigSource,
    home: Option<&Path>,
    problems: &mut Vec<ConfigProblem>,
) -> SaidFile {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    let before = problems.len();
    let mut reader = ConfigReader { source, home, problems, said: SaidFile::default() };
    let broken = !errors.is_empty();
    for error in errors {
        let what = twice(&source.text, &error).unwrap_or_else(|| error.message().to_owned());
        reader.problem(error.span().map(|span| span.start), what);
    }
    // Keys of a text that is not TOML are guesses; an error about a guess would mislead.
    if !broken {
        reader.table("", table.get_ref());
    }
    let said = reader.said;
    problems[before..].sort_by_key(|problem| problem.line);
    said
}

/// The error about a key that is there twice, with its name. The parser does not give it.
fn twice(text: &str, error: &toml::de::Error) -> Option<String> {
    let span = error.span().filter(|_| error.message() == "duplicate key")?;
    let written = text.get(span.clone())?.trim();
    let line = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
    let (before, indent) = (text.get(..line)?, text.get(line..span.start)?.trim());
    let header = |line: &str| {
        let inner = line.trim().strip_prefix('[')?.trim_start_matches('[');
        Some(inner.split(']').next()?.trim().to_owned())
    };
    // A line of a long text may look like the head of a table.
    let plain = !before.contains("\"\"\"") && !before.contains("'''");
    let table = before.lines().rev().find_map(header).filter(|_| plain);
    let name = match (indent, table) {
        ("", Some(table)) => format!("{table}.{written}"),
        // A dotted key, or the head of a table, as far as it is written.
        (start, table) if !start.contains(['=', '{', '"']) && !written.contains('[') => {
            let head = start.starts_with('[');
            let start = start.trim_start_matches('[');
            let table = table.filter(|_| !head).map(|table| format!("{table}.")).unwrap_or_default();
            format!("{table}{start}{written}")
        }
        _ => written.to_owned(),
    };
    Some(format!("the key `{}` is there twice", one_line(&name)))
}

/// The value that a variable of the environment sets; nothing if it belongs to no key.
pub(super) fn variable(variable: &ConfigVariable, problems: &mut Vec<ConfigProblem>) -> Option<ConfigEntry> {
    let (_, name) = VARIABLES.iter().find(|(name, _)| *name == variable.name)?;
    let key = key(name)?;
    let value = match key.kind {
        ValueKind::Flag => switch(variable, problems)?,
        _ => {
            let words = variable.text.split(',').map(str::trim).filter(|word| !word.is_empty());
            ConfigValue::List(words.map(str::to_owned).collect())
        }
    };
    Some(ConfigEntry { key, value, origin: ValueOrigin::Variable(variable.name.to_owned()) })
}

/// `on` or `off`; an empty variable says nothing.
fn switch(variable: &ConfigVariable, problems: &mut Vec<ConfigProblem>) -> Option<ConfigValue> {
    match variable.text.trim().to_ascii_lowercase().as_str() {
        "" => None,
        "on" | "true" | "1" => Some(ConfigValue::Bool(true)),
        "off" | "false" | "0" => Some(ConfigValue::Bool(false)),
        other => {
            let what = format!("its value is `{other}`, which is neither `on` nor `off`");
            problems.push(ConfigProblem { file: variable.name.to_owned(), line: None, what });
            None
        }
    }
}

struct ConfigReader<'a> {
    source: &'a ConfigSource,
    home: Option<&'a Path>,
    problems: &'a mut Vec<ConfigProblem>,
    said: SaidFile,
}

impl ConfigReader<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.source.text.as_bytes().get(..at).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn problem(&mut self, at: Option<usize>, what: String) {
        let line = at.map(|at| self.line(at));
        self.problems.push(ConfigProblem { file: self.source.file.clone(), line, what });
    }

    fn table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (name, value) in table {
            let dotted = format!("{prefix}{}", name.get_ref());
            match (key(&dotted), value.get_ref()) {
                (Some(key), _) => self.value(key, name.span().start, value),
                (None, DeValue::Table(inner)) if dotted == languages::TABLE => self.languages(inner),
                (None, DeValue::Table(inner)) if dotted == commands::TABLE => self.commands(inner),
                (None, DeValue::Array(tables)) if dotted == rules::TABLE => self.rules(tables),
                (None, DeValue::Table(inner)) if is_table(&dotted) => {
                    self.table(&format!("{dotted}."), inner);
                }
                (None, _) => self.problem(Some(name.span().start), unknown(&dotted)),
            }
        }
    }

    fn languages(&mut self, table: &DeTable<'_>) {
        for (name, value) in table {
            match languages::read(name, value.get_ref()) {
                Ok(language) => {
                    let origin = self.origin(name.span().start);
                    self.said.languages.push(LanguageSetting { language, origin });
                }
                Err(problems) => problems.into_iter().for_each(|(at, what)| self.problem(Some(at), what)),
            }
        }
    }

    fn commands(&mut self, table: &DeTable<'_>) {
        for (name, value) in commands::in_order(table) {
            match commands::read(name, value.get_ref()) {
                Ok(said) => {
                    for one in said {
                        let (command, origin) = (name.get_ref().to_string(), self.origin(one.at));
                        let setting = CommandSetting { command, key: one.key, value: one.value, origin };
                        self.said.commands.push(setting);
                    }
                }
                Err(problems) => problems.into_iter().for_each(|(at, what)| self.problem(Some(at), what)),
            }
        }
    }

    fn rules(&mut self, tables: &DeArray<'_>) {
        for (index, table) in tables.iter().enumerate() {
            match rules::read(index, table) {
                Ok(rule) => {
                    let origin = self.origin(table.span().start);
                    self.said.rules.push(RuleSetting { rule, origin });
                }
                Err(problems) => problems.into_iter().for_each(|(at, what)| self.problem(Some(at), what)),
            }
        }
    }

    fn origin(&self, at: usize) -> ValueOrigin {
        ValueOrigin::File { file: self.source.file.clone(), line: self.line(at) }
    }

    fn value(&mut self, key: &'static ConfigKey, at: usize, value: &Spanned<DeValue<'_>>) {
        if let DeValue::Array(words) = value.get_ref() {
            let wrong = sandbox::wrong_hosts(key, words);
            if !wrong.is_empty() {
                return wrong.into_iter().for_each(|(at, what)| self.problem(Some(at), what));
            }
        }
        match checked(key, value.get_ref(), self.home) {
            Ok(value) => {
                let origin = self.origin(at);
                self.said.entries.push(ConfigEntry { key, value, origin });
            }
            Err(what) => self.problem(Some(value.span().start), what),
        }
    }
}

fn unknown(dotted: &str) -> String {
    if is_table(dotted) {
        return format!("`{dotted}` must be a table");
    }
    match nearest(dotted) {
        Some(known) => format!("unknown key `{dotted}`; did you mean `{known}`?"),
        None => format!("unknown key `{dotted}`"),
    }
}

fn checked(key: &ConfigKey, value: &DeValue<'_>, home: Option<&Path>) -> Result<ConfigValue, String> {
    let wrong = || format!("`{}` must be {}, not {}", key.name, key.kind.expected(), what_it_is(value));
    match (key.kind, value) {
        (ValueKind::Number(_), DeValue::Integer(number)) => in_range(key, number),
        (ValueKind::Flag, DeValue::Boolean(said)) => Ok(ConfigValue::Bool(*said)),
        (ValueKind::Word(words), DeValue::String(word)) => one_of(key, words, word),
        (ValueKind::Name, DeValue::String(word)) if !word.trim().is_empty() => {
            Ok(ConfigValue::Word(word.to_string()))
        }
        (ValueKind::Name, DeValue::String(_)) => Err(format!("`{}` is empty", key.name)),
        (ValueKind::Path, DeValue::String(path)) if Path::new(path.as_ref()).is_absolute() => {
            Ok(ConfigValue::Word(path.to_string()))
        }
        (ValueKind::Path, DeValue::String(path)) => {
            Err(format!("`{}` must be an absolute path, not `{path}`", key.name))
        }
        (ValueKind::Collector, DeValue::String(address)) => match Collector::at(address) {
            Ok(_) => Ok(ConfigValue::Word(address.to_string())),
            Err(error) => Err(format!("`{}`: {error}", key.name)),
        },
        (ValueKind::Paths, DeValue::Array(words)) => sandbox::paths(key, list(key, words)?, home),
        (ValueKind::Network, DeValue::String(word)) => one_of(key, sandbox::NETWORK, word),
        (ValueKind::Network, DeValue::Array(words)) => sandbox::hosts(key, list(key, words)?),
        (ValueKind::List | ValueKind::HostNames, DeValue::Array(words)) => list(key, words),
        (ValueKind::Patterns, DeValue::Array(words)) => {
            let words = list(key, words)?;
            let ConfigValue::List(given) = &words else { return Err(wrong()) };
            given.iter().try_for_each(|word| is_pattern(key, word))?;
            Ok(words)
        }
        (ValueKind::Choice(known), DeValue::Array(words)) => {
            let words = list(key, words)?;
            let ConfigValue::List(given) = &words else { return Err(wrong()) };
            given.iter().try_for_each(|word| one_of(key, known, word).map(drop))?;
            Ok(words)
        }
        _ => Err(wrong()),
    }
}

fn in_range(key: &ConfigKey, number: &DeInteger<'_>) -> Result<ConfigValue, String> {
    let ValueKind::Number(range) = key.kind else { return Ok(ConfigValue::Unset) };
    let value = u64::from_str_radix(number.as_str(), number.radix()).ok().filter(|value| range.holds(*value));
    value.map(ConfigValue::Number).ok_or_else(|| {
        format!("`{}` is {number}, which is not between {} and {}", key.name, range.least, range.most)
    })
}

fn one_of(key: &ConfigKey, words: &[&str], word: &str) -> Result<ConfigValue, String> {
    if words.contains(&word) {
        return Ok(ConfigValue::Word(word.to_owned()));
    }
    let known = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    Err(format!("`{}` is `{word}`, which is none of {known}", key.name))
}

fn is_pattern(key: &ConfigKey, word: &str) -> Result<(), String> {
    let Err(error) = regex::Regex::new(word) else { return Ok(()) };
    let why = error.to_string().lines().last().unwrap_or_default().trim().to_owned();
    Err(format!("`{}` has `{word}`, which is no regular expression: {why}", key.name))
}

fn list(key: &ConfigKey, words: &DeArray<'_>) -> Result<ConfigValue, String> {
    let words = words.iter().map(|word| match word.get_ref() {
        DeValue::String(word) if word.trim().is_empty() => Err(format!("`{}` has an empty entry", key.name)),
        DeValue::String(word) => Ok(word.to_string()),
        other => {
            Err(format!("`{}` must be {}, not {} in it", key.name, key.kind.expected(), what_it_is(other)))
        }
    });
    words.collect::<Result<_, _>>().map(ConfigValue::List)
}

fn what_it_is(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let source = ConfigSource { file: "runward.toml".to_owned(), text: text.to_owned() };
        let mut problems = Vec::new();
        read(&source, None, &mut problems);
        problems.iter().map(ConfigProblem::to_string).collect()
    }

    #[test]
    fn a_key_that_is_there_twice_is_named() {
        for (text, told) in [
            ("zzz = 1\nzzz = 2", "2: the key `zzz` is there twice"),
            ("[policy]\ntyped = \"ask\"\ntyped = \"deny\"", "3: the key `policy.typed` is there twice"),
            ("[policy]\ntyped = \"ask\"\n  typed = \"deny\"", "3: the key `policy.typed` is there twice"),
            ("policy.typed = \"ask\"\npolicy.typed = \"deny\"", "2: the key `policy.typed` is there twice"),
            ("[policy]\ntyped = \"ask\"\n[policy]\ndeny = []", "3: the key `policy` is there twice"),
            (
                "[runtimes.node]\npath = \"/a\"\n[runtimes.node]\n",
                "3: the key `runtimes.node` is there twice",
            ),
            ("[[policy.rules]]\nname = \"a\"\nname = \"b\"", "3: the key `policy.rules.name` is there twice"),
            ("policy = { typed = \"ask\", typed = \"deny\" }", "1: the key `typed` is there twice"),
            (
                "[\"policy\"]\n\"typed\" = 1\n\"typed\" = 1",
                "3: the key `\"policy\".\"typed\"` is there twice",
            ),
        ] {
            let problems = problems(text);
            assert!(problems.contains(&format!("runward.toml:{told}")), "{text}: {problems:?}");
        }
        let two = problems("a = 1\na = 2\n[b]\nc = 1\nc = 2");
        assert_eq!(two.len(), 2, "each is told: {two:?}");
    }

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_nearest_name() {
        assert_eq!(
            problems("[limits]\n\ntimout_ms = 5\n"),
            ["runward.toml:3: unknown key `limits.timout_ms`; did you mean `limits.timeout_ms`?"]
        );
        assert_eq!(problems("zzz = 1"), ["runward.toml:1: unknown key `zzz`"]);
        assert_eq!(
            problems("[limts]\ntimeout_ms = 5"),
            ["runward.toml:1: unknown key `limts`; did you mean `limits`?"],
            "an unknown table is told once, not once for each key in it"
        );
    }

    #[test]
    fn a_wrong_type_is_told() {
        assert_eq!(
            problems(
                "limits.timeout_ms = \"5\"\npolicy.allow = \"ls\"\nenv.base = 1\nenv.drop = [1]\nlimits.cpu_ms = 1.5"
            ),
            [
                "runward.toml:1: `limits.timeout_ms` must be a whole number, not a text",
                "runward.toml:2: `policy.allow` must be a list of words in quotes, not a text",
                "runward.toml:3: `env.base` must be a word in quotes, not a whole number",
                "runward.toml:4: `env.drop` must be a list of words in quotes, not a whole number in it",
                "runward.toml:5: `limits.cpu_ms` must be a whole number, not a number with a fraction",
            ]
        );
    }

    #[test]
    fn a_value_out_of_range_is_told() {
        assert_eq!(
            problems(
                "[limits]\ntimeout_ms = 0\nidle_timeout_ms = 600_001\nmemory_bytes = -1\nopen_files = 0x1"
            ),
            [
                "runward.toml:2: `limits.timeout_ms` is 0, which is not between 1 and 600000",
                "runward.toml:3: `limits.idle_timeout_ms` is 600001, which is not between 1 and 600000",
                "runward.toml:4: `limits.memory_bytes` is -1, which is not between 1 and 1125899906842624",
                "runward.toml:5: `limits.open_files` is 0x1, which is not between 3 and 1048576",
            ]
        );
        assert_eq!(
            problems("policy.typed = \"maybe\""),
            ["runward.toml:1: `policy.typed` is `maybe`, which is none of `allow`, `ask`, `deny`"]
        );
        assert_eq!(
            problems("runtimes.node.path = \"node\"\npolicy.deny = [\"\"]"),
            [
                "runward.toml:1: `runtimes.node.path` must be an absolute path, not `node`",
                "runward.toml:2: `policy.deny` has an empty entry",
            ]
        );
    }

    #[test]
    fn a_table_where_a_value_belongs_and_the_other_way_round() {
        assert_eq!(
            problems("limits = 1\n[env.base]\nx = 1"),
            [
                "runward.toml:1: `limits` must be a table",
                "runward.toml:2: `env.base` must be a word in quotes, not a table"
            ]
        );
    }

    #[test]
    fn text_that_is_not_toml_is_a_problem_with_a_line() {
        let told = problems("[limits]\ntimeout_ms = = 5\n");
        assert!(told[0].starts_with("runward.toml:2: "), "{told:?}");
    }

    #[test]
    fn every_table_may_be_written_in_every_way() {
        assert_eq!(
            problems("limits = { timeout_ms = 5 }\n[runtimes.node]\npath = \"/n\""),
            Vec::<String>::new()
        );
    }
}
