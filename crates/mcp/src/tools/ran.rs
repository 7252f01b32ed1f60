//! The answer about a command that ran to its end: its ending first, then what it printed, as far as that fits.
//!
//! May not say whether it succeeded: the exit code does.

use super::ToolCall;
use super::sheet::AnswerSheet;
use crate::answer::{CallVerdict, ToolAnswer};
use runward_engine::core::digest::{
    AnswerInput, AnswerLimits, CommandEnding, StreamInput, StreamPiece, answer,
};
use runward_engine::core::output::{Encoding, KeptOutput};
use runward_engine::core::policy::commands_of;
use runward_engine::core::spec::Program;
use runward_engine::{EndedBy, Receipt, StopCause};
use serde_json::{Value, json};

/// What the answer is about.
pub(crate) struct RanAnswer<'a> {
    pub(crate) receipt: &'a Receipt,
    /// What was asked for: what it comes to says which formats its output may have.
    pub(crate) asked: &'a Program,
    /// Characters of the answer.
    pub(crate) max_chars: usize,
    /// How a caller gives a command more time.
    pub(crate) longer: &'static str,
}

impl RanAnswer<'_> {
    /// The whole answer.
    pub(crate) fn render(&self, call: &ToolCall) -> ToolAnswer {
        let (sheet, verdict) = self.sheet(call, Vec::new());
        let mut answer = sheet.answer(verdict);
        answer.meta = Some(self.meta(call));
        answer
    }

    /// Everything else of the receipt: for programs, no model sees it.
    pub(crate) fn meta(&self, call: &ToolCall) -> Value {
        let facts = serde_json::to_value(self.receipt.facts()).unwrap_or_default();
        // Not by `json!`, which would copy it.
        Value::Object([("runward/receipt".to_owned(), call.veil.over_fields(facts))].into_iter().collect())
    }

    /// The answer's keys, with further notes.
    pub(crate) fn sheet(&self, call: &ToolCall, mut notes: Vec<String>) -> (AnswerSheet, CallVerdict) {
        let (receipt, late) = (self.receipt, self.timeout_sentence());
        let id = receipt.id.to_string();
        let said = self.digest(call, &id);
        let mut sheet = AnswerSheet::default();
        ending(&mut sheet, receipt);
        sheet.text("stdout", said.stdout).text("stderr", said.stderr);
        encodings(&mut sheet, receipt);
        let verdict = if late.is_some() { CallVerdict::Ill } else { CallVerdict::Well };
        if let Some(sentence) = late {
            sheet.text("error", sentence);
        }
        if said.is_partial {
            sheet.text("id", id);
        }
        sheet.value("results", said.results.map_or(Value::Null, |results| json!(results)));
        leftovers(&mut sheet, receipt);
        // What the keys say already needs no sentence.
        let known = runward_engine::core::render::notes(&receipt.end);
        let own = receipt.notes.iter().filter(|note| !known.contains(note));
        let own = own.map(|note| call.veil.over(note).into_owned());
        notes.splice(0..0, said.notes.into_iter().chain(own));
        sheet.notes(notes);
        (sheet, verdict)
    }

    /// The sentence about a command that was stopped at its time limit.
    fn timeout_sentence(&self) -> Option<String> {
        let receipt = self.receipt;
        if receipt.end.stopped != Some(StopCause::Timeout) {
            return None;
        }
        let limit = receipt.limits.iter().find(|limit| limit.name == "timeout_ms").map(|limit| limit.value);
        let millis = limit.map_or(receipt.duration.as_millis(), u128::from);
        Some(format!("Timed out after {millis}ms. {}", self.longer))
    }

    fn digest(&self, call: &ToolCall, id: &str) -> runward_engine::core::digest::StreamAnswers {
        let answers = &call.answers;
        let limits = AnswerLimits {
            max_chars: self.max_chars,
            digest: answers.digest,
            digest_from: answers.digest_from,
            plain: answers.plain,
        };
        let (out, err) = (&self.receipt.stdout.kept, &self.receipt.stderr.kept);
        // Reading a script again is worth it only where its output may be digested.
        let may_digest = limits.digest && out.total.max(err.total) >= limits.digest_from as u64;
        let programs = if may_digest { commands_of(self.asked) } else { Vec::new() };
        let redactor = call.veil.hiding();
        answer(&AnswerInput {
            id,
            stdout: StreamInput { pieces: &pieces(out), total: out.total, binary: false },
            stderr: StreamInput { pieces: &pieces(err), total: err.total, binary: false },
            programs: &programs,
            ending: ending_of(self.receipt),
            limits,
            redactor: redactor.as_ref(),
        })
    }
}

/// Head and tail of a stream, with what lies between them.
fn pieces(kept: &KeptOutput) -> Vec<StreamPiece<'_>> {
    let tail_at = kept.total - kept.tail.len() as u64;
    let all =
        [StreamPiece { offset: 0, bytes: &kept.head }, StreamPiece { offset: tail_at, bytes: &kept.tail }];
    all.into_iter().filter(|piece| !piece.bytes.is_empty()).collect()
}

fn ending_of(receipt: &Receipt) -> CommandEnding {
    match (receipt.end.stopped, receipt.end.how) {
        (Some(StopCause::Timeout), _) => CommandEnding::TimedOut,
        (Some(_), _) | (None, EndedBy::Unknown) => CommandEnding::Stopped,
        (None, EndedBy::Exited(code)) => CommandEnding::Exit(code),
        (None, EndedBy::Signaled(_)) => CommandEnding::Signal,
    }
}

/// How it ended, exactly.
pub(super) fn ending(sheet: &mut AnswerSheet, receipt: &Receipt) {
    sheet.plain("exit_code", receipt.end.own_exit_code());
    let timed_out = receipt.end.stopped == Some(StopCause::Timeout);
    if let Some(signal) = receipt.end.signal().filter(|_| !timed_out) {
        sheet.plain("signal", signal.to_string());
    }
    match receipt.end.stopped {
        Some(StopCause::Timeout) => drop(sheet.plain("timed_out", true)),
        Some(cause) => drop(sheet.plain("stopped", cause.name())),
        None => {}
    }
}

/// Which streams are no text: their backslashes are escapes.
fn encodings(sheet: &mut AnswerSheet, receipt: &Receipt) {
    for (name, stream) in [("stdout_encoding", &receipt.stdout), ("stderr_encoding", &receipt.stderr)] {
        if Encoding::of(&stream.kept) == Encoding::Binary {
            sheet.plain(name, Encoding::Binary.name());
        }
    }
}

/// What outlived it, where anything did.
pub(super) fn leftovers(sheet: &mut AnswerSheet, receipt: &Receipt) {
    match receipt.end.leftovers.count() {
        Some(0) => {}
        Some(count) => drop(sheet.plain("leftovers", count)),
        None => drop(sheet.plain("leftovers", "unknown")),
    }
}
