//! What a new configuration means for servers that run already.
//!
//! May not stop or start anything.

use super::config::{Roster, Server};

/// Keys of servers by what is to be done with them; each key stands in one list only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// They are new, or were switched on.
    pub start: Vec<String>,
    /// They are gone, or were switched off.
    pub stop: Vec<String>,
    /// They are reached in another way than before.
    pub restart: Vec<String>,
    /// They run on, but times, shown tools or laziness changed.
    pub adjust: Vec<String>,
    /// Nothing about them changed.
    pub keep: Vec<String>,
}

impl Difference {
    /// What leads from the old configuration to the new one.
    pub fn between(old: &Roster, new: &Roster) -> Self {
        let mut difference = Self::default();
        for server in old.on() {
            if find(new, &server.key).is_none() {
                difference.stop.push(server.key.clone());
            }
        }
        for server in new.on() {
            let list = match find(old, &server.key) {
                None => &mut difference.start,
                Some(before) if before.reach != server.reach => &mut difference.restart,
                Some(before) if before != server => &mut difference.adjust,
                Some(_) => &mut difference.keep,
            };
            list.push(server.key.clone());
        }
        difference
    }

    /// Whether nothing is to be done.
    pub fn is_nothing(&self) -> bool {
        [&self.start, &self.stop, &self.restart, &self.adjust].iter().all(|list| list.is_empty())
    }
}

fn find<'a>(roster: &'a Roster, key: &str) -> Option<&'a Server> {
    roster.on().find(|server| server.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn roster(servers: &str) -> Roster {
        let text = format!(r#"{{"mcpServers": {{{servers}, "off": {{"command": "x", "disabled": true}}}}}}"#);
        Roster::read("mcp.json", &text, &|_| None).unwrap()
    }

    #[test]
    fn only_what_changed_is_touched() {
        let old = roster(
            r#""a": {"command": "x"}, "b": {"command": "x"}, "c": {"command": "x"}, "d": {"command": "x"},
               "e": {"command": "x"}, "f": {"command": "x", "disabled": true}"#,
        );
        let new = roster(
            r#""f": {"command": "x"}, "e": {"command": "x", "disabled": true}, "g": {"url": "https://x"},
               "d": {"command": "x", "tools": {"deny": ["y"]}}, "c": {"command": "x", "env": {"A": "1"}},
               "b": {"command": "x"}"#,
        );
        let keys = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let expected = Difference {
            start: keys("f g"),
            stop: keys("a e"),
            restart: keys("c"),
            adjust: keys("d"),
            keep: keys("b"),
        };
        assert_eq!(Difference::between(&old, &new), expected);
    }

    #[test]
    fn a_variable_that_says_something_else_restarts_its_server() {
        let text = r#"{"mcpServers": {"a": {"command": "x", "env": {"T": "$TOKEN"}}}}"#;
        let read = |value: &str| Roster::read("mcp.json", text, &|_| Some(value.to_owned())).unwrap();
        assert_eq!(Difference::between(&read("1"), &read("2")).restart, ["a"]);
        assert!(Difference::between(&read("1"), &read("1")).is_nothing());
    }

    fn any_roster() -> impl Strategy<Value = Roster> {
        let server = ("[a-d]", "[xy]", any::<bool>(), 1u64..3);
        prop::collection::vec(server, 0..5).prop_map(|servers| {
            let mut seen = BTreeSet::new();
            let servers = servers.into_iter().filter(|(key, ..)| seen.insert(key.clone()));
            let members = servers.map(|(key, command, disabled, timeout)| {
                format!(
                    r#""{key}": {{"command": "{command}", "disabled": {disabled}, "timeout_ms": {timeout}}}"#
                )
            });
            roster(&members.chain([r#""z": {"command": "z"}"#.to_owned()]).collect::<Vec<_>>().join(","))
        })
    }

    proptest! {
        #[test]
        fn following_the_difference_leads_to_the_new_configuration(old in any_roster(), new in any_roster()) {
            let Difference { start, stop, restart, adjust, keep } = Difference::between(&old, &new);
            let keys = |roster: &Roster| roster.on().map(|server| server.key.clone()).collect::<BTreeSet<_>>();
            let stay: Vec<_> = [restart, adjust, keep].concat();
            let count = start.len() + stop.len() + stay.len();
            let before: BTreeSet<_> = stop.iter().chain(&stay).cloned().collect();
            let after: BTreeSet<_> = start.iter().chain(&stay).cloned().collect();
            prop_assert_eq!(count, before.union(&after).count());
            prop_assert_eq!(before, keys(&old));
            prop_assert_eq!(after, keys(&new));
            prop_assert!(Difference::between(&new, &new).is_nothing());
        }
    }
}
