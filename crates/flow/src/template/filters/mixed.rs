//! Filters of text that was captured around an import or a command. May not touch either.
//!
//! The hazard: a filter that cuts, encodes or splits what a command prints or a file holds would make text of data, and
//! text of commands. So a filter either works on the text between them, or is refused.

use super::{FilterCall, FilterResult, TemplateFilter};
use crate::template::budget::FillTrouble;
use crate::template::output::{FilledStretch, FilledText};
use crate::template::value::LiquidValue;

/// Applies a filter, if its input or an argument is mixed.
pub(super) fn apply(filter: &TemplateFilter, call: &FilterCall<'_>) -> Option<FilterResult> {
    let is_mixed = |value: &LiquidValue| matches!(value, LiquidValue::Mixed(_));
    let by_argument = call.arguments.iter().any(is_mixed);
    if !is_mixed(call.input) && !by_argument {
        return None;
    }
    Some(match filter.name {
        "append" => joined(call.input, call.argument(0)),
        "prepend" => joined(call.argument(0), call.input),
        "default" => (filter.apply)(call),
        _ if by_argument => Err(FillTrouble::Cut),
        name => between(name, filter, call),
    })
}

fn joined(first: &LiquidValue, second: &LiquidValue) -> FilterResult {
    let mut whole = FilledText::default();
    whole.value(first).and_then(|()| whole.value(second))?;
    Ok(whole.into_value())
}

/// Filters the text around what is no text: all of it, or its ends.
fn between(name: &str, filter: &TemplateFilter, call: &FilterCall<'_>) -> FilterResult {
    let LiquidValue::Mixed(stretches) = call.input else { return Err(FillTrouble::Cut) };
    let last = stretches.len() - 1;
    let mut whole = FilledText::default();
    for (at, stretch) in stretches.iter().enumerate() {
        let concerns = match name {
            "upcase" | "downcase" | "strip_html" | "strip_newlines" | "escape" | "escape_once"
            | "newline_to_br" | "replace" | "remove" => true,
            "capitalize" | "lstrip" => at == 0,
            "rstrip" => at == last,
            "strip" => at == 0 || at == last,
            _ => return Err(FillTrouble::Cut),
        };
        match stretch {
            FilledStretch::Text(text) if concerns => {
                // White space goes only where the whole begins or ends.
                let one_end = match (name, at == 0) {
                    ("strip", true) => super::find("lstrip"),
                    ("strip", false) => super::find("rstrip"),
                    _ => None,
                };
                let input = &LiquidValue::text(text.as_str());
                whole.value(&(one_end.unwrap_or(filter).apply)(&FilterCall { input, ..*call })?)?;
            }
            other => whole.push(other)?,
        }
    }
    Ok(whole.into_value())
}
