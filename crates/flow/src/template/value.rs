//! The values that templates compute with. May not know tags or filters.

use super::output::FilledStretch;
use crate::front::Value;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::sync::Arc;

/// A value while a template is filled. A copy of one is cheap, whatever it holds.
#[derive(Debug, Clone)]
pub(super) enum LiquidValue {
    Nil,
    /// The word `empty`, which other values are compared with.
    Empty,
    /// The word `blank`, likewise.
    Blank,
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A number in a spelling that is not ours: `1.0`.
    Written(Arc<str>),
    Text(Arc<str>),
    List(Arc<[LiquidValue]>),
    Map(Arc<[(Arc<str>, LiquidValue)]>),
    /// Text that was captured around imports or commands. It is never in a list or a map.
    Mixed(Arc<[FilledStretch]>),
}

/// A value that is neither a list nor a map, as it is counted and compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ScalarView<'v> {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(&'v str),
}

impl ScalarView<'_> {
    pub(super) fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(number),
            Self::Text(text) => text.parse().ok(),
            Self::Bool(_) | Self::Float(_) => None,
        }
    }

    pub(super) fn float(self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(number as f64),
            Self::Float(number) => Some(number),
            Self::Text(text) => text.parse().ok(),
            Self::Bool(_) => None,
        }
    }
}

impl LiquidValue {
    pub(super) fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A count of something.
    pub(super) fn count(count: usize) -> Self {
        Self::Integer(i64::try_from(count).unwrap_or(i64::MAX))
    }

    pub(super) fn scalar(&self) -> Option<ScalarView<'_>> {
        match self {
            Self::Bool(yes) => Some(ScalarView::Bool(*yes)),
            Self::Integer(number) => Some(ScalarView::Integer(*number)),
            Self::Float(number) => Some(ScalarView::Float(*number)),
            Self::Written(text) => Some(number(text).unwrap_or(ScalarView::Text(text))),
            Self::Text(text) => Some(ScalarView::Text(text)),
            Self::Nil | Self::Empty | Self::Blank | Self::List(_) | Self::Map(_) | Self::Mixed(_) => None,
        }
    }

    /// The items of a list. Nothing is a list without items.
    pub(super) fn items(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            Self::Nil => Some(&[]),
            _ => None,
        }
    }

    pub(super) fn entries(&self) -> Option<&[(Arc<str>, Self)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value under a key, where this is a map.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|(known, _)| **known == *key).map(|(_, value)| value)
    }

    /// What stands behind a dot or in brackets: an item, a value by its key, `first`, `last`, `size`.
    pub(super) fn part(&self, key: ScalarView<'_>) -> Option<Self> {
        let word = shown(key);
        let known = match self {
            Self::List(items) => match (key.integer(), &*word) {
                (Some(index), _) => return item(items, index),
                (None, "first") => items.first(),
                (None, "last") => items.last(),
                _ => None,
            },
            _ => self.get(&word),
        };
        let size = || (word == "size").then(|| self.size());
        known.cloned().or_else(size)
    }

    /// How many items or entries there are, or characters.
    pub(super) fn size(&self) -> Self {
        Self::count(match self {
            Self::List(items) => items.len(),
            Self::Map(entries) => entries.len(),
            other => other.shown().chars().count(),
        })
    }

    /// As a template writes it: nothing for nil, lists without anything between, maps as JSON.
    pub(super) fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Nil | Self::Empty | Self::Blank => Cow::Borrowed(""),
            Self::Written(text) | Self::Text(text) => Cow::Borrowed(text),
            Self::Bool(yes) => Cow::Owned(yes.to_string()),
            Self::Integer(number) => Cow::Owned(number.to_string()),
            Self::Float(number) => Cow::Owned(number.to_string()),
            Self::List(items) => Cow::Owned(items.iter().map(Self::shown).collect()),
            Self::Map(_) => Cow::Owned(self.to_json().to_string()),
            Self::Mixed(stretches) => Cow::Owned(stretches.iter().map(visible).collect()),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        match self {
            Self::Nil | Self::Empty | Self::Blank => Json::Null,
            Self::Bool(yes) => (*yes).into(),
            Self::Integer(number) => (*number).into(),
            Self::Float(number) => (*number).into(),
            Self::Written(text) => Value::Number(text.to_string()).to_json(),
            Self::Text(text) => Json::from(&**text),
            Self::Mixed(_) => Json::from(&*self.shown()),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(entries) => {
                entries.iter().map(|(key, value)| (key.to_string(), value.to_json())).collect()
            }
        }
    }

    pub(super) fn is_truthy(&self) -> bool {
        !matches!(self, Self::Nil | Self::Empty | Self::Blank | Self::Bool(false))
    }

    /// Whether `default` stands in for it.
    pub(super) fn is_default(&self) -> bool {
        self.is_empty() || matches!(self, Self::Bool(false))
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Nil | Self::Empty | Self::Blank => true,
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            Self::Bool(_) | Self::Integer(_) | Self::Float(_) | Self::Written(_) | Self::Mixed(_) => false,
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Text(text) => text.trim().is_empty(),
            other => other.is_default(),
        }
    }

    /// About how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        16 + match self {
            Self::Written(text) | Self::Text(text) => text.len(),
            Self::List(items) => items.iter().map(Self::weight).sum(),
            Self::Map(entries) => entries.iter().map(|(key, value)| key.len() + value.weight()).sum(),
            Self::Mixed(stretches) => stretches.iter().map(FilledStretch::weight).sum(),
            _ => 0,
        }
    }
}

/// What comparisons see of a stretch: data and commands are not looked into.
fn visible(stretch: &FilledStretch) -> &str {
    match stretch {
        FilledStretch::Text(text) => text,
        FilledStretch::Data(_) | FilledStretch::Command(_) => "\u{FFFC}",
    }
}

/// A number as it is counted with.
fn number(text: &str) -> Option<ScalarView<'static>> {
    let whole = text.parse().map(ScalarView::Integer).ok();
    whole.or_else(|| text.parse().ok().filter(|float: &f64| float.is_finite()).map(ScalarView::Float))
}

fn shown(scalar: ScalarView<'_>) -> Cow<'_, str> {
    match scalar {
        ScalarView::Text(text) => Cow::Borrowed(text),
        ScalarView::Bool(yes) => Cow::Owned(yes.to_string()),
        ScalarView::Integer(number) => Cow::Owned(number.to_string()),
        ScalarView::Float(number) => Cow::Owned(number.to_string()),
    }
}

/// An item, counted from 0, or from the end with -1.
fn item(items: &[LiquidValue], index: i64) -> Option<LiquidValue> {
    let length = i64::try_from(items.len()).ok()?;
    let at = if index < 0 { index.checked_add(length)? } else { index };
    items.get(usize::try_from(at).ok()?).cloned()
}

impl From<&Value> for LiquidValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nil,
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Number(text) => match number(text) {
                Some(ScalarView::Integer(number)) if number.to_string() == *text => Self::Integer(number),
                Some(ScalarView::Float(number)) if number.to_string() == *text => Self::Float(number),
                _ => Self::Written(text.as_str().into()),
            },
            Value::Text(text) => Self::text(text.as_str()),
            Value::List(items) => Self::list(items.iter().map(Self::from)),
            Value::Map(front) => {
                Self::Map(front.iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
        }
    }
}
