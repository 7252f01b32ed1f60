//! Whether values are equal, which comes first, and what is in what. May not change any.

use super::value::{LiquidValue, ScalarView};
use std::cmp::Ordering;
use std::sync::Arc;

/// Liquid's equality: numbers by their value, `true` like everything but `false` and nothing, `empty` and `blank` like
/// what is so.
pub(super) fn equal(left: &LiquidValue, right: &LiquidValue) -> bool {
    use LiquidValue as V;
    match (left, right) {
        (V::List(one), V::List(two)) => {
            one.len() == two.len() && one.iter().zip(two.iter()).all(|(one, two)| equal(one, two))
        }
        (V::Map(one), V::Map(two)) => {
            let same = |(key, value): &(Arc<str>, V)| right.get(key).is_some_and(|other| equal(other, value));
            one.len() == two.len() && one.iter().all(same)
        }
        (V::Nil, V::Nil) => true,
        (V::Empty, other) | (other, V::Empty) => other.is_empty(),
        (V::Blank, other) | (other, V::Blank) => other.is_blank(),
        _ => match (left.scalar(), right.scalar()) {
            (Some(one), Some(two)) => same_scalar(one, two),
            (Some(one), None) => like_a_bool(one, right),
            (None, Some(two)) => like_a_bool(two, left),
            (None, None) => false,
        },
    }
}

fn same_scalar(left: ScalarView<'_>, right: ScalarView<'_>) -> bool {
    match (left, right) {
        (ScalarView::Bool(one), ScalarView::Bool(two)) => one == two,
        (ScalarView::Bool(yes), _) | (_, ScalarView::Bool(yes)) => yes,
        _ => order_of_scalars(left, right) == Some(Ordering::Equal),
    }
}

/// A scalar beside nothing, a list or a map: only `true` and `false` can be like one.
fn like_a_bool(scalar: ScalarView<'_>, other: &LiquidValue) -> bool {
    scalar == ScalarView::Bool(!matches!(other, LiquidValue::Nil))
}

/// Which comes first, where the two can be compared.
pub(super) fn order(left: &LiquidValue, right: &LiquidValue) -> Option<Ordering> {
    if let (Some(one), Some(two)) = (left.scalar(), right.scalar()) {
        return order_of_scalars(one, two);
    }
    match (left, right) {
        (LiquidValue::List(one), LiquidValue::List(two)) => {
            let pairs = one.iter().zip(two.iter()).map(|(one, two)| order_of_items(one, two));
            first_difference(pairs, one.len().cmp(&two.len()))
        }
        (LiquidValue::Map(one), LiquidValue::Map(two)) => {
            let pairs = one.iter().zip(two.iter()).map(|(one, two)| match one.0.cmp(&two.0) {
                Ordering::Equal => order_of_items(&one.1, &two.1),
                other => Some(other),
            });
            first_difference(pairs, one.len().cmp(&two.len()))
        }
        _ => None,
    }
}

/// Nothing is beside nothing in a list, though neither comes first alone.
fn order_of_items(left: &LiquidValue, right: &LiquidValue) -> Option<Ordering> {
    match (left, right) {
        (LiquidValue::Nil, LiquidValue::Nil) => Some(Ordering::Equal),
        _ => order(left, right),
    }
}

fn first_difference(pairs: impl Iterator<Item = Option<Ordering>>, otherwise: Ordering) -> Option<Ordering> {
    pairs.into_iter().find(|pair| *pair != Some(Ordering::Equal)).unwrap_or(Some(otherwise))
}

fn order_of_scalars(left: ScalarView<'_>, right: ScalarView<'_>) -> Option<Ordering> {
    match (left, right) {
        (ScalarView::Integer(one), ScalarView::Integer(two)) => Some(one.cmp(&two)),
        (ScalarView::Text(one), ScalarView::Text(two)) => Some(one.cmp(two)),
        (ScalarView::Bool(one), ScalarView::Bool(two)) => Some(one.cmp(&two)),
        (ScalarView::Integer(_) | ScalarView::Float(_), ScalarView::Integer(_) | ScalarView::Float(_)) => {
            left.float()?.partial_cmp(&right.float()?)
        }
        _ => None,
    }
}

/// An order of all values, for sorting: what cannot be compared is sorted by its kind, nothing comes last. It has no
/// circles, which a sort would answer with a panic.
pub(super) fn sorting(left: &LiquidValue, right: &LiquidValue) -> Ordering {
    kind(left).cmp(&kind(right)).then_with(|| match (left, right) {
        (LiquidValue::List(one), LiquidValue::List(two)) => {
            let inside = one.iter().zip(two.iter()).map(|(one, two)| sorting(one, two));
            inside.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&two.len()))
        }
        (LiquidValue::Map(one), LiquidValue::Map(two)) => {
            let inside = one.iter().zip(two.iter());
            let inside = inside.map(|(one, two)| one.0.cmp(&two.0).then_with(|| sorting(&one.1, &two.1)));
            inside.fold(Ordering::Equal, Ordering::then).then(one.len().cmp(&two.len()))
        }
        _ => match (left.scalar(), right.scalar()) {
            (Some(one), Some(two)) => sorting_of_scalars(one, two),
            _ => Ordering::Equal,
        },
    })
}

fn kind(value: &LiquidValue) -> u8 {
    match (value.scalar(), value) {
        (Some(ScalarView::Integer(_) | ScalarView::Float(_)), _) => 0,
        (Some(ScalarView::Text(_)), _) => 1,
        (Some(ScalarView::Bool(_)), _) => 2,
        (None, LiquidValue::List(_)) => 3,
        (None, LiquidValue::Map(_)) => 4,
        (None, _) => 5,
    }
}

fn sorting_of_scalars(left: ScalarView<'_>, right: ScalarView<'_>) -> Ordering {
    match (left, right) {
        (ScalarView::Integer(_) | ScalarView::Float(_), ScalarView::Integer(_) | ScalarView::Float(_)) => {
            // Two whole numbers may be one as floats: those are told apart last, or there would be a circle.
            let float = |one: ScalarView<'_>| one.float().unwrap_or_default();
            let key = |one: ScalarView<'_>| (one.integer().is_none(), one.integer());
            float(left).total_cmp(&float(right)).then_with(|| key(left).cmp(&key(right)))
        }
        _ => order_of_scalars(left, right).unwrap_or(Ordering::Equal),
    }
}

/// Whether a text has another in it, a map a key, a list an item. Nothing contains nothing.
pub(super) fn contains(left: &LiquidValue, right: &LiquidValue) -> bool {
    match left {
        LiquidValue::List(items) => items.iter().any(|item| equal(item, right)),
        LiquidValue::Map(_) => right.scalar().is_some() && left.get(&right.shown()).is_some(),
        LiquidValue::Nil | LiquidValue::Empty | LiquidValue::Blank => false,
        other => other.shown().contains(&*right.shown()),
    }
}
