//! Names of hosts that may have private addresses. May not admit anything: only a list of hosts does.

use super::entry::{self, HostListError};
use super::listed::USUAL_PORTS;
use super::{ConnectionTarget, HostName, ListedHost};
use serde::{Serialize, Serializer};

/// Hosts that may be connected to although their names lead to private addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PrivateHosts {
    entries: Vec<ListedHost>,
}

impl PrivateHosts {
    /// The hosts of these entries, which are names: `HOST` or `*.HOST`.
    pub fn parse(entries: &[String]) -> Result<Self, HostListError> {
        let name = |text: &String| {
            let entry = entry::parse(text)?;
            let is_name = !entry.is_literal() && !entry.host_loopback() && entry.ports() == USUAL_PORTS;
            if is_name { Ok(entry) } else { Err(HostListError::NotName(text.clone())) }
        };
        Ok(Self { entries: entries.iter().map(name).collect::<Result<_, _>>()? })
    }

    /// Whether this one may have private addresses.
    pub fn names(&self, host: &HostName) -> bool {
        let target = ConnectionTarget::Name(host.clone());
        self.entries.iter().any(|entry| entry.is_about(&target))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// As text, each in its one spelling.
    pub fn texts(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.text().to_owned()).collect()
    }

    /// The entries of these that are also among the others.
    #[must_use]
    pub fn shared_with(&self, other: &PrivateHosts) -> PrivateHosts {
        let pairs = self.entries.iter().flat_map(|one| other.entries.iter().map(move |two| (one, two)));
        let mut entries: Vec<ListedHost> = Vec::new();
        for shared in pairs.filter_map(|(one, two)| one.shared_with(two)) {
            if !entries.contains(&shared) {
                entries.push(shared);
            }
        }
        PrivateHosts { entries }
    }
}

impl Serialize for PrivateHosts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().map(ListedHost::text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn private(entries: &[&str]) -> Result<PrivateHosts, HostListError> {
        PrivateHosts::parse(&entries.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_named_and_nothing_else() {
        let hosts = private(&["git.corp.example", "*.lab.example"]).unwrap();
        let names = |text: &str| hosts.names(&HostName::parse(text).unwrap());
        assert!(names("GIT.corp.example.") && names("a.b.lab.example"));
        assert!(!names("lab.example") && !names("a.git.corp.example") && !names("corp.example"));
    }

    #[test]
    fn ports_and_addresses_are_for_the_list() {
        for entry in
            ["git.corp.example:22", "10.0.0.5", "10.0.0.0/8:80,443", "localhost:80,443", "*", "*.com"]
        {
            assert!(private(&[entry]).is_err(), "{entry}");
        }
    }

    #[test]
    fn of_two_only_the_shared_ones_stay() {
        let one = private(&["*.corp.example", "a.example"]).unwrap();
        let two = private(&["git.corp.example", "b.example"]).unwrap();
        assert_eq!(one.shared_with(&two).texts(), ["git.corp.example"]);
        assert!(one.shared_with(&PrivateHosts::default()).is_empty());
    }
}
