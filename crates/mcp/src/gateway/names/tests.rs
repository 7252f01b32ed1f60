//! Names by example, and what must hold of them whatever servers call their tools.

use super::*;
use proptest::prelude::*;

fn published(server: &str, name: &str) -> String {
    let origin = ToolOrigin::new(server, name);
    ToolNaming::default().publish([origin.clone()]).published(&origin).unwrap().to_owned()
}

fn is_hashed_from(name: &str, stem: &str) -> bool {
    looks_hashed(name) && name[..name.len() - DIGITS - 1] == *stem
}

#[test]
fn a_usual_tool_is_called_by_key_and_name() {
    assert_eq!(published("github", "create_issue"), "github__create_issue");
    assert_eq!(published("my-files", "read__all"), "my-files__read__all");
    assert_eq!(published("a", "get_repository"), "a__get_repository");
    assert_eq!(published("a", "on_20250131"), "a__on_20250131");
}

#[test]
fn a_name_is_the_same_on_every_machine_and_in_every_version() {
    assert_eq!(published("my server", "a.b"), "my-server__a-b_7bef3ef5dd");
}

#[test]
fn other_characters_give_way_to_a_hash() {
    assert!(is_hashed_from(&published("my server", "run"), "my-server__run"));
    assert!(is_hashed_from(&published("files", "read/any"), "files__read-any"));
    assert_ne!(published("files", "read/any"), published("files", "read.any"));
}

#[test]
fn a_long_name_keeps_something_of_key_and_tool() {
    let name = published(&"k".repeat(60), "find_the_needle_in_the_haystack");
    assert_eq!(name, format!("{}__find_the_needle_in_the_haystack{}", "k".repeat(20), &name[53..]));
    assert_eq!(published("k", &"t".repeat(100)).len(), LONGEST);
    assert_eq!(published("k", &"t".repeat(61)), format!("k__{}", "t".repeat(61)));
}

#[test]
fn what_could_be_read_in_two_ways_is_hashed_and_the_other_reading_stays_plain() {
    assert_eq!(published("a", "b__c"), "a__b__c");
    assert!(is_hashed_from(&published("a__b", "c"), "a__b__c"));
    assert_eq!(published("a", "_b"), "a___b");
    assert!(is_hashed_from(&published("a_", "b"), "a___b"));
}

#[test]
fn a_tool_cannot_take_the_name_that_another_gets_from_its_hash() {
    let victim = published("my server", "run");
    let forged = victim.strip_prefix("my-server__").unwrap();
    assert_ne!(published("my-server", forged), victim);
    assert!(looks_hashed(&published("my-server", forged)));
}

#[test]
fn a_reserved_name_is_never_given() {
    let naming = ToolNaming::new(Separator::new("_").unwrap(), ["execute_command"]);
    let origin = ToolOrigin::new("execute", "command");
    let names = naming.publish([origin.clone()]);
    assert!(is_hashed_from(names.published(&origin).unwrap(), "execute_command"));
}

#[test]
fn when_two_hashes_meet_neither_keeps_the_name() {
    let weak = |_: &ToolOrigin, round: u32| format!("{round:010x}");
    let origins = ["a b", "a.b", "a/b"].map(|name| ToolOrigin::new("k", name));
    let names = ToolNaming::default().publish_with(origins.clone(), weak);
    assert_eq!(names.len(), 3);
    assert_eq!(names.origin("k__a-b_0000000000"), None);
    assert_eq!(names.origin("k__a-b_0000000001"), Some(&origins[0]));
    assert_eq!(names.published(&origins[2]), Some("k__a-b_0000000003"));
}

/// Texts that meet each other often: few letters, the separator's own, and lengths around the limit.
fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[ab_]{0,4}", "[ab_. é/-]{0,6}", "[a_]{50,66}", "[ab]__[ab]_[0-9a-f]{10}", any::<String>()]
}

fn origins() -> impl Strategy<Value = Vec<ToolOrigin>> {
    let origin = (word(), word()).prop_map(|(server, name)| ToolOrigin { server, name });
    prop::collection::vec(origin, 0..40)
}

fn naming() -> impl Strategy<Value = ToolNaming> {
    let separators = prop::sample::select(vec!["__", "_", "-", "a", "ab"]);
    separators.prop_map(|text| ToolNaming::new(Separator::new(text).unwrap(), ["a_b", "a__b"]))
}

proptest! {
    #[test]
    fn no_two_names_are_equal_and_each_leads_back(naming in naming(), origins in origins()) {
        let names = naming.publish(origins.clone());
        let different: BTreeSet<_> = origins.iter().collect();
        prop_assert_eq!(names.len(), different.len());
        for origin in &origins {
            let name = names.published(origin).unwrap();
            prop_assert_eq!(names.origin(name), Some(origin));
            prop_assert!((1..=LONGEST).contains(&name.len()) && name.bytes().all(is_usual));
            prop_assert!(!naming.reserved.contains(name));
        }
    }

    #[test]
    fn two_plain_names_are_never_one(naming in naming(), one in origins(), other in origins()) {
        for (one, other) in one.iter().zip(&other).filter(|(one, other)| one != other) {
            let (one, other) = (naming.plain(one), naming.plain(other));
            prop_assert!(one.is_none() || one != other);
        }
    }

    #[test]
    fn order_changes_no_name(naming in naming(), origins in origins().prop_shuffle()) {
        let mut sorted = origins.clone();
        sorted.sort();
        prop_assert_eq!(naming.publish(origins), naming.publish(sorted));
    }

    #[test]
    fn more_servers_change_no_name(naming in naming(), origins in origins(), more in origins()) {
        let before = naming.publish(origins.clone());
        let after = naming.publish(origins.iter().cloned().chain(more));
        for origin in &origins {
            prop_assert_eq!(before.published(origin), after.published(origin));
        }
    }

    #[test]
    fn weak_hashes_slow_naming_down_but_never_join_two(naming in naming(), origins in origins()) {
        let weak = |origin: &ToolOrigin, round: u32| format!("{:010x}", origin.name.len() as u32 % 2 + round);
        let names = naming.publish_with(origins.clone(), weak);
        prop_assert_eq!(names.len(), origins.iter().collect::<BTreeSet<_>>().len());
    }
}
