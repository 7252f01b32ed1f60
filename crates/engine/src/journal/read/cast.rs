//! A terminal's output as a recording: asciicast, version 2. Pure.

use crate::journal::record::BeginRecord;
use crate::journal::summary::line;
use runward_core::output::Utf8Stream;
use serde_json::{Value, json};

/// The lines of a recording: a head, then an event for each moment.
pub fn cast(begin: &BeginRecord<'_>, output: &[u8], beats: &[(u64, u64)]) -> Vec<String> {
    let (rows, cols) = begin.terminal.unwrap_or((24, 80));
    let head = json!({
        "version": 2, "width": cols, "height": rows, "timestamp": begin.at / 1000, "title": line(&begin.asked),
        "env": {"TERM": "xterm-256color"},
    });
    let mut lines = vec![head.to_string()];
    let (mut decoder, mut from) = (Utf8Stream::default(), 0);
    let len = output.len();
    // Output after the last known moment belongs to it.
    let last = beats.last().map_or(0, |(at, _)| *at);
    let moments = beats.iter().copied().chain([(last, len as u64)]);
    for (at, until) in moments {
        let until = usize::try_from(until).unwrap_or(len).min(len);
        if until <= from {
            continue;
        }
        let mut text = String::new();
        decoder.push(&output[from..until], &mut text);
        from = until;
        if from == len {
            // Half a character at the end is included too.
            decoder.finish(&mut text);
        }
        if !text.is_empty() {
            lines.push(Value::from(vec![seconds(at), json!("o"), json!(text)]).to_string());
        }
    }
    lines
}

fn seconds(millis: u64) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "a recording of a thousand years is exact enough")]
    let seconds = millis as f64 / 1000.0;
    json!(seconds)
}
