//! Variables in the values of a configuration: `${VAR}`, `$VAR` and `${VAR:-default}`.
//!
//! A bare `$name` counts only in upper case, since lower case is more often meant as it stands (a password, a
//! template). `${env:VAR}` is how some clients write `${VAR}`. A default is taken as it stands, and also where
//! the variable is empty. May not read the environment: it is an argument.

/// What a variable of the environment says.
pub type Environment<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The text with its variables replaced, or everything that cannot be.
pub fn expand(text: &str, environment: &Environment<'_>) -> Result<String, Vec<String>> {
    let mut done = String::with_capacity(text.len());
    let mut problems = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        done.push_str(&rest[..at]);
        let (piece, after) = piece(&rest[at + 1..]);
        match value(&piece, environment) {
            Ok(value) => done.push_str(&value),
            Err(problem) => problems.push(problem),
        }
        rest = after;
    }
    done.push_str(rest);
    if problems.is_empty() { Ok(done) } else { Err(problems) }
}

/// What stands at a `$`.
#[derive(Debug)]
enum DollarPiece<'a> {
    /// The mark itself.
    Mark,
    /// A variable, and what to take where it is not set.
    Variable { name: &'a str, default: Option<&'a str> },
    /// Braces around what is no variable.
    Strange(&'a str),
    /// Braces that are never closed.
    Unclosed,
}

/// Takes one piece off a text that follows a `$`.
fn piece(text: &str) -> (DollarPiece<'_>, &str) {
    if let Some(inner) = text.strip_prefix('{') {
        return match inner.split_once('}') {
            Some((inside, after)) => (braced(inside), after),
            None => (DollarPiece::Unclosed, ""),
        };
    }
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    let upper =
        !name.contains(|c: char| c.is_ascii_lowercase()) && name.contains(|c: char| c.is_ascii_uppercase());
    if upper && is_name(name) {
        (DollarPiece::Variable { name, default: None }, after)
    } else {
        (DollarPiece::Mark, text)
    }
}

fn braced(inside: &str) -> DollarPiece<'_> {
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    let name = name.strip_prefix("env:").unwrap_or(name);
    if is_name(name) { DollarPiece::Variable { name, default } } else { DollarPiece::Strange(inside) }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn value(piece: &DollarPiece<'_>, environment: &Environment<'_>) -> Result<String, String> {
    match *piece {
        DollarPiece::Mark => Ok("$".to_owned()),
        DollarPiece::Variable { name, default: Some(default) } => {
            let set = environment(name).filter(|value| !value.is_empty());
            Ok(set.unwrap_or_else(|| default.to_owned()))
        }
        DollarPiece::Variable { name, default: None } => environment(name).ok_or_else(|| {
            format!("expected the variable `{name}` to be set; set it, or write `${{{name}:-default}}`")
        }),
        DollarPiece::Strange(inside) => {
            Err(format!("expected a variable such as `${{NAME}}`, found {}", strange(inside)))
        }
        DollarPiece::Unclosed => Err("expected a `}` after `${`".to_owned()),
    }
}

/// What stands in braces, as far as it can be shown: more than the kind of it may be part of a secret.
fn strange(inside: &str) -> String {
    match inside.split_once(':') {
        Some((kind, _)) if is_name(kind) => format!("`${{{kind}:…}}`"),
        _ => "something else in the braces".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn environment(name: &str) -> Option<String> {
        let value = match name {
            "HOME" => "/home/ann",
            "TOKEN_2" => "s$HOME",
            "EMPTY" => "",
            "lower" => "low",
            _ => return None,
        };
        Some(value.to_owned())
    }

    fn good(text: &str) -> String {
        expand(text, &environment).unwrap()
    }

    fn problems(text: &str) -> Vec<String> {
        expand(text, &environment).unwrap_err()
    }

    #[test]
    fn three_ways_to_name_a_variable() {
        assert_eq!(good("${HOME}/x"), "/home/ann/x");
        assert_eq!(good("$HOME/x"), "/home/ann/x");
        assert_eq!(good("${PORT:-80}"), "80");
        assert_eq!(good("${HOME:-80}"), "/home/ann");
        assert_eq!(good("${env:HOME}|${lower}"), "/home/ann|low");
        assert_eq!(good("a$HOME$HOME.b"), "a/home/ann/home/ann.b");
    }

    #[test]
    fn a_bare_name_in_lower_case_is_literal() {
        for text in ["$home", "pa$$word", "$Home", "$1", "$", "a$", "$_", "$-HOME", "cost: 5$ each", "$HOMEs"]
        {
            assert_eq!(good(text), text);
        }
    }

    #[test]
    fn the_longest_name_counts() {
        assert_eq!(problems("$HOME_DIR").len(), 1);
        assert_eq!(good("$HOME-DIR"), "/home/ann-DIR");
    }

    #[test]
    fn what_a_variable_says_is_not_expanded_again() {
        assert_eq!(good("$TOKEN_2"), "s$HOME");
        assert_eq!(good("${NONE:-$HOME}"), "$HOME");
    }

    #[test]
    fn an_empty_variable_is_set_but_gives_way_to_a_default() {
        assert_eq!(good("[$EMPTY]"), "[]");
        assert_eq!(good("[${EMPTY:-x}]"), "[x]");
        assert_eq!(good("[${EMPTY:-}]"), "[]");
    }

    #[test]
    fn every_problem_of_a_text_is_told() {
        assert_eq!(
            problems("$NONE ${ALSO_NONE} ${input:key} ${} ${HOME"),
            [
                "expected the variable `NONE` to be set; set it, or write `${NONE:-default}`",
                "expected the variable `ALSO_NONE` to be set; set it, or write `${ALSO_NONE:-default}`",
                "expected a variable such as `${NAME}`, found `${input:…}`",
                "expected a variable such as `${NAME}`, found something else in the braces",
                "expected a `}` after `${`",
            ]
        );
    }

    proptest! {
        #[test]
        fn a_text_without_the_mark_stays_as_it_is(text in "[^$]*") {
            prop_assert_eq!(good(&text), text);
        }

        #[test]
        fn what_stands_around_a_variable_is_kept(before in "[^$]*", after in "[^$A-Za-z0-9_][^$]*") {
            prop_assert_eq!(good(&format!("{before}$HOME{after}")), format!("{before}/home/ann{after}"));
            prop_assert_eq!(good(&format!("{before}${{HOME}}{after}")), format!("{before}/home/ann{after}"));
        }

        #[test]
        fn no_text_is_too_strange(text in "[$A-Za-z{}:_0-9é-]{0,40}") {
            let everything_set = |_: &str| Some("x".to_owned());
            if let Err(problems) = expand(&text, &everything_set) {
                prop_assert!(problems.iter().all(|problem| problem.starts_with("expected a ")));
            }
        }
    }
}
