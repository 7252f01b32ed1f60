//! What would be done to each file: found out from its text, shown, and only then done.
//!
//! May not write. Read first: [`PlannedFile::of`].

use super::record::{InitRecord, WrittenEntry};
use crate::clients::text::{EmptyList, EntryPlace, FileSyntax, TextTrouble, is_blank};
use crate::clients::{ClientFile, EntryForm, RunwardEntry};
use serde_json::Value;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file of a client, and what would be done to it.
#[derive(Debug, Clone)]
pub(super) struct PlannedFile {
    pub(super) file: ClientFile,
    /// The bytes as they are now; none where there is no file.
    pub(super) old: Option<String>,
    /// The key of the entry.
    pub(super) key: String,
    pub(super) step: PlannedStep,
}

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlannedStep {
    /// The entry is put in.
    Add(NewText),
    /// An entry that is Runward's, with other words, is replaced.
    Change {
        /// The old entry.
        old: Value,
        new: NewText,
        /// Whether it would allow more than before, or lose something that is said there.
        widens: bool,
    },
    /// The entry is taken out; the file goes where no text is left.
    Remove { old: Value, text: Option<String> },
    /// The very entry is there.
    There,
    /// Nothing of Runward's is there to be taken out.
    Absent,
    /// Another server has the key.
    Taken,
    /// The file cannot be read, or cannot be changed without changing the rest.
    Left(String),
}

/// A new text, and what it is to be remembered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewText {
    pub(super) text: String,
    pub(super) record: WrittenEntry,
    /// The entry as people see it.
    pub(super) shown: Vec<String>,
}

/// What is wanted of every file.
#[derive(Debug, Clone)]
pub(super) enum Wanted<'a> {
    /// This entry, under this key if one was named.
    Entry(&'a RunwardEntry, Option<&'a str>),
    /// No entry; of this key, if one was named.
    Nothing(Option<&'a str>),
}

/// The key of an entry, unless another is named.
pub(super) const KEY: &str = "runward";

impl PlannedFile {
    /// Looks at a file, and finds out what to do.
    pub(super) fn of(file: ClientFile, wanted: &Wanted<'_>, record: &InitRecord) -> Self {
        let named = match wanted {
            Wanted::Entry(_, named) | Wanted::Nothing(named) => named.unwrap_or(KEY).to_owned(),
        };
        let old = match read(&file.path) {
            Ok(old) => old,
            Err(why) => return Self { file, old: None, key: named, step: PlannedStep::Left(why) },
        };
        let text = old.clone().unwrap_or_default();
        let found = OwnEntry::find(&file, &text, wanted, record);
        let (key, step) = match found {
            Err(trouble) => (named, PlannedStep::Left(trouble.sentence())),
            Ok(own) => {
                let step = match wanted {
                    Wanted::Entry(entry, _) => put(&file, old.as_deref(), &own, (entry, record)),
                    Wanted::Nothing(_) => take(&file, &text, &own, record),
                };
                (own.key, step.unwrap_or_else(|trouble| PlannedStep::Left(trouble.sentence())))
            }
        };
        Self { file, old, key, step }
    }

    /// The text that would be written; none where nothing would be, and where the file would go.
    pub(super) fn new_text(&self) -> Option<&str> {
        match &self.step {
            PlannedStep::Add(new) | PlannedStep::Change { new, .. } => Some(&new.text),
            PlannedStep::Remove { text, .. } => text.as_deref(),
            _ => None,
        }
    }

    /// Whether something would be written.
    pub(super) fn writes(&self) -> bool {
        matches!(self.step, PlannedStep::Add(_) | PlannedStep::Change { .. } | PlannedStep::Remove { .. })
    }
}

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// The text of a file; none where there is none. What is no file of text is told.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    let unread = |error: io::Error| format!("it could not be read: {error}");
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link that leads nowhere is not ours to fill.
            return if fs::symlink_metadata(path).is_ok() {
                Err("it is a link that leads nowhere".to_owned())
            } else {
                Ok(None)
            };
        }
        Err(error) => return Err(unread(error)),
        Ok(meta) if !meta.is_file() => return Err("it is not a file".to_owned()),
        Ok(meta) if meta.len() > LARGEST => return Err("it is too large to be a list of servers".to_owned()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(unread)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
        format!("line {}: it is not UTF-8", line.count() + 1)
    })?;
    Ok(Some(text))
}

/// The entry that is ours, or the place for it.
struct OwnEntry {
    key: String,
    /// What stands under the key.
    there: Option<Value>,
    has_list: bool,
}

impl OwnEntry {
    /// The entry under the key that was named; without one, whatever entry is Runward's.
    fn find(
        file: &ClientFile,
        text: &str,
        wanted: &Wanted<'_>,
        record: &InitRecord,
    ) -> Result<Self, TextTrouble> {
        let form = file.client.form;
        let (list, syntax) = (form.list(), form.syntax());
        let value = syntax.value(text)?;
        let entries = syntax.entries(&value, list);
        let has_list = value.get(list).is_some();
        let named = match wanted {
            Wanted::Entry(_, named) | Wanted::Nothing(named) => *named,
        };
        let noted = record.of(&file.path).map(|noted| noted.key.clone());
        let key = named.map(str::to_owned).unwrap_or_else(|| {
            let is_ours = |entry: &Value| is_runward(form, entry);
            let has = |key: &str| entries.iter().any(|(name, entry)| name == key && is_ours(entry));
            let other = || match wanted {
                // What somebody else put in under a key of his own is not taken out.
                Wanted::Nothing(_) => None,
                Wanted::Entry(..) => {
                    entries.iter().find(|(_, entry)| is_ours(entry)).map(|(key, _)| key.clone())
                }
            };
            let usual = Some(KEY.to_owned()).filter(|key| has(key));
            usual.or_else(|| noted.filter(|key| has(key))).or_else(other).unwrap_or_else(|| KEY.to_owned())
        });
        let there = entries.into_iter().find(|(name, _)| *name == key).map(|(_, entry)| entry);
        Ok(Self { key, there, has_list })
    }
}

fn is_runward(form: EntryForm, entry: &Value) -> bool {
    RunwardEntry::of(form, entry).is_some_and(|entry| entry.is_runward())
}

fn put(
    file: &ClientFile,
    old: Option<&str>,
    own: &OwnEntry,
    (entry, record): (&RunwardEntry, &InitRecord),
) -> Result<PlannedStep, TextTrouble> {
    let form = file.client.form;
    let (syntax, place) = (form.syntax(), EntryPlace { list: form.list(), key: &own.key });
    let ours = entry.in_form(form, &own.key);
    let text = old.unwrap_or_default();
    match &own.there {
        // A file of this client needs more than a list, and it makes one itself.
        None if form == EntryForm::Continue && is_blank(text) => Ok(PlannedStep::Left(
            "there is nothing in it yet: start the client once, which fills it".to_owned(),
        )),
        None => {
            let made = Made { file: old.is_none(), list: !own.has_list };
            Ok(PlannedStep::Add(new_text(syntax, text, place, &ours, &made)?))
        }
        Some(there) if *there == syntax.entry_value(&ours) => Ok(PlannedStep::There),
        Some(there) => {
            let Some(before) = RunwardEntry::of(form, there).filter(RunwardEntry::is_runward) else {
                return Ok(PlannedStep::Taken);
            };
            let widens = !entry.rules().is_within(&before.rules());
            let without = syntax.take(text, place, EmptyList::Stays)?;
            let noted = record.of(&file.path);
            let made = Made {
                file: noted.is_some_and(|noted| noted.made_file),
                list: noted.is_some_and(|noted| noted.made_list),
            };
            let new = new_text(syntax, &without, place, &ours, &made)?;
            Ok(PlannedStep::Change { old: there.clone(), new, widens })
        }
    }
}

/// What comes into being with an entry.
#[derive(Debug, Clone, Copy, Default)]
struct Made {
    file: bool,
    list: bool,
}

fn new_text(
    syntax: FileSyntax,
    text: &str,
    place: EntryPlace<'_>,
    entry: &Value,
    made: &Made,
) -> Result<NewText, TextTrouble> {
    let insertion = syntax.put(text, place, entry)?;
    let record = WrittenEntry {
        key: place.key.to_owned(),
        put: insertion.put.clone(),
        made_file: made.file,
        made_list: made.list,
        made_folders: Vec::new(),
    };
    let shown = syntax.shown(place.key, entry);
    Ok(NewText { text: insertion.in_text(text), record, shown })
}

fn take(
    file: &ClientFile,
    text: &str,
    own: &OwnEntry,
    record: &InitRecord,
) -> Result<PlannedStep, TextTrouble> {
    let form = file.client.form;
    let Some(there) = own.there.clone().filter(|entry| is_runward(form, entry)) else {
        return Ok(if own.there.is_some() { PlannedStep::Taken } else { PlannedStep::Absent });
    };
    let (syntax, place) = (form.syntax(), EntryPlace { list: form.list(), key: &own.key });
    let noted = record.of(&file.path).filter(|noted| noted.key == own.key);
    let emptied = if noted.is_some_and(|noted| noted.made_list) { EmptyList::Goes } else { EmptyList::Stays };
    let taken = syntax.take(text, place, emptied);
    let exact = noted.and_then(|noted| without_bytes(text, &noted.put));
    // The bytes that were put in, if they are there still; and no others went with them.
    let exact = exact.filter(|exact| match (&taken, syntax.value(exact)) {
        (Ok(taken), Ok(says)) => syntax.value(taken).is_ok_and(|other| other == says),
        (Err(_), Ok(says)) => syntax.entries(&says, place.list).iter().all(|(key, _)| *key != own.key),
        _ => false,
    });
    let new = match exact {
        Some(exact) => exact,
        None => taken?,
    };
    let is_made = noted.is_some_and(|noted| noted.made_file);
    let is_empty = is_blank(&new)
        || syntax.value(&new).is_ok_and(|says| says.as_object().is_some_and(serde_json::Map::is_empty));
    let text = Some(new).filter(|_| !(is_made && is_empty));
    Ok(PlannedStep::Remove { old: there, text })
}

/// A text without bytes that are in it exactly once.
fn without_bytes(text: &str, put: &str) -> Option<String> {
    let mut places = text.match_indices(put);
    let (at, _) = places.next().filter(|_| !put.is_empty())?;
    places.next().is_none().then(|| [&text[..at], &text[at + put.len()..]].concat())
}

/// The files to look at, in the order of the table.
pub(super) fn with_spelling(mut file: ClientFile) -> ClientFile {
    // One client reads its file under a second name, too.
    let other: PathBuf = file.path.with_extension("jsonc");
    if file.client.form == EntryForm::Opencode && !file.path.exists() && other.exists() {
        file.path = other;
    }
    file
}
