//! Command substitutions `$(…)` that print nothing but whole numbers, or nothing at all: these may stand in arithmetic.
//!
//! Hazard: what is printed into a pipe could be joined by another process of the same text, which finds the pipe under
//! `/proc`. So a text that runs anything beside has no such commands. May not run them to find out.

use super::reader::ScriptReader;

/// Commands that print numbers, by their first words. What follows is checked by [`counts`].
const COUNTERS: &[&str] =
    &["nproc", "date +%s", "id -u", "id -g", "wc -l <", "wc -c <", "wc -w <", "wc -m <"];

impl ScriptReader<'_> {
    /// Whether the `$(…)` with its parenthesis next prints nothing but numbers.
    pub(super) fn counts_ahead(&mut self) -> bool {
        let Some(inside) = self.rest().strip_prefix('(') else { return false };
        let Some((inside, _)) = inside.split_once(')') else { return false };
        let counts = !self.posix && self.traps == 0 && counts(inside) && self.runs_nothing_beside();
        if counts {
            self.names.counters.extend(inside.split_whitespace().next().map(str::to_owned));
        }
        counts
    }

    /// Whether no process of the text runs beside another: no `&` and no pipe but in `&&`, `||`, `>&` and `&>`, and no
    /// `<(…)`. Quotes are not looked at, so some texts are doubted for nothing.
    fn runs_nothing_beside(&self) -> bool {
        let plain = self.text.replace("&&", "").replace("||", "").replace(">&", "").replace("&>", "");
        !plain.contains(['&', '|']) && !plain.contains("<(") && !plain.contains(">(")
    }
}

/// Whether a command prints nothing but numbers.
fn counts(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let number =
        |word: &&str| word.strip_prefix('-').unwrap_or(word).bytes().all(|byte| byte.is_ascii_digit());
    if let ["seq", rest @ ..] = words.as_slice() {
        return !rest.is_empty() && rest.iter().all(number);
    }
    let line = words.join(" ");
    COUNTERS.iter().any(|counter| match line.strip_prefix(counter) {
        Some("") => !counter.ends_with('<'),
        Some(file) => counter.ends_with('<') && is_one_file(file.trim_start()),
        None => false,
    })
}

/// A file's name, plain or a variable in quotes.
fn is_one_file(file: &str) -> bool {
    let inside = file.strip_prefix('"').and_then(|file| file.strip_suffix('"')).unwrap_or(file);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let quoted = inside.len() < file.len();
    !inside.is_empty()
        && inside.bytes().all(|byte| plain(byte) || quoted && matches!(byte, b'$' | b'{' | b'}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_print_numbers_are_few() {
        for command in
            ["wc -l < f", "wc -l <src/f.rs", " wc -c < \"$f\" ", "nproc", "date +%s", "seq 1 10", "seq -5 5"]
        {
            assert!(counts(command), "{command}");
        }
        for command in [
            "wc -l f",
            "wc -l",
            "wc -l < f g",
            "date",
            "date +%s x",
            "seq 1 $n",
            "seq",
            "cat f",
            "id",
            "wc -l < $f",
        ] {
            assert!(!counts(command), "{command}");
        }
    }
}
