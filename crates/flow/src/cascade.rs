//! Whose word counts: built in, user, project, front matter, command line; each value with where it came from.
//!
//! May not read any of them: whoever calls hands over layers, the weakest first.

use crate::front::{Front, Value};
use runward_engine::config::{self, Settings};
use std::fmt;

/// Where a value came from, the weakest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// What Runward knows about the program.
    BuiltIn,
    /// A file of the configuration, the owner's or the project's, as `file:line`.
    Configuration(String),
    /// The front matter, with its file and line.
    FrontMatter {
        /// The file.
        file: String,
        /// The line of the key.
        line: usize,
    },
    /// The command line.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn => f.write_str("built-in"),
            Origin::Configuration(place) => f.write_str(place),
            Origin::FrontMatter { file, line } => write!(f, "{file}:{line}"),
            Origin::CommandLine => f.write_str("command line"),
        }
    }
}

/// A value in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyInForce {
    /// Its key.
    pub key: String,
    /// Where it came from.
    pub origin: Origin,
    /// What it took the place of, the strongest first.
    pub instead_of: Vec<(Value, Origin)>,
}

/// Layers on their way to one front matter.
#[derive(Debug, Clone, Default)]
pub struct Cascade {
    merged: Front,
    origins: Vec<KeyInForce>,
}

impl Cascade {
    /// Lays values over what is there, key by key; all of them came from the same place.
    pub fn lay(&mut self, front: &Front, origin: &Origin) {
        self.lay_each(front, |_| origin.clone());
    }

    /// The same for a file's front matter, whose keys know their lines.
    pub fn lay_front_matter(&mut self, file: &str, front: &Front) {
        self.lay_each(front, |key| Origin::FrontMatter {
            file: front.mark_of(key).map_or_else(|| file.to_owned(), |mark| mark.file.clone()),
            line: front.line_of(key).unwrap_or(1),
        });
    }

    /// The same for values that each come with their place.
    pub fn lay_configured(&mut self, values: impl IntoIterator<Item = (String, Value, String)>) {
        for (key, value, place) in values {
            self.lay(&[(key, value)].into_iter().collect(), &Origin::Configuration(place));
        }
    }

    /// The same for what the configuration says about a command.
    pub fn lay_settings(&mut self, settings: &Settings, command: &str) {
        let about = settings.configured_commands().iter().filter(|setting| setting.command == command);
        self.lay_configured(
            about.map(|setting| (setting.key.clone(), value(&setting.value), setting.origin.to_string())),
        );
    }

    fn lay_each(&mut self, front: &Front, origin: impl Fn(&str) -> Origin) {
        for (key, _) in front.iter() {
            let held = self.merged.get(key).cloned();
            match (self.origins.iter_mut().find(|one| one.key == key), held) {
                (Some(one), Some(value)) => {
                    let before = std::mem::replace(&mut one.origin, origin(key));
                    one.instead_of.insert(0, (value, before));
                }
                _ => {
                    let (key, origin) = (key.to_owned(), origin(key));
                    self.origins.push(KeyInForce { key, origin, instead_of: Vec::new() });
                }
            }
        }
        self.merged = front.merge_under(&self.merged);
    }

    /// All layers as one.
    pub fn front(&self) -> &Front {
        &self.merged
    }

    /// Every value in force with where it came from, in the order of the keys.
    pub fn in_force(&self) -> impl Iterator<Item = (&Value, &KeyInForce)> {
        self.origins.iter().filter_map(|one| Some((self.merged.get(&one.key)?, one)))
    }
}

/// A value of the configuration as front matter would have it.
fn value(configured: &config::ConfigValue) -> Value {
    match configured {
        config::ConfigValue::Unset => Value::Null,
        config::ConfigValue::Bool(word) => Value::Bool(*word),
        config::ConfigValue::Number(number) => Value::Number(number.to_string()),
        config::ConfigValue::Decimal(number) => Value::Number(number.clone()),
        config::ConfigValue::Word(text) => Value::text(text),
        config::ConfigValue::List(words) => Value::List(words.iter().map(Value::text).collect()),
        config::ConfigValue::Table(entries) => {
            Value::Map(entries.iter().map(|(name, text)| (name, Value::text(text))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::read;

    fn front(entries: &[(&str, &str)]) -> Front {
        entries.iter().map(|(key, value)| (*key, Value::text(*value))).collect()
    }

    #[test]
    fn the_strongest_layer_counts_and_says_whom_it_replaced() {
        let flow = read("t.claude.md", "---\nverbose: v\nmodel: opus\n---\n").unwrap();
        let mut cascade = Cascade::default();
        cascade.lay(&front(&[("print", "yes")]), &Origin::BuiltIn);
        cascade.lay_configured([
            ("model".to_owned(), Value::text("haiku"), "user.toml:3".to_owned()),
            ("model".to_owned(), Value::text("sonnet"), ".runward.toml:2".to_owned()),
        ]);
        cascade.lay_front_matter("t.claude.md", &flow.front);
        cascade.lay(&front(&[("_cwd", "/x")]), &Origin::CommandLine);
        let shown: Vec<String> = cascade
            .in_force()
            .map(|(value, one)| {
                let before: Vec<String> = one
                    .instead_of
                    .iter()
                    .map(|(value, origin)| format!(" over {value} ({origin})"))
                    .collect();
                format!("{} = {value} ({}){}", one.key, one.origin, before.concat())
            })
            .collect();
        assert_eq!(
            shown,
            [
                "print = yes (built-in)",
                "model = opus (t.claude.md:3) over sonnet (.runward.toml:2) over haiku (user.toml:3)",
                "verbose = v (t.claude.md:2)",
                "_cwd = /x (command line)",
            ]
        );
        let keys: Vec<&str> = cascade.front().iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["print", "model", "verbose", "_cwd"], "defaults come first, as in the builder");
    }

    #[test]
    fn what_the_configuration_says_about_a_command_is_a_layer() {
        let text = "[commands.claude]\nmodel = \"opus\"\nprint = false\nn = 5\nt = 1.50\ndirs = [\"a\", 2]\n[commands.codex]\nx = true";
        let user = Some(config::ConfigSource { file: "u.toml".to_owned(), text: text.to_owned() });
        let settings = config::load(&config::Sources { user, ..config::Sources::default() }).unwrap();
        let mut cascade = Cascade::default();
        cascade.lay_settings(&settings, "claude");
        let expected =
            read("a.md", "---\nmodel: opus\nprint: false\nn: 5\nt: 1.50\ndirs: [a, \"2\"]\n---\n").unwrap();
        assert_eq!(cascade.front(), &expected.front);
        assert_eq!(cascade.in_force().next().unwrap().1.origin.to_string(), "u.toml:2");
    }

    #[test]
    fn env_is_one_key_that_the_stronger_layer_replaces_whole() {
        let source = |file: &str, text: &str| {
            Some(config::ConfigSource { file: file.to_owned(), text: text.to_owned() })
        };
        let user = source("u.toml", "[commands.claude]\nmodel = \"opus\"\nenv = {A = 1, B = true}\n");
        let project = source(".runward.toml", "[commands.claude.env]\nC = \"3\"\n");
        let env = |project, front: &str| {
            let sources = config::Sources { user: user.clone(), project, ..config::Sources::default() };
            let mut cascade = Cascade::default();
            cascade.lay_settings(&config::load(&sources).unwrap(), "claude");
            cascade.lay_front_matter("t.claude.md", &read("t.claude.md", front).unwrap().front);
            let (value, one) = cascade.in_force().find(|(_, one)| one.key == "env").unwrap();
            format!("{value} ({}) over {}", one.origin, one.instead_of.len())
        };
        assert_eq!(env(None, ""), r#"{"A":"1","B":"true"} (u.toml:3) over 0"#);
        assert_eq!(env(project.clone(), ""), r#"{"C":"3"} (.runward.toml:1) over 0"#);
        assert_eq!(env(project, "---\nenv: {D: 4}\n---\n"), r#"{"D":4} (t.claude.md:2) over 1"#);
    }

    #[test]
    fn a_value_that_says_no_takes_the_place_of_a_default() {
        let mut cascade = Cascade::default();
        cascade.lay(&front(&[("print", "yes")]), &Origin::BuiltIn);
        let none: Front = [("print", Value::Bool(false))].into_iter().collect();
        cascade.lay(&none, &Origin::CommandLine);
        assert_eq!(cascade.front(), &none);
    }
}
