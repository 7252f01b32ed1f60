//! Files that a script writes by redirection.
//!
//! `/dev/null` and copies of descriptors are always allowed, reading is allowed, writing is a matter of
//! `policy.redirect`. Hazard: bash opens network connections under `/dev/tcp` and `/dev/udp`, also for reading.

use super::book::Redirecting;
use super::folders::Folders;
use super::identity::Ground;
use super::judge::refused;
use super::{Match, Policy, Redirect, Word};
use std::path::Path;

/// Files that take everything and keep nothing, and the streams that a command has anyway.
const HARMLESS: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"];

/// Why a script may not redirect as it would.
pub(super) fn says(
    redirects: &[Redirect],
    policy: &Policy,
    folders: &Folders,
    ground: &Ground<'_>,
) -> Vec<Match> {
    let refused = redirects.iter().filter_map(|redirect| match redirect {
        Redirect::Reads(word) | Redirect::Writes(word) if is_connection(word) => Some(connects(word)),
        Redirect::Writes(word) if !may_write(word, policy, folders, ground) => Some(writes(word, policy)),
        Redirect::Reads(_) | Redirect::Writes(_) | Redirect::Copies | Redirect::Text => None,
    });
    refused.collect()
}

fn is_connection(word: &Word) -> bool {
    let start = match word {
        Word::Known(text) => text.to_str().unwrap_or_default(),
        Word::Open { start, .. } => start,
    };
    ["/dev/tcp/", "/dev/udp/"].iter().any(|network| start.starts_with(network))
}

fn may_write(word: &Word, policy: &Policy, folders: &Folders, ground: &Ground<'_>) -> bool {
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

/// The file itself where it is there, and the folder it would be made in where it is not.
fn is_in_workspace(target: &str, policy: &Policy, folders: &Folders, ground: &Ground<'_>) -> bool {
    let naming = &ground.facts.naming;
    let Some(workspace) = &policy.workspace else { return false };
    !folders.elsewhere()
        && folders.all().iter().all(|cwd| {
            let path = naming.join(cwd, target);
            let real = ground.look.real_path(&path).or_else(|| {
                let parent = ground.look.real_path(&naming.parent(&path)?)?;
                Some(naming.join(&parent, naming.file_name(&path)?))
            });
            real.is_some_and(|real| naming.holds(workspace, &real) && real != Path::new(workspace))
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
