//! Turns argv into the one line that Windows passes, and says which file is loaded to read it.
//!
//! Hazard: a batch file is not loaded but read by `cmd.exe`, whatever quoting its caller chose, and `cmd` acts
//! on signs that the usual quoting leaves alone. So batch files, and `cmd` itself, have a file of their own.

use super::{cmd, probe, quote};
use runward_core::resolve::ResolvedCommand;
use std::path::{Path, PathBuf};

/// The file to load and what it is told.
#[derive(Debug)]
pub(super) struct CommandLine {
    pub(super) application: PathBuf,
    /// Ends with a NUL.
    pub(super) text: Vec<u16>,
}

/// An argument that cannot be passed to this program. Number 0 is the program's own name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnfitArgument {
    pub(super) number: usize,
    pub(super) why: &'static str,
}

/// The line for a command.
pub(super) fn of(command: &ResolvedCommand) -> Result<CommandLine, UnfitArgument> {
    let program = command.program();
    let (application, mut text) = if is_batch(program) {
        let interpreter = probe::interpreter();
        let arguments = command.argv().get(1..).unwrap_or_default();
        let text = cmd::batch(&interpreter, program, arguments)?;
        (interpreter, text)
    } else if is_cmd(program) || is_cmd(command.real_program()) {
        (program.to_owned(), cmd::shell(command.argv())?)
    } else {
        (program.to_owned(), plain(command)?)
    };
    text.push(0);
    Ok(CommandLine { application, text })
}

fn plain(command: &ResolvedCommand) -> Result<Vec<u16>, UnfitArgument> {
    let mut line = Vec::new();
    let mut words = command.argv().iter();
    cmd::quoted_name(&mut line, words.next().map(|name| name.as_os_str()).unwrap_or_default())?;
    words.for_each(|word| quote::add(&mut line, word));
    Ok(line)
}

/// The ending as the file system sees it, which takes dots and spaces off the end of a name.
fn is_batch(program: &Path) -> bool {
    let name =
        program.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']);
    name.ends_with(".bat") || name.ends_with(".cmd")
}

fn is_cmd(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name.eq_ignore_ascii_case("cmd.exe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_files_are_known_by_their_ending() {
        for name in ["a.bat", r"C:\x\A.CMD", "a.cmd. .", "a.bat "] {
            assert!(is_batch(Path::new(name)), "{name}");
        }
        assert!(!is_batch(Path::new("cmd.exe")));
    }
}
