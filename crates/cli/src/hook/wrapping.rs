//! How a text is handed back as a run of Runward: whole, behind its first `cd`, or not at all.
//!
//! Clients carry the folder from one command to the next, so a `cd` at the beginning stays outside of what is wrapped, and
//! a text that changes the folder elsewhere is not wrapped. A `cd` that hides (in quotes, behind `eval`) is not seen: then
//! the folder is lost, and nothing else. May not change the text: what is wrapped reaches the shell byte for byte.

/// The longest text, in its quotes, that fits into one argument of the client's shell beside what stands before it.
const LONGEST: usize = 120_000;

/// How a text can be wrapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WrapShape<'a> {
    /// All of it.
    Whole,
    /// What stands behind the first `cd`.
    Behind {
        /// `cd DIR && `, as it was written.
        lead: &'a str,
        /// The folder, without its quotes.
        folder: &'a str,
        /// The rest.
        rest: &'a str,
    },
    /// Not at all; this is why.
    Unwrapped(&'static str),
}

/// A text in single quotes, as every POSIX shell reads it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// How this text can be wrapped.
pub(crate) fn shape(text: &str) -> WrapShape<'_> {
    if quoted(text).len() > LONGEST {
        return WrapShape::Unwrapped("it is longer than one argument may be");
    }
    let end = text.trim_end();
    if end.ends_with('&') && !end.ends_with("&&") && !end.ends_with("\\&") {
        return WrapShape::Unwrapped("it ends in `&`, so it outlives its own run");
    }
    let first = leading(text);
    let rest = first.map_or(text, |(_, _, rest)| rest);
    if moves(rest) {
        return WrapShape::Unwrapped("it changes the folder behind its beginning");
    }
    match first {
        Some((lead, folder, rest)) => WrapShape::Behind { lead, folder, rest },
        None => WrapShape::Whole,
    }
}

/// The first `cd DIR &&` or `cd DIR;` of a text, its folder, and the rest.
fn leading(text: &str) -> Option<(&str, &str, &str)> {
    let after = text.trim_start_matches([' ', '\t']).strip_prefix("cd")?;
    let named = after.trim_start_matches([' ', '\t']);
    if named.len() == after.len() {
        return None;
    }
    let (folder, behind) = folder(named)?;
    let joint = behind.trim_start_matches([' ', '\t']);
    let rest =
        joint.strip_prefix("&&").or_else(|| joint.strip_prefix(';').filter(|rest| !rest.starts_with(';')))?;
    let rest = rest.trim_start_matches([' ', '\t']);
    let lead = &text[..text.len() - rest.len()];
    (!rest.trim().is_empty()).then_some((lead, folder, rest))
}

/// A folder whose name means itself, and what stands behind it.
fn folder(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let (folder, behind) = match quote {
        Some(quote) => text[1..].split_once(quote)?,
        None => {
            let plain = |c: char| c.is_alphanumeric() || "_./@+,:-".contains(c);
            text.split_at(text.find(|c: char| !plain(c))?)
        }
    };
    let special = folder.contains(['$', '`', '\\', '"', '\'', '!', '\n', '*', '?', '[']);
    (!folder.is_empty() && !folder.starts_with('-') && !special).then_some((folder, behind))
}

/// Words after which a command begins.
const OPENERS: &[&str] =
    &["{", "then", "do", "else", "elif", "if", "while", "until", "!", "time", "builtin", "command"];

const MOVERS: &[&str] = &["cd", "chdir", "pushd", "popd"];

/// Whether a text seems to change the folder of the shell that reads it, rather than that of a subshell.
fn moves(text: &str) -> bool {
    let (mut depth, mut begins, mut quote) = (0_usize, true, None);
    let mut word = String::new();
    let mut letters = text.chars();
    let ends = |word: &mut String, begins: &mut bool, depth: usize| {
        let moved = *begins && depth == 0 && MOVERS.contains(&word.as_str());
        if !word.is_empty() {
            *begins = *begins && (OPENERS.contains(&word.as_str()) || word.contains('='));
        }
        word.clear();
        moved
    };
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('"') | None, '\\') => word.extend(['\\', letters.next().unwrap_or('\\')]),
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => (quote, word) = (Some(letter), word + "'"),
            (None, ' ' | '\t') => {
                if ends(&mut word, &mut begins, depth) {
                    return true;
                }
            }
            (None, ';' | '&' | '|' | '\n' | '(' | ')' | '`') => {
                if ends(&mut word, &mut begins, depth) {
                    return true;
                }
                begins = true;
                depth = match letter {
                    '(' => depth + 1,
                    ')' => depth.saturating_sub(1),
                    _ => depth,
                };
            }
            (None, _) => word.push(letter),
        }
    }
    ends(&mut word, &mut begins, depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_quoted_so_that_a_shell_gives_it_back() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("a\n\\"), "'a\n\\'");
    }

    #[test]
    fn the_first_cd_stays_outside() {
        let behind = |text| match shape(text) {
            WrapShape::Behind { lead, folder, rest } => (lead, folder, rest),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(behind("cd sub && pwd"), ("cd sub && ", "sub", "pwd"));
        assert_eq!(behind("cd ../a/b; make && x"), ("cd ../a/b; ", "../a/b", "make && x"));
        assert_eq!(behind("  cd 'a b' &&\nls").0, "  cd 'a b' &&");
        assert_eq!(behind("cd x && (cd y; make)").2, "(cd y; make)");
    }

    #[test]
    fn what_means_more_than_itself_is_no_plain_folder() {
        for text in [
            "cd $x && ls",
            "cd ~ && ls",
            "cd - && ls",
            "cd \"a$b\" && ls",
            "cd a b && ls",
            "cd a || ls",
            "cd a",
            "cd a;; b",
        ] {
            assert!(matches!(shape(text), WrapShape::Unwrapped(_)), "{text}: {:?}", shape(text));
        }
    }

    #[test]
    fn a_folder_that_changes_elsewhere_is_seen_where_it_would_be_carried_on() {
        for text in [
            "make; cd x",
            "pushd x",
            "ls && popd",
            "for d in a b; do cd $d; done",
            "if true; then cd x; fi",
            "{ cd x; }",
            "A=1 cd x",
            "true\ncd x",
            "builtin cd x",
            "cd a && cd b && ls",
            "! cd x",
            "echo `x`; cd y",
        ] {
            assert!(matches!(shape(text), WrapShape::Unwrapped(_)), "{text}");
        }
        for text in [
            "(cd x; make)",
            "echo cd",
            "echo 'x; cd y'",
            "git -C cd x",
            "x=$(cd y && pwd)",
            "abcd x",
            "./cd x",
            "echo \"a; cd b\"",
            "echo a \\; cd",
            "cdx",
        ] {
            assert_eq!(shape(text), WrapShape::Whole, "{text}");
        }
    }

    #[test]
    fn what_outlives_its_run_and_what_is_too_long_is_not_wrapped() {
        assert!(matches!(shape("sleep 600 & "), WrapShape::Unwrapped(_)));
        assert_eq!(shape("sleep 600 & echo hi"), WrapShape::Whole);
        assert_eq!(shape("echo \\&"), WrapShape::Whole);
        assert_eq!(shape(&"x".repeat(LONGEST - 2)), WrapShape::Whole);
        assert!(matches!(shape(&"x".repeat(LONGEST - 1)), WrapShape::Unwrapped(_)));
        assert!(matches!(shape(&"'".repeat(LONGEST / 4)), WrapShape::Unwrapped(_)));
    }
}
