//! Which tools of a server are shown: `tools: {allow, deny}`.
//!
//! May not know what a tool does.

/// What is shown: what is allowed and not denied. A `*` in a pattern stands for anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolFilter {
    /// Patterns of what may be shown; without the list, everything.
    pub allow: Option<Vec<String>>,
    /// Patterns of what is never shown.
    pub deny: Vec<String>,
}

impl ToolFilter {
    /// Whether a tool, by its server's own name for it, is shown and may be called.
    pub fn admits(&self, tool: &str) -> bool {
        let among = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern, tool));
        self.allow.as_deref().is_none_or(among) && !among(&self.deny)
    }
}

fn fits(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        // The earliest place leaves the most for what follows.
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&pattern| pattern.to_owned()).collect()
    }

    #[test]
    fn without_lists_everything_is_shown() {
        assert!(ToolFilter::default().admits("anything"));
    }

    #[test]
    fn what_is_denied_is_not_shown_even_if_allowed() {
        let filter = ToolFilter { allow: Some(list(&["get_*", "list"])), deny: list(&["*_secret"]) };
        assert!(filter.admits("get_issue") && filter.admits("list"));
        assert!(!filter.admits("get_secret") && !filter.admits("lists") && !filter.admits("forget_x"));
    }

    #[test]
    fn an_empty_allow_list_shows_nothing() {
        assert!(!ToolFilter { allow: Some(Vec::new()), deny: Vec::new() }.admits("x"));
    }

    proptest! {
        #[test]
        fn a_star_stands_for_anything(one in "[ab]{0,6}", two in "[ab]{0,6}", three in "[ab]{0,6}") {
            let text = format!("{one}{two}{three}");
            for pattern in [format!("{one}*{three}"), format!("*{two}*"), "**".to_owned()] {
                prop_assert!(fits(&pattern, &text));
            }
        }

        #[test]
        fn a_star_agrees_with_a_regular_expression(pattern in "[ab*]{0,8}", text in "[ab]{0,8}") {
            let same = regex::Regex::new(&format!("^{}$", pattern.replace('*', ".*"))).unwrap();
            prop_assert_eq!(fits(&pattern, &text), same.is_match(&text));
        }
    }
}
