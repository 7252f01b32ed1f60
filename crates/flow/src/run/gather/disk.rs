//! Files of the program are read from the disk. May not wait for anything but the disk, nor read what is no plain file.

use super::LARGEST_BYTES;
use crate::FlowError;
use crate::imports::{FilePart, lines, symbol};
use runward_engine::Code;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How alike a name must be to be proposed.
const ALIKE: f64 = 0.75;

/// Whoever reads paths from one folder.
#[derive(Debug, Clone)]
pub(super) struct ImportReader {
    pub(super) folder: PathBuf,
    pub(super) home: Option<PathBuf>,
}

/// What a file turned out to be.
pub(super) enum Content {
    Text(String),
    Binary,
    TooLarge,
}

impl ImportReader {
    /// Where a path leads as it is written.
    pub(super) fn full(&self, path: &str) -> Result<PathBuf, FlowError> {
        let joined = match (path.strip_prefix("~/"), &self.home) {
            (None, _) => self.folder.join(path),
            (Some(rest), Some(home)) => home.join(rest),
            (Some(_), None) => {
                let message = format!("nobody knows the home folder that `{path}` begins with");
                return Err(FlowError::new(Code::FlowImportMissing, message).hint("Write the whole path."));
            }
        };
        // Without `.` in it, as a person would write it.
        Ok(joined.components().collect())
    }

    #[expect(clippy::disallowed_methods, reason = "`run` looks at the world")]
    pub(super) fn exists(&self, path: &str) -> bool {
        self.full(path).is_ok_and(|full| full.is_file())
    }

    /// The text of a file. `path` is how it is written.
    pub(super) fn read(&self, path: &str, full: &Path) -> Result<String, FlowError> {
        match read(full) {
            Ok(Content::Text(text)) => Ok(text),
            Ok(Content::Binary) => {
                Err(FlowError::new(Code::FlowImportBinary, format!("`{path}` is not text"))
                    .hint("Import a file that is text in UTF-8."))
            }
            Ok(Content::TooLarge) => Err(too_large(path)),
            Err(error) => Err(self.missing(path, full, &error)),
        }
    }

    fn missing(&self, path: &str, full: &Path, error: &std::io::Error) -> FlowError {
        let folder = self.folder.display();
        let (message, hint) = match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                let hint = match nearest(full) {
                    Some(name) => {
                        format!("Look for `{name}`, which is there. Paths are read from `{folder}`.")
                    }
                    None => format!("Correct the path, which is read from `{folder}`."),
                };
                (format!("there is no file `{path}`"), hint)
            }
            std::io::ErrorKind::IsADirectory => (
                format!("`{path}` is a folder"),
                format!("Use a pattern: `@{}/*`.", path.trim_end_matches('/')),
            ),
            _ => (
                format!("the file `{path}` cannot be read: {error}"),
                "Import a plain file that can be read.".to_owned(),
            ),
        };
        FlowError::new(Code::FlowImportMissing, message).hint(hint)
    }
}

/// What a file holds. Nothing but a plain file is opened: a pipe would wait, a device would never end.
#[expect(clippy::disallowed_methods, reason = "`run` looks at the world")]
pub(super) fn read(full: &Path) -> std::io::Result<Content> {
    let about = std::fs::metadata(full)?;
    if about.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(std::io::Error::other("it is no plain file"));
    }
    if about.len() > LARGEST_BYTES {
        return Ok(Content::TooLarge);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(full)?.take(LARGEST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(content(bytes))
}

/// What some bytes are.
pub(super) fn content(mut bytes: Vec<u8>) -> Content {
    if bytes.len() as u64 > LARGEST_BYTES {
        return Content::TooLarge;
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Content::Text(text),
        _ => Content::Binary,
    }
}

pub(super) fn too_large(what: &str) -> FlowError {
    let message = format!("`{what}` is larger than {} MiB", LARGEST_BYTES / (1024 * 1024));
    FlowError::new(Code::FlowImportTooLarge, message).hint("Import a smaller file, or cut it first.")
}

/// The bytes of a part of a text.
pub(super) fn part(path: &str, text: &str, part: &FilePart) -> Result<Range<usize>, FlowError> {
    match part {
        FilePart::Whole => Ok(0..text.len()),
        FilePart::Lines(from, to) => Ok(lines::range(text, *from, *to)),
        FilePart::Symbol(name) => symbol::find(path, text, name).map_err(|names| {
            let error = FlowError::new(Code::FlowImportMissing, format!("`{path}` declares no `{name}`"));
            let alike = |other| (strsim::jaro_winkler(name, other), other);
            let mut names: Vec<(f64, &str)> = names.into_iter().map(alike).collect();
            names.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
            names.dedup_by_key(|(_, name)| *name);
            let near: Vec<String> = names.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
            error.hint(match near.is_empty() {
                true => "Import lines instead: `:1-20` behind the path.".to_owned(),
                false => format!("Use a name that is declared there, for example {}.", near.join(", ")),
            })
        }),
    }
}

/// The path without symbolic links, or as it is if it leads nowhere.
#[expect(clippy::disallowed_methods, reason = "`run` looks at the world")]
pub(super) fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The name in the same folder that is most like the one that is missing.
#[expect(clippy::disallowed_methods, reason = "`run` looks at the world")]
fn nearest(full: &Path) -> Option<String> {
    let wanted = full.file_name()?.to_str()?;
    let entries = std::fs::read_dir(full.parent()?).ok()?.flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let alike = names.map(|name| (strsim::jaro_winkler(wanted, &name), name));
    let alike = alike.filter(|(alike, _)| *alike >= ALIKE);
    alike.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1))).map(|(_, name)| name)
}
