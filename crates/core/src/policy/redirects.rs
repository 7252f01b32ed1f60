//! Redirections of a script (`> file`, `< file`): which files it may write and read.
//!
//! `/dev/null` and copies of descriptors are always allowed, reading is allowed, writing is a matter of
//! `policy.redirect`. Hazard: bash opens network connections under `/dev/tcp` and `/dev/udp`, also for reading, so a
//! target that is only known when it runs must begin with something that cannot lead there.

use super::folders::ScriptFolders;
use super::identity::PolicyGround;
use super::judge::refused;
use super::policy::Redirecting;
use super::unit::Scene;
use super::wrappers::code_file;
use super::{Match, Policy, Redirect, Word};
use crate::facts::Naming;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Files that take everything and keep nothing, and the streams that a command has anyway.
const HARMLESS: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"];

/// What bash takes for a connection.
const NETWORK: &[&str] = &["/dev/tcp/", "/dev/udp/"];

/// Why a script may not redirect as it would.
pub(super) fn says(
    scene: &Scene,
    policy: &Policy,
    folders: &ScriptFolders,
    ground: &PolicyGround<'_>,
) -> Vec<Match> {
    let refused = scene.redirects.iter().filter_map(|redirect| match redirect {
        Redirect::Reads(word) | Redirect::Writes(word) if is_connection(word) => Some(connects(word)),
        Redirect::Writes(word) if !may_write(word, policy, folders, ground) => Some(writes(word, policy)),
        Redirect::Writes(word) if is_order(word, folders, ground) && obeys(scene, policy) => {
            Some(orders(word))
        }
        Redirect::Writes(word) if runs_what_it_writes(word, scene, folders, ground) => Some(runs(word)),
        Redirect::Reads(word) | Redirect::Writes(word) if may_connect(word, folders, ground) => {
            Some(unclear(redirect, word))
        }
        Redirect::Reads(_) | Redirect::Writes(_) | Redirect::Copies | Redirect::Text => None,
    });
    refused.collect()
}

fn is_connection(word: &Word) -> bool {
    let start = match word {
        Word::Known(text) => text.to_str().unwrap_or_default(),
        Word::Open { start, .. } => start,
    };
    NETWORK.iter().any(|network| start.starts_with(network))
}

/// Whether a target that is only known when it runs may turn out to be a connection.
fn may_connect(word: &Word, folders: &ScriptFolders, ground: &PolicyGround<'_>) -> bool {
    let Word::Open { start, .. } = word else { return false };
    // A folder of devices, and one with an empty name, make the rest of the target a connection's.
    let devices = |folder: &Path| ["", "/", "/dev"].iter().any(|devices| folder == Path::new(devices));
    match start.as_str() {
        start if start.starts_with("$HOME/") => {
            ground.facts.env_var("HOME").is_none_or(|home| devices(Path::new(home)))
        }
        start if start.starts_with("~/") => {
            let set = ground.facts.env_var("HOME").map(Path::new);
            set.or(ground.facts.home.as_deref()).is_none_or(devices)
        }
        start if start.starts_with("$PWD/") => {
            folders.elsewhere() || folders.all().iter().any(|folder| devices(folder))
        }
        start => NETWORK.iter().any(|network| network.starts_with(start)),
    }
}

/// Whether programs outside read a file as orders: the folder of a repository and what git is told beside it, and a
/// project's own rules.
fn is_order(word: &Word, folders: &ScriptFolders, ground: &PolicyGround<'_>) -> bool {
    let Some(target) = word.text() else { return false };
    let naming = &ground.facts.naming;
    // A link, and a folder that was moved to, are other names for the same file.
    let leads = |cwd: &PathBuf| {
        let path = naming.join(cwd, target);
        let real = placed(&path, ground).unwrap_or(path);
        real.to_str().is_none_or(names_orders)
    };
    names_orders(target) || folders.all().iter().any(leads)
}

/// Whether a path lies in the folder of a repository, or is one of the files that are read as orders.
pub(super) fn names_orders(path: &str) -> bool {
    let mut names = path.split(['/', '\\']).map(str::to_ascii_lowercase);
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    names.any(|name| name.trim_end_matches(['.', ' ']) == ".git" || name == "git~1")
        || [".runward.toml", ".gitmodules", ".gitattributes"].contains(&last.as_str())
}

/// Whether such a file may not be written here: never by what is allowed in the workspace, and not in a text that then
/// runs what obeys it.
fn obeys(scene: &Scene, policy: &Policy) -> bool {
    policy.redirect != Redirecting::Any || scene.units.iter().any(|unit| unit.goes_by("git"))
}

/// Whether the text runs a file that it writes: what would be judged is not what would run.
fn runs_what_it_writes(
    word: &Word,
    scene: &Scene,
    folders: &ScriptFolders,
    ground: &PolicyGround<'_>,
) -> bool {
    let naming = &ground.facts.naming;
    let real = |target: &OsStr| -> Vec<PathBuf> {
        let from = |cwd: &PathBuf| naming.join(cwd, target);
        folders.all().iter().map(from).map(|path| placed(&path, ground).unwrap_or(path)).collect()
    };
    let same = |file: &Word| match (word.exact(), file.exact()) {
        (Some(written), Some(run)) => {
            let (written_at, run_at) = (real(written), real(run));
            let moved = folders.elsewhere() && last_name(written) == last_name(run);
            moved || written_at.iter().any(|path| run_at.contains(path))
        }
        // What is only known when it runs may be the very file.
        _ => true,
    };
    let harmless = word.text().is_some_and(|target| HARMLESS.contains(&target));
    let run = scene.units.iter().filter_map(|unit| runs_file(&unit.words, naming));
    !harmless && run.into_iter().any(same)
}

/// The file of code that a command runs by its path or as its script.
fn runs_file<'a>(words: &'a [Word], naming: &Naming) -> Option<&'a Word> {
    let by_path = words.first().filter(|name| name.exact().is_some_and(|name| naming.has_separator(name)));
    code_file(words).or(by_path)
}

fn last_name(path: &OsStr) -> Option<&OsStr> {
    Path::new(path).file_name()
}

fn may_write(word: &Word, policy: &Policy, folders: &ScriptFolders, ground: &PolicyGround<'_>) -> bool {
    let known = word.text();
    known.is_some_and(|target| HARMLESS.contains(&target))
        || match policy.redirect {
            Redirecting::None => false,
            Redirecting::Any => true,
            Redirecting::Workspace => {
                known.is_some_and(|target| is_in_workspace(target, policy, folders, ground))
            }
        }
}

fn is_in_workspace(
    target: &str,
    policy: &Policy,
    folders: &ScriptFolders,
    ground: &PolicyGround<'_>,
) -> bool {
    let naming = &ground.facts.naming;
    let Some(workspace) = &policy.workspace else { return false };
    !folders.elsewhere()
        && folders.all().iter().all(|cwd| {
            let real = placed(&naming.join(cwd, target), ground);
            real.is_some_and(|real| naming.holds(workspace, &real) && real != Path::new(workspace))
        })
}

/// The file itself with links followed where it is there, and its place in its folder where it is not.
pub(super) fn placed(path: &Path, ground: &PolicyGround<'_>) -> Option<PathBuf> {
    let naming = &ground.facts.naming;
    ground.look.real_path(path).or_else(|| {
        // A link that leads nowhere is written through: the file is made where it leads.
        if ground.look.leads_nowhere(path) {
            return None;
        }
        let parent = ground.look.real_path(&naming.parent(path)?)?;
        Some(naming.join(&parent, naming.file_name(path)?))
    })
}

fn shown(word: &Word) -> String {
    match word {
        Word::Known(text) => crate::render::one_line(&crate::render::word(text)),
        Word::Open { start, .. } => format!("{}…", crate::render::one_line(start)),
    }
}

fn writes(word: &Word, policy: &Policy) -> Match {
    let (now, more) = match policy.redirect {
        Redirecting::None => ("none", "`workspace` or `any`"),
        Redirecting::Workspace | Redirecting::Any => ("workspace", "`any`"),
    };
    refused(
        "policy.redirect",
        format!(
            "writing to \"{}\" by redirection is not allowed (`policy.redirect` is `{now}`)",
            shown(word)
        ),
        &format!(
            "Read the output instead of writing it to a file, or ask the owner to set `policy.redirect` to {more}."
        ),
    )
}

fn connects(word: &Word) -> Match {
    refused(
        "policy.redirect",
        format!("\"{}\" is a network connection, not a file", shown(word)),
        "Use a program that is allowed to connect.",
    )
}

fn orders(word: &Word) -> Match {
    refused(
        "policy.redirect",
        format!(
            "\"{}\" tells other programs what to run, and may not be written by redirection",
            shown(word)
        ),
        "Change it by hand, or ask the owner to.",
    )
}

fn runs(word: &Word) -> Match {
    refused(
        "policy.redirect",
        format!(
            "the text runs \"{}\" and writes it, so what would run cannot be known beforehand",
            shown(word)
        ),
        "Write the file in one call and run it in another.",
    )
}

fn unclear(redirect: &Redirect, word: &Word) -> Match {
    let (mark, instead) = match redirect {
        Redirect::Writes(_) => (">", "or name the file"),
        _ => ("<", "or give the file to a program: `cat -- \"$f\"`"),
    };
    refused(
        "policy.redirect",
        format!(
            "where \"{mark} {}\" leads is only known when it runs, and bash takes `/dev/tcp/…` for a connection",
            shown(word)
        ),
        &format!("Begin the target with a folder (`{mark} ./\"$f\"`), {instead}."),
    )
}
