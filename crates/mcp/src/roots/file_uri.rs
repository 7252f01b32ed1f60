//! A `file:` URI as a path. What is not understood completely is no path. May not look at the disk.

use runward_engine::core::facts::Backslashes;
use std::path::PathBuf;

/// Why a URI is no folder of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotAFolder {
    /// It is of another scheme.
    Scheme,
    /// It is on another machine.
    Host,
    /// It says more than a path, or not what a path says.
    Path,
}

impl NotAFolder {
    /// The same in words.
    pub(super) fn why(self) -> &'static str {
        match self {
            NotAFolder::Scheme => "only `file://` URIs name folders",
            NotAFolder::Host => "the folder is on another machine",
            NotAFolder::Path => "it is not an absolute path in percent-encoded UTF-8",
        }
    }
}

/// The folder that a URI names.
pub(super) fn folder(uri: &str, slashes: Backslashes) -> Result<PathBuf, NotAFolder> {
    const SCHEME: &str = "file://";
    let scheme = uri.get(..SCHEME.len()).ok_or(NotAFolder::Scheme)?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return Err(NotAFolder::Scheme);
    }
    let rest = &uri[SCHEME.len()..];
    let (host, path) = rest.split_at(rest.find('/').ok_or(NotAFolder::Path)?);
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) {
        return Err(NotAFolder::Host);
    }
    if path.contains(['?', '#']) {
        return Err(NotAFolder::Path);
    }
    let path = decoded(path).filter(|path| !path.contains('\0')).ok_or(NotAFolder::Path)?;
    match slashes {
        Backslashes::AreLetters => Ok(path.into()),
        Backslashes::Separate => with_a_drive(&path).ok_or(NotAFolder::Path).map(Into::into),
    }
}

/// `/C:/x` is `C:/x` where drives have letters; without one it is on no drive.
fn with_a_drive(path: &str) -> Option<&str> {
    let path = path.strip_prefix('/')?;
    let mut letters = path.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    let absolute = letters.next() == Some(':') && matches!(letters.next(), None | Some('/' | '\\'));
    (drive && absolute).then_some(path)
}

/// Percent-decoded, if it can be.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(uri: &str) -> Result<PathBuf, NotAFolder> {
        folder(uri, Backslashes::AreLetters)
    }

    #[test]
    fn file_uris_are_decoded() {
        assert_eq!(unix("file:///home/a%20b/%C3%BC%23x"), Ok("/home/a b/ü#x".into()));
        assert_eq!(unix("FILE://LocalHost/x/"), Ok("/x/".into()));
        assert_eq!(unix("file:///"), Ok("/".into()));
        assert_eq!(unix("file:///with space"), Ok("/with space".into()), "some clients encode nothing");
    }

    #[test]
    fn what_is_no_folder_of_this_machine_is_none() {
        for uri in ["https://example.com/x", "file:/x", "", "fil", "untitled:x", "ü://a/b"] {
            assert_eq!(unix(uri), Err(NotAFolder::Scheme), "{uri}");
        }
        assert_eq!(unix("file://server/share"), Err(NotAFolder::Host));
        for uri in [
            "file://",
            "file:///a?b",
            "file:///a#b",
            "file:///%",
            "file:///%4",
            "file:///%zz",
            "file:///%ff",
            "file:///a%00b",
        ] {
            assert_eq!(unix(uri), Err(NotAFolder::Path), "{uri}");
        }
    }

    #[test]
    fn drives_have_letters_where_there_are_drives() {
        let windows = |uri| folder(uri, Backslashes::Separate);
        assert_eq!(windows("file:///C:/Users/x"), Ok("C:/Users/x".into()));
        assert_eq!(windows("file:///c%3A/x"), Ok("c:/x".into()), "as some editors write it");
        for uri in ["file:///x", "file:///C:x", "file:////server/share", "file:///"] {
            assert_eq!(windows(uri), Err(NotAFolder::Path), "{uri}");
        }
        assert_eq!(unix("file:///C:/x"), Ok("/C:/x".into()));
    }
}
