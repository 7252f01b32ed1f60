//! What there is to know about one key. May not hold values: only what values may be.

use super::Value;

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
pub enum Kind {
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
    /// The address of a collector.
    Collector,
}

impl Kind {
    /// What is expected, in words.
    pub fn expected(self) -> &'static str {
        match self {
            Kind::Number(_) => "a whole number",
            Kind::Flag => "true or false",
            Kind::Word(_) | Kind::Name => "a word in quotes",
            Kind::List | Kind::Choice(_) => "a list of words in quotes",
            Kind::Patterns => "a list of regular expressions in quotes",
            Kind::Path => "an absolute path in quotes",
            Kind::Paths => "a list of absolute paths in quotes",
            Kind::Network => "`on`, `off` or a list of hosts in quotes",
            Kind::Collector => "an address such as `http://localhost:4318` in quotes",
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
    /// Set it: what comes of it is judged.
    Set,
    /// Nothing.
    Never,
}

/// One key.
#[derive(Debug)]
pub struct Key {
    /// Its dotted name.
    pub name: &'static str,
    /// What its values look like.
    pub kind: Kind,
    /// What holds where no file says anything, as TOML; empty for nothing.
    pub built_in: &'static str,
    /// What a project file may do.
    pub project: Project,
    /// One line for people.
    pub doc: &'static str,
}

impl Key {
    /// The built-in value.
    pub fn default_value(&self) -> Value {
        let built_in = self.built_in;
        match self.kind {
            _ if built_in.is_empty() => Value::Unset,
            Kind::Number(_) => built_in.parse().map_or(Value::Unset, Value::Number),
            Kind::Flag => Value::Bool(built_in == "true"),
            Kind::Word(_) | Kind::Name | Kind::Path | Kind::Collector | Kind::Network => {
                Value::Word(built_in.to_owned())
            }
            // What can be chosen from a few may be all of them; no other list has anything in it from the start.
            Kind::Choice(known) => {
                let listed = |word: &&&str| built_in.contains(&format!("\"{word}\""));
                Value::List(known.iter().filter(listed).map(|word| (*word).to_owned()).collect())
            }
            Kind::List | Kind::Patterns | Kind::Paths => Value::List(Vec::new()),
        }
    }
}
