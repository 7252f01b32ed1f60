//! The lines of the list, column by column, as records say them. The writer and the verifier take the
//! values from here. Pure.

use crate::journal::summary::{OutcomeSummary, Summary};
use rusqlite::types::Value;

/// Columns of the list that the end of a command sets, in a row.
pub(in crate::journal) const SET_AT_THE_END: std::ops::Range<usize> = 6..11;

/// Columns of the list.
pub(in crate::journal) const LINE: usize = 12;

/// The line of a command from its first record.
pub(in crate::journal) fn first_line(seq: i64, summary: &Summary) -> [Value; LINE] {
    let text = |text: &String| Value::Text(text.clone());
    let Summary { state, code, took_ms, bytes, .. } = *summary;
    let [state, code, took, bytes, end] = last_line(&OutcomeSummary { state, code, took_ms, bytes }, None);
    [
        Value::Integer(seq),
        Value::Integer(summary.at.cast_signed()),
        text(&summary.run),
        text(&summary.door),
        text(&summary.program),
        text(&summary.line),
        state,
        code,
        took,
        bytes,
        end,
        summary.runner.as_ref().map_or(Value::Null, text),
    ]
}

/// What the end of a command sets in its line.
pub(in crate::journal) fn last_line(outcome: &OutcomeSummary, end: Option<i64>) -> [Value; 5] {
    let number = |value: Option<i64>| value.map_or(Value::Null, Value::Integer);
    [
        Value::Integer(outcome.state.number()),
        number(outcome.code),
        number(outcome.took_ms.map(u64::cast_signed)),
        number(outcome.bytes.map(u64::cast_signed)),
        number(end),
    ]
}
