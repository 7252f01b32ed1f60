//! Programs that give whoever types into them the power to run anything: prompts, pagers, editors, clients.
//!
//! It matters where a terminal, or an input that stays open, is asked for. May not judge.

use super::carried::{asks, is_asked_about_itself};
use super::name::{Rows, among, name_of, row_of, rows};
use super::{Word, table};

/// What they are, and which they are.
const PROMPTS: &[(&str, &str)] = &[
    (
        "is a pager that runs commands",
        "less more most pg man info bat batcat delta zless zmore xzless bzless zstdless perldoc pydoc ri tig w3m \
         lynx links elinks",
    ),
    (
        "is an editor that runs commands",
        "vi vim nvim view vimdiff gvim elvis vile nano pico emacs emacsclient xemacs mg jove ed ex joe jed ne micro \
         helix hx kak sudoedit visudo vipw vigr mcedit",
    ),
    (
        "is a client that runs commands",
        "psql pgcli mysql mariadb mycli sqlite3 sqlite duckdb mongosh mongo redis-cli clickhouse-client usql sqlplus \
         isql cqlsh sqlcmd",
    ),
    (
        "reaches another machine",
        "ssh slogin mosh autossh telnet ftp sftp lftp ncftp smbclient rsh rlogin nc ncat netcat socat cu minicom \
         picocom",
    ),
    ("is a debugger that runs commands", "gdb lldb cgdb jdb dlv pdb rr radare2 r2 dbx mdb crash bashdb"),
    ("holds terminals", "tmux screen byobu zellij dtach abduco asciinema ttyrec"),
    ("is a file manager that runs commands", "mc ranger nnn lf vifm yazi broot fzf sk ncdu joshuto"),
    (
        "is a prompt that runs what is typed",
        "irb pry ghci iex jshell ipython bpython ptpython sbcl clisp ecl gst utop groovysh mutt neomutt mail mailx \
         alpine debugfs virsh guestfish msfconsole",
    ),
    (
        PAGING,
        "journalctl systemctl loginctl timedatectl localectl hostnamectl machinectl coredumpctl systemd-analyze aws \
         gh glab",
    ),
];

/// What can be told not to page.
const PAGING: &str = "shows what it prints in a pager";

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

/// Why whoever types into this command could run anything, if they could.
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
    static BY_NAME: Rows = Rows::new(|| rows(PROMPTS.iter().map(|(_, names)| *names)));
    let (why, _) = &PROMPTS[row_of(&BY_NAME, &name)?];
    let told = *why == PAGING && words.iter().any(|word| word.text() == Some("--no-pager"));
    (!told).then(|| format!("`{name}` {why}"))
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
