//! Names that run what their arguments say, so that allowing the name would allow everything.
//!
//! May not look through them: what they start is not understood here, and so it is refused.

use std::ffi::OsStr;

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

/// Programs that start the program named by their arguments.
const WRAPPERS: &[&str] = &[
    "ash",
    "bash",
    "busybox",
    "chroot",
    "chrt",
    "cmd",
    "cmd.exe",
    "csh",
    "dash",
    "doas",
    "env",
    "fish",
    "flock",
    "gdb",
    "ionice",
    "ksh",
    "ltrace",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "perf",
    "pkexec",
    "powershell",
    "powershell.exe",
    "pwsh",
    "pwsh.exe",
    "runuser",
    "rbash",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "sh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tcsh",
    "timeout",
    "toybox",
    "unshare",
    "watch",
    "xargs",
    "zsh",
];

/// Builtins that read some of their arguments as names or sums, in which `$(…)` would be run.
const READS_NAMES: &[&str] =
    &["[", "cd", "echo", "export", "print", "printf", "pwd", "return", "shift", "test"];

/// Whether a command runs what its arguments say.
pub(super) fn runs_others(words: &[&OsStr]) -> bool {
    let Some(name) = words.first().and_then(|word| word.to_str()) else { return true };
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    SHELL_WORDS.contains(&name) || WRAPPERS.contains(&name) || (name == "find" && finds_and_runs(&words[1..]))
}

/// Whether a name means something to a shell alone, which then runs, loads, redefines or evaluates.
pub(super) fn is_shell_word(name: &str) -> bool {
    SHELL_WORDS.contains(&name)
}

/// Whether a builtin of a shell would look into quoted text of its arguments.
pub(super) fn reads_names(name: &str) -> bool {
    READS_NAMES.contains(&name)
}

fn finds_and_runs(words: &[&OsStr]) -> bool {
    ["-exec", "-execdir", "-ok", "-okdir"].iter().any(|flag| words.contains(&OsStr::new(flag)))
}
