//! No `allow` attribute: an exception is an `expect` with a reason, which complains once it is not needed.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const SENTENCE: &str = "an `allow` attribute; write `#[expect(.., reason = \"..\")]`";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    source
        .find(&["allow", "("])
        .into_iter()
        .filter(|&index| in_attribute(source, index))
        .map(|index| Breach::new("attributes", &source.path, source.line(index), SENTENCE))
        .collect()
}

/// Directly in `#[..]` or `#![..]`, or as the second part of a `cfg_attr`.
fn in_attribute(source: &RustFile, index: usize) -> bool {
    let opens = |back: usize, pattern: &[&str]| index >= back && source.at(index - back, pattern);
    if opens(2, &["#", "["]) || opens(3, &["#", "!", "["]) {
        return true;
    }
    let conditional = source.find(&["cfg_attr", "("]);
    conditional.into_iter().any(|start| start < index && index < source.close(start + 1))
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn allow_is_found_in_each_kind_of_attribute() {
        let text = "#![allow(dead_code)]\n#[allow(x)]\nfn f() {}\n#[cfg_attr(test, allow(y))]\nfn g() {}";
        let house = CheckedTree::made_up(&[("crates/core/src/a.rs", text)]);
        assert_eq!(spots(&rule(&house)), [1, 2, 4].map(|line| format!("crates/core/src/a.rs:{line}")));
    }

    #[test]
    fn expect_and_a_function_named_allow_are_fine() {
        let text = "#[expect(x, reason = \"#[allow(y)]\")]\nfn f() { allow(1); } // #[allow(z)]";
        assert_eq!(rule(&CheckedTree::made_up(&[("crates/core/src/a.rs", text)])), []);
    }
}
