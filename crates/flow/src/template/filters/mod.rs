//! The filters: a table of all of them, and how one is called. May not read a name or write anything.
//!
//! Read first: [`FilterCall`]. Each filter is a function from a call to a value; what it says when it cannot is the end of
//! a sentence that begins with its name.

mod dates;
mod lists;
mod mixed;
mod numbers;
mod rendered;
mod texts;

use super::budget::{FillTrouble, MOST_BYTES};
use super::value::LiquidValue;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::time::SystemTime;

/// A filter.
#[derive(Debug)]
pub(super) struct TemplateFilter {
    name: &'static str,
    /// How many arguments it takes.
    pub(super) takes: RangeInclusive<usize>,
    apply: fn(&FilterCall<'_>) -> FilterResult,
}

/// A value, or why there is none. What does not fit is the end of a sentence that begins with the filter's name.
pub(super) type FilterResult = Result<LiquidValue, FillTrouble>;

/// What a filter is given.
#[derive(Clone, Copy)]
pub(super) struct FilterCall<'c> {
    pub(super) input: &'c LiquidValue,
    pub(super) arguments: &'c [LiquidValue],
    /// What the words `now` and `today` mean.
    pub(super) now: Option<SystemTime>,
}

const fn filter(
    name: &'static str,
    takes: RangeInclusive<usize>,
    apply: fn(&FilterCall<'_>) -> FilterResult,
) -> TemplateFilter {
    TemplateFilter { name, takes, apply }
}

/// All filters, by name.
static FILTERS: &[TemplateFilter] = &[
    filter("abs", 0..=0, numbers::abs),
    filter("append", 1..=1, |call| told(call.text() + &*call.word(0).unwrap_or_default())),
    filter("at_least", 1..=1, |call| numbers::count(call, |left, right| Some(left.max(right)), f64::max)),
    filter("at_most", 1..=1, |call| numbers::count(call, |left, right| Some(left.min(right)), f64::min)),
    filter("capitalize", 0..=0, texts::capitalize),
    filter("ceil", 0..=0, |call| numbers::whole(call, f64::ceil)),
    filter("compact", 0..=1, lists::compact),
    filter("concat", 1..=1, lists::concat),
    filter("date", 1..=1, dates::date),
    filter("default", 1..=1, lists::default),
    filter("divided_by", 1..=1, |call| numbers::divided(call, i64::checked_div, |left, right| left / right)),
    filter("downcase", 0..=0, |call| told(call.text().to_lowercase())),
    filter("escape", 0..=0, |call| rendered::escape(call, &[])),
    filter("escape_once", 0..=0, |call| rendered::escape(call, rendered::ESCAPED)),
    filter("first", 0..=0, |call| lists::end(call, |text| text.chars().next(), |items| items.first())),
    filter("floor", 0..=0, |call| numbers::whole(call, f64::floor)),
    filter("join", 0..=1, lists::join),
    filter("json", 0..=0, |call| told(call.input.to_json().to_string())),
    filter("last", 0..=0, |call| lists::end(call, |text| text.chars().next_back(), |items| items.last())),
    filter("lstrip", 0..=0, |call| told(call.text().trim_start())),
    filter("map", 1..=1, lists::map),
    filter("minus", 1..=1, |call| numbers::count(call, i64::checked_sub, |left, right| left - right)),
    filter("modulo", 1..=1, |call| numbers::divided(call, i64::checked_rem, |left, right| left % right)),
    filter("newline_to_br", 0..=0, |call| told(call.text().replace('\n', "<br />\n"))),
    filter("plus", 1..=1, |call| numbers::count(call, i64::checked_add, |left, right| left + right)),
    filter("prepend", 1..=1, |call| told(call.word(0).unwrap_or_default() + &*call.text())),
    filter("q", 0..=0, rendered::shell_escape),
    filter("remove", 1..=1, |call| texts::replaced(call, "")),
    filter("remove_first", 1..=1, |call| texts::replaced_first(call, "")),
    filter("replace", 1..=2, |call| texts::replaced(call, &call.word(1).unwrap_or_default())),
    filter("replace_first", 1..=2, |call| texts::replaced_first(call, &call.word(1).unwrap_or_default())),
    filter("reverse", 0..=0, |call| lists::list(call.list()?.iter().rev())),
    filter("round", 0..=1, numbers::round),
    filter("rstrip", 0..=0, |call| told(call.text().trim_end())),
    filter("shell_escape", 0..=0, rendered::shell_escape),
    filter("size", 0..=0, |call| Ok(call.input.size())),
    filter("slice", 1..=2, lists::slice),
    filter("sort", 0..=1, lists::sort),
    filter("sort_natural", 0..=1, lists::sort_natural),
    filter("split", 1..=1, texts::split),
    filter("strip", 0..=0, |call| told(call.text().trim())),
    filter("strip_html", 0..=0, rendered::strip_html),
    filter("strip_newlines", 0..=0, |call| told(call.text().replace(['\n', '\r'], ""))),
    filter("times", 1..=1, |call| numbers::count(call, i64::checked_mul, |left, right| left * right)),
    filter("truncate", 0..=2, texts::truncate),
    filter("truncatewords", 0..=2, texts::truncatewords),
    filter("uniq", 0..=0, lists::uniq),
    filter("upcase", 0..=0, |call| told(call.text().to_uppercase())),
    filter("url_decode", 0..=0, rendered::url_decode),
    filter("url_encode", 0..=0, rendered::url_encode),
    filter("where", 1..=2, lists::select),
];

/// The filter with this name.
pub(super) fn find(name: &str) -> Option<&'static TemplateFilter> {
    FILTERS.iter().find(|filter| filter.name == name)
}

/// The names of all filters.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FILTERS.iter().map(|filter| filter.name)
}

impl TemplateFilter {
    pub(super) fn apply(&self, call: &FilterCall<'_>) -> FilterResult {
        match mixed::apply(self, call).unwrap_or_else(|| (self.apply)(call)) {
            Ok(value) if value.weight() > MOST_BYTES => Err(FillTrouble::TooLarge),
            Ok(value) => Ok(value),
            Err(FillTrouble::Unfit(words)) => Err(FillTrouble::Unfit(format!("`{}` {words}", self.name))),
            Err(trouble) => Err(trouble),
        }
    }

    /// How many arguments it takes, in words.
    pub(super) fn arguments(&self) -> String {
        match (self.takes.start(), self.takes.end()) {
            (0, 0) => "no argument".to_owned(),
            (1, 1) => "one argument".to_owned(),
            (least, most) => format!("{least} to {most} arguments"),
        }
    }
}

impl<'c> FilterCall<'c> {
    /// The input as a text.
    fn text(&self) -> Cow<'c, str> {
        self.input.shown()
    }

    /// An argument; nothing where there is none.
    fn argument(&self, at: usize) -> &'c LiquidValue {
        self.arguments.get(at).unwrap_or(&LiquidValue::Nil)
    }

    /// An argument as a text.
    fn word(&self, at: usize) -> Option<Cow<'c, str>> {
        self.arguments.get(at).map(LiquidValue::shown)
    }

    /// An argument as a whole number.
    fn whole(&self, at: usize) -> Result<Option<i64>, FillTrouble> {
        let Some(argument) = self.arguments.get(at) else { return Ok(None) };
        let number = argument.scalar().and_then(|scalar| scalar.integer());
        number.map(Some).ok_or_else(|| unfit(format!("takes a whole number, not `{}`", argument.shown())))
    }

    /// The items of the input, which has to be a list.
    fn list(&self) -> Result<&'c [LiquidValue], FillTrouble> {
        self.input.items().ok_or_else(|| unfit(format!("takes a list, not `{}`", self.text())))
    }
}

fn unfit(words: impl Into<String>) -> FillTrouble {
    FillTrouble::Unfit(words.into())
}

/// A text as a result.
fn told(text: impl Into<String>) -> FilterResult {
    Ok(LiquidValue::text(text.into()))
}

/// Whether a result of this many bytes may be made at all.
fn room_for(bytes: usize) -> Result<(), FillTrouble> {
    if bytes > MOST_BYTES { Err(FillTrouble::TooLarge) } else { Ok(()) }
}
