//! A receipt as YAML for a model and as fields for a program.

use crate::answer::{Answer, Verdict};
use crate::resources;
use crate::trim;
use crate::veil::Veil;
use runward::core::output::{Encoding, Text};
use runward::core::render::Yaml;
use runward::{Receipt, StopCause, Stream};

/// The answer for a command that ran.
pub(super) fn render(receipt: &Receipt, veil: &Veil) -> Answer {
    let mut receipt = trim::receipt(receipt);
    let late = timeout_sentence(&receipt);
    let text = yaml(&receipt, late.as_deref(), veil).finish();
    let verdict = if late.is_some() { Verdict::Ill } else { Verdict::Well };
    receipt.notes.extend(late);
    let fields = veil.over_fields(serde_json::to_value(receipt.view()).unwrap_or_default());
    Answer { text, fields, verdict, meta: None }
}

/// A receipt for a model, with what is to be said about a time limit that was met.
pub(crate) fn yaml(receipt: &Receipt, late: Option<&str>, veil: &Veil) -> Yaml {
    let stdout = Text::of(&receipt.stdout.kept);
    let stderr = Text::of(&receipt.stderr.kept);
    let mut yaml = Yaml::default();
    yaml.plain("exit_code", receipt.end.exit_code())
        .text("stdout", &veil.over(&stdout.text))
        .text("stderr", &veil.over(&stderr.text));
    if let runward::How::Signaled(signal) = receipt.end.how {
        yaml.plain("signal", signal);
    }
    if late.is_some() {
        yaml.plain("timed_out", true);
    } else if let Some(cause) = receipt.end.stopped {
        yaml.plain("stopped", cause.name());
    }
    streams(&mut yaml, receipt, [stdout.encoding, stderr.encoding]);
    match receipt.end.leftovers.count() {
        Some(0) => {}
        Some(count) => drop(yaml.plain("leftovers", count)),
        None => drop(yaml.plain("leftovers", "unknown")),
    }
    if let Some(sentence) = late {
        yaml.text("error", sentence);
    }
    yaml
}

/// What is to be said about a stream beside its text.
fn streams(yaml: &mut Yaml, receipt: &Receipt, encodings: [Encoding; 2]) {
    let named = [("stdout", Stream::Stdout), ("stderr", Stream::Stderr)];
    for ((name, stream), encoding) in named.into_iter().zip(encodings) {
        let kept = &receipt.stream(stream).kept;
        if kept.missing() > 0 {
            yaml.plain(&format!("{name}_truncated"), true);
            yaml.plain(&format!("{name}_bytes"), kept.total);
            yaml.text(&format!("{name}_resource"), &resources::uri(receipt.id, stream));
        }
        if encoding == Encoding::Binary {
            yaml.plain(&format!("{name}_encoding"), encoding.name());
        }
    }
}

/// What to say about a command that was stopped at its time limit.
fn timeout_sentence(receipt: &Receipt) -> Option<String> {
    if receipt.end.stopped != Some(StopCause::Timeout) {
        return None;
    }
    let limit = receipt.limits.iter().find(|limit| limit.name == "timeout_ms").map(|limit| limit.value);
    let millis = limit.map_or(receipt.duration.as_millis(), u128::from);
    Some(format!(
        "Timed out after {millis}ms. The command may be waiting for input, or takes longer than that; use \
         `start_command` instead for interactive or long-running commands."
    ))
}
