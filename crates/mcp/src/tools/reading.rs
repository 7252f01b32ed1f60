//! What was read of a session, as an answer: shared by every tool that reads one.

use super::ToolCall;
use super::ran::{ending, leftovers};
use super::sheet::AnswerSheet;
use crate::answer::{CallVerdict, ToolAnswer};
use runward_engine::registry::{Live, ModelText, OutputReading, ReadAsk, SessionState, Streamed};
use serde_json::{Map, Value, json};

impl ToolCall {
    /// What to read for a model, within its budget.
    pub(super) fn ask(&self, max_chars: usize) -> ReadAsk {
        let model = if self.answers.plain { ModelText::Plain } else { ModelText::AsPrinted };
        ReadAsk { max_chars, hiding: self.veil.hiding(), model: Some(model), ..ReadAsk::default() }
    }

    /// Lines that were searched for come as they were printed; everything else is masked already.
    fn shown(&self, stream: &Streamed) -> String {
        if stream.lines.is_empty() {
            stream.text.clone()
        } else {
            self.veil.over_part(&stream.text).into_owned()
        }
    }

    /// Writes down what was read and the state of the session.
    pub(super) fn tell(&self, sheet: &mut AnswerSheet, reading: &OutputReading) {
        let code = match (&reading.receipt, reading.recalled_code) {
            (Some(receipt), _) => {
                ending(sheet, receipt);
                None
            }
            (None, code) => Some(code),
        };
        if let Some(code) = code {
            sheet.plain("exit_code", code);
        }
        let streams = [("stdout", &reading.stdout), ("stderr", &reading.stderr)];
        let read: Vec<(&str, &Streamed)> =
            streams.into_iter().filter_map(|(name, stream)| Some((name, stream.as_ref()?))).collect();
        for (name, stream) in &read {
            // A stream that says nothing is worth a line only where it is the only one.
            if *name == "stdout" || read.len() == 1 || !stream.text.is_empty() {
                sheet.text(name, self.shown(stream));
            }
        }
        sheet.plain("state", state(reading, &read));
        remarks(sheet, &read);
        if let Some(receipt) = &reading.receipt {
            leftovers(sheet, receipt);
        }
    }
}

/// What it is doing. A program with its own line editor waits for input like any other.
fn state(reading: &OutputReading, read: &[(&str, &Streamed)]) -> &'static str {
    let lost = read.iter().any(|(_, stream)| stream.missing > 0 && stream.text.is_empty());
    match reading.state {
        _ if lost => "lost",
        SessionState::LineEditor => SessionState::WaitingInput.name(),
        state => state.name(),
    }
}

/// Remarks about streams beside their texts.
fn remarks(sheet: &mut AnswerSheet, read: &[(&str, &Streamed)]) {
    let left = read.iter().filter(|(_, stream)| stream.left > 0);
    let next: Map<String, Value> =
        left.map(|(name, stream)| ((*name).to_owned(), json!(stream.next))).collect();
    if !next.is_empty() {
        sheet.value("next_offset", Value::Object(next));
    }
    for (name, stream) in read {
        if !stream.lines.is_empty() {
            let offsets: Vec<u64> = stream.lines.iter().map(|line| line.offset).collect();
            sheet.value(&format!("{name}_offsets"), json!(offsets));
        }
        for (what, bytes) in [("missing", stream.missing), ("left", stream.left)] {
            if bytes > 0 {
                sheet.plain(&format!("{name}_{what}"), bytes);
            }
        }
        if stream.binary {
            sheet.plain(&format!("{name}_encoding"), "binary");
        }
    }
}

/// The answer for a command that lasts: it goes on as a session.
pub(super) async fn goes_on(
    live: &Live,
    max_chars: usize,
    limit: Option<u64>,
    call: &ToolCall,
) -> ToolAnswer {
    let reading = live.read(&call.ask(max_chars)).await;
    let mut sheet = AnswerSheet::default();
    call.tell(&mut sheet, &reading);
    let id = live.id();
    let until = limit.map(|millis| format!(" until {} s are over", millis / 1000)).unwrap_or_default();
    let note = format!(
        "It goes on as session {id}{until}: wait_command {{\"sessionId\":\"{id}\",\"until\":\"exit\"}}"
    );
    sheet.text("id", id).notes(vec![note]);
    sheet.answer(CallVerdict::Well)
}
