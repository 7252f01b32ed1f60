//! The last answers, per markdown file, offered again the next time. May not hold a password.
//!
//! A file that cannot be read is ignored: it is a convenience, and nothing is decided by it.

use runward_flow::run::keep;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files that are remembered at the most; the one that was asked about longest ago is forgotten first.
const MOST_FILES: usize = 200;
/// Longer answers are not remembered: they cannot be checked at a glance.
const LONGEST: usize = 2000;

/// Answers of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Answers {
    file: String,
    values: BTreeMap<String, String>,
}

/// The last answers for one markdown file.
#[derive(Debug)]
pub(super) struct RememberedAnswers {
    /// Where it is kept, if there is a place.
    store: Option<PathBuf>,
    file: String,
    values: BTreeMap<String, String>,
    changed: bool,
}

impl RememberedAnswers {
    /// The last answers for this file; kept in this state folder, if there is one.
    pub(super) fn of(file: String, state: Option<&Path>) -> Self {
        let store = state.map(|state| state.join("flows").join("answers.json"));
        let all = store.as_deref().map(read).unwrap_or_default();
        let values = all.into_iter().find(|one| one.file == file).map(|one| one.values);
        Self { store, file, values: values.unwrap_or_default(), changed: false }
    }

    /// The last answer.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// An answer to remember.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        if value.len() <= LONGEST && self.get(name) != Some(value) {
            self.values.insert(name.to_owned(), value.to_owned());
            self.changed = true;
        }
    }

    /// Writes it to disk.
    pub(super) fn keep(self) -> io::Result<()> {
        let Some(store) = self.store.filter(|_| self.changed) else { return Ok(()) };
        let _held = keep::hold(&store)?;
        let mut all = read(&store);
        all.retain(|one| one.file != self.file);
        all.push(Answers { file: self.file, values: self.values });
        let all = &all[all.len().saturating_sub(MOST_FILES)..];
        keep::write(&store, &serde_json::to_string(all)?)
    }
}

fn read(store: &Path) -> Vec<Answers> {
    let bytes = keep::read(store).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(state: &Path, file: &str, value: &str) {
        let mut remembered = RememberedAnswers::of(file.to_owned(), Some(state));
        remembered.set("who", value);
        remembered.keep().unwrap();
    }

    fn known(state: &Path, file: &str) -> Option<String> {
        RememberedAnswers::of(file.to_owned(), Some(state)).get("who").map(str::to_owned)
    }

    #[test]
    fn each_file_has_its_own_last_answer() {
        let state = tempfile::tempdir().unwrap();
        told(state.path(), "a.md", "Ada");
        told(state.path(), "b.md", "Bo");
        told(state.path(), "a.md", "Ida");
        assert_eq!(known(state.path(), "a.md").as_deref(), Some("Ida"));
        assert_eq!(known(state.path(), "b.md").as_deref(), Some("Bo"));
        assert_eq!(known(state.path(), "c.md"), None);
    }

    #[test]
    fn the_oldest_file_is_forgotten_first() {
        let state = tempfile::tempdir().unwrap();
        for number in 0..=MOST_FILES {
            told(state.path(), &number.to_string(), "x");
        }
        assert_eq!(known(state.path(), "0"), None);
        assert_eq!(known(state.path(), "1").as_deref(), Some("x"));
    }

    #[test]
    fn what_is_broken_or_too_long_is_forgotten() {
        let state = tempfile::tempdir().unwrap();
        told(state.path(), "a.md", &"x".repeat(LONGEST + 1));
        assert_eq!(known(state.path(), "a.md"), None);
        std::fs::create_dir_all(state.path().join("flows")).unwrap();
        std::fs::write(state.path().join("flows/answers.json"), "[{").unwrap();
        told(state.path(), "a.md", "Ada");
        assert_eq!(known(state.path(), "a.md").as_deref(), Some("Ada"));
    }

    #[test]
    fn without_a_place_nothing_is_remembered() {
        let mut remembered = RememberedAnswers::of("a.md".to_owned(), None);
        remembered.set("who", "Ada");
        remembered.keep().unwrap();
    }
}
