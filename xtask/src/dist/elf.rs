//! What a binary is for, and what it needs of the C library, as read in the binary itself.
//!
//! May not ask another program: a release is made where none is sure to be.

use std::fmt;

/// A version of glibc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GlibcVersion(pub(crate) u32, pub(crate) u32);

impl GlibcVersion {
    /// Reads `2.17`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(str::parse);
        let (first, second) = (parts.next()?.ok()?, parts.next()?.ok()?);
        Some(Self(first, second))
    }
}

impl fmt::Display for GlibcVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// What an ELF binary needs of libraries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LibraryNeeds {
    /// The highest version of glibc that a symbol of it asks for.
    pub(crate) glibc: Option<GlibcVersion>,
    /// Libraries by name.
    pub(crate) libraries: Vec<String>,
}

/// The kind of binary and its processor, in the words of a target.
pub(crate) fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let word = |at: usize| bytes.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    if bytes.starts_with(b"\x7fELF\x02\x01") {
        return Some(("linux", processor(word(18)?, &[(62, "x86_64"), (183, "aarch64")])?));
    }
    if bytes.starts_with(&0xfeed_facf_u32.to_le_bytes()) {
        return Some(("darwin", processor(word(4)?, &[(7, "x86_64"), (12, "aarch64")])?));
    }
    if bytes.starts_with(b"MZ") {
        let at = number(bytes, 0x3c, 4)?;
        return Some(("windows", processor(word(at + 4)?, &[(0x8664, "x86_64"), (0xaa64, "aarch64")])?));
    }
    None
}

fn processor(code: u16, names: &[(u16, &'static str)]) -> Option<&'static str> {
    names.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

/// The versions that the loader will ask for: the section `.gnu.version_r`.
pub(crate) fn needs(bytes: &[u8]) -> Option<LibraryNeeds> {
    let (table, size, count) = (number(bytes, 40, 8)?, number(bytes, 58, 2)?, number(bytes, 60, 2)?);
    let section = |index: usize| Section::read(bytes, table + index * size);
    let mut needs = LibraryNeeds::default();
    for index in 0..count {
        let found = section(index)?;
        if found.kind == VERSIONS_NEEDED {
            read_versions(bytes, &found, &section(found.link)?, &mut needs)?;
        }
    }
    Some(needs)
}

const VERSIONS_NEEDED: usize = 0x6fff_fffe;

struct Section {
    kind: usize,
    offset: usize,
    link: usize,
    entries: usize,
}

impl Section {
    fn read(bytes: &[u8], at: usize) -> Option<Self> {
        Some(Self {
            kind: number(bytes, at + 4, 4)?,
            offset: number(bytes, at + 24, 8)?,
            link: number(bytes, at + 40, 4)?,
            entries: number(bytes, at + 44, 4)?,
        })
    }
}

fn read_versions(bytes: &[u8], section: &Section, names: &Section, needs: &mut LibraryNeeds) -> Option<()> {
    let mut file = section.offset;
    for _ in 0..section.entries {
        needs.libraries.push(text(bytes, names.offset + number(bytes, file + 4, 4)?)?);
        let mut version = file + number(bytes, file + 8, 4)?;
        for _ in 0..number(bytes, file + 2, 2)? {
            let name = text(bytes, names.offset + number(bytes, version + 8, 4)?)?;
            let found = name.strip_prefix("GLIBC_").and_then(GlibcVersion::read);
            needs.glibc = needs.glibc.max(found);
            version += number(bytes, version + 12, 4)?;
        }
        file += number(bytes, file + 12, 4)?;
    }
    Some(())
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let mut wide = [0; 8];
    wide[..length].copy_from_slice(bytes.get(at..at.checked_add(length)?)?);
    usize::try_from(u64::from_le_bytes(wide)).ok()
}

fn text(bytes: &[u8], at: usize) -> Option<String> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    String::from_utf8(rest[..end].to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(GlibcVersion::read("2.17").unwrap() > GlibcVersion::read("2.2.5").unwrap());
        assert_eq!(GlibcVersion::read("PRIVATE"), None);
    }

    #[test]
    fn what_is_no_binary_is_none() {
        assert_eq!(kind(b"#!/bin/sh"), None);
        assert_eq!(needs(b"\x7fELF\x02\x01"), None);
    }

    #[test]
    fn what_this_test_needs_is_what_objdump_says() {
        let ours = std::env::current_exe().unwrap();
        let bytes = std::fs::read(&ours).unwrap();
        assert_eq!(kind(&bytes).map(|kind| kind.0), Some(std::env::consts::OS));
        let found = needs(&bytes).unwrap();
        assert!(found.libraries.contains(&"libc.so.6".to_owned()), "{found:?}");
        assert_eq!(found.glibc, said_by_objdump(&ours));
    }

    fn said_by_objdump(path: &Path) -> Option<GlibcVersion> {
        let output = Command::new("objdump").arg("-p").arg(path).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let words = text.split_whitespace().filter_map(|word| word.strip_prefix("GLIBC_"));
        words.filter_map(GlibcVersion::read).max()
    }
}
