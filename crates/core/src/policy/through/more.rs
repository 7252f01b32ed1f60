//! Programs with ways of their own to name what they start: `setarch`, `arch`, `perf`, `busybox` and their kin.
//!
//! May not know programs whose words follow the usual order: the [`table`](super::table) does.

use super::options::{Order, read};
use super::plain::{behind, harmless, words_behind};
use super::table::Wrapper;
use super::{Opaque, Started, Word, started};

/// `setarch [ARCH] [OPTIONS] COMMAND…`
pub(super) fn setarch(wrapper: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let named = words.get(1).is_some_and(|word| !word.may_be_option() && word.exact().is_some());
    let read = read(wrapper.options, Order::First, &words[usize::from(named)..])?;
    if read.ends { Ok(Vec::new()) } else { behind(wrapper, &read.operands) }
}

/// Kinds of processors that macOS knows.
const KINDS: &[&str] = &["-x86_64", "-x86_64h", "-arm64", "-arm64e", "-i386", "-32", "-64"];

/// `arch -arm64 COMMAND…` on macOS; elsewhere it starts nothing.
pub(super) fn arch(_: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
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
pub(super) fn perf(_: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let options = match words.get(1).map(Word::text) {
        None | Some(Some("list" | "version" | "--version" | "-v" | "--help" | "-h")) => return Ok(Vec::new()),
        Some(Some("stat")) => {
            "-a|--all-cpus -A|--no-aggr -B|--big-num -d|--detailed -n|--null -v|--verbose -S|--sync -i|--no-inherit \
             -e|--event= -o|--output= -x|--field-separator= -r|--repeat= -p|--pid= -t|--tid= -C|--cpu= \
             -I|--interval-print= -D|--delay= -M|--metrics= --append --pre^ --post^ --no-big-num --per-core \
             --per-socket --per-thread --timeout= --table --log-fd= --all-user --all-kernel -j|--json-output"
        }
        Some(Some("record")) => {
            "-a|--all-cpus -g -e|--event= -F|--freq= -c|--count= -o|--output= -p|--pid= -t|--tid= -C|--cpu= \
             --call-graph= -q|--quiet -v|--verbose --no-buffering --all-user --all-kernel"
        }
        _ => return Err(Opaque::because("what this command of `perf` starts is not known")),
    };
    let read = read(options, Order::First, &words[1..])?;
    harmless(&read)?;
    started(&read.operands)
}

/// `busybox APPLET…`
pub(super) fn applet(_: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    match words.get(1).and_then(Word::text) {
        Some("--list" | "--list-full" | "--help" | "--version" | "--long") => Ok(Vec::new()),
        _ => started(words.get(1..).unwrap_or_default()),
    }
}

/// `start-stop-daemon --start --exec PROGRAM -- WORDS…`
pub(super) fn start_stop_daemon(wrapper: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let read = read(wrapper.options, Order::Anywhere, words)?;
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
pub(super) fn unit(wrapper: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let all = words_behind(wrapper, words)?;
    let expanded = |word: &Word| word.text().is_none_or(|text| text.contains(['$', '%', '\\']));
    let is_expanded =
        |started: &Started| matches!(started, Started::Words(words) if words.iter().any(expanded));
    if all.iter().any(is_expanded) {
        return Err(Opaque::because("what it starts is expanded when it runs"));
    }
    Ok(all)
}

/// A program that is only understood where it is asked for help.
pub(super) fn nothing_but_help(_: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    match words {
        [_, word] if word.text().is_some_and(|word| word == "--help" || word == "--version") => {
            Ok(Vec::new())
        }
        _ => Err(Opaque::because("it starts commands that it makes up from its words and its input")),
    }
}
