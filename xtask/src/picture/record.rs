//! Runs commands on a terminal, one after the other, in a home of their own, and keeps what the screen shows.

use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;
use std::num::NonZero;
use std::path::Path;

/// Columns of the terminal.
pub(super) const COLUMNS: u16 = 100;
/// Rows: more than any of the commands prints.
const ROWS: u16 = 60;

/// One command, and the rows that it printed.
#[derive(Debug)]
pub(super) struct PicturedCommand {
    pub(super) typed: String,
    pub(super) rows: Vec<Vec<ColouredText>>,
}

/// A stretch of a row in one colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColouredText {
    pub(super) column: u16,
    pub(super) text: String,
    pub(super) colour: TextColour,
}

/// The colours that our own messages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextColour {
    Plain,
    Bold,
    Error,
    Hint,
}

/// Runs them all.
pub(super) fn all(root: &RepositoryRoot, commands: &[&str]) -> Result<Vec<PicturedCommand>, String> {
    let home = root.join("target/picture");
    let cannot = |error: std::io::Error| format!("`{}` cannot be used: {error}", home.display());
    if home.exists() {
        fs::remove_dir_all(&home).map_err(cannot)?;
    }
    fs::create_dir_all(home.join("config/runward")).map_err(cannot)?;
    fs::create_dir_all(home.join("project")).map_err(cannot)?;
    fs::write(home.join("config/runward/runward.toml"), "[policy]\npresets = [\"readonly\"]\n")
        .map_err(cannot)?;
    commands.iter().map(|typed| one(root, &home, typed)).collect()
}

/// `script` gives it a terminal, as a person has one.
fn one(root: &RepositoryRoot, home: &Path, typed: &str) -> Result<PicturedCommand, String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let line = format!("cd {} && stty cols {COLUMNS} rows {ROWS} && {typed}", home.join("project").display());
    let tool = ChildTool::new("script --quiet --command")
        .args([line.as_str(), "/dev/null"])
        .env("PATH", format!("{}:{path}", root.join("target/debug").display()))
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("RUNWARD_STATE_DIR", home.join("state"))
        .env("TERM", "xterm-256color")
        .env("SHELL", "/bin/bash")
        .without("NO_COLOR")
        .without("ALLOWED_COMMANDS");
    let printed = tool.answer(root)?.stdout;
    let mut screen = terminal(ROWS);
    screen.process(&printed);
    let mut rows: Vec<Vec<ColouredText>> = (0..ROWS).map(|row| inked(screen.screen(), row)).collect();
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    if rows.is_empty() {
        return Err(format!("`{typed}` printed nothing"));
    }
    Ok(PicturedCommand { typed: typed.to_owned(), rows })
}

/// An empty screen of so many rows, of which there is at least one.
fn terminal(rows: u16) -> vt100::Parser {
    let size = |most: u16| NonZero::new(most).unwrap_or(NonZero::<u16>::MIN);
    vt100::Parser::new(size(rows), size(COLUMNS), 0)
}

/// A row as stretches of one colour; nothing, if it is empty.
fn inked(screen: &vt100::Screen, row: u16) -> Vec<ColouredText> {
    let mut all: Vec<ColouredText> = Vec::new();
    for column in 0..COLUMNS {
        let Some(cell) = screen.cell(row, column) else { continue };
        let (text, colour) = (if cell.has_contents() { cell.contents() } else { " " }, colour(cell));
        match all.last_mut() {
            Some(last) if last.colour == colour => last.text.push_str(text),
            _ => all.push(ColouredText { column, text: text.to_owned(), colour }),
        }
    }
    if let Some(last) = all.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    all.retain(|stretch| !stretch.text.is_empty());
    if all.iter().all(|stretch| stretch.text.trim().is_empty()) { Vec::new() } else { all }
}

fn colour(cell: &vt100::Cell) -> TextColour {
    match cell.fgcolor() {
        vt100::Color::Idx(1 | 9) => TextColour::Error,
        vt100::Color::Idx(6 | 14) => TextColour::Hint,
        _ if cell.bold() => TextColour::Bold,
        _ => TextColour::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_kept_with_its_colours_and_an_empty_one_is_none() {
        let mut screen = terminal(2);
        screen.process(b"\x1b[1mrunward:\x1b[0m stopped  \x1b[31mred\x1b[0m");
        let row = inked(screen.screen(), 0);
        let shown: Vec<_> = row.iter().map(|part| (part.column, part.text.as_str(), part.colour)).collect();
        assert_eq!(
            shown,
            [
                (0, "runward:", TextColour::Bold),
                (8, " stopped  ", TextColour::Plain),
                (18, "red", TextColour::Error)
            ]
        );
        assert!(inked(screen.screen(), 1).is_empty());
    }
}
