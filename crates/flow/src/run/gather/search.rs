//! Lines below a folder that match a regular expression. May not start a program for it.

use super::disk::{self, Content};
use super::walk::{self, Hidden};
use crate::FlowError;
use regex::Regex;
use runward_engine::Code;
use std::path::Path;

/// How many lines are given.
const MOST: usize = 500;
/// How many characters of a line are given.
const LONGEST: usize = 500;

/// All matching lines, as `path:line:text`.
pub(super) fn search(folder: &Path, pattern: &str) -> Result<String, FlowError> {
    let regex = Regex::new(pattern).map_err(|error| bad(pattern, &error))?;
    let mut found = String::new();
    let mut count = 0;
    for entry in walk::below(folder, Hidden::LeftOut).build().flatten().filter(walk::is_file) {
        let Ok(Content::Text(text)) = disk::read(entry.path()) else { continue };
        let path = walk::relative(&entry, folder);
        for (index, line) in text.lines().enumerate().filter(|(_, line)| regex.is_match(line)) {
            if count == MOST {
                found.push_str(&format!("[more than {MOST} lines match, the rest is left out]\n"));
                return Ok(found);
            }
            count += 1;
            let shown: String = line.chars().take(LONGEST).collect();
            let cut = if shown.len() < line.len() { "…" } else { "" };
            found.push_str(&format!("{path}:{}:{shown}{cut}\n", index + 1));
        }
    }
    Ok(found)
}

fn bad(pattern: &str, error: &regex::Error) -> FlowError {
    let reason = error.to_string();
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    FlowError::new(Code::FlowBadArgument, format!("`{pattern}` is no regular expression: {reason}"))
        .hint("Correct the expression behind `@rg:`. It ends at white space: write `\\s` for a space.")
}
