//! The addresses that a command's names are given: made up, one for each name, and of use inside of its network alone.
//!
//! That a name has one says nothing about whether it may be connected to. May not ask anybody about a name.

use super::{HostList, HostName};
use std::collections::HashMap;
use std::net::Ipv4Addr;

/// The most names that one command is given addresses for.
pub const MADE_UP_NAMES: usize = 65_536;

/// The first address of the range that is set aside for measuring networks, which no host has: 198.18.0.0/15.
const POOL: u32 = 0xC612_0000;

/// Names, and the address of each.
#[derive(Debug, Clone, Default)]
pub struct MadeUpAddresses {
    names: Vec<HostName>,
    places: HashMap<HostName, u32>,
    search: Vec<HostName>,
    listed: HostList,
}

impl MadeUpAddresses {
    /// No names yet. A resolver tries a short name below each of its search domains first: what it makes up that way and
    /// the list does not speak of is not there, so that it goes on to the name that was meant.
    pub fn searching(search: Vec<HostName>, listed: HostList) -> Self {
        Self { search, listed, ..Self::default() }
    }

    /// The address of a name, the same one each time; none when all are given.
    pub fn give(&mut self, name: &HostName) -> Option<Ipv4Addr> {
        if let Some(&place) = self.places.get(name) {
            return Some(address(place));
        }
        let place = u32::try_from(self.names.len()).ok().filter(|_| self.names.len() < MADE_UP_NAMES)?;
        self.names.push(name.clone());
        self.places.insert(name.clone(), place);
        Some(address(place))
    }

    /// The name that was given this address.
    pub fn name_of(&self, address: Ipv4Addr) -> Option<&HostName> {
        // The first address of the range is nobody's, so places count from the second.
        let place = address.to_bits().checked_sub(POOL + 1)?;
        self.names.get(usize::try_from(place).ok()?)
    }

    /// Whether a resolver is more likely to have made up the name from a search domain than to mean it.
    pub(super) fn is_searched(&self, name: &HostName) -> bool {
        let below = self.search.iter().any(|domain| name.is_below(domain));
        below && !self.listed.speaks_of(name)
    }
}

fn address(place: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(POOL + 1 + place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> HostName {
        HostName::parse(text).unwrap()
    }

    #[test]
    fn a_name_keeps_its_address_however_it_is_written() {
        let mut given = MadeUpAddresses::default();
        let first = given.give(&name("a.example")).unwrap();
        let second = given.give(&name("b.example")).unwrap();
        assert_eq!((first, second), ([198, 18, 0, 1].into(), [198, 18, 0, 2].into()));
        assert_eq!(given.give(&name("A.Example.")), Some(first));
        assert_eq!(given.name_of(second), Some(&name("b.example")));
        for never in [
            "198.18.0.0",
            "198.18.0.3",
            "198.17.255.255",
            "198.20.0.0",
            "0.0.0.0",
            "255.255.255.255",
            "127.0.0.1",
        ] {
            assert_eq!(given.name_of(never.parse().unwrap()), None, "{never}");
        }
    }

    #[test]
    fn there_is_an_end_and_names_that_have_an_address_keep_it() {
        let mut given = MadeUpAddresses::default();
        let all: Vec<_> =
            (0..MADE_UP_NAMES).map(|it| given.give(&name(&format!("n{it}.example"))).unwrap()).collect();
        assert_eq!(all.last(), Some(&Ipv4Addr::new(198, 19, 0, 0)));
        assert_eq!(given.give(&name("one.more.example")), None);
        assert_eq!(given.give(&name("n7.example")), Some(all[7]));
        assert_eq!(given.name_of(all[65_535]), Some(&name("n65535.example")));
    }

    #[test]
    fn what_a_search_domain_makes_of_a_name_is_known_unless_it_is_listed() {
        let listed = HostList::parse(&["db.corp.example:1".to_owned()]).unwrap();
        let given = MadeUpAddresses::searching(vec![name("corp.example")], listed);
        assert!(given.is_searched(&name("github.com.corp.example")));
        for other in ["db.corp.example", "corp.example", "github.com", "xcorp.example"] {
            assert!(!given.is_searched(&name(other)), "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_two_names_share_an_address(names in proptest::collection::vec("[ab]{1,3}\\.example", 0..40)) {
            let mut given = MadeUpAddresses::default();
            for text in &names {
                let name = name(text);
                let address = given.give(&name).unwrap();
                prop_assert_eq!(given.name_of(address), Some(&name));
                prop_assert!(!super::super::is_public_address(address.into(), &[]));
            }
        }
    }
}
