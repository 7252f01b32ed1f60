//! Made-up results for tests: every kind of line once, targets met and missed, names that need escapes.

use super::document::{Absent, Document, Machine};
use super::measured::{MeasuredLine, read};

/// What bench programs would print.
pub(crate) const LINES: &str = include_str!("sample.jsonl");

/// A document that holds all of them.
pub(crate) fn document() -> Document {
    let machine = Machine {
        cores: 2,
        model: "A & B <1>".to_owned(),
        kernel: "6.1.0".to_owned(),
        memory_bytes: 8 << 30,
    };
    let mut document = Document::new("2026-01-02T03:04:05Z", machine);
    for line in LINES.lines() {
        match read(line, "").unwrap().expect("a result") {
            MeasuredLine::Row(row) => document.rows.push(row),
            MeasuredLine::Curve(curve) => document.curves.push(curve),
        }
    }
    document.absent.push(Absent::new("a sandboxed program", "there is no sandbox layer yet"));
    document.judge();
    document
}
