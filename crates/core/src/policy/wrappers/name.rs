//! The base name of a program: the last part of its path, without case, without the endings of Windows.
//!
//! May not look at the host. Taking too many names for one is safe here: what is looked through is judged besides
//! the command itself, never in its place.

use super::Word;

/// The endings that Windows adds to a name by itself.
const ENDINGS: &[&str] = &[".exe", ".cmd", ".bat", ".com", ".ps1"];

/// The name of a program as the tables spell it; nothing where it is not known or not Unicode.
pub(super) fn name_of(word: &Word) -> Option<String> {
    let name = word.text()?.rsplit(['/', '\\']).next()?;
    // Windows drops dots and spaces from the end of a file's name.
    let trimmed = name.trim_end_matches(['.', ' ']);
    let mut name = if trimmed.is_empty() { name } else { trimmed }.to_ascii_lowercase();
    let bare = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).map(str::len);
    name.truncate(bare.unwrap_or(name.len()));
    Some(name)
}

/// A name without the version at its end: `python3.12` is `python`, `lua5.4` is `lua`.
pub(super) fn unversioned(name: &str) -> &str {
    let bare =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-');
    if bare.is_empty() { name } else { bare }
}

/// Whether a name stands in a list of names with spaces between them.
pub(super) fn among(list: &str, name: &str) -> bool {
    // Lists are long and asked often: only places with the same first character are looked at.
    let (list, name) = (list.as_bytes(), name.as_bytes());
    let is_end = |letter: Option<&u8>| letter.is_none_or(u8::is_ascii_whitespace);
    let Some(first) = name.first().filter(|_| !name.iter().any(u8::is_ascii_whitespace)) else {
        return false;
    };
    memchr::memchr_iter(*first, list).any(|at| {
        let starts = at == 0 || is_end(list.get(at - 1));
        starts && list[at..].starts_with(name) && is_end(list.get(at + name.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_goes_by_the_last_part_of_its_path() {
        for (word, name) in [
            ("env", "env"),
            ("/usr/bin/env", "env"),
            ("./env", "env"),
            ("C:\\Windows\\System32\\CMD.EXE", "cmd"),
            ("ENV", "env"),
            ("sudo.exe. ", "sudo"),
            ("npm.cmd", "npm"),
            ("foo.sh", "foo.sh"),
            ("/", ""),
            (".", "."),
        ] {
            assert_eq!(name_of(&Word::known(word)).as_deref(), Some(name), "{word}");
        }
    }

    #[test]
    fn a_name_stands_in_a_list_whole() {
        for (name, there) in [
            ("ls", true),
            ("cat", true),
            ("dog", true),
            ("l", false),
            ("at", false),
            ("", false),
            ("ls cat", false),
        ] {
            assert_eq!(among("ls cat  lsx\n    dog", name), there, "{name}");
        }
    }

    #[test]
    fn a_version_is_no_part_of_a_name() {
        for (versioned, name) in [
            ("python3.12", "python"),
            ("python3", "python"),
            ("lua5.4", "lua"),
            ("perl5.36.0", "perl"),
            ("node-22", "node"),
            ("7", "7"),
            ("sh", "sh"),
        ] {
            assert_eq!(unversioned(versioned), name, "{versioned}");
        }
    }
}
