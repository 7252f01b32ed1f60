//! Compares output in the spool with the records that cover it. What was removed in order is on record; what else
//! is missing or different was changed from outside.

use super::{ReadError, broken};
use crate::SpoolPiece;
use crate::journal::record::EndRecord;
use runward_core::render::hex;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

/// What the spool has to hold.
pub(super) struct SpoolLook<'a> {
    folder: Option<&'a Path>,
    /// By run and stream: the record, and what it covers.
    covered: BTreeMap<(String, &'static str), (u64, SpoolPiece)>,
}

impl<'a> SpoolLook<'a> {
    pub(super) fn of(folder: Option<&'a Path>) -> Self {
        Self { folder, covered: BTreeMap::new() }
    }

    /// The record of an end covers these files.
    pub(super) fn covered(&mut self, seq: u64, end: &EndRecord) {
        for (name, printed) in [("stdout", &end.stdout), ("stderr", &end.stderr)] {
            if let Some(piece) = &printed.spool {
                self.covered.insert((end.id.clone(), name), (seq, piece.clone()));
            }
        }
    }

    /// These runs' files were removed in order. They may come after their command ended, and before that is on record.
    pub(super) fn removed(&mut self, runs: &[String]) {
        for run in runs {
            ["stdout", "stderr"].iter().for_each(|name| drop(self.covered.remove(&(run.clone(), *name))));
        }
    }

    /// Looks at every file.
    pub(super) fn check(&self) -> Result<(), ReadError> {
        let Some(folder) = self.folder else { return Ok(()) };
        for ((run, name), (seq, piece)) in &self.covered {
            let path = folder.join(format!("{run}.{name}"));
            match digest_of(&path) {
                Ok(found) if found == *piece => {}
                Ok(_) => {
                    return broken(*seq, "its output in the spool was changed after it was written");
                }
                Err(error) => return broken(*seq, format!("its output is not in the spool: {error}")),
            }
        }
        Ok(())
    }
}

/// What a file holds.
pub(super) fn digest_of(path: &Path) -> io::Result<SpoolPiece> {
    let (mut hasher, mut piece) = (blake3::Hasher::new(), vec![0; 1 << 16]);
    let mut file = runward_os::regular_file(path)?;
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                hasher.update(&piece[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(SpoolPiece { bytes: hasher.count(), digest: hex(hasher.finalize().as_bytes()) })
}
