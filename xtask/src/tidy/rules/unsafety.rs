//! `unsafe` lives in `crates/os` (and in the test kit), and every block of it is preceded by its reason.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const ROOMS: &[&str] = &["crates/os", "crates/testkit"];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    let room = source.is_in(ROOMS);
    let breach = |index, sentence| Breach::new("unsafe", &source.path, source.line(index), sentence);
    source
        .find(&["unsafe"])
        .into_iter()
        .filter_map(|index| match room {
            false => Some(breach(index, "`unsafe` lives in crates/os only")),
            true if !needs_reason(source, index) || has_reason(source, index) => None,
            true => Some(breach(index, "say why this is sound in a `// SAFETY:` comment just above")),
        })
        .collect()
}

/// Blocks and implementations; an `unsafe fn` states its terms in its documentation instead.
fn needs_reason(source: &RustFile, index: usize) -> bool {
    source.at(index + 1, &["{"]) || source.at(index + 1, &["impl"])
}

/// The comment stands above the line of the block or above the statement that holds it.
fn has_reason(source: &RustFile, index: usize) -> bool {
    let ends = |at: usize| [";", "{", "}", ","].iter().any(|mark| source.at(at, &[mark]));
    let statement = (0..index).rev().find(|&at| ends(at)).map_or(0, |at| at + 1);
    [source.line(index), source.line(statement)].into_iter().any(|line| is_reasoned(source, line))
}

fn is_reasoned(source: &RustFile, line: usize) -> bool {
    let comment = |line: usize| source.comments.iter().find(|comment| comment.line == line);
    let above =
        (1..=line).rev().map_while(|line| comment(line - 1)).any(|comment| comment.text.contains("SAFETY:"));
    above || comment(line).is_some_and(|comment| comment.text.contains("SAFETY:"))
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    fn at(path: &str, text: &str) -> Vec<String> {
        spots(&rule(&CheckedTree::made_up(&[(path, text)])))
    }

    #[test]
    fn unsafe_outside_its_room_is_found() {
        let text = "fn f() {\n    // SAFETY: it is not.\n    unsafe { g() }\n}";
        assert_eq!(at("crates/core/src/a.rs", text), ["crates/core/src/a.rs:3"]);
        assert_eq!(at("crates/core/src/a.rs", "#![forbid(unsafe_code)] // unsafe {"), [""; 0]);
    }

    #[test]
    fn a_block_needs_its_reason_just_above() {
        let good = "fn f() {\n    // SAFETY: the pointer is ours\n    // until the end.\n    let x = h(\n        unsafe { g() },\n    );\n}";
        assert_eq!(at("crates/os/src/a.rs", good), [""; 0]);
        let inline = "fn f() {\n    let x = y; /* SAFETY: fine */ unsafe { g() }\n}";
        assert_eq!(at("crates/os/src/a.rs", inline), [""; 0]);
        let bad = "// SAFETY: too far away\n\nfn f() {\n    unsafe { g() }\n}\nunsafe impl Send for X {}";
        assert_eq!(at("crates/os/src/a.rs", bad), ["crates/os/src/a.rs:4", "crates/os/src/a.rs:6"]);
        assert_eq!(at("crates/os/src/a.rs", "unsafe fn f() {}"), [""; 0]);
    }
}
