//! Filters of lists, and those that take whatever they are given. May not change an item.

use super::{FilterCall, FilterResult, room_for, told, unfit};
use crate::template::budget::FillTrouble;
use crate::template::compare::{equal, sorting};
use crate::template::value::LiquidValue;

pub(super) fn list<'v>(items: impl IntoIterator<Item = &'v LiquidValue>) -> FilterResult {
    Ok(LiquidValue::list(items.into_iter().cloned()))
}

/// The items of a list; anything else is one item, and nothing none.
fn sequence<'c>(call: &FilterCall<'c>) -> &'c [LiquidValue] {
    call.input.items().unwrap_or(std::slice::from_ref(call.input))
}

/// The value of a map under a key. What is no map has none.
fn property<'v>(item: &'v LiquidValue, key: &str) -> &'v LiquidValue {
    item.get(key).unwrap_or(&LiquidValue::Nil)
}

fn is_map(item: &LiquidValue) -> bool {
    matches!(item, LiquidValue::Map(_))
}

fn all_maps(items: &[LiquidValue]) -> Result<(), FillTrouble> {
    if items.iter().all(is_map) { Ok(()) } else { Err(unfit("takes a list of maps when it is given a key")) }
}

pub(super) fn default(call: &FilterCall<'_>) -> FilterResult {
    Ok(if call.input.is_default() { call.argument(0).clone() } else { call.input.clone() })
}

/// One end of a list or of a text.
pub(super) fn end<'c>(
    call: &FilterCall<'c>,
    of_text: fn(&str) -> Option<char>,
    of_list: fn(&'c [LiquidValue]) -> Option<&'c LiquidValue>,
) -> FilterResult {
    if call.input.scalar().is_some() {
        return told(of_text(&call.text()).map(String::from).unwrap_or_default());
    }
    Ok(of_list(call.list()?).cloned().unwrap_or(LiquidValue::Nil))
}

pub(super) fn join(call: &FilterCall<'_>) -> FilterResult {
    let items = call.list()?;
    let between = call.word(0).unwrap_or(" ".into());
    room_for(between.len().saturating_mul(items.len()))?;
    told(items.iter().map(LiquidValue::shown).collect::<Vec<_>>().join(&between))
}

pub(super) fn concat(call: &FilterCall<'_>) -> FilterResult {
    let more = call.argument(0).items();
    let more = more.ok_or_else(|| unfit(format!("takes a list, not `{}`", call.argument(0).shown())))?;
    list(call.list()?.iter().chain(more))
}

/// Each item once. The list of those that were seen is gone through for each, so it may not be long without end.
pub(super) fn uniq(call: &FilterCall<'_>) -> FilterResult {
    let items = call.list()?;
    let mut once: Vec<&LiquidValue> = Vec::new();
    for item in items {
        if !once.iter().any(|known| equal(known, item)) {
            once.push(item);
            room_for(once.len().saturating_mul(items.len()))?;
        }
    }
    list(once)
}

pub(super) fn compact(call: &FilterCall<'_>) -> FilterResult {
    let items = call.list()?;
    let Some(key) = call.word(0) else {
        return list(items.iter().filter(|item| !matches!(item, LiquidValue::Nil)));
    };
    all_maps(items)?;
    list(items.iter().filter(|item| !matches!(property(item, &key), LiquidValue::Nil)))
}

pub(super) fn map(call: &FilterCall<'_>) -> FilterResult {
    let key = call.word(0).unwrap_or_default();
    list(call.list()?.iter().filter_map(|item| item.get(&key)))
}

/// `where`: the maps whose value under a key is this one, or is anything but false and nothing.
pub(super) fn select(call: &FilterCall<'_>) -> FilterResult {
    let key = call.word(0).unwrap_or_default();
    let items = sequence(call);
    if call.input.items().is_none() && !is_map(call.input) {
        return Err(unfit(format!("takes a list of maps, not `{}`", call.text())));
    }
    if !items.iter().all(is_map) {
        return Ok(LiquidValue::Nil);
    }
    let wanted = call.arguments.get(1);
    list(items.iter().filter(|item| match (item.get(&key), wanted) {
        (Some(value), Some(wanted)) => equal(wanted, value),
        (Some(value), None) => value.is_truthy(),
        (None, _) => false,
    }))
}

pub(super) fn sort(call: &FilterCall<'_>) -> FilterResult {
    let mut items = sequence(call).to_vec();
    match call.word(0) {
        Some(key) => {
            all_maps(&items)?;
            items.sort_by(|one, two| sorting(property(one, &key), property(two, &key)));
        }
        None => items.sort_by(sorting),
    }
    Ok(LiquidValue::list(items))
}

/// Without regard to case.
pub(super) fn sort_natural(call: &FilterCall<'_>) -> FilterResult {
    let mut items = sequence(call).to_vec();
    let key = call.word(0);
    if key.is_some() {
        all_maps(&items)?;
    }
    items.sort_by_cached_key(|item| {
        let value = key.as_ref().map_or(item, |key| property(item, key));
        (matches!(value, LiquidValue::Nil), value.shown().to_lowercase())
    });
    Ok(LiquidValue::list(items))
}

/// A part of a list or of a text: from here, this many, or one.
pub(super) fn slice(call: &FilterCall<'_>) -> FilterResult {
    let (offset, length) = (call.whole(0)?.unwrap_or(0), call.whole(1)?.unwrap_or(1));
    if length < 1 {
        return Err(unfit(format!("takes a length of at least 1, not `{length}`")));
    }
    let take = usize::try_from(length).unwrap_or(usize::MAX);
    // Before the beginning there is nothing.
    let skip = |size: usize| match offset {
        0.. => usize::try_from(offset).unwrap_or(usize::MAX),
        _ => usize::try_from(offset + i64::try_from(size).unwrap_or(i64::MAX)).unwrap_or(usize::MAX),
    };
    if let LiquidValue::List(items) = call.input {
        return list(items.iter().skip(skip(items.len())).take(take));
    }
    let text = call.text();
    told(text.chars().skip(skip(text.chars().count())).take(take).collect::<String>())
}
