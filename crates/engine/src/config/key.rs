//! The description of one key: what its values may be, and what a project file may do to them. May not hold values.

use super::ConfigValue;

/// Numbers a key takes, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl Range {
    /// Whether a number lies in it.
    pub fn holds(self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }
}

/// What a value must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A whole number.
    Number(Range),
    /// True or false.
    Flag,
    /// One of these words, the loosest first.
    Word(&'static [&'static str]),
    /// Any word.
    Name,
    /// A list of words.
    List,
    /// A list of regular expressions.
    Patterns,
    /// A list of these words.
    Choice(&'static [&'static str]),
    /// An absolute path.
    Path,
    /// A list of absolute paths; `~` is the owner's home.
    Paths,
    /// `on`, `off`, or a list of hosts.
    Network,
    /// A list of names of hosts.
    HostNames,
    /// The address of a collector.
    Collector,
}

impl ValueKind {
    /// What is expected, in words.
    pub fn expected(self) -> &'static str {
        match self {
            ValueKind::Number(_) => "a whole number",
            ValueKind::Flag => "true or false",
            ValueKind::Word(_) | ValueKind::Name => "a word in quotes",
            ValueKind::List | ValueKind::Choice(_) => "a list of words in quotes",
            ValueKind::Patterns => "a list of regular expressions in quotes",
            ValueKind::Path => "an absolute path in quotes",
            ValueKind::Paths => "a list of absolute paths in quotes",
            ValueKind::HostNames => "a list of names of hosts in quotes",
            ValueKind::Network => "`on`, `off` or a list of hosts in quotes",
            ValueKind::Collector => "an address such as `http://localhost:4318` in quotes",
        }
    }
}

/// What a project file may do to a value. It may never loosen one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Project {
    /// Make the number smaller, or set one where there was none.
    Lower,
    /// Take entries out of the list.
    Shrink,
    /// Add entries to the list.
    Grow,
    /// Choose a stricter word.
    Stricter,
    /// Switch it on.
    Tighten,
    /// Set it: the resulting command is judged.
    Set,
    /// Nothing.
    Never,
}

/// One key.
#[derive(Debug)]
pub struct ConfigKey {
    /// Its dotted name.
    pub name: &'static str,
    /// What its values look like.
    pub kind: ValueKind,
    /// The default, as TOML; empty for nothing.
    pub built_in: &'static str,
    /// What a project file may do.
    pub project: Project,
    /// One line for people.
    pub doc: &'static str,
}

impl ConfigKey {
    /// The built-in value.
    pub fn default_value(&self) -> ConfigValue {
        let built_in = self.built_in;
        match self.kind {
            _ if built_in.is_empty() => ConfigValue::Unset,
            ValueKind::Number(_) => built_in.parse().map_or(ConfigValue::Unset, ConfigValue::Number),
            ValueKind::Flag => ConfigValue::Bool(built_in == "true"),
            ValueKind::Word(_)
            | ValueKind::Name
            | ValueKind::Path
            | ValueKind::Collector
            | ValueKind::Network => ConfigValue::Word(built_in.to_owned()),
            // A list of a few possible words defaults to all of them; every other list is empty from the start.
            ValueKind::Choice(known) => {
                let listed = |word: &&&str| built_in.contains(&format!("\"{word}\""));
                ConfigValue::List(known.iter().filter(listed).map(|word| (*word).to_owned()).collect())
            }
            ValueKind::List | ValueKind::Patterns | ValueKind::Paths | ValueKind::HostNames => {
                ConfigValue::List(Vec::new())
            }
        }
    }
}
