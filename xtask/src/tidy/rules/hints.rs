//! Facts are not guesses: what `render::hint` guesses is words for people, and no other code asks for it.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const SENTENCE: &str = "`render::hint` guesses; only core::render may call it";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().filter(|source| !source.is_in(&["crates/core/src/render"])).flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    let named = source.find(&["render", ":", ":", "hint"]);
    let listed = source.find(&["render", ":", ":", "{"]);
    let listed = listed.into_iter().filter(|&at| source.holds(at..source.close(at + 3), "hint"));
    named
        .into_iter()
        .chain(listed)
        .map(|at| Breach::new("hints", &source.path, source.line(at), SENTENCE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn a_call_or_an_import_from_outside_is_found() {
        let text = "use runward_core::render::{bytes, hint};\nfn f() { crate::render::hint::guess(); }\nfn g() { e.hint(); }";
        let mut found = spots(&rule(&CheckedTree::made_up(&[
            ("a.rs", text),
            ("crates/core/src/render/digest.rs", text),
        ])));
        found.sort();
        assert_eq!(found, ["a.rs:1", "a.rs:2"]);
    }
}
