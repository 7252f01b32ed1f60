//! How Liquid sees our values. May not change them on the way.

use super::Datum;
use liquid_core::model::{ArrayView, DisplayCow, KStringCow, ScalarCow, State};
use liquid_core::{ObjectView, Value, ValueView};
use std::fmt;

/// A number as Liquid counts with it.
fn number(text: &str) -> Option<ScalarCow<'static>> {
    let whole = text.parse::<i64>().map(ScalarCow::new).ok();
    whole.or_else(|| text.parse::<f64>().ok().filter(|float| float.is_finite()).map(ScalarCow::new))
}

impl ValueView for Datum {
    fn as_debug(&self) -> &dyn fmt::Debug {
        self
    }

    fn render(&self) -> DisplayCow<'_> {
        DisplayCow::Borrowed(self)
    }

    fn source(&self) -> DisplayCow<'_> {
        DisplayCow::Borrowed(self)
    }

    fn type_name(&self) -> &'static str {
        match self {
            Datum::Nil => "nil",
            Datum::Bool(_) => "yes or no",
            Datum::Number(_) => "number",
            Datum::Text(_) => "text",
            Datum::List(_) => "list",
            Datum::Map(_) => "map",
        }
    }

    fn query_state(&self, state: State) -> bool {
        let empty = match self {
            Datum::Nil => true,
            Datum::Text(text) if state == State::Blank => text.trim().is_empty(),
            Datum::Text(text) => text.is_empty(),
            Datum::List(items) => items.is_empty(),
            Datum::Map(entries) => entries.is_empty(),
            Datum::Bool(yes) => !yes && state != State::Empty,
            Datum::Number(_) => false,
        };
        match state {
            State::Truthy => !matches!(self, Datum::Nil | Datum::Bool(false)),
            State::DefaultValue | State::Empty | State::Blank => empty,
        }
    }

    fn to_kstr(&self) -> KStringCow<'_> {
        match self {
            Datum::Text(text) | Datum::Number(text) => KStringCow::from_ref(text),
            _ => KStringCow::from_string(self.to_string()),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Datum::Nil => Value::Nil,
            Datum::Bool(yes) => Value::scalar(*yes),
            // Liquid writes `1.0` as `1`: a copy of such a number is its text.
            Datum::Number(text) => match number(text) {
                Some(scalar) if scalar.to_kstr() == text.as_str() => Value::Scalar(scalar.into_owned()),
                _ => Value::scalar(text.clone()),
            },
            Datum::Text(text) => Value::scalar(text.clone()),
            Datum::List(items) => Value::Array(items.iter().map(ValueView::to_value).collect()),
            Datum::Map(entries) => Value::Object(
                entries.iter().map(|(key, value)| (key.clone().into(), value.to_value())).collect(),
            ),
        }
    }

    fn as_scalar(&self) -> Option<ScalarCow<'_>> {
        match self {
            Datum::Bool(yes) => Some(ScalarCow::new(*yes)),
            Datum::Number(text) => number(text).or_else(|| Some(ScalarCow::new(text.as_str()))),
            Datum::Text(text) => Some(ScalarCow::new(text.as_str())),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<&dyn ArrayView> {
        // Nil is an empty list too: `nil contains 'a'` is false, where the crate would stop.
        matches!(self, Datum::List(_) | Datum::Nil).then_some(self as &dyn ArrayView)
    }

    fn as_object(&self) -> Option<&dyn ObjectView> {
        matches!(self, Datum::Map(_)).then_some(self as &dyn ObjectView)
    }

    fn is_nil(&self) -> bool {
        *self == Datum::Nil
    }
}

fn items(datum: &Datum) -> &[Datum] {
    match datum {
        Datum::List(items) => items,
        _ => &[],
    }
}

fn entries(datum: &Datum) -> &[(String, Datum)] {
    match datum {
        Datum::Map(entries) => entries,
        _ => &[],
    }
}

fn length<T>(slice: &[T]) -> i64 {
    i64::try_from(slice.len()).unwrap_or(i64::MAX)
}

impl ArrayView for Datum {
    fn as_value(&self) -> &dyn ValueView {
        self
    }

    fn size(&self) -> i64 {
        length(items(self))
    }

    fn values<'k>(&'k self) -> Box<dyn Iterator<Item = &'k dyn ValueView> + 'k> {
        Box::new(items(self).iter().map(|item| item as &dyn ValueView))
    }

    fn contains_key(&self, index: i64) -> bool {
        ArrayView::get(self, index).is_some()
    }

    fn get(&self, index: i64) -> Option<&dyn ValueView> {
        let items = items(self);
        let from_end = index.checked_add(length(items))?;
        let at = usize::try_from(if index < 0 { from_end } else { index }).ok()?;
        items.get(at).map(|item| item as &dyn ValueView)
    }
}

impl ObjectView for Datum {
    fn as_value(&self) -> &dyn ValueView {
        self
    }

    fn size(&self) -> i64 {
        length(entries(self))
    }

    fn keys<'k>(&'k self) -> Box<dyn Iterator<Item = KStringCow<'k>> + 'k> {
        Box::new(entries(self).iter().map(|(key, _)| KStringCow::from_ref(key)))
    }

    fn values<'k>(&'k self) -> Box<dyn Iterator<Item = &'k dyn ValueView> + 'k> {
        Box::new(entries(self).iter().map(|(_, value)| value as &dyn ValueView))
    }

    fn iter<'k>(&'k self) -> Box<dyn Iterator<Item = (KStringCow<'k>, &'k dyn ValueView)> + 'k> {
        Box::new(
            entries(self).iter().map(|(key, value)| (KStringCow::from_ref(key), value as &dyn ValueView)),
        )
    }

    fn contains_key(&self, index: &str) -> bool {
        Datum::get(self, index).is_some()
    }

    fn get<'s>(&'s self, index: &str) -> Option<&'s dyn ValueView> {
        Datum::get(self, index).map(|value| value as &dyn ValueView)
    }
}
