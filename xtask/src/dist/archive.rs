//! The archive: binary, readme, licences, completions, manual, in one folder.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::pack::{PackedFile, gzip, sorted, tar, zip};
use super::target::DistTarget;
use crate::root::RepositoryRoot;

/// Its name without the ending; also that of the folder in it.
fn stem(target: &DistTarget, version: &str) -> String {
    format!("runward-{version}-{}", target.triple)
}

/// Its name.
pub(crate) fn file_name(target: &DistTarget, version: &str) -> String {
    format!("{}.{}", stem(target, version), target.archive_ending())
}

/// One archive.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let mut files = bundle.papers();
    files.push(PackedFile::program(bundle.target.program(), bundle.binary.clone()));
    files.extend(bundle.completions.iter().map(|file| file.below("completions")));
    files.extend(bundle.pages.iter().map(|file| file.below("man")));
    let stem = stem(bundle.target, &bundle.version);
    let files = sorted(files.iter().map(|file| file.below(&stem)).collect());
    let bytes =
        if bundle.target.is_windows() { zip::zip(&files)? } else { gzip(&tar::tar(&files, bundle.time)?)? };
    Ok(vec![(file_name(bundle.target, &bundle.version), bytes)])
}
