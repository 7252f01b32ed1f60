//! Functions stay short. Clippy counts too; this rule also sees code that a build leaves out.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::{Function, RustFile};

const CAP: usize = 60;

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    let long = |function: Function| {
        let lines = source.code_lines(function.body).len();
        let sentence = format!("the function `{}` has {lines} lines; the cap is {CAP}", function.name);
        let subject = format!("{}::{}", source.path, function.name);
        (lines > CAP).then(|| Breach::new("length", &source.path, function.line, sentence).about(&subject))
    };
    source.functions().into_iter().filter_map(long).collect()
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn a_long_function_is_found_and_comments_are_free() {
        let body = "g();\n".repeat(CAP + 1);
        let padded = "g();\n// why\n\n".repeat(CAP);
        let text = format!("fn short() {{ }}\nfn long() {{\n{body}}}\nfn padded() {{\n{padded}}}\n");
        assert_eq!(spots(&rule(&CheckedTree::made_up(&[("a.rs", &text)]))), ["a.rs:2"]);
    }
}
