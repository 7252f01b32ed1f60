//! Interactive programs, in which typed input can run anything: prompts, pagers, editors, clients.
//!
//! It matters where a terminal, or an input that stays open, is asked for. May not judge.

use super::carried::{asks, is_asked_about_itself};
use super::name::{among, name_of, unversioned};
use super::{Word, table};
use crate::policy::tables::ProgramTable;
use std::sync::LazyLock;

static PROMPTS: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../presets/prompts.table")));

/// Programs that open a terminal elsewhere with `-i` or `-t`.
const ELSEWHERE: &str = "docker podman nerdctl kubectl oc docker-compose";

/// Commands of git that neither page nor open an editor.
const GIT_QUIET: &str = "status rev-parse ls-files ls-remote fetch push clone init cat-file hash-object ls-tree rev-list \
    symbolic-ref update-index version check-ignore merge-base describe diff-index diff-tree diff-files for-each-ref \
    show-ref name-rev gc fsck prune mv rm restore switch checkout add reset clean write-tree read-tree check-attr \
    count-objects verify-commit";

/// Commands of git that only page.
const GIT_PAGED: &str =
    "log diff show blame grep reflog shortlog whatchanged range-diff annotate remote worktree";

/// Why input typed into this command could run anything, if it could.
pub fn interactive(words: &[Word]) -> Option<String> {
    let name = name_of(words.first()?)?;
    if is_asked_about_itself(words) {
        return None;
    }
    if name == "git" || name.starts_with("git-") {
        return git(&name, words);
    }
    if asks(&name, words) || (table::is_shell(&name) && has_flag(words, &['i'])) {
        return Some(format!("`{name}` runs what is typed into it"));
    }
    if among(ELSEWHERE, &name) && has_flag(words, &['i', 't']) {
        return Some(format!("`{name}` opens a terminal elsewhere"));
    }
    let prompt = PROMPTS.find(&name, unversioned(&name))?;
    let told = prompt.value("pager").is_some() && words.iter().any(|word| word.text() == Some("--no-pager"));
    (!told).then(|| format!("`{name}` {}", prompt.value("why").unwrap_or_default()))
}

fn has_flag(words: &[Word], flags: &[char]) -> bool {
    let is = |text: &str| {
        let short = text.starts_with('-') && !text.starts_with("--") && text.contains(flags);
        short || text.starts_with("--interactive") || text.starts_with("--tty") || text.starts_with("--stdin")
    };
    words.iter().skip(1).any(|word| word.text().is_some_and(is))
}

/// What git opens: a pager, unless it is told not to, or an editor.
fn git(name: &str, words: &[Word]) -> Option<String> {
    let pages = Some("`git` shows what it prints in a pager, which runs commands".to_owned());
    let mut at = 1;
    let mut quiet = false;
    let command = loop {
        if let Some(command) = name.strip_prefix("git-") {
            break command;
        }
        match words.get(at)?.text() {
            None => return Some("what `git` is to do is only known when it runs".to_owned()),
            Some("-p" | "--paginate") => return pages,
            Some("--no-pager" | "-P") => quiet = true,
            Some("-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace") => at += 1,
            Some(text) if text.starts_with('-') => {}
            Some(text) => break text,
        }
        at += 1;
    };
    if among(GIT_PAGED, command) {
        return pages.filter(|_| !quiet);
    }
    let asks = words.iter().skip(at).any(may_ask);
    let decided = match command {
        "commit" | "merge" | "pull" | "revert" | "cherry-pick" => has_message(words),
        "branch" | "tag" | "stash" => quiet,
        _ => among(GIT_QUIET, command),
    };
    (asks || !decided).then(|| format!("`git {command}` may open a pager or an editor"))
}

fn may_ask(word: &Word) -> bool {
    const ASKS: &str = "-i --interactive -p --patch -e --edit --edit-description --annotate --sign";
    word.text().is_some_and(|text| among(ASKS, text))
}

fn has_message(words: &[Word]) -> bool {
    let says = |text: &str| {
        let long = ["--no-edit", "--ff-only"].contains(&text) || text.starts_with("--message");
        long || (text.starts_with('-') && !text.starts_with("--") && text.contains('m'))
    };
    words.iter().any(|word| word.text().is_some_and(says))
}
