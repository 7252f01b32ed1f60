//! Text of the operating system (`OsStr`), serialised without losing a byte.
//!
//! Paths, arguments and environment values need not be UTF-8. This module serialises them so that two
//! different texts never look the same: UTF-8 as a string, anything else as its bytes.
//! It may not decode anything for people; that is [`crate::render`]'s job.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A borrowed piece of operating-system text that serialises losslessly.
#[derive(Debug)]
pub struct OsText<'a>(pub &'a OsStr);

#[derive(Serialize)]
struct RawBytes<'a> {
    bytes: &'a [u8],
}

impl Serialize for OsText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => to.serialize_str(text),
            None => RawBytes { bytes: self.0.as_encoded_bytes() }.serialize(to),
        }
    }
}

/// `serialize_with` for one text.
pub fn one<S: Serializer>(text: &OsString, to: S) -> Result<S::Ok, S::Error> {
    OsText(text).serialize(to)
}

/// `serialize_with` for a path.
pub fn path<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    OsText(path.as_os_str()).serialize(to)
}

/// `serialize_with` for an optional path.
pub fn maybe_path<S: Serializer>(path: &Option<std::path::PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|p| OsText(p.as_os_str())).serialize(to)
}

/// `serialize_with` for a list of texts.
pub fn many<S: Serializer>(texts: &[OsString], to: S) -> Result<S::Ok, S::Error> {
    let mut seq = to.serialize_seq(Some(texts.len()))?;
    for text in texts {
        seq.serialize_element(&OsText(text))?;
    }
    seq.end()
}

/// `serialize_with` for a list of paths.
pub fn paths<S: Serializer>(paths: &[std::path::PathBuf], to: S) -> Result<S::Ok, S::Error> {
    let mut seq = to.serialize_seq(Some(paths.len()))?;
    for path in paths {
        seq.serialize_element(&OsText(path.as_os_str()))?;
    }
    seq.end()
}

/// `serialize_with` for an optional list of paths.
pub fn maybe_paths<S: Serializer>(list: &Option<Vec<std::path::PathBuf>>, to: S) -> Result<S::Ok, S::Error> {
    match list {
        Some(list) => paths(list, to),
        None => to.serialize_none(),
    }
}

/// `serialize_with` for a map of texts. A name that is not UTF-8 is spelled with `\xNN` escapes, and so is every
/// backslash in it, so that no two names collide.
pub fn map<S: Serializer>(map: &BTreeMap<OsString, OsString>, to: S) -> Result<S::Ok, S::Error> {
    let mut out = to.serialize_map(Some(map.len()))?;
    for (name, value) in map {
        match name.to_str() {
            Some(name) if !name.contains('\\') => out.serialize_entry(name, &OsText(value))?,
            _ => out.serialize_entry(&crate::output::escaped(name.as_encoded_bytes()), &OsText(value))?,
        }
    }
    out.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_a_string() {
        assert_eq!(serde_json::to_string(&OsText(OsStr::new("héllo"))).unwrap(), "\"héllo\"");
    }
}
