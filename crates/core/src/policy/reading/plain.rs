//! The parser for zsh and unknown shells: one simple command, made of words that say exactly what they are.
//!
//! A word is plain characters, or characters in single quotes. Everything else (expansion, redirection, a list, a
//! comment, a line's end) is opaque. May not guess: what is opaque is told as opaque.

use super::Dialect;
use crate::policy::runs_others::reads_names;

/// Whether a character stands for itself in this dialect.
fn is_plain(dialect: Dialect, letter: char) -> bool {
    let marks = match dialect {
        Dialect::Other => "-./:_",
        Dialect::Bash | Dialect::Posix | Dialect::Zsh => "%+,-./:@_=",
    };
    letter.is_ascii_alphanumeric() || marks.contains(letter)
}

/// The words of a script that is one simple command; nothing for any other.
pub(super) fn words(script: &str, dialect: Dialect) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut quoted = String::new();
    let mut rest = script.trim_matches(' ');
    while !rest.is_empty() {
        let (word, after) = one_word(rest, dialect, &mut quoted)?;
        words.push(word);
        rest = after.trim_start_matches(' ');
    }
    let name = words.first().filter(|name| !name.is_empty() && !name.contains('='))?;
    // `test -v 'a[$(rm x)]'` runs `rm`: some builtins look into what was quoted.
    let looked_into = reads_names(name) && quoted.contains(['$', '`', '[']);
    (!looked_into).then_some(words)
}

/// The first word and what follows it. What stood in quotes is noted.
fn one_word<'a>(text: &'a str, dialect: Dialect, quoted: &mut String) -> Option<(String, &'a str)> {
    let mut word = String::new();
    let mut rest = text;
    let mut after_quotes = false;
    // zsh reads `=ls` as the path of `ls`.
    if text.starts_with('=') {
        return None;
    }
    while let Some(letter) = rest.chars().next().filter(|letter| *letter != ' ') {
        let was_quoted = std::mem::take(&mut after_quotes);
        if is_plain(dialect, letter) {
            word.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else if dialect != Dialect::Other && letter == '\'' && !was_quoted {
            // Two quoted pieces side by side mean one thing or another by a setting of zsh.
            let (inside, after) = rest[1..].split_once('\'')?;
            word.push_str(inside);
            quoted.push_str(inside);
            after_quotes = true;
            rest = after;
        } else if dialect != Dialect::Other && rest.starts_with("\\'") {
            word.push('\'');
            rest = &rest[2..];
        } else {
            return None;
        }
    }
    Some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posix(script: &str) -> Option<Vec<String>> {
        words(script, Dialect::Posix)
    }

    #[test]
    fn plain_words_are_understood() {
        assert_eq!(posix("ls"), Some(vec!["ls".to_owned()]));
        assert_eq!(posix("  git  log --format=%h a@b:c  ").unwrap(), ["git", "log", "--format=%h", "a@b:c"]);
    }

    #[test]
    fn single_quotes_say_exactly_what_they_hold() {
        assert_eq!(posix("echo 'a b' it\\'s '' x'y z'").unwrap(), ["echo", "a b", "it's", "", "xy z"]);
        assert_eq!(posix("echo 'it'\\''s'").unwrap(), ["echo", "it's"]);
        assert_eq!(posix("echo '$x'"), None, "a builtin");
        assert_eq!(posix("grep '$x'").unwrap(), ["grep", "$x"]);
    }

    #[test]
    fn everything_else_is_opaque() {
        for script in [
            "",
            " ",
            "''",
            "ls;id",
            "ls\nid",
            "ls\tid",
            "ls | wc",
            "ls && id",
            "ls &",
            "(ls)",
            "{ ls; }",
            "ls > f",
            "ls < f",
            "ls $x",
            "ls $(id)",
            "ls `id`",
            "ls \"x\"",
            "ls *",
            "ls ?",
            "ls [a]",
            "ls ~",
            "ls #x",
            "!ls",
            "A=b ls",
            "A=b",
            "ls \\x",
            "ls 'x",
            "ls 'a''b'",
            "ls =id",
            "ls {a,b}",
            "ls ^",
            "lsé",
            "ls\r",
            "ls\0",
            "test -v 'a[$(id)]'",
            "printf -v 'a[x]' b",
        ] {
            assert_eq!(posix(script), None, "{script:?}");
        }
    }

    #[test]
    fn other_shells_read_fewer_letters_as_plain() {
        assert_eq!(words("git status -s", Dialect::Other).unwrap(), ["git", "status", "-s"]);
        for script in ["echo %PATH%", "echo 'a'", "echo a,b", "echo @x", "echo a^b", "dir&del"] {
            assert_eq!(words(script, Dialect::Other), None, "{script:?}");
        }
    }
}
