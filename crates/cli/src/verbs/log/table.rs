//! Commands as a table that fits the terminal.

use crate::moment::ago;
use crate::output::{VerbFailure, unwritten};
use anstyle::{AnsiColor, Style};
use runward::core::render::{SHORT_ID, duration, letters_of_ids, short_id};
use runward::journal::{Millis, RecordState, RecordedCommand, Summary};
use std::io::Write;
use std::time::Duration;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const HEADS: [&str; COLUMNS] = ["AGE", "STATE", "TOOK", "DOOR", "ID", "COMMAND"];
const COLUMNS: usize = 6;
const STATE: usize = 1;

/// Prints them, as wide as the terminal is.
pub(super) fn print(all: &[RecordedCommand], now: Millis) -> Result<(), VerbFailure> {
    let width = usize::from(runward::host::terminal_width().unwrap_or(120));
    let mut out = anstream::stdout().lock();
    let text = if all.is_empty() { "no commands".to_owned() } else { table(all, now, width) };
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| unwritten(&error))
}

/// The lines of a table that is so wide. Colours are taken out again where there are none.
pub(super) fn table(all: &[RecordedCommand], now: Millis, width: usize) -> String {
    let letters = letters_of_ids(all.iter().map(|found| &found.summary.run));
    let rows: Vec<[String; COLUMNS]> = std::iter::once(HEADS.map(str::to_owned))
        .chain(all.iter().map(|found| row(&found.summary, now, letters)))
        .collect();
    let widths: Vec<usize> = (0..COLUMNS - 1)
        .map(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0))
        .collect();
    let styles = std::iter::once(Style::new().bold()).chain(all.iter().map(|found| style(&found.summary)));
    let lines = rows.iter().zip(styles).map(|(row, style)| line(row, &widths, style, width));
    lines.collect::<Vec<_>>().join("\n")
}

/// One more line under a table.
pub(super) fn more(found: &RecordedCommand, letters: usize, now: Millis, width: usize) -> String {
    const WIDTHS: [usize; COLUMNS - 1] = [4, 11, 6, 7, SHORT_ID];
    line(&row(&found.summary, now, letters), &WIDTHS, style(&found.summary), width)
}

fn line(row: &[String; COLUMNS], widths: &[usize], style: Style, width: usize) -> String {
    let (mut shown, mut used) = (String::new(), 0);
    for (column, (cell, wide)) in row.iter().zip(widths).enumerate() {
        let pad = " ".repeat(wide.saturating_sub(cell.width()));
        let paint = if column == STATE || style == Style::new().bold() { style } else { Style::new() };
        shown.push_str(&format!("{paint}{cell}{paint:#}{pad}  "));
        used += cell.width().max(*wide) + 2;
    }
    shown + &shortened(&row[COLUMNS - 1], width.saturating_sub(used).max(10))
}

fn row(summary: &Summary, now: Millis, letters: usize) -> [String; COLUMNS] {
    [
        ago(summary.at, now),
        state(summary),
        summary.took_ms.map(|took| duration(Duration::from_millis(took))).unwrap_or_default(),
        summary.door.clone(),
        short_id(&summary.run, letters).to_owned(),
        summary.line.clone(),
    ]
}

/// How it ended, in a word or two.
pub(super) fn state(summary: &Summary) -> String {
    match (summary.state, summary.code) {
        (RecordState::Ended, Some(0)) => "ok".to_owned(),
        (RecordState::Ended, Some(code)) => format!("exit {code}"),
        (RecordState::Ended, None) => "ended".to_owned(),
        (state, _) => state.name().to_owned(),
    }
}

fn style(summary: &Summary) -> Style {
    let colour = match (summary.state, summary.code) {
        (RecordState::Ended, Some(0)) => return Style::new(),
        (RecordState::Running | RecordState::Judged, _) => AnsiColor::Cyan,
        (RecordState::Refused, _) => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    colour.on_default()
}

fn shortened(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let (mut shown, mut used) = (String::new(), 0);
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= room {
            break;
        }
        shown.push(c);
    }
    shown + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(in super::super) fn found(line: &str, state: RecordState, code: Option<i64>) -> RecordedCommand {
        let summary = Summary {
            run: "01a1e1a5-5f0c-7000-8000-00005f0c9a1e".to_owned(),
            at: 1_000_000,
            door: "mcp".to_owned(),
            program: "x".to_owned(),
            line: line.to_owned(),
            state,
            code,
            took_ms: code.map(|_| 3250),
            bytes: None,
            runner: None,
        };
        RecordedCommand { seq: 1, end: None, summary }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn a_table_fits_its_terminal() {
        let all = [
            found("git push", RecordState::Ended, Some(0)),
            found(&"wörter ".repeat(40), RecordState::Ended, Some(137)),
            found("日本語日本語日本語日本語日本語日本語日本語日本語", RecordState::Interrupted, None),
        ];
        let shown = plain(&table(&all, 1_065_000, 60));
        assert!(shown.lines().all(|line| line.width() <= 60), "{shown}");
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn how_it_came_out_is_said_in_a_word() {
        let said = |state, code| super::state(&found("x", state, code).summary);
        assert_eq!(said(RecordState::Ended, Some(0)), "ok");
        assert_eq!(said(RecordState::Ended, Some(3)), "exit 3");
        assert_eq!(said(RecordState::Refused, None), "refused");
        assert_eq!(said(RecordState::Running, None), "running");
    }
}
