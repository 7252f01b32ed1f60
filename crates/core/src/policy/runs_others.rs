//! Names that run what their arguments say, so that allowing the name would allow everything.
//!
//! May not look through them: what they start is not understood here, and so it is refused.

/// Keywords and builtins of shells that run, load, redefine or evaluate what they are given.
const SHELL_WORDS: &[&str] = &[
    ".",
    "alias",
    "autoload",
    "bg",
    "bind",
    "builtin",
    "case",
    "command",
    "compgen",
    "complete",
    "coproc",
    "declare",
    "do",
    "done",
    "elif",
    "else",
    "emulate",
    "enable",
    "esac",
    "eval",
    "exec",
    "fc",
    "fg",
    "fi",
    "float",
    "for",
    "foreach",
    "function",
    "getopts",
    "hash",
    "if",
    "in",
    "integer",
    "jobs",
    "let",
    "local",
    "mapfile",
    "nocorrect",
    "noglob",
    "read",
    "readarray",
    "readonly",
    "repeat",
    "sched",
    "select",
    "set",
    "shopt",
    "source",
    "then",
    "time",
    "trap",
    "typeset",
    "unset",
    "until",
    "vared",
    "wait",
    "while",
    "zle",
    "zmodload",
];

/// Builtins that read some of their arguments as names or arithmetic, in which `$(…)` would be run.
const READS_NAMES: &[&str] =
    &["[", "cd", "echo", "export", "print", "printf", "pwd", "return", "shift", "test"];

/// Whether a name means something to a shell alone, which then runs, loads, redefines or evaluates.
pub(super) fn is_shell_word(name: &str) -> bool {
    SHELL_WORDS.contains(&name)
}

/// Whether a builtin of a shell would look into quoted text of its arguments.
pub(super) fn reads_names(name: &str) -> bool {
    READS_NAMES.contains(&name)
}
