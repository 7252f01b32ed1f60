//! Writes rules to the owner's own file: what a person always approves. Never to a project's.
//!
//! What was in the file stays as it is; the new text is loaded before it takes the file's place, in one step. May not
//! make anything broader: rules are written as they are given.

use crate::agreed;
use crate::output::tell;
use crate::places::{self, UserFile};
use crate::private;
use crate::setup;
use runward::approve::{Remember, RuleWritten};
use runward::config::{self, ConfigSource};
use runward::core::policy::Rule;
use runward::core::redact::Redactor;
use runward::core::render::word;
use runward::{HostFacts, host};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The owner's file.
#[derive(Debug)]
pub(crate) struct OwnersFile {
    facts: HostFacts,
    /// Its name, for people.
    named: PathBuf,
    /// The lock file that a writer holds.
    lock: Option<PathBuf>,
    /// Where approvals of one command are noted.
    notes: Option<PathBuf>,
}

/// Why nothing was written.
type RememberTrouble = String;

impl OwnersFile {
    /// The owner's file, given what was typed; none where there is no place for one, or where it is the project's.
    pub(crate) fn of(typed: Option<&Path>, facts: &HostFacts) -> Option<Self> {
        let named = match places::user_file(typed, facts) {
            UserFile::Named(file) | UserFile::Usual(file) => file,
            UserFile::Nowhere => return None,
        };
        let is_projects = |file: PathBuf| real(&file) == real(&named);
        let theirs = [places::project_file(facts, &host::Disk), places::here_file(facts, &host::Disk)];
        if theirs.into_iter().flatten().any(is_projects) {
            return None;
        }
        let lock = places::state_folder(facts).map(|folder| folder.join("approved.lock"));
        Some(Self { facts: facts.clone(), named, lock, notes: agreed::notes(facts) })
    }

    /// The file's text with these rules, if it would load and say just that.
    fn text_with(&self, rules: &[Rule]) -> Result<String, RememberTrouble> {
        let file = word(self.named.as_os_str());
        let old = match fs::read_to_string(&self.named) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error.to_string()),
        };
        let text = config::with_rules(&old, rules).ok_or("the rule cannot be written in TOML")?;
        let user = Some(ConfigSource { file, text: text.clone() });
        let before = self.rules_in(old)?;
        let settings = setup::load_with(user, &self.facts).map_err(|_| "the file would not load any more")?;
        let after = settings.configured_rules().map(|setting| &setting.rule);
        let added: Vec<&Rule> = after.skip(before).take(rules.len()).collect();
        if added == rules.iter().collect::<Vec<_>>() {
            Ok(text)
        } else {
            Err("the rule would change".to_owned())
        }
    }

    /// How many rules a text has: what is added comes after them, and before the project's.
    fn rules_in(&self, text: String) -> Result<usize, RememberTrouble> {
        let user = Some(ConfigSource { file: word(self.named.as_os_str()), text });
        let sources = config::Sources { user, home: self.facts.home.clone(), ..config::Sources::default() };
        config::load(&sources)
            .map(|settings| settings.configured_rules().count())
            .map_err(|error| error.to_string())
    }

    fn put(&self, rules: &[Rule]) -> Result<(), RememberTrouble> {
        let told = |error: io::Error| error.to_string();
        let _held = self.lock.as_deref().map(hold).transpose().map_err(told)?;
        let text = self.text_with(rules)?;
        replace(&real(&self.named), &text).map_err(told)
    }
}

impl Remember for OwnersFile {
    fn place(&self, rules: &[Rule]) -> Option<String> {
        self.text_with(rules).is_ok().then(|| word(self.named.as_os_str()))
    }

    fn once(&self, rules: &[Rule]) {
        if let Some(notes) = &self.notes
            && let Err(error) = agreed::note(notes, rules, &Redactor::of(&self.facts.env))
        {
            tell(&format!("what was agreed to could not be noted in `{}`: {error}", word(notes.as_os_str())));
        }
    }

    fn write(&self, rules: &[Rule]) -> RuleWritten {
        match self.put(rules) {
            Ok(()) => RuleWritten::Yes,
            Err(trouble) => {
                let file = word(self.named.as_os_str());
                tell(&format!("`always` could not be written to `{file}`, so it was this once: {trouble}"));
                RuleWritten::No
            }
        }
    }
}

/// Where a file really is: a link to it stays a link.
pub(crate) fn real(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// Waits for the lock; held until it is dropped.
pub(crate) fn hold(lock: &Path) -> io::Result<File> {
    if let Some(folder) = lock.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new().create(true).append(true).open(lock)?;
    file.lock()?;
    Ok(file)
}

/// Puts a text in a file's place in one step, with the file's own permissions.
pub(crate) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    fs::create_dir_all(folder)?;
    private::in_one_step(folder, name, text, |path| new_like(path, file))
}

/// A new file, with the same permissions as another.
pub(crate) fn new_like(path: &Path, like: &Path) -> io::Result<File> {
    let new = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Ok(there) = fs::metadata(like) {
        new.set_permissions(there.permissions())?;
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_in_one_step_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/runward.toml");
        replace(&file, "one").unwrap();
        replace(&file, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
}
