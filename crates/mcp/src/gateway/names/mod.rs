//! The published names of tools and prompts of child servers: `KEY__tool`, and the way back.
//!
//! A published name follows from its server, its tool and the separator alone, so it stays what it is when other
//! servers come, go or change places. It is the plain `KEY__tool` where that can be read in one way only; else
//! it ends in `_` and ten digits of a hash, and no plain name ends so. May not know what a tool does.
//! Read first: [`ToolNaming`].

mod separator;
#[cfg(test)]
mod tests;

pub use separator::{Separator, SeparatorError};

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The longest name that clients take.
pub const LONGEST: usize = 64;
/// How many digits of a hash a name ends in.
const DIGITS: usize = 10;
/// What is left of a name in front of its hash.
const STEM: usize = LONGEST - DIGITS - 1;
/// What a long key is cut to, so that something of the tool's own name is left.
const KEY_IN_STEM: usize = 20;

/// A tool or prompt by its server's own name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolOrigin {
    /// The key of the server.
    pub server: String,
    /// The name there.
    pub name: String,
}

impl ToolOrigin {
    /// What this server gives that name.
    pub fn new(server: &str, name: &str) -> Self {
        Self { server: server.to_owned(), name: name.to_owned() }
    }
}

/// How names are made.
#[derive(Debug, Clone, Default)]
pub struct ToolNaming {
    separator: Separator,
    reserved: BTreeSet<String>,
}

impl ToolNaming {
    /// Names with this separator, none of which is one of the reserved ones.
    ///
    /// Reserve every name that a tool of Runward may ever have, not those of today's profile: names would change
    /// with it.
    pub fn new<S: Into<String>>(separator: Separator, reserved: impl IntoIterator<Item = S>) -> Self {
        Self { separator, reserved: reserved.into_iter().map(Into::into).collect() }
    }

    /// The names of all of these. One that is listed twice is one.
    pub fn publish(&self, origins: impl IntoIterator<Item = ToolOrigin>) -> PublishedNames {
        self.publish_with(origins, digits)
    }

    fn publish_with(
        &self,
        origins: impl IntoIterator<Item = ToolOrigin>,
        digits: impl Fn(&ToolOrigin, u32) -> String,
    ) -> PublishedNames {
        // In order, so that the order in which servers are listed changes nothing.
        let origins: BTreeSet<ToolOrigin> = origins.into_iter().collect();
        let mut wanted: BTreeMap<String, Vec<ToolOrigin>> = BTreeMap::new();
        for origin in origins {
            let name = self.plain(&origin).unwrap_or_else(|| self.hashed(&origin, &digits(&origin, 0)));
            wanted.entry(name).or_default().push(origin);
        }
        let (alone, together): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(_, who)| who.len() == 1);
        let mut names = PublishedNames::default();
        for (name, who) in alone {
            who.into_iter().for_each(|origin| names.add(name.clone(), origin));
        }
        // A hash collision. Neither keeps the name: a server must not get at another's name by searching for a hash.
        for origin in together.into_iter().flat_map(|(_, who)| who) {
            let mut other = (1..).map(|round| self.hashed(&origin, &digits(&origin, round)));
            if let Some(name) = other.find(|name| names.origin(name).is_none()) {
                names.add(name, origin);
            }
        }
        names
    }

    /// Whether a published name may be one of this server: it begins as all of its names do.
    pub fn may_be(&self, name: &str, server: &str) -> bool {
        let begins =
            |key: &str| name.strip_prefix(key).is_some_and(|rest| rest.starts_with(self.separator.as_str()));
        let mut short = usual(server);
        let usual = short.clone();
        short.truncate(KEY_IN_STEM);
        begins(server) || looks_hashed(name) && (begins(&usual) || begins(&short))
    }

    /// `KEY__tool`, where clients take it and it can be read in one way only.
    fn plain(&self, origin: &ToolOrigin) -> Option<String> {
        let separator = self.separator.as_str();
        let name = format!("{}{separator}{}", origin.server, origin.name);
        let fits = name.len() <= LONGEST && name.bytes().all(is_usual);
        let one_reading = name.find(separator) == Some(origin.server.len());
        let free = !self.reserved.contains(&name) && !looks_hashed(&name);
        (fits && one_reading && free).then_some(name)
    }

    fn hashed(&self, origin: &ToolOrigin, digits: &str) -> String {
        let separator = self.separator.as_str();
        let (mut key, tool) = (usual(&origin.server), usual(&origin.name));
        if key.len() + separator.len() + tool.len() > STEM {
            key.truncate(KEY_IN_STEM);
        }
        let mut name = format!("{key}{separator}{tool}");
        name.truncate(STEM);
        name.push('_');
        name.push_str(digits);
        name
    }
}

fn is_usual(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The same text in the characters that clients take.
fn usual(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() && is_usual(c as u8) { c } else { '-' }).collect()
}

/// Whether a name ends as hashed names do.
fn looks_hashed(name: &str) -> bool {
    let bytes = name.as_bytes();
    let Some((stem, tail)) = bytes.split_at_checked(bytes.len().saturating_sub(DIGITS)) else { return false };
    stem.last() == Some(&b'_') && tail.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The first digits of a hash of server, tool and round, each told apart by its length.
fn digits(origin: &ToolOrigin, round: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [&origin.server, &origin.name] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&round.to_le_bytes());
    let mut text = hasher.finalize().to_hex().to_string();
    text.truncate(DIGITS);
    text
}

/// Published names and what they stand for; no two are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublishedNames {
    out: HashMap<ToolOrigin, String>,
    back: HashMap<String, ToolOrigin>,
}

impl PublishedNames {
    fn add(&mut self, name: String, origin: ToolOrigin) {
        self.out.insert(origin.clone(), name.clone());
        self.back.insert(name, origin);
    }

    /// What a published name stands for.
    pub fn origin(&self, published: &str) -> Option<&ToolOrigin> {
        self.back.get(published)
    }

    /// The published name of something.
    pub fn published(&self, origin: &ToolOrigin) -> Option<&str> {
        self.out.get(origin).map(String::as_str)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.back.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.back.is_empty()
    }
}
