//! Files that go into a package, and the containers for them: tar, zip, and Debian's.
//!
//! May not look at the clock, at who runs it, or at the order of a folder: the same files give the same bytes.

pub(crate) mod ar;
pub(crate) mod tar;
pub(crate) mod zip;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// One file inside a package.
#[derive(Debug, Clone)]
pub(crate) struct PackedFile {
    /// Where it lies, with `/` between its parts.
    pub(crate) path: String,
    /// Its mode, as Unix writes it.
    pub(crate) mode: u32,
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

impl PackedFile {
    /// A file that is read.
    pub(crate) fn plain(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), mode: 0o644, bytes: bytes.into() }
    }

    /// A file that is run.
    pub(crate) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), mode: 0o755, bytes: bytes.into() }
    }

    /// The same file in a folder.
    pub(crate) fn below(&self, folder: &str) -> Self {
        Self { path: format!("{folder}/{}", self.path), ..self.clone() }
    }
}

/// By name, so that the order says nothing.
pub(crate) fn sorted(mut files: Vec<PackedFile>) -> Vec<PackedFile> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// From here on, the last percent costs more time than it is worth.
const LARGE: usize = 1 << 20;

/// Compressed as gzip does, without a name and a time. Debian asks for the best of pages and other small files.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let level = if bytes.len() < LARGE { Compression::best() } else { Compression::default() };
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| format!("gzip: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_files_is_that_of_their_names() {
        let files = ["b", "a/c", "a"].map(|path| PackedFile::plain(path, ""));
        let names: Vec<_> = sorted(files.to_vec()).into_iter().map(|file| file.path).collect();
        assert_eq!(names, ["a", "a/c", "b"]);
    }

    #[test]
    fn gzip_writes_no_time() {
        let bytes = gzip(b"text").unwrap();
        assert_eq!(bytes[..2], [0x1f, 0x8b]);
        assert_eq!(bytes[4..8], [0; 4]);
    }
}
