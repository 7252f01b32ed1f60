//! Patterns that no shell read: `ls '*.md'` looks for a file of that very name.
//!
//! May not guess: a pattern is one only where a shell would have found files for it, and no file has its name.

use runward::core::render::command_line;
use std::ffi::OsString;
use std::path::Path;

/// The note for a command that failed, if an argument is a pattern that a shell would have read.
pub(crate) fn unread_pattern(arguments: &[OsString], cwd: &Path) -> Option<String> {
    let pattern = arguments.iter().filter_map(|word| word.to_str()).find(|word| is_unread(word, cwd))?;
    Some(format!("no shell read the * in {}; --shell does", command_line([pattern])))
}

fn is_unread(word: &str, cwd: &Path) -> bool {
    if !word.contains('*') || word.starts_with('-') || cwd.join(word).symlink_metadata().is_ok() {
        return false;
    }
    let (folder, pattern) = word.rsplit_once('/').map_or((".", word), |(folder, last)| (folder, last));
    let folder = if folder.is_empty() { Path::new("/").to_owned() } else { cwd.join(folder) };
    // A pattern further up in a path would need a walk; one in the last part is what people type.
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let names = entries.take(MOST).flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.into_string().ok()).any(|name| fits(pattern, &name))
}

/// Entries of a folder that are looked at: a note is not worth more.
const MOST: usize = 10_000;

/// Whether a shell would take this name for the pattern. Hidden names need a dot in the pattern.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_a_pattern_as_in_a_shell() {
        assert!(fits("*.md", "a.md") && fits("a*", "a") && fits("*", "x") && fits("a*b*c", "a-b-c"));
        assert!(!fits("*.md", "a.txt") && !fits("*", ".hidden") && !fits("a*b", "ab-") && !fits("x", "y"));
    }

    #[test]
    fn a_pattern_counts_where_a_shell_would_have_found_something() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), "").unwrap();
        let told = |words: &[&str]| {
            unread_pattern(&words.iter().map(OsString::from).collect::<Vec<_>>(), folder.path())
        };
        assert_eq!(told(&["-l", "*.md"]).as_deref(), Some("no shell read the * in '*.md'; --shell does"));
        assert_eq!(told(&["*.txt"]), None, "a shell would have found nothing either");
        assert_eq!(told(&["--glob=*.md", "a.md", "nothing/*"]), None);
        std::fs::write(folder.path().join("*.md"), "").unwrap();
        assert_eq!(told(&["*.md"]), None, "the file is there by that name");
    }
}
