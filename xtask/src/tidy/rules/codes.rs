//! Every error code is produced by a test somewhere: by its spelling, or as a variant of `Code`.
//!
//! The table's own file and snapshot name every code and prove nothing, so they do not count.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::lex::RustTokenKind;
use super::super::source::RustFile;
use runward_core::error::TABLE;

const TABLE_FILE: &str = "crates/core/src/error/code.rs";
const TABLE_SNAPSHOT: &str = "runward_core__error__code__";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let codes = TABLE.iter().map(|row| (row.name, format!("{:?}", row.code)));
    codes.filter_map(|(name, variant)| check(house, name, &variant)).collect()
}

fn check(house: &CheckedTree, name: &str, variant: &str) -> Option<Breach> {
    let in_test = house.sources.iter().any(|source| mentions(source, name, variant));
    let snapshots = house.files.iter().filter(|(path, _)| is_golden(path));
    let in_snapshot = snapshots.into_iter().any(|(_, text)| names(text, name));
    let table = house.text(TABLE_FILE).unwrap_or_default();
    let line = table.lines().position(|line| line.contains(&format!("\"{name}\""))).map_or(1, |at| at + 1);
    let sentence = format!("no test produces the code `{name}`");
    (!in_test && !in_snapshot).then(|| Breach::new("codes", TABLE_FILE, line, sentence).about(name))
}

fn mentions(source: &RustFile, name: &str, variant: &str) -> bool {
    if source.path == TABLE_FILE || source.home() == "xtask" {
        return false;
    }
    let spelled = source.tokens.iter().enumerate().filter(|(_, token)| token.kind == RustTokenKind::Text);
    let spelled = spelled.filter(|(_, token)| names(&token.text, name)).map(|(at, _)| at);
    spelled.chain(source.find(&["Code", ":", ":", variant])).any(|at| source.is_test(at))
}

/// Snapshots and golden files of any kind beside the tests.
fn is_golden(path: &str) -> bool {
    let data = path.contains("/tests/") && !path.ends_with(".rs");
    (data || path.ends_with(".snap")) && !path.contains(TABLE_SNAPSHOT)
}

/// Whether a text names this code, and not only one that is longer. A code of one word must stand alone or in
/// quotes, since the word may mean anything else.
fn names(text: &str, name: &str) -> bool {
    if !name.contains('.') {
        return text == name || text.contains(&format!("\"{name}\""));
    }
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let sentence_ends =
            after.starts_with('.') && !after[1..].starts_with(|c: char| c.is_ascii_alphanumeric());
        !text[..at].ends_with(inside) && (sentence_ends || !after.starts_with(inside))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(path: &str, text: &str) -> bool {
        check(&CheckedTree::made_up(&[(path, text)]), "shop.closed", "ShopClosed").is_some()
    }

    #[test]
    fn a_test_or_a_snapshot_counts() {
        assert!(!missing("crates/os/tests/a.rs", "fn t() { assert_eq!(e.code().name(), \"shop.closed\"); }"));
        assert!(!missing(
            "crates/os/src/a.rs",
            "#[cfg(test)] mod tests { fn t() { is(Code::ShopClosed); } }"
        ));
        assert!(!missing("crates/os/src/snapshots/a.snap", "code: shop.closed"));
        assert!(!missing("crates/core/tests/scenarios/a.toml", "code = \"shop.closed\""));
    }

    #[test]
    fn the_table_and_product_code_do_not_count() {
        assert!(missing("crates/os/src/a.rs", "fn f() -> Code { Code::ShopClosed }"));
        assert!(missing(TABLE_FILE, "#[cfg(test)] mod tests { fn t() { is(\"shop.closed\"); } }"));
        assert!(missing(&format!("crates/core/src/error/snapshots/{TABLE_SNAPSHOT}x.snap"), "shop.closed"));
        assert!(names("{\"code\": \"odd\"}", "odd") && names("odd", "odd") && !names("an odd word", "odd"));
        assert!(missing("crates/os/tests/a.rs", "// shop.closed\nfn t() { is(\"shop.closed-early\"); }"));
    }
}
