//! Every module file begins with its job.

use super::super::breach::Breach;
use super::super::house::CheckedTree;

const SENTENCE: &str = "begin the file with `//!` and its job in one sentence";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let modules = house.files.iter().filter(|(path, _)| is_module(path));
    modules
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| Breach::new("headers", path, 1, SENTENCE))
        .collect()
}

fn is_module(path: &str) -> bool {
    let inner = path.strip_prefix("crates/").and_then(|rest| rest.split_once('/')).map(|(_, inner)| inner);
    let inner = inner.or_else(|| path.strip_prefix("xtask/"));
    path.ends_with(".rs") && inner.is_some_and(|inner| inner.starts_with("src/"))
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn a_module_without_its_job_is_found() {
        let house = CheckedTree::made_up(&[
            ("crates/core/src/a.rs", "//! A job.\n"),
            ("crates/core/src/b.rs", "use x;\n//! Too late.\n"),
            ("crates/core/src/c.rs", "/// Not of the file.\nfn f() {}"),
            ("crates/core/tests/d.rs", "fn t() {}"),
        ]);
        assert_eq!(spots(&rule(&house)), ["crates/core/src/b.rs:1", "crates/core/src/c.rs:1"]);
    }
}
