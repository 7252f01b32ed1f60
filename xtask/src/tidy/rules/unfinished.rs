//! Nothing unfinished is committed: no placeholder macros, no notes to come back later.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const MACROS: &[&str] = &["todo", "unimplemented", "dbg"];
const NOTES: &[&str] = &["FIXME", "XXX"];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().flat_map(|source| macros(source).chain(notes(source))).collect()
}

fn macros(source: &RustFile) -> impl Iterator<Item = Breach> {
    MACROS.iter().flat_map(move |name| {
        let sentence = format!("`{name}!` is for unfinished work; finish it or take it out");
        let breach = move |index| breach(source, source.line(index), &sentence);
        source.find(&[name, "!"]).into_iter().map(breach)
    })
}

fn notes(source: &RustFile) -> impl Iterator<Item = Breach> {
    source.comments.iter().filter(|comment| has_note(&comment.text)).map(move |comment| {
        breach(source, comment.line, "a note about unfinished work; finish it or open an issue")
    })
}

fn has_note(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| NOTES.contains(&word))
}

fn breach(source: &RustFile, line: usize, sentence: &str) -> Breach {
    Breach::new("unfinished", &source.path, line, sentence)
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn macros_and_notes_are_found() {
        let text = "fn f() { todo!() }\nfn g() { dbg!(1); }\n// FIXME: later\n/* XXX */";
        let mut found = spots(&rule(&CheckedTree::made_up(&[("a.rs", text)])));
        found.sort();
        assert_eq!(found, ["a.rs:1", "a.rs:2", "a.rs:3", "a.rs:4"]);
    }

    #[test]
    fn names_strings_and_longer_words_are_fine() {
        let text = "fn todo() { let s = \"dbg!(FIXME)\"; } // mktemp -t XXXXXX";
        assert_eq!(rule(&CheckedTree::made_up(&[("a.rs", text)])), []);
    }
}
