//! One Rust file, taken apart: which tokens are tests, what closes what, where a function's body is.

use super::lex::{Comment, RustToken, RustTokenKind, lex};
use std::collections::BTreeSet;
use std::ops::Range;

/// A Rust file.
pub(crate) struct RustFile {
    /// Its path from the repository's top folder, with `/` between the parts.
    pub(crate) path: String,
    /// Its tokens.
    pub(crate) tokens: Vec<RustToken>,
    /// Its comments, line by line.
    pub(crate) comments: Vec<Comment>,
    /// Whether all of it is a test.
    whole: bool,
    tests: Vec<Range<usize>>,
}

/// A function with a body.
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// The line of its name.
    pub(crate) line: usize,
    /// The tokens between its braces.
    pub(crate) body: Range<usize>,
}

impl RustFile {
    /// Takes a file apart.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let (tokens, comments) = lex(text);
        let mut source =
            Self { path: path.to_owned(), tokens, comments, whole: is_test_path(path), tests: Vec::new() };
        source.tests = source.test_items();
        source
    }

    /// Declares the whole file a test, because its parent said `#[cfg(test)] mod name;`.
    pub(crate) fn make_test(&mut self) {
        self.whole = true;
    }

    /// The crate's folder, such as `crates/core` or `xtask`.
    pub(crate) fn home(&self) -> &str {
        let ends = self.path.match_indices('/').map(|(at, _)| at);
        let parts = if self.path.starts_with("crates/") { 2 } else { 1 };
        ends.take(parts).last().map_or("", |at| &self.path[..at])
    }

    /// Whether the file lies in one of these folders.
    pub(crate) fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Whether a token belongs to a test.
    pub(crate) fn is_test(&self, index: usize) -> bool {
        self.whole || self.tests.iter().any(|range| range.contains(&index))
    }

    /// Whether these words and marks stand at this place. A string never matches.
    pub(crate) fn at(&self, index: usize, pattern: &[&str]) -> bool {
        let there = self.tokens.get(index..index + pattern.len());
        there.is_some_and(|tokens| tokens.iter().zip(pattern).all(|(token, text)| is(token, text)))
    }

    /// Every place where these words and marks stand.
    pub(crate) fn find(&self, pattern: &[&str]) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&index| self.at(index, pattern)).collect()
    }

    /// The line of a token.
    pub(crate) fn line(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(1, |token| token.line)
    }

    /// The place of the bracket that closes the one at `open`.
    pub(crate) fn close(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            if token.kind != RustTokenKind::Code {
                continue;
            }
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                return index;
            }
        }
        self.tokens.len()
    }

    /// Whether a word stands between two places.
    pub(crate) fn holds(&self, range: Range<usize>, word: &str) -> bool {
        self.tokens[range.start.min(self.tokens.len())..range.end.min(self.tokens.len())]
            .iter()
            .any(|token| is(token, word))
    }

    /// Lines with code on them, of these tokens.
    pub(crate) fn code_lines(&self, range: Range<usize>) -> BTreeSet<usize> {
        let end = range.end.min(self.tokens.len());
        self.tokens[range.start.min(end)..end].iter().flat_map(|token| token.line..=token.last).collect()
    }

    /// Every function with a body.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let named = |index: &usize| self.tokens.get(index + 1).is_some_and(|token| token.text != "(");
        self.find(&["fn"]).into_iter().filter(named).filter_map(|index| self.function(index)).collect()
    }

    fn function(&self, index: usize) -> Option<Function> {
        let name = self.tokens[index + 1].text.clone();
        Some(Function { name, line: self.line(index), body: self.braces(index)? })
    }

    /// The tokens between the braces of an item that begins here; none if it has no braces.
    pub(crate) fn braces(&self, start: usize) -> Option<Range<usize>> {
        let open = self.item_end(start).ok()?;
        Some(open + 1..self.close(open))
    }

    /// Where an item that begins here opens its braces, or else where it ends.
    fn item_end(&self, start: usize) -> Result<usize, usize> {
        let mut index = start;
        while index < self.tokens.len() {
            match self.tokens[index].text.as_str() {
                _ if self.tokens[index].kind != RustTokenKind::Code => {}
                "(" | "[" => index = self.close(index),
                "{" => return Ok(index),
                ";" => return Err(index),
                _ => {}
            }
            index += 1;
        }
        Err(self.tokens.len())
    }

    /// Items under `#[cfg(test)]`.
    fn test_items(&self) -> Vec<Range<usize>> {
        self.test_attributes().map(|(start, item)| start..self.last(item) + 1).collect()
    }

    /// Modules under `#[cfg(test)]` that live in files of their own.
    pub(crate) fn test_children(&self) -> Vec<String> {
        self.test_attributes()
            .filter(|(_, item)| self.at(*item, &["mod"]) && self.at(item + 2, &[";"]))
            .map(|(_, item)| self.tokens[item + 1].text.clone())
            .collect()
    }

    fn last(&self, item: usize) -> usize {
        self.item_end(item).map_or_else(|end| end, |open| self.close(open))
    }

    /// Places of `#[cfg(test)]` and of the items they stand on.
    fn test_attributes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.find(&["#", "[", "cfg", "("]).into_iter().filter_map(|start| {
            let end = self.close(start + 1);
            let test = self.holds(start..end, "test") && !self.holds(start..end, "not");
            test.then(|| (start, self.after_attributes(end + 1)))
        })
    }

    /// The first token after the attributes that begin here.
    pub(crate) fn after_attributes(&self, mut index: usize) -> usize {
        while self.at(index, &["#", "["]) {
            index = self.close(index + 1) + 1;
        }
        index
    }
}

fn is(token: &RustToken, text: &str) -> bool {
    token.kind == RustTokenKind::Code && token.text == text
}

fn is_test_path(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.contains("/benches/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
fn real(x: [u8; 3]) -> u8 { x[0] }
#[cfg(test)]
mod probes;
#[cfg(all(test, feature = \"x\"))]
#[expect(dead_code, reason = \"x\")]
mod tests {
    fn unreal() { let f: fn() = g; }
}
#[cfg(not(test))]
fn also_real() {}
";

    #[test]
    fn test_modules_are_known() {
        let source = RustFile::new("crates/core/src/x.rs", TEXT);
        let test = |name| source.find(&[name]).into_iter().all(|index| source.is_test(index));
        assert!(test("unreal") && !test("real") && !test("also_real"));
        assert_eq!(source.test_children(), ["probes"]);
        assert!(RustFile::new("crates/core/tests/all.rs", TEXT).is_test(1));
    }

    #[test]
    fn functions_have_bodies() {
        let source = RustFile::new("crates/core/src/x.rs", TEXT);
        let names: Vec<_> = source.functions().into_iter().map(|function| function.name).collect();
        assert_eq!(names, ["real", "unreal", "also_real"]);
    }

    #[test]
    fn a_file_knows_its_crate() {
        assert_eq!(RustFile::new("crates/os/src/unix/a.rs", "").home(), "crates/os");
        assert_eq!(RustFile::new("xtask/src/main.rs", "").home(), "xtask");
        assert!(RustFile::new("crates/os/src/a.rs", "").is_in(&["crates/os"]));
        assert!(!RustFile::new("crates/oslo/src/a.rs", "").is_in(&["crates/os"]));
    }
}
