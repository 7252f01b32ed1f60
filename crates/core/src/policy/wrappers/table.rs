//! The programs that start others, as `wrappers.table` has them: how options are read and where the command begins.
//!
//! May not know how a line of options is read: [`options`](super::options) does.

use super::plain::words_behind;
use super::{Opaque, StartedCommand, Word, env, find, more, shells, texts, windows, xargs};
use crate::policy::tables::{ProgramTable, TableSection};
use std::sync::LazyLock;

/// Every program that is looked through.
pub(super) static WRAPPERS: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../presets/wrappers.table")));

/// How the words of a wrapper are looked through.
type WrapperReading = fn(TableSection, &[Word]) -> Result<Vec<StartedCommand>, Opaque>;

/// The ways that the table names.
const WAYS: &[(&str, WrapperReading)] = &[
    ("env", env::starts),
    ("setarch", more::setarch),
    ("arch", more::arch),
    ("runuser", texts::runuser),
    ("su", texts::su),
    ("start-stop-daemon", more::start_stop_daemon),
    ("perf", more::perf),
    ("unit", more::unit),
    ("applet", more::applet),
    ("flock", texts::flock),
    ("script", texts::script_of),
    ("watch", texts::watch),
    ("xargs", xargs::starts),
    ("find", find::starts),
    ("fd", find::fd),
    ("help", more::nothing_but_help),
    ("shell", shells::starts),
    ("csh", shells::csh),
    ("fish", shells::fish),
    ("cmd", windows::cmd),
    ("powershell", windows::powershell),
];

/// What a program starts, if it is one that starts others.
pub(super) fn starts(name: &str, words: &[Word]) -> Option<Result<Vec<StartedCommand>, Opaque>> {
    let wrapper = WRAPPERS.exactly(name)?;
    let way = match wrapper.value("by") {
        None => Some(words_behind as WrapperReading),
        Some(by) => WAYS.iter().find(|(name, _)| *name == by).map(|(_, way)| *way),
    };
    let unknown = || Err(Opaque::because(format!("how `{name}` starts others is not known")));
    Some(way.map_or_else(unknown, |way| way(wrapper, words)))
}

/// The options behind a subcommand that has its own.
pub(super) fn subcommand(names: &str) -> Option<TableSection> {
    WRAPPERS.exactly(names)
}

/// Whether it is a shell.
pub(super) fn is_shell(name: &str) -> bool {
    const SHELLS: &[&str] = &["shell", "csh", "fish", "cmd", "powershell"];
    let by = WRAPPERS.exactly(name).and_then(|wrapper| wrapper.value("by"));
    by.is_some_and(|by| SHELLS.contains(&by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::wrappers::options::is_option_key;

    #[test]
    fn every_line_of_the_table_is_understood() {
        for section in WRAPPERS.rows() {
            for line in section.lines() {
                let fits = match line.key {
                    Some("by") => WAYS.iter().any(|(name, _)| *name == line.rest),
                    Some("before") => {
                        line.rest.split(' ').all(|word| ["word", "number", "variables"].contains(&word))
                    }
                    Some("alone") => line.rest == "shell",
                    key => key.is_some_and(is_option_key),
                };
                assert!(fits, "line {}: {}", line.number, line.text);
            }
        }
    }

    #[test]
    fn every_way_is_used() {
        let used = |way: &str| WRAPPERS.rows().iter().any(|section| section.value("by") == Some(way));
        WAYS.iter().for_each(|(way, _)| assert!(used(way), "{way}"));
    }
}
