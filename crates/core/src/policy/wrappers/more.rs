//! Programs with ways of their own to name what they start: `setarch`, `arch`, `perf`, `busybox` and their kin.
//!
//! May not know programs with words in the usual order: [`table`] does.

use super::options::{OptionOrder, read};
use super::plain::{behind, harmless, words_behind};
use super::{Opaque, StartedCommand, Word, started, table};
use crate::policy::tables::TableSection;

/// `setarch [ARCH] [OPTIONS] COMMAND…`
pub(super) fn setarch(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let named = words.get(1).is_some_and(|word| !word.may_be_option() && word.exact().is_some());
    let read = read(wrapper, OptionOrder::First, &words[usize::from(named)..])?;
    if read.ends { Ok(Vec::new()) } else { behind(wrapper, &read.operands) }
}

/// Kinds of processors that macOS knows.
const KINDS: &[&str] = &["-x86_64", "-x86_64h", "-arm64", "-arm64e", "-i386", "-32", "-64"];

/// `arch -arm64 COMMAND…` on macOS; elsewhere it starts nothing.
pub(super) fn arch(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let mut rest = words.get(1..).unwrap_or_default();
    loop {
        rest = match rest {
            [flag, _, more @ ..] if flag.text() == Some("-arch") && super::is_one(&rest[1]) => more,
            [flag, more @ ..] if flag.text().is_some_and(|flag| KINDS.contains(&flag)) => more,
            _ => return started(rest),
        };
    }
}

/// `perf stat` and `perf record`; its other commands run more than they are told.
pub(super) fn perf(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let options = match words.get(1).map(Word::text) {
        None | Some(Some("list" | "version" | "--version" | "-v" | "--help" | "-h")) => return Ok(Vec::new()),
        Some(Some("stat")) => table::subcommand("perf stat"),
        Some(Some("record")) => table::subcommand("perf record"),
        _ => return Err(Opaque::because("what this command of `perf` starts is not known")),
    };
    let options = options.ok_or_else(|| Opaque::because("the options of `perf` are not known"))?;
    let read = read(options, OptionOrder::First, &words[1..])?;
    harmless(&read)?;
    started(&read.operands)
}

/// `busybox APPLET…`
pub(super) fn applet(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    match words.get(1).and_then(Word::text) {
        Some("--list" | "--list-full" | "--help" | "--version" | "--long") => Ok(Vec::new()),
        _ => started(words.get(1..).unwrap_or_default()),
    }
}

/// `start-stop-daemon --start --exec PROGRAM -- WORDS…`
pub(super) fn start_stop_daemon(
    wrapper: TableSection,
    words: &[Word],
) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::Anywhere, words)?;
    if read.ends || !read.has("--start") {
        return Ok(Vec::new());
    }
    let mut programs: Vec<&Word> = read.all("--startas").filter_map(|found| found.value.as_ref()).collect();
    if programs.is_empty() {
        programs.extend(read.all("--exec").filter_map(|found| found.value.as_ref()));
    }
    let [program] = programs[..] else { return Err(Opaque::because("which program it starts is not known")) };
    let command: Vec<Word> = std::iter::once(program).chain(&read.operands).cloned().collect();
    started(&command)
}

/// `systemd-run`, which expands the words of its command once more.
pub(super) fn unit(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let all = words_behind(wrapper, words)?;
    let expanded = |word: &Word| word.text().is_none_or(|text| text.contains(['$', '%', '\\']));
    let is_expanded = |started: &StartedCommand| matches!(started, StartedCommand::Words(words) if words.iter().any(expanded));
    if all.iter().any(is_expanded) {
        return Err(Opaque::because("what it starts is expanded when it runs"));
    }
    Ok(all)
}

/// A program that is only understood where it is asked for help.
pub(super) fn nothing_but_help(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    match words {
        [_, word] if word.text().is_some_and(|word| word == "--help" || word == "--version") => {
            Ok(Vec::new())
        }
        _ => Err(Opaque::because("it starts commands that it makes up from its words and its input")),
    }
}
