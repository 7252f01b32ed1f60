//! The files of a folder, drawn as a tree. May not read any of them.

use super::walk::{self, Hidden};
use std::path::Path;

/// How many names are drawn.
const MOST: usize = 2000;

/// Draws what lies below a folder.
pub(super) fn draw(folder: &Path) -> String {
    let mut entries: Vec<(usize, String)> = Vec::new();
    let mut left_out = 0;
    for entry in walk::below(folder, Hidden::LeftOut).build().flatten().filter(|entry| entry.depth() > 0) {
        if entries.len() == MOST {
            left_out += 1;
            continue;
        }
        let slash = if entry.file_type().is_some_and(|kind| kind.is_dir()) { "/" } else { "" };
        entries.push((entry.depth(), format!("{}{slash}", entry.file_name().display())));
    }
    let mut text = String::from(".\n");
    for line in lines(&entries) {
        text.push_str(&line);
        text.push('\n');
    }
    if left_out > 0 {
        text.push_str(&format!("[{left_out} more are left out]\n"));
    }
    text
}

/// The lines from the last to the first: whether something follows on the same depth is known only from behind.
fn lines(entries: &[(usize, String)]) -> Vec<String> {
    let mut follows: Vec<bool> = Vec::new();
    let mut lines = Vec::new();
    for (depth, name) in entries.iter().rev() {
        follows.resize(*depth, false);
        let mut line: String =
            follows[..depth - 1].iter().map(|more| if *more { "│   " } else { "    " }).collect();
        line.push_str(if follows[depth - 1] { "├── " } else { "└── " });
        line.push_str(name);
        lines.push(line);
        follows[depth - 1] = true;
    }
    lines.reverse();
    lines
}
