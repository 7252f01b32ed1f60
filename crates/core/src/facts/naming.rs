//! How names and paths are spelled on a host, whichever host this code runs on.
//!
//! May not ask the file system anything, nor the standard library which host this is: the rules are data, so
//! that every host's rules are tested on every other.

use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How names are spelled on this host. Data, so that every host's rules are tested on every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Naming {
    /// What stands between the entries of PATH.
    pub list_separator: char,
    /// Endings that make a file executable, such as `.EXE`; empty where a permission does.
    pub executable_endings: Vec<String>,
    /// Whether `\` separates folders, and environment names ignore case.
    pub backslashes: Backslashes,
}

/// Whether a backslash separates folders here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backslashes {
    /// `\` and `/` separate, and environment names ignore case.
    Separate,
    /// `\` is an ordinary character, and case counts.
    AreLetters,
}

impl Naming {
    /// The rules of Unix.
    pub fn unix() -> Self {
        Self { list_separator: ':', executable_endings: Vec::new(), backslashes: Backslashes::AreLetters }
    }

    /// The rules of Windows, with the value of PATHEXT.
    pub fn windows(pathext: Option<&str>) -> Self {
        let endings = pathext.filter(|text| !text.trim().is_empty()).unwrap_or(".COM;.EXE;.BAT;.CMD");
        Self {
            list_separator: ';',
            executable_endings: endings
                .split(';')
                .map(str::trim)
                .filter(|e| !e.is_empty())
                .map(str::to_owned)
                .collect(),
            backslashes: Backslashes::Separate,
        }
    }

    /// Whether the text holds a character that separates folders.
    pub fn has_separator(&self, text: &OsStr) -> bool {
        let drives = self.has_drives();
        text.as_encoded_bytes().iter().any(|b| self.separates(*b) || (drives && *b == b':'))
    }

    /// Whether a path says by itself where it is. `\tools` and `C:tools` do not: they depend on a drive.
    pub fn is_absolute(&self, path: &Path) -> bool {
        match path.as_os_str().as_encoded_bytes() {
            [b'/', ..] if !self.has_drives() => true,
            [first, second, ..] if self.has_drives() && self.separates(*first) => self.separates(*second),
            [drive, b':', third, ..] => {
                self.has_drives() && drive.is_ascii_alphabetic() && self.separates(*third)
            }
            _ => false,
        }
    }

    /// A name seen from a folder; a name that is absolute stays itself.
    pub fn join(&self, dir: &Path, name: impl AsRef<Path>) -> PathBuf {
        let name = name.as_ref();
        let bytes = name.as_os_str().as_encoded_bytes();
        if self.is_absolute(name) || dir.as_os_str().is_empty() {
            return name.to_owned();
        }
        if self.names_drive(bytes) {
            return self.join_on_drive(dir, name);
        }
        let rooted = bytes.first().is_some_and(|b| self.separates(*b));
        let mut joined = if rooted { self.drive(dir).into() } else { dir.as_os_str().to_owned() };
        if !rooted && !joined.as_encoded_bytes().last().is_some_and(|b| self.separates(*b)) {
            joined.push(if self.has_drives() { "\\" } else { "/" });
        }
        joined.push(name);
        joined.into()
    }

    /// `C:tool` means the current folder of some process on that drive. Here it is the given folder, or the top of
    /// another drive, so that the answer never depends on where Runward itself runs.
    fn join_on_drive(&self, dir: &Path, name: &Path) -> PathBuf {
        let Some((drive, rest)) = name.to_str().and_then(|text| text.split_at_checked(2)) else {
            return name.to_owned();
        };
        let same = self.drive(dir).eq_ignore_ascii_case(drive);
        if same { self.join(dir, rest) } else { PathBuf::from(format!("{drive}\\{rest}")) }
    }

    /// A path of several names below a folder, the names written with `/`.
    pub fn below(&self, dir: &Path, names: &str) -> PathBuf {
        names
            .split('/')
            .filter(|name| !name.is_empty())
            .fold(dir.to_owned(), |dir, name| self.join(&dir, name))
    }

    /// The folder that a path lies in.
    pub fn parent(&self, path: &Path) -> Option<PathBuf> {
        // What is not UTF-8 was never written by a test: it is of this very host, and the standard library knows its
        // rules.
        let Some(text) = path.to_str() else { return path.parent().map(Path::to_owned) };
        let at = text.rfind(|letter: char| u8::try_from(letter).is_ok_and(|byte| self.separates(byte)))?;
        let parent = &text[..at];
        let is_root = parent.is_empty() || (self.has_drives() && parent.ends_with(':'));
        Some(PathBuf::from(if is_root { &text[..=at] } else { parent }))
    }

    /// Whether a path is a folder or lies in it, compared name by name. Both must be canonical.
    pub fn holds(&self, folder: &Path, path: &Path) -> bool {
        // A relative path is in no folder, and in a path that still climbs the names do not say where it leads.
        let is_plain = |path| self.names(path).all(|name| name != b".." && name != b".");
        let mut inner = self.names(path);
        self.is_absolute(folder)
            && self.is_absolute(path)
            && self.names(folder).all(|name| inner.next() == Some(name))
            && is_plain(folder)
            && is_plain(path)
    }

    /// The names in a path, outermost first.
    fn names<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a [u8]> {
        let names = path.as_os_str().as_encoded_bytes().split(|byte| self.separates(*byte));
        names.filter(|name| !name.is_empty())
    }

    /// The last name of a path.
    pub fn file_name<'a>(&self, path: &'a Path) -> Option<&'a str> {
        let bytes = path.as_os_str().as_encoded_bytes();
        let from = bytes.iter().rposition(|byte| self.separates(*byte)).map_or(0, |at| at + 1);
        // Rules ask this again and again: only the name itself is looked at.
        std::str::from_utf8(&bytes[from..]).ok()
    }

    /// The entries of a list such as PATH, in order, whatever they are.
    pub fn entries<'a>(&self, list: &'a OsStr) -> Box<dyn Iterator<Item = PathBuf> + 'a> {
        match list.to_str() {
            Some(text) if self.has_drives() => Box::new(unquoted(text, self.list_separator)),
            Some(text) => Box::new(text.split(self.list_separator).map(PathBuf::from)),
            // Not UTF-8, so it is this very host's; see `parent`.
            None => Box::new(std::env::split_paths(list)),
        }
    }

    /// Whether two names of environment variables are one name here.
    pub fn same_variable(&self, one: &OsStr, other: &OsStr) -> bool {
        if self.has_drives() { one.eq_ignore_ascii_case(other) } else { one == other }
    }

    fn has_drives(&self) -> bool {
        self.backslashes == Backslashes::Separate
    }

    fn separates(&self, byte: u8) -> bool {
        byte == b'/' || (byte == b'\\' && self.has_drives())
    }

    fn names_drive(&self, name: &[u8]) -> bool {
        self.has_drives() && matches!(name, [drive, b':', ..] if drive.is_ascii_alphabetic())
    }

    /// The drive that a folder lies on, such as `C:`; nothing where there are none.
    fn drive<'a>(&self, dir: &'a Path) -> &'a str {
        let drive = dir.to_str().and_then(|text| text.get(..2));
        drive.filter(|text| self.names_drive(text.as_bytes())).unwrap_or_default()
    }
}

/// Entries in which quotes protect the separator; the quotes themselves are no part of a path.
fn unquoted(text: &str, separator: char) -> impl Iterator<Item = PathBuf> + '_ {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let mut quoted = false;
        let end = text.find(|letter| {
            quoted ^= letter == '"';
            letter == separator && !quoted
        });
        rest = end.map(|end| &text[end + separator.len_utf8()..]);
        Some(PathBuf::from(text[..end.unwrap_or(text.len())].replace('"', "")))
    })
}

/// One variable of an environment, by the host's rules of case.
pub fn lookup<'a>(env: &'a BTreeMap<OsString, OsString>, naming: &Naming, name: &OsStr) -> Option<&'a OsStr> {
    if let Some(value) = env.get(name) {
        return Some(value);
    }
    if naming.backslashes == Backslashes::AreLetters {
        return None;
    }
    env.iter().find(|(known, _)| naming.same_variable(known, name)).map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows() -> Naming {
        Naming::windows(None)
    }

    #[test]
    fn absolute_by_the_rules_of_each_host() {
        for (path, on_unix, on_windows) in [
            ("/usr/bin", true, false),
            (r"C:\Tools", false, true),
            ("c:/Tools", false, true),
            (r"\\server\share", false, true),
            (r"\Tools", false, false),
            ("C:Tools", false, false),
            ("bin", false, false),
            ("", false, false),
        ] {
            assert_eq!(Naming::unix().is_absolute(Path::new(path)), on_unix, "{path} on Unix");
            assert_eq!(windows().is_absolute(Path::new(path)), on_windows, "{path} on Windows");
        }
    }

    #[test]
    fn joining_by_the_rules_of_each_host() {
        let unix = |dir: &str, name: &str| Naming::unix().join(Path::new(dir), name).into_os_string();
        assert_eq!(unix("/a", "b"), "/a/b");
        assert_eq!(unix("/", "b"), "/b");
        assert_eq!(unix("/a", "/b"), "/b");
        assert_eq!(unix("/a", r"b\c"), r"/a/b\c");
        let windows = |dir: &str, name: &str| windows().join(Path::new(dir), name).into_os_string();
        assert_eq!(windows(r"C:\a", "b"), r"C:\a\b");
        assert_eq!(windows(r"C:\", "b"), r"C:\b");
        assert_eq!(windows(r"C:\a", r"D:\b"), r"D:\b");
        assert_eq!(windows(r"C:\a", r"\b"), r"C:\b");
        assert_eq!(windows(r"C:\a", "c:b"), r"C:\a\b");
        assert_eq!(windows(r"C:\a", "D:b"), r"D:\b");
    }

    #[test]
    fn parents_by_the_rules_of_each_host() {
        let unix = |path: &str| Naming::unix().parent(Path::new(path));
        assert_eq!(unix("/usr/bin/node"), Some("/usr/bin".into()));
        assert_eq!(unix("/node"), Some("/".into()));
        assert_eq!(unix("node"), None);
        let windows = |path: &str| windows().parent(Path::new(path));
        assert_eq!(windows(r"C:\Program Files\nodejs\node.exe"), Some(r"C:\Program Files\nodejs".into()));
        assert_eq!(windows(r"C:\node.exe"), Some(r"C:\".into()));
    }

    #[test]
    fn entries_of_a_list() {
        let of = |naming: Naming, list: &str| -> Vec<PathBuf> { naming.entries(OsStr::new(list)).collect() };
        assert_eq!(of(Naming::unix(), "/a::/b"), ["/a", "", "/b"].map(PathBuf::from));
        assert_eq!(of(windows(), r#"C:\a;"C:\b;c";D:\d"#), [r"C:\a", r"C:\b;c", r"D:\d"].map(PathBuf::from));
    }
}
