//! A list of hosts: what it admits, and whether one list is narrower than another. May not resolve a name.

use super::entry::{self, HostListError};
use super::{ConnectionTarget, HostName, ListedHost};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;

/// The most different ports in one list: there is a listener for each.
pub(super) const MOST_PORTS: usize = 64;

/// The hosts that a command may connect to, each with its ports.
///
/// ```
/// use runward_core::network::{ConnectionTarget, HostList, HostName};
/// let list = HostList::parse(&["*.example.com:443".to_owned()]).unwrap();
/// let target = |name: &str| ConnectionTarget::Name(HostName::parse(name).unwrap());
/// assert!(list.admits(&target("a.b.example.com"), 443).is_some());
/// assert!(list.admits(&target("example.com"), 443).is_none());
/// assert!(list.admits(&target("a.example.com"), 22).is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct HostList {
    entries: Vec<ListedHost>,
}

impl HostList {
    /// The list of these entries.
    pub fn parse(entries: &[String]) -> Result<Self, HostListError> {
        let entries: Vec<_> = entries.iter().map(|entry| entry::parse(entry)).collect::<Result<_, _>>()?;
        Self::of(entries)
    }

    /// The list that one word names, as an option has it: `a.example:22,443,b.example`. A number belongs to the entry
    /// before it, for no host is named by one.
    pub fn parse_word(word: &str) -> Result<Self, HostListError> {
        let mut entries: Vec<String> = Vec::new();
        for part in word.split(',') {
            match entries.last_mut() {
                Some(last) if last.contains(':') && is_number(part) => {
                    last.push(',');
                    last.push_str(part);
                }
                _ => entries.push(part.to_owned()),
            }
        }
        Self::parse(&entries)
    }

    fn of(all: Vec<ListedHost>) -> Result<Self, HostListError> {
        let mut entries: Vec<ListedHost> = Vec::new();
        for entry in all {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let list = Self { entries };
        let ports = list.ports().len();
        if ports > MOST_PORTS { Err(HostListError::TooManyPorts(ports)) } else { Ok(list) }
    }

    /// The entry that admits a connection there, if one does.
    pub fn admits(&self, target: &ConnectionTarget, port: u16) -> Option<&ListedHost> {
        self.entries.iter().find(|entry| entry.admits(target, port))
    }

    /// Whether any entry is about this name, whatever the port.
    pub fn speaks_of(&self, name: &HostName) -> bool {
        let target = ConnectionTarget::Name(name.clone());
        self.entries.iter().any(|entry| entry.is_about(&target))
    }

    /// Every port of every entry, in order, each once.
    pub fn ports(&self) -> Vec<u16> {
        let all: BTreeSet<u16> =
            self.entries.iter().flat_map(|entry| entry.ports().iter().copied()).collect();
        all.into_iter().collect()
    }

    /// Whether everything that the other list admits is admitted by this one.
    pub fn covers(&self, other: &HostList) -> bool {
        self.first_beyond(other).is_none()
    }

    /// The first entry of the other list that admits what this one does not.
    pub fn first_beyond<'a>(&self, other: &'a HostList) -> Option<&'a ListedHost> {
        let covered =
            |entry: &ListedHost, port: u16| self.entries.iter().any(|own| own.covers_port(entry, port));
        other.entries.iter().find(|entry| !entry.ports().iter().all(|port| covered(entry, *port)))
    }

    /// What both lists admit.
    #[must_use]
    pub fn shared_with(&self, other: &HostList) -> HostList {
        let pairs = self.entries.iter().flat_map(|one| other.entries.iter().map(move |two| (one, two)));
        let mut entries: Vec<ListedHost> = Vec::new();
        for shared in pairs.filter_map(|(one, two)| one.shared_with(two)) {
            if !entries.contains(&shared) {
                entries.push(shared);
            }
        }
        // Its ports are some of those of each, so they are not too many.
        HostList { entries }
    }

    /// Its entries, in the order in which they were written.
    pub fn entries(&self) -> &[ListedHost] {
        &self.entries
    }

    /// Its entries as text, each in its one spelling.
    pub fn texts(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.text().to_owned()).collect()
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

impl Serialize for HostList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().map(ListedHost::text))
    }
}

impl<'de> Deserialize<'de> for HostList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<String>::deserialize(deserializer)?;
        Self::parse(&entries).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
