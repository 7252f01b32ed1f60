//! `git`: options and commands of it that run what their words say.
//!
//! May not judge the rest of git: what reads and what writes is for presets to say.

use super::{Carried, end_of_options, shown};
use crate::policy::Word;
use crate::policy::git_front::{self, GitFront};
use crate::policy::wrappers::name::among;

/// Commands that run their words, or orders that they ask an editor for.
const RUNS: &str = "filter-branch hook instaweb daemon gui citool send-email svn p4 web--browse for-each-repo difftool \
    merge-index mergetool upload-pack receive-pack remote-ext remote-fd shell credential maintenance scalar \
    cvsserver fast-import http-backend sh-setup";

/// Commands that write whatever they are given into the file that their words name, such as git's own settings.
const WRITES: &str = "checkout-index mailinfo merge-file";

/// Options that do the same, by the start of their long names, and the commands that have them.
const WRITES_TO: &[(&str, &str)] = &[
    ("--output", SHOWS),
    ("--unsafe-paths", "apply am"),
    ("--in-place", "interpret-trailers"),
    // What lies in its folder of hooks becomes the repository's.
    ("--template", "clone init"),
];

/// Commands that write files of their own where their words say.
const FILLS: &str = "archive bugreport bundle clone diagnose fast-export format-patch index-pack init mailsplit \
    pack-objects submodule unpack-file worktree";

/// Every other command of git. What is none of these is a program beside it, or a name that a repository gave to
/// something else.
const COMMANDS: &str = "add am annotate apply archimport archive bisect blame branch bugreport bundle cat-file check-attr \
    check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit \
    commit-graph commit-tree config count-objects describe diagnose diff diff-files diff-index diff-tree fast-export fetch \
    fetch-pack fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init \
    interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file merge-tree \
    mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull \
    push range-diff read-tree rebase reflog refs remote repack replace replay request-pull rerere reset restore rev-list \
    rev-parse revert rm send-pack shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace \
    submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var \
    verify-commit verify-pack verify-tag version whatchanged worktree write-tree";

/// Options of git's commands that name something to run, by the start of their long names.
const NAMES_A_COMMAND: &[&str] =
    &["--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--config"];

/// The commands that have such options.
const TALKS: &str =
    "archive clone fetch fetch-pack grep ls-remote pull push rebase remote send-pack submodule";

/// Options that make git run what the repository's settings name.
const FOLLOWS_SETTINGS: &[&str] = &["--ext-diff", "--textconv", "--filters"];

/// The commands that have those.
const SHOWS: &str = "annotate blame cat-file diff diff-files diff-index diff-tree format-patch grep log ls-files range-diff \
    reflog rev-list show stash status whatchanged";

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    if name != "git" && !name.starts_with("git-") {
        return None;
    }
    let at = if name == "git" { command_at(words)? } else { Ok(0) };
    let at = match at {
        Ok(at) => at,
        Err(carried) => return Some(carried),
    };
    let command = if at == 0 { name.strip_prefix("git-")? } else { words[at].text()? };
    let does = || format!("`git {command}` runs what it is told");
    if among(RUNS, command) || command == "config" && !only_asks(&words[at + 1..]) {
        return Some(Carried::new(does(), at + 1));
    }
    if !among(COMMANDS, command) {
        return Some(Carried::new(format!("`git {command}` may be a name for anything"), at + 1));
    }
    let second = words.get(at + 1).and_then(Word::text);
    if matches!((command, second), ("bisect", Some("run")) | ("submodule", Some("foreach"))) {
        return Some(Carried::new(format!("`git {command} {}` runs its words", second?), at + 2));
    }
    if command == "bisect" && matches!(second, Some("visualize" | "view")) {
        return Some(Carried::never(format!("`git bisect {}` runs what its words say", second?)));
    }
    if matches!(command, "bisect" | "submodule") && words.iter().skip(at + 1).any(runs_words) {
        return Some(Carried::never(does()));
    }
    let end = end_of_options(words).max(at + 1);
    let end =
        words.iter().position(|word| word.text() == Some("--end-of-options")).map_or(end, |own| own.min(end));
    if let Some(carried) = (at + 1..end).find_map(|place| unclear(command, &words[place])) {
        return Some(carried);
    }
    if let Some(place) = (at + 1..end).find(|place| strange_strategy(command, words, *place)) {
        return Some(Carried::never(format!(
            "{} runs what it names",
            shown(&format!("git {command}"), words, place)
        )));
    }
    if let Some(carried) = writes(command, words, at, end) {
        return Some(carried);
    }
    if let Some(place) = (at + 1..end).find(|place| follows_settings(command, &words[*place])) {
        let shown = shown(&format!("git {command}"), words, place);
        return Some(Carried::new(format!("{shown} runs what the repository's settings name"), place + 1));
    }
    let told = (at + 1..words.len()).find(|place| names_a_command(command, &words[*place], *place < end))?;
    Some(Carried::never(format!("{} runs what it names", shown(&format!("git {command}"), words, told))))
}

/// What a command writes to a place that its words name, where that may be a place that git obeys.
fn writes(command: &str, words: &[Word], at: usize, end: usize) -> Option<Carried> {
    let of = format!("git {command}");
    if among(WRITES, command) {
        return Some(Carried::new(
            format!("`{of}` writes what it is given to a file that it is told"),
            at + 1,
        ));
    }
    let told = |word: &Word| {
        let long = word.text().map(|text| text.split('=').next().unwrap_or(text));
        let begun = |option: &str| long.is_some_and(|long| long.len() > 3 && option.starts_with(long));
        WRITES_TO.iter().any(|(option, commands)| begun(option) && among(commands, command))
    };
    if let Some(place) = (at + 1..end).find(|place| told(&words[*place])) {
        return Some(Carried::new(
            format!("{} writes what git may obey", shown(&of, words, place)),
            place + 1,
        ));
    }
    let obeyed =
        |word: &Word| word.text().is_some_and(|text| glued(text).split(['/', '\\', '=']).any(is_settings));
    let place = (at + 1..words.len()).find(|place| among(FILLS, command) && obeyed(&words[*place]))?;
    Some(Carried::never(format!("{} writes where git keeps its settings", shown(&of, words, place))))
}

/// What is glued to a letter, or the word itself.
fn glued(text: &str) -> &str {
    let is_letter = text.starts_with('-') && !text.starts_with("--");
    text.get(2..).filter(|_| is_letter).unwrap_or(text)
}

/// The folder of a repository's settings, as file systems that ignore case find it, too.
fn is_settings(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// A word that may turn out to be an option when it runs, for a command that has options which run or write something.
fn unclear(command: &str, word: &Word) -> Option<Carried> {
    let matters = among(SHOWS, command) || among(MERGES, command);
    let open = match word {
        Word::Known(_) => false,
        Word::Open { start, .. } => word.may_be_option() || start.starts_with("--"),
    };
    let why = || {
        format!("a word of `git {command}` may be an option when it runs; put `--end-of-options` before it")
    };
    (matters && open).then(|| Carried::never(why()))
}

/// Commands that join histories by a strategy, which is a program unless git knows it.
const MERGES: &str = "cherry-pick merge pull rebase revert";

const STRATEGIES: &str = "octopus ort ours recursive resolve subtree";

/// Whether a word names a strategy that git does not bring along.
fn strange_strategy(command: &str, words: &[Word], place: usize) -> bool {
    let Some(text) = words[place].text().filter(|_| among(MERGES, command)) else { return false };
    let next = || words.get(place + 1).and_then(Word::text).unwrap_or_default();
    let name = match text.split_once('=') {
        Some((long, name)) if begins(long, "--strategy") => name,
        None if begins(text, "--strategy") => next(),
        _ => match text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
            // Letters stand in bundles; what follows this one is its value.
            Some(letters) if letters.contains('s') => match letters.split_once('s') {
                Some((_, "")) => next(),
                Some((_, glued)) => glued,
                None => return false,
            },
            _ => return false,
        },
    };
    !among(STRATEGIES, name)
}

/// Whether an option, whole or begun, makes one of git's commands follow the repository's settings.
fn follows_settings(command: &str, word: &Word) -> bool {
    let begun = |text: &str| text.len() > 3 && FOLLOWS_SETTINGS.iter().any(|option| option.starts_with(text));
    among(SHOWS, command) && word.text().is_some_and(|text| begun(text) || enters_submodules(text))
}

/// Whether an option makes git run in submodules, which have their own settings.
fn enters_submodules(text: &str) -> bool {
    let (long, value) = text.split_once('=').unwrap_or((text, ""));
    let is = |option: &str| long.len() > 4 && option.starts_with(long);
    is("--submodule") && !["", "short", "log"].contains(&value)
        || is("--ignore-submodules") && !["", "all", "dirty"].contains(&value)
        || is("--recurse-submodules")
}

fn runs_words(word: &Word) -> bool {
    word.text().is_none_or(|word| word == "run" || word == "foreach")
}

/// Where the command of git stands; nothing where there is none.
fn command_at(words: &[Word]) -> Option<Result<usize, Carried>> {
    match git_front::read(words) {
        GitFront::Alone => None,
        GitFront::Command { at, .. } => Some(Ok(at)),
        GitFront::Open => Some(Err(Carried::never("what `git` is to do is only known when it runs"))),
        GitFront::Decides(text) => Some(Err(Carried::never(format!("`git {text}` decides what git runs")))),
    }
}

/// Whether a word of one of git's commands names something that git then runs.
fn names_a_command(command: &str, word: &Word, may_be_option: bool) -> bool {
    let text = match word {
        Word::Known(text) => text.to_str().unwrap_or("-"),
        Word::Open { .. } if word.may_be_option() => return may_be_option && among(TALKS, command),
        Word::Open { start, .. } => start,
    };
    // Addresses of this kind are commands.
    if text.starts_with("ext::") || text.starts_with("fd::") {
        return true;
    }
    if !may_be_option || !among(TALKS, command) {
        return false;
    }
    // Letters stand in bundles, up to one that takes the rest for its value.
    let bundled = |letter: char, values: &str| {
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
        letters.split_inclusive(|given| values.contains(given)).next().is_some_and(|own| own.contains(letter))
    };
    let long = text.split('=').next().unwrap_or(text);
    let is_long = long.starts_with("--") && long.len() > 2;
    is_long && NAMES_A_COMMAND.iter().any(|option| option.starts_with(long))
        || match command {
            "clone" => bundled('u', "bjo") || bundled('c', "bjo"),
            "rebase" => bundled('x', "sXCS") || bundled('i', "sXCS") || begins(long, "--interactive"),
            "grep" => bundled('O', "efABCm"),
            _ => false,
        }
}

/// Whether a long option may be short for this one.
fn begins(given: &str, option: &str) -> bool {
    given.len() > 2 && option.starts_with(given)
}

/// Whether `git config` is asked for settings, and sets none.
fn only_asks(words: &[Word]) -> bool {
    const ASKS: &str = "--get --get-all --get-regexp --list -l get list";
    const PLAIN: &str = "--local --global --system --worktree --show-origin --show-scope --name-only -z --null --bool --int --path";
    let mut operands = 0;
    let mut asks = false;
    for (at, word) in words.iter().enumerate() {
        let Some(text) = word.text() else { return false };
        let subcommand = at == 0 && matches!(text, "get" | "list");
        if subcommand || text.starts_with('-') && among(ASKS, text) {
            asks = true;
        } else if text.starts_with('-') {
            if !among(PLAIN, text) {
                return false;
            }
        } else {
            operands += 1;
        }
    }
    asks || operands == 1
}
