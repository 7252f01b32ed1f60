//! `source .venv/bin/activate` (a Python virtual environment): puts the folder beside it in front of PATH, and nothing
//! else.
//!
//! Hazard: an agent that may write the workspace may write that file. It is read like any script, and whatever is not
//! what `venv` writes is refused. May not be used to allow other files.

use super::reading::{Dialect, read};
use super::{Opaque, Word};
use std::path::{Path, PathBuf};

/// What such a file runs, besides builtins.
const RUNS: &[&str] = &["uname", "cygpath", "wslpath", "basename"];

/// What it sets.
const SETS: &[&str] = &["PATH", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT"];

/// The only ways in which it names PATH.
const PATHS: &[&str] = &[
    "PATH=\"$VIRTUAL_ENV/bin:$PATH\"",
    "PATH=\"$VIRTUAL_ENV/\"bin\":$PATH\"",
    "PATH=\"${_OLD_VIRTUAL_PATH:-}\"",
    "PATH=\"$_OLD_VIRTUAL_PATH\"",
    "_OLD_VIRTUAL_PATH=\"$PATH\"",
];

/// The file that a command of these words would read, if it is of the form `source …/bin/activate`.
pub(super) fn file(words: &[Word]) -> Option<&str> {
    match words {
        [name, file] if matches!(name.text(), Some("source" | ".")) => {
            file.text().filter(|file| file.ends_with("/bin/activate"))
        }
        _ => None,
    }
}

/// The folder with programs that such a file puts in front of PATH, or why it is not one that `venv` wrote. `path` is
/// the file with every link followed.
pub(super) fn activates(text: &str, path: &Path) -> Result<PathBuf, Opaque> {
    let no = |why: &str| {
        Opaque::because(format!("`{}` is not what `python3 -m venv` writes: {why}", path.display()))
    };
    let folder = path.parent().ok_or_else(|| no("it lies nowhere"))?;
    let environment = folder.parent().and_then(Path::to_str).ok_or_else(|| no("it lies nowhere"))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._- +@".contains(&byte);
    if !environment.bytes().all(plain) {
        return Err(no("the name of its folder is not a plain one"));
    }
    let lines = text.lines().map(|line| readable(line.trim(), environment));
    let lines =
        lines.collect::<Option<Vec<&str>>>().ok_or_else(|| no("it sets PATH or its own folder otherwise"))?;
    let reading = read(&lines.join("\n"), Dialect::Bash).map_err(|opaque| no(&opaque.because))?;
    let own = |command: &super::Simple| command.words[0].text().is_some_and(|name| RUNS.contains(&name));
    let sets = |name: &str| SETS.contains(&name) || name.starts_with("_OLD_VIRTUAL_");
    let assigned = reading.commands.iter().flat_map(|command| &command.assigns).chain(&reading.assigns);
    let only_reads = reading.redirects.iter().all(|redirect| !matches!(redirect, super::Redirect::Reads(_)));
    if !reading.commands.iter().all(own)
        || !only_reads
        || !assigned.into_iter().all(|assign| sets(&assign.name))
    {
        return Err(no("it does more"));
    }
    Ok(folder.to_owned())
}

/// Whether every quote of a value ends in it: one that goes on turns around what the lines behind it mean.
fn is_closed(value: &str) -> bool {
    let mut open = None;
    for letter in value.chars().filter(|letter| matches!(letter, '"' | '\'')) {
        open = match open {
            None => Some(letter),
            Some(quote) if quote == letter => None,
            open => open,
        };
    }
    open.is_none()
}

/// A line as our reader reads it: what only tells the prompt, or forgets what was found before, is left out. Nothing,
/// where it sets what it may not.
fn readable<'a>(line: &'a str, environment: &str) -> Option<&'a str> {
    let forgets = ["hash -r", "hash -r 2> /dev/null", "hash -r 2>/dev/null", "hash -r 2> /dev/null || true"];
    let left_out = forgets.contains(&line)
        || ["export PS1", "unset -f deactivate"].contains(&line)
        || line.strip_prefix("PS1=").is_some_and(|value| {
            !value.contains(['`', ';', '|', '&', '\\']) && !value.contains("$(") && is_closed(value)
        });
    if left_out {
        return Some(":");
    }
    if line.contains("PATH=") {
        return PATHS.contains(&line).then_some(line);
    }
    let own = line.strip_prefix("export ").unwrap_or(line).strip_prefix("VIRTUAL_ENV=");
    match own.map(|value| value.trim_matches(['"', '\''])) {
        None => Some(line),
        Some(value) if value == environment => Some(line),
        Some(value) => (value.starts_with("$(cygpath ") || value.starts_with("$(wslpath ")).then_some(line),
    }
}
