//! Words that only a shell understands: scripts where a program's name was expected, and the shell's own commands.

use super::line_with;
use runward::core::render::{command_line, one_line, word};
use std::ffi::{OsStr, OsString};

/// The shell's own words that other options of ours stand for.
const FOLDERS: &[&str] = &["cd", "popd", "pushd"];
const VARIABLES: &[&str] = &["declare", "export", "local", "readonly", "typeset", "unset"];

/// The shell's own words that nothing else stands for.
const OTHERS: &[&str] = &[
    ".",
    "[[",
    "alias",
    "bg",
    "bind",
    "builtin",
    "case",
    "complete",
    "dirs",
    "disown",
    "eval",
    "exec",
    "fg",
    "for",
    "function",
    "getopts",
    "hash",
    "history",
    "if",
    "jobs",
    "let",
    "mapfile",
    "read",
    "readarray",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "times",
    "trap",
    "type",
    "ulimit",
    "umask",
    "unalias",
    "until",
    "wait",
    "while",
];

/// Whether a single word is a script and no name.
pub(super) fn is_script(text: &OsStr) -> bool {
    let text = text.to_string_lossy();
    text.trim().contains(|sign: char| sign.is_whitespace() || "|&;<>`".contains(sign)) || text.contains("$(")
}

/// The hint for a program that was not found because only a shell would understand it; behind these words of ours.
pub(super) fn instead(program: &[OsString], ours: &[OsString]) -> Option<String> {
    let (name, arguments) = program.split_first()?;
    let script = |words: &[OsString]| line_with(ours, &["--shell".into(), text(words)]);
    if is_script(name) {
        return Some(format!("This looks like shell text: {}", script(program)));
    }
    let shown = one_line(&word(name));
    let option = match shown.as_str() {
        name if FOLDERS.contains(&name) => format!("--cwd {}", argument(arguments, "DIR")),
        name if VARIABLES.contains(&name) => format!("--env {}", argument(arguments, "NAME=VALUE")),
        name if OTHERS.contains(&name) => {
            return Some(format!("`{shown}` is part of the shell: {}", script(program)));
        }
        _ => return None,
    };
    Some(format!("`{shown}` is part of the shell. Use {option}, or --shell."))
}

/// The first argument that is no option, quoted; without one, what it would be.
fn argument(arguments: &[OsString], what: &str) -> String {
    let first = arguments.iter().find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    first.map_or_else(|| what.to_owned(), |word| command_line([word]))
}

/// The words as text for a shell: a script stays what it is, what stands behind it is quoted.
fn text(words: &[OsString]) -> OsString {
    let Some((first, rest)) = words.split_first() else { return OsString::new() };
    let mut text = first.clone();
    if !rest.is_empty() {
        text.push(" ");
        text.push(command_line(rest));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(words: &[&str]) -> String {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        instead(&words, &["exec".into(), "--timeout".into(), "5m".into()]).unwrap_or_default()
    }

    #[test]
    fn a_script_is_told_from_a_name() {
        assert_eq!(
            hint(&["ls | wc -l"]),
            "This looks like shell text: runward exec --timeout 5m --shell 'ls | wc -l'"
        );
        assert_eq!(
            hint(&["echo $(id)", "a b"]),
            r"This looks like shell text: runward exec --timeout 5m --shell 'echo $(id) '\''a b'\'''"
        );
        assert_eq!(hint(&["no-such-program", "a b"]), "");
    }

    #[test]
    fn a_word_of_the_shell_has_an_option_of_ours_or_is_for_the_shell() {
        assert_eq!(hint(&["cd", "/tmp"]), "`cd` is part of the shell. Use --cwd /tmp, or --shell.");
        assert_eq!(hint(&["cd"]), "`cd` is part of the shell. Use --cwd DIR, or --shell.");
        assert_eq!(
            hint(&["export", "A=b c"]),
            "`export` is part of the shell. Use --env 'A=b c', or --shell."
        );
        assert_eq!(
            hint(&["source", "x"]),
            "`source` is part of the shell: runward exec --timeout 5m --shell 'source x'"
        );
    }
}
