//! Whether a resource's address is one that a template (RFC 6570) describes.
//!
//! Generous: `{name}` is anything without a `/`, and an expression with an operator (`{+path}`, `{?query}`) is
//! anything at all. May not take an address apart: the server does.

use regex::Regex;

/// The longest template that is looked at; a longer one fits no address.
const LONGEST: usize = 2048;
const OPERATORS: &[char] = &['+', '#', '.', '/', ';', '?', '&'];

/// A template, ready to be compared.
#[derive(Debug, Clone)]
pub(super) struct UriTemplate(Option<Regex>);

impl UriTemplate {
    pub(super) fn new(text: &str) -> Self {
        let pattern = (text.len() <= LONGEST).then(|| pattern(text)).flatten();
        Self(pattern.and_then(|pattern| Regex::new(&pattern).ok()))
    }

    pub(super) fn fits(&self, address: &str) -> bool {
        self.0.as_ref().is_some_and(|pattern| pattern.is_match(address))
    }
}

/// The template as a regular expression; nothing if a brace is never closed.
fn pattern(text: &str) -> Option<String> {
    let mut pattern = "(?s)^".to_owned();
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once('{') {
        let (expression, after) = after.split_once('}')?;
        pattern.push_str(&regex::escape(literal));
        pattern.push_str(if expression.starts_with(OPERATORS) { ".*" } else { "[^/]*" });
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    pattern.push('$');
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(template: &str, address: &str) -> bool {
        UriTemplate::new(template).fits(address)
    }

    #[test]
    fn a_simple_variable_stays_within_its_segment() {
        assert!(fits("note://{id}/text", "note://7/text"));
        assert!(!fits("note://{id}/text", "note://7/8/text"));
        assert!(!fits("note://{id}/text", "note://7/text/more"));
    }

    #[test]
    fn an_operator_takes_anything() {
        assert!(fits("file://{+path}", "file:///a/b.c"));
        assert!(fits("find://x{?q,limit}", "find://x?q=1&limit=2"));
        assert!(fits("find://x{?q,limit}", "find://x"));
    }

    #[test]
    fn what_is_literal_is_literal() {
        assert!(!fits("a.c://{x}", "abc://1"));
        assert!(fits("a(b)*://{x}", "a(b)*://1"));
    }

    #[test]
    fn a_broken_or_endless_template_fits_nothing() {
        assert!(!fits("note://{id", "note://{id"));
        assert!(!fits(&"{+a}".repeat(1000), "x"));
    }
}
