//! A type's name is used once in the workspace, so that a reader who searches for it finds one thing.
//!
//! Twins that stand for one another on different platforms in `crates/os` may share a name: only one of them is compiled.
//! So may types of tests, which are not searched for elsewhere. Any other pair needs a line in the list of exemptions.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::lex::RustTokenKind;
use super::super::source::RustFile;
use std::collections::BTreeMap;

const TYPES: &[&str] = &["struct", "enum", "union", "trait", "type"];

/// Folders of `crates/os` of which a build has one, and those that belong to several of them.
const PLATFORMS: &[&str] =
    &["crates/os/src/linux", "crates/os/src/macos", "crates/os/src/windows", "crates/os/src/unix"];

/// One place where a type is defined.
struct Definition<'a> {
    source: &'a RustFile,
    line: usize,
}

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let mut names: BTreeMap<&str, Vec<Definition<'_>>> = BTreeMap::new();
    for source in house.sources.iter().filter(|source| source.is_in(&["crates", "xtask"])) {
        for (name, line) in definitions(source) {
            names.entry(name).or_default().push(Definition { source, line });
        }
    }
    names.into_iter().flat_map(|(name, places)| breaches(name, &places)).collect()
}

/// Names of types that are defined in product code, each with its line.
fn definitions(source: &RustFile) -> impl Iterator<Item = (&str, usize)> {
    let associated = bodies(source);
    (1..source.tokens.len()).filter_map(move |index| {
        let token = &source.tokens[index];
        let keyword = TYPES.iter().any(|word| source.at(index - 1, &[word]));
        let named =
            token.kind == RustTokenKind::Code && token.text.starts_with(|c: char| c.is_ascii_uppercase());
        let inside = source.at(index - 1, &["type"]) && associated.iter().any(|body| body.contains(&index));
        (keyword && named && !inside && !source.is_test(index)).then_some((token.text.as_str(), token.line))
    })
}

/// The tokens of `impl` and `trait` blocks, where `type` names a part of something else.
fn bodies(source: &RustFile) -> Vec<std::ops::Range<usize>> {
    let starts = ["impl", "trait"].into_iter().flat_map(|word| source.find(&[word]));
    starts.filter_map(|start| source.braces(start)).collect()
}

fn breaches(name: &str, places: &[Definition<'_>]) -> Vec<Breach> {
    let twins = places.iter().all(|place| place.source.is_in(PLATFORMS));
    if places.len() < 2 || twins {
        return Vec::new();
    }
    let others = |own: usize| {
        let others = places.iter().enumerate().filter(|(at, _)| *at != own);
        others.map(|(_, place)| place.source.path.as_str()).collect::<Vec<_>>().join(", ")
    };
    let breach = |(at, place): (usize, &Definition<'_>)| {
        let sentence = format!("the type name `{name}` is used in {} too; say what this one is", others(at));
        Breach::new("homonyms", &place.source.path, place.line, sentence).about(name)
    };
    places.iter().enumerate().map(breach).collect()
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn a_name_that_two_types_have_is_found_at_both() {
        let files =
            [("crates/core/src/a.rs", "\npub struct Entry;"), ("crates/mcp/src/b.rs", "enum Entry {}")];
        let found = rule(&CheckedTree::made_up(&files));
        assert_eq!(spots(&found), ["crates/core/src/a.rs:2", "crates/mcp/src/b.rs:1"]);
        assert!(found[0].sentence.contains("`Entry` is used in crates/mcp/src/b.rs too"));
        assert_eq!(found[0].subject, "Entry");
    }

    #[test]
    fn two_of_one_file_are_found() {
        let found =
            rule(&CheckedTree::made_up(&[("xtask/src/a.rs", "type Row = u8;\nmod b { trait Row {} }")]));
        assert_eq!(spots(&found), ["xtask/src/a.rs:1", "xtask/src/a.rs:2"]);
    }

    #[test]
    fn twins_of_platforms_tests_and_associated_types_are_fine() {
        let found = rule(&CheckedTree::made_up(&[
            ("crates/os/src/linux/child.rs", "pub struct Child;"),
            ("crates/os/src/windows/child.rs", "pub struct Child;"),
            (
                "crates/core/src/a.rs",
                "impl Iterator for A { type Item = u8; }\n#[cfg(test)]\nmod tests { struct A; }",
            ),
            ("crates/core/src/b.rs", "impl B { type Item = u8; }\ntrait T { type Item; }\nstruct A;"),
            ("crates/core/tests/all.rs", "struct A;"),
        ]));
        assert_eq!(spots(&found), [""; 0]);
    }

    #[test]
    fn a_twin_elsewhere_is_no_twin() {
        let files =
            [("crates/os/src/linux/child.rs", "struct Child;"), ("crates/mcp/src/a.rs", "struct Child;")];
        assert_eq!(rule(&CheckedTree::made_up(&files)).len(), 2);
    }
}
