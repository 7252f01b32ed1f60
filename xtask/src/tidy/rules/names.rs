//! Names say what a thing is for. Some names never do.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::lex::RustTokenKind;
use super::super::source::RustFile;

const ROOMS: &[&str] = &["util", "utils", "helper", "helpers", "manager", "managers", "misc", "common"];
const ENDINGS: &[&str] = &["Manager", "Helper", "Helpers", "Util", "Utils", "Info", "Data", "Context"];
const TYPES: &[&str] = &["struct", "enum", "union", "trait", "type"];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().flat_map(|source| file(source).into_iter().chain(declarations(source))).collect()
}

fn file(source: &RustFile) -> Option<Breach> {
    let part =
        source.path.split('/').map(|part| part.trim_end_matches(".rs")).find(|part| ROOMS.contains(part))?;
    Some(breach(source, 1, part, "folder or file"))
}

fn declarations(source: &RustFile) -> Vec<Breach> {
    (1..source.tokens.len()).filter_map(|index| declaration(source, index)).collect()
}

fn declaration(source: &RustFile, index: usize) -> Option<Breach> {
    let token = &source.tokens[index];
    let after = |words: &[&str]| words.iter().any(|word| source.at(index - 1, &[word]));
    if token.kind != RustTokenKind::Code {
        None
    } else if after(&["mod"]) && ROOMS.contains(&token.text.as_str()) {
        Some(breach(source, token.line, &token.text, "module"))
    } else if after(TYPES) && ENDINGS.iter().any(|ending| token.text.ends_with(ending)) {
        Some(breach(source, token.line, &token.text, "type"))
    } else {
        None
    }
}

fn breach(source: &RustFile, line: usize, name: &str, what: &str) -> Breach {
    let sentence = format!("the {what} name `{name}` says nothing about its job; find a name that does");
    Breach::new("names", &source.path, line, sentence)
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn names_that_say_nothing_are_found() {
        let text = "mod util;\nstruct TaskManager;\nenum HostInfo {}\ntype X = Y;";
        let found = rule(&CheckedTree::made_up(&[("a.rs", text), ("crates/core/tests/common/mod.rs", "")]));
        assert_eq!(spots(&found), ["a.rs:1", "a.rs:2", "a.rs:3", "crates/core/tests/common/mod.rs:1"]);
    }

    #[test]
    fn good_names_and_foreign_types_are_fine() {
        let text = "struct Metadata;\nfn f(cx: &mut Context<'_>) {} // struct FooData\nmod utility_bill;";
        assert_eq!(rule(&CheckedTree::made_up(&[("crates/core/src/common_name.rs", text)])), []);
    }
}
