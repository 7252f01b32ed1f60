//! Bytes stay bytes: lossy decoding belongs to `core::output` and `core::render`.
//!
//! Clippy bans the call everywhere; this rule keeps a whole crate from lifting the ban in silence.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const ROOMS: &[&str] = &["crates/core/src/output", "crates/core/src/render"];
const SENTENCE: &str =
    "lossy decoding belongs to core::output and core::render; use them, or `expect` the lint with a reason";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.product().filter(|source| !source.is_in(ROOMS)).flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    let expected = source.find(&["expect", "(", "clippy", ":", ":", "disallowed_methods"]);
    ["from_utf8_lossy", "from_utf8_lossy_owned"]
        .into_iter()
        .flat_map(|name| source.find(&[name]))
        .filter(|&at| !source.is_test(at) && !expected.iter().any(|&before| before < at))
        .map(|at| Breach::new("lossy", &source.path, source.line(at), SENTENCE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn lossy_decoding_outside_its_rooms_is_found() {
        let text = "fn f() { String::from_utf8_lossy(b); }\n#[cfg(test)] mod tests { fn t() { String::from_utf8_lossy(b); } }";
        let house =
            CheckedTree::made_up(&[("crates/os/src/a.rs", text), ("crates/core/src/output/a.rs", text)]);
        assert_eq!(spots(&rule(&house)), ["crates/os/src/a.rs:1"]);
    }

    #[test]
    fn an_expectation_with_a_reason_is_enough() {
        let text =
            "#[expect(clippy::disallowed_methods, reason = \"x\")]\nfn f() { String::from_utf8_lossy(b); }";
        assert_eq!(rule(&CheckedTree::made_up(&[("crates/os/src/a.rs", text)])), []);
    }
}
