//! Whether a command's program is the one that an entry names.
//!
//! Hazard: a bare name stands for the program that the system has under that name. A file of that name that lies
//! where the command works, or that was named by its path, is another one until proven the same.

use super::Subject;
use crate::policy::identity::ProgramIdentity;
use crate::policy::spelling::{Sureness, goes_by, lies_at};
use std::ffi::OsStr;
use std::path::Path;

/// Whether an entry names a command's program.
pub(super) fn is(entry: &str, subject: &Subject<'_>, sureness: Sureness) -> bool {
    let is_path = subject.naming.has_separator(OsStr::new(entry));
    match (sureness, is_path) {
        (Sureness::Certain, true) => is_file(entry, subject, sureness),
        (Sureness::Certain, false) => names(entry, subject) && is_genuine(subject),
        (Sureness::Possible, _) => may_be(entry, subject),
    }
}

/// Whether the command's own name is the entry's.
pub(in crate::policy) fn names(entry: &str, subject: &Subject<'_>) -> bool {
    match subject.identity {
        ProgramIdentity::File { path, .. } => goes_by(path, entry, subject.naming, Sureness::Certain),
        _ => goes_by(Path::new(subject.unit.name()), entry, subject.naming, Sureness::Certain),
    }
}

/// Whether it is the very program that its bare name means on this host.
pub(in crate::policy) fn is_genuine(subject: &Subject<'_>) -> bool {
    let by_path = subject.naming.has_separator(subject.unit.name());
    match subject.identity {
        ProgramIdentity::Builtin | ProgramIdentity::Missing => !by_path,
        ProgramIdentity::Unsure | ProgramIdentity::File { planted: true, .. } => false,
        ProgramIdentity::File { .. } if !by_path => true,
        ProgramIdentity::File { path, real, .. } => {
            let name = subject.naming.file_name(path).unwrap_or_default();
            matches!((subject.by_name)(name), ProgramIdentity::File { real: meant, planted: false, .. } if meant == *real)
        }
    }
}

/// Refusing is done on every name that the file goes by: a link must not be a way around.
fn may_be(entry: &str, subject: &Subject<'_>) -> bool {
    let named = |file: &Path| goes_by(file, entry, subject.naming, Sureness::Possible);
    let files = match subject.identity {
        ProgramIdentity::File { path, real, .. } => named(path) || named(real),
        _ => false,
    };
    files
        || named(Path::new(subject.unit.name()))
        || is_file(entry, subject, Sureness::Possible)
        || *subject.identity == ProgramIdentity::Unsure
}

fn is_file(entry: &str, subject: &Subject<'_>, sureness: Sureness) -> bool {
    match subject.identity {
        // A name alone is no path, and most entries are names.
        ProgramIdentity::File { path, real, .. } if subject.naming.has_separator(OsStr::new(entry)) => {
            [path, real].iter().any(|file| lies_at(file, entry, subject.naming, sureness))
        }
        _ => false,
    }
}
