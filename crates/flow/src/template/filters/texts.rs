//! Filters of texts. May not know what the text is for.

use super::{FilterCall, FilterResult, room_for, told};
use crate::template::budget::FillTrouble;
use crate::template::value::LiquidValue;
use unicode_segmentation::UnicodeSegmentation;

/// Where a text is cut when nobody says where.
const CUT_AT: i64 = 50;

pub(super) fn capitalize(call: &FilterCall<'_>) -> FilterResult {
    let text = call.text();
    let mut chars = text.chars();
    told(chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default())
}

pub(super) fn replaced(call: &FilterCall<'_>, with: &str) -> FilterResult {
    let (text, search) = (call.text(), call.word(0).unwrap_or_default());
    if !with.is_empty() {
        room_for(text.matches(&*search).count().saturating_mul(with.len()))?;
    }
    told(text.replace(&*search, with))
}

pub(super) fn replaced_first(call: &FilterCall<'_>, with: &str) -> FilterResult {
    told(call.text().replacen(&*call.word(0).unwrap_or_default(), with, 1))
}

pub(super) fn split(call: &FilterCall<'_>) -> FilterResult {
    let (text, between) = (call.text(), call.word(0).unwrap_or_default());
    if text.is_empty() {
        return Ok(LiquidValue::list([]));
    }
    // Each piece takes a value of its own, whatever is in it.
    room_for(text.matches(&*between).count().saturating_mul(size_of::<LiquidValue>()))?;
    Ok(LiquidValue::list(text.split(&*between).map(LiquidValue::text)))
}

/// At most so many characters, as people count them, with what stands for the rest.
pub(super) fn truncate(call: &FilterCall<'_>) -> FilterResult {
    let length = most(call)?;
    let rest = call.word(1).unwrap_or("...".into());
    let text = call.text();
    if text.graphemes(true).nth(length).is_none() {
        return Ok(call.input.clone());
    }
    let kept = length.saturating_sub(rest.graphemes(true).count());
    told(text.graphemes(true).take(kept).collect::<String>() + &rest)
}

/// At most so many words, with what stands for the rest.
pub(super) fn truncatewords(call: &FilterCall<'_>) -> FilterResult {
    let words = most(call)?;
    let rest = call.word(1).unwrap_or("...".into());
    let text = call.text();
    if text.split(' ').nth(words).is_none() {
        return Ok(call.input.clone());
    }
    told(text.split(' ').take(words).collect::<Vec<_>>().join(" ") + &rest)
}

/// A number of characters or words. Less than none is as many as there are.
fn most(call: &FilterCall<'_>) -> Result<usize, FillTrouble> {
    Ok(usize::try_from(call.whole(0)?.unwrap_or(CUT_AT)).unwrap_or(usize::MAX))
}
