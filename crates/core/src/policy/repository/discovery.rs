//! Which git repository git would find from a folder, by the same tests in the same order as git's own.
//!
//! Hazard: where this finds another repository than git does, the wrong settings are disarmed. What git would stumble
//! over is an error here, and a test holds every answer against the real git over generated folders. May not follow
//! variables: those that move a repository are taken from the command.

use super::{Opaque, whole};
use crate::facts::FileKind;
use crate::policy::identity::PolicyGround;
use std::path::{Path, PathBuf};

/// How much git reads of `HEAD`.
const HEAD: usize = 255;

/// Where a repository keeps what git reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The folder with the files; nothing where the repository has none.
    pub work_tree: Option<PathBuf>,
    /// Its own folder.
    pub own: PathBuf,
    /// The folder that it shares with other work trees.
    pub common: PathBuf,
}

impl Repository {
    /// The repository that git would find from this folder; an error where git would fail, or in doubt.
    pub fn around(folder: &Path, ground: &PolicyGround<'_>) -> Result<Option<Self>, Opaque> {
        let naming = &ground.facts.naming;
        let mut next = Some(ground.look.real_path(folder).unwrap_or_else(|| folder.to_owned()));
        while let Some(here) = next {
            if let Some(found) = Self::at(&here, ground)? {
                return Ok(Some(found));
            }
            next = naming.parent(&here).filter(|parent| *parent != here);
        }
        Ok(None)
    }

    /// The repository in this very folder: a `.git` that leads to one, a `.git` that is one, or the folder itself.
    pub(crate) fn at(here: &Path, ground: &PolicyGround<'_>) -> Result<Option<Self>, Opaque> {
        let dot = ground.facts.naming.below(here, ".git");
        match ground.look.kind(&dot) {
            Some(FileKind::File) => {
                let own = led_to(&dot, here, ground)?;
                let common = common_of(&own, ground)?
                    .ok_or_else(|| Opaque::because("its `.git` leads to something that is no repository"))?;
                return Ok(Some(Self { work_tree: Some(here.to_owned()), own, common }));
            }
            Some(FileKind::Directory) => {
                if let Some(common) = common_of(&dot, ground)? {
                    return Ok(Some(Self { work_tree: Some(here.to_owned()), own: dot, common }));
                }
            }
            Some(FileKind::Other) => {
                return Err(Opaque::because("its `.git` is neither a folder nor a file"));
            }
            None => {}
        }
        let bare = common_of(here, ground)?;
        Ok(bare.map(|common| Self { work_tree: None, own: here.to_owned(), common }))
    }
}

/// Where a `.git` that is a file leads. Git takes off line ends and nothing else: a blank at the end is part of it.
fn led_to(dot: &Path, here: &Path, ground: &PolicyGround<'_>) -> Result<PathBuf, Opaque> {
    let text = whole(dot, ground)?;
    let target = text.strip_prefix("gitdir: ").map(|target| target.trim_end_matches(['\n', '\r']));
    let target = target.filter(|target| !target.is_empty());
    let target = target.ok_or_else(|| Opaque::because("its `.git` leads nowhere that can be read"))?;
    // Git goes on with the path that every link in it leads to.
    let path = ground.facts.naming.join(here, target);
    ground.look.real_path(&path).ok_or_else(|| Opaque::because("its `.git` leads to nothing"))
}

/// The folder that a repository shares, if this folder is one at all: a `HEAD` that says something, and then `objects`
/// and `refs` that may be entered, in this folder or where `commondir` leads.
fn common_of(own: &Path, ground: &PolicyGround<'_>) -> Result<Option<PathBuf>, Opaque> {
    let naming = &ground.facts.naming;
    if !has_head(&naming.below(own, "HEAD"), ground)? {
        return Ok(None);
    }
    let pointer = naming.below(own, "commondir");
    let common = match ground.look.kind(&pointer) {
        None => own.to_owned(),
        Some(FileKind::File) => {
            let text = whole(&pointer, ground)?;
            let target = text.trim_end_matches(['\n', '\r']);
            naming.join(own, target)
        }
        Some(_) => return Err(Opaque::because("its `commondir` is no file")),
    };
    let enters = |name: &str| ground.look.may_enter(&naming.below(&common, name));
    Ok((enters("objects") && enters("refs")).then_some(common))
}

/// Whether a `HEAD` is one: a link to something below `refs/`, a line that names such, or the number of a commit.
fn has_head(head: &Path, ground: &PolicyGround<'_>) -> Result<bool, Opaque> {
    if let Some(target) = ground.look.link(head) {
        return Ok(target.as_os_str().as_encoded_bytes().starts_with(b"refs/"));
    }
    match ground.look.kind(head) {
        None | Some(FileKind::Directory) => return Ok(false),
        Some(FileKind::Other) => return Err(Opaque::because("its `HEAD` is no file")),
        Some(FileKind::File) => {}
    }
    let Some(text) = ground.look.read_small(head) else {
        return Err(Opaque::because("its `HEAD` cannot be read"));
    };
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let named = text.strip_prefix("ref:").map(|name| name.trim_start_matches([' ', '\t', '\n', '\r']));
    let number = text.bytes().take(40).filter(u8::is_ascii_hexdigit).count() == 40;
    Ok(number || named.is_some_and(|name| name.starts_with("refs/")))
}
