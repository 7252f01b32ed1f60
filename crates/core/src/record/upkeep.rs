//! What had to be done to keep a sandbox while a command ran, and after it.
//!
//! May not judge: what was moved aside may be the user's own, and only they know.

use crate::render::{one_line, word};
use std::path::PathBuf;

/// What had to be done. Nothing of it says that the command failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxUpkeep {
    /// Things that appeared where nothing may, and where they lie now.
    pub set_aside: Vec<PathBuf>,
    /// Such that could not be moved, and why.
    pub stuck: Vec<(PathBuf, String)>,
    /// Folders of git that had stopped being repositories and are again what they were.
    pub restored: Vec<PathBuf>,
    /// The warden was killed, and no other could look.
    pub unwatched: bool,
    /// Folders that hold a repository which was not there before.
    pub made: Vec<PathBuf>,
}

impl SandboxUpkeep {
    /// Sentences for people and models.
    pub fn notes(&self) -> Vec<String> {
        let shown = |path: &PathBuf| word(path.as_os_str());
        let aside = self.set_aside.iter().map(|path| {
            format!(
                "something appeared where git or Runward would obey it; it was moved aside to `{}`: look at it before you \
                 use it",
                shown(path)
            )
        });
        let stuck = self.stuck.iter().map(|(path, why)| {
            format!(
                "`{}` must not be as it is, and could not be set right ({}): look at it",
                shown(path),
                one_line(why)
            )
        });
        let restored = self.restored.iter().map(|path| {
            format!("`{}` was no repository any more; it has the HEAD again that it had before", shown(path))
        });
        let made = self.made.iter().map(|path| {
            let path = shown(path);
            format!("there is a new repository in `{path}`: its hooks and settings are the command's own")
        });
        let unwatched = self.unwatched.then(|| {
            "the warden watching the repository was killed: look for new files in `.git` before you use it"
                .to_owned()
        });
        aside.chain(stuck).chain(restored).chain(made).chain(unwatched).collect()
    }
}
