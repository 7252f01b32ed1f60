//! Every promise has a test, and every tag in a test names a promise.
//!
//! A promise is a heading `## P07 …` in `docs/promises.md`; its tag is `promise: P07` in a comment above a test.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;
use std::collections::BTreeMap;

const PAGE: &str = "docs/promises.md";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let Some(page) = house.text(PAGE) else { return Vec::new() };
    let promises = headings(page);
    let tags: Vec<Tag> = house.sources.iter().flat_map(tags).collect();
    let broken = promises.iter().filter(|(id, _)| !tags.iter().any(|tag| tag.kept && tag.id == **id));
    let broken = broken.map(|(id, line)| {
        Breach::new("promises", PAGE, *line, format!("no test is tagged `promise: {id}`")).about(id)
    });
    broken.chain(tags.iter().filter_map(|tag| tag.complaint(&promises))).collect()
}

/// Ids with their lines.
fn headings(page: &str) -> BTreeMap<String, usize> {
    let lines = page.lines().enumerate().filter(|(_, line)| line.starts_with('#'));
    let ids =
        lines.filter_map(|(at, line)| Some((line.trim_start_matches('#').split_whitespace().next()?, at)));
    ids.filter(|(word, _)| is_id(word)).map(|(word, at)| (word.to_owned(), at + 1)).collect()
}

fn is_id(word: &str) -> bool {
    word.strip_prefix('P')
        .is_some_and(|digits| digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit()))
}

struct Tag {
    id: String,
    path: String,
    line: usize,
    /// Whether it stands above a test.
    kept: bool,
}

impl Tag {
    fn complaint(&self, promises: &BTreeMap<String, usize>) -> Option<Breach> {
        let sentence = match (promises.contains_key(&self.id), self.kept) {
            (true, true) => return None,
            (true, false) => format!("the tag of {} stands above no test", self.id),
            (false, _) => format!("{PAGE} has no promise {}", self.id),
        };
        Some(Breach::new("promises", &self.path, self.line, sentence))
    }
}

fn tags(source: &RustFile) -> Vec<Tag> {
    let tagged = source
        .comments
        .iter()
        .filter_map(|comment| Some((comment.line, comment.text.split_once("promise:")?.1)));
    tagged
        .flat_map(|(line, list)| {
            let kept = is_above_test(source, line);
            let words = list.split([' ', ',']).filter(|word| !word.is_empty());
            let ids = words.take_while(|word| is_id(word)).map(str::to_owned);
            ids.map(|id| Tag { id, path: source.path.clone(), line, kept }).collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the next thing after this line is a function under a `test` attribute. The tag may also stand between
/// the attribute and the function.
fn is_above_test(source: &RustFile, line: usize) -> bool {
    let Some(next) = source.tokens.iter().position(|token| token.line > line) else { return false };
    let item = source.after_attributes(next);
    let is_function = (item..item + 4).find(|&at| source.at(at, &["fn"])).is_some();
    let mut first = next;
    while let Some(before) = attribute_before(source, first) {
        first = before;
    }
    is_function && source.holds(first..item, "test")
}

/// Where the attribute that ends just before this place begins.
fn attribute_before(source: &RustFile, place: usize) -> Option<usize> {
    let end = place.checked_sub(1).filter(|&end| source.at(end, &["]"]))?;
    (0..end).rev().find(|&at| source.at(at, &["#", "["]) && source.close(at + 1) == end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str, test: &str) -> Vec<String> {
        let house = CheckedTree::made_up(&[(PAGE, page), ("crates/os/tests/a.rs", test)]);
        rule(&house).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn promises_with_tagged_tests_are_kept() {
        let page = "# Promises\n\n## P01 Nothing runs without leave\n\n## P02 Nothing is left\n\n## Past\n";
        let test =
            "/// promise: P01\n#[test]\nfn a() {}\n#[tokio::test]\n// promise: P02, P01\nasync fn b() {}\n";
        assert_eq!(found(page, test), [""; 0]);
        assert_eq!(rule(&CheckedTree::made_up(&[("a.rs", "// promise: P09")])), []);
    }

    #[test]
    fn a_promise_without_a_test_and_a_tag_without_a_promise_are_found() {
        let found = found(
            "## P01 Leave\n## P02 Left\n",
            "// promise: P01\n#[test]\nfn a() {}\n// promise: P03\n#[test]\nfn b() {}\n",
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("docs/promises.md:2: no test is tagged `promise: P02`"));
        assert!(found[1].contains("crates/os/tests/a.rs:4: docs/promises.md has no promise P03"));
    }

    #[test]
    fn a_tag_above_something_else_keeps_nothing() {
        let found = found("## P01 Leave\n", "// promise: P01\nfn not_a_test() {}\n#[test]\nfn t() {}\n");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].contains("stands above no test"));
    }
}
