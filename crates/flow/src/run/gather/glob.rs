//! Files that a pattern matches, each between tags with its path. May not make them part of the program.

use super::disk::{self, Content, ImportReader};
use super::expand::FetchedImport;
use super::walk::{self, Hidden};
use crate::FlowError;
use crate::imports::tokens::estimate;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use runward_engine::Code;
use std::path::Path;

/// The most that all files of one pattern may be together.
const LARGEST_TOGETHER_BYTES: usize = 64 * 1024 * 1024;

/// A pattern, cut where its signs begin.
struct Cut<'p> {
    /// The folder before, as it is written.
    base: &'p str,
    /// The pattern below that folder.
    rest: &'p str,
}

/// Reads all files that a pattern matches, sorted by their paths.
pub(super) fn read(pattern: &str, reader: &ImportReader) -> Result<FetchedImport, FlowError> {
    let cut = cut(pattern);
    let base = reader.full(cut.base)?;
    let missing = |message, hint: &str| FlowError::new(Code::FlowImportMissing, message).hint(hint);
    let matcher = matcher(&base, cut.rest)
        .map_err(|error| missing(format!("`{pattern}` is no pattern: {error}"), "Correct the pattern."))?;
    let (mut files, mut binaries, mut bytes) = (Vec::new(), 0, 0);
    let (paths, unreadable_folders) = match walk::is_left_out(&reader.full(".")?, &base) {
        true => (Vec::new(), 0),
        false => matching(&base, &cut, &matcher),
    };
    for path in paths {
        let shown = shown(cut.base, &path);
        match disk::read(&base.join(&path)) {
            Ok(Content::Text(text)) => {
                bytes += text.len();
                files.push((shown, text));
            }
            Ok(Content::Binary) => binaries += 1,
            Ok(Content::TooLarge) => return Err(disk::too_large(&shown)),
            Err(error) => {
                let message = format!("the file `{shown}` cannot be read: {error}");
                return Err(missing(message, "Use a pattern that does not match it."));
            }
        }
        if bytes > LARGEST_TOGETHER_BYTES {
            return Err(too_large_together(pattern));
        }
    }
    if files.is_empty() {
        return Err(no_match(pattern, reader));
    }
    files.sort();
    Ok(fetched(pattern, &files, (binaries, unreadable_folders)))
}

/// The paths below the base that match, and how many places could not be looked into.
fn matching(base: &Path, cut: &Cut<'_>, matcher: &Gitignore) -> (Vec<String>, usize) {
    let names_hidden = cut.rest.split('/').any(|part| part.starts_with('.'));
    let mut walk = walk::below(base, if names_hidden { Hidden::Shown } else { Hidden::LeftOut });
    if !cut.rest.contains("**") {
        walk.max_depth(Some(cut.rest.split('/').count()));
    }
    let (mut paths, mut unreadable) = (Vec::new(), 0);
    for entry in walk.build() {
        match entry {
            Ok(entry) if walk::is_file(&entry) && matcher.matched(entry.path(), false).is_ignore() => {
                paths.push(walk::relative(&entry, base));
            }
            Ok(_) => {}
            Err(_) => unreadable += 1,
        }
    }
    (paths, unreadable)
}

fn matcher(base: &Path, rest: &str) -> Result<Gitignore, ignore::Error> {
    let mut builder = GitignoreBuilder::new(base);
    builder.add_line(None, &format!("/{rest}"))?;
    builder.build()
}

fn cut(pattern: &str) -> Cut<'_> {
    let sign = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let slash = pattern[..sign].rfind('/').unwrap_or(0);
    // The slash of the root is the root.
    Cut { base: &pattern[..slash.max(1)], rest: &pattern[slash + 1..] }
}

fn shown(base: &str, path: &str) -> String {
    let base = base.strip_prefix("./").unwrap_or(base);
    match base {
        "." | "" => path.to_owned(),
        "/" => format!("/{path}"),
        base => format!("{base}/{path}"),
    }
}

fn fetched(pattern: &str, files: &[(String, String)], left_out: (usize, usize)) -> FetchedImport {
    let tagged: Vec<String> = files.iter().map(|(path, text)| tagged(path, text)).collect();
    let text = tagged.join("\n");
    let tokens = estimate(text.chars().count());
    let files = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    let mut note = format!("@{pattern}: {files}, about {tokens} tokens");
    for (count, why) in [(left_out.0, "left out, not text"), (left_out.1, "left out, cannot be read")] {
        if count > 0 {
            note.push_str(&format!(", {count} {why}"));
        }
    }
    FetchedImport { text, from: pattern.to_owned(), notes: vec![note] }
}

/// One file between tags that are named after it.
fn tagged(path: &str, text: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name.trim_start_matches('.'),
    };
    let plain = |one: char| if one.is_alphanumeric() || "._-".contains(one) { one } else { '-' };
    let tag: String = stem.chars().map(plain).collect();
    let path = path.replace('&', "&amp;").replace('"', "&quot;");
    format!("<{tag} path=\"{path}\">\n{text}\n</{tag}>")
}

fn no_match(pattern: &str, reader: &ImportReader) -> FlowError {
    let hint = format!(
        "Correct the pattern, which is read from `{}`. Files that `.gitignore` names and files that are not text are \
         left out.",
        reader.folder.display()
    );
    FlowError::new(Code::FlowImportMissing, format!("no file matches `{pattern}`")).hint(hint)
}

fn too_large_together(pattern: &str) -> FlowError {
    let most = LARGEST_TOGETHER_BYTES / (1024 * 1024);
    let message = format!("the files that `{pattern}` matches are larger than {most} MiB together");
    FlowError::new(Code::FlowImportTooLarge, message).hint("Use a narrower pattern.")
}
