//! The Liquid that templates may use: the crate's filters, some of our own, and loops and names that cost no more than
//! they may. Built once, and only if a text has a tag in it.

use super::bind::{AssignTag, CaptureBlock};
use super::loops::ForBlock;
use super::world::size;
use liquid_core::{
    Display_filter, Filter, FilterReflection, Language, ParseBlock, ParseFilter, ParseTag, Runtime, Value,
    ValueView,
};
use liquid_lib::stdlib as lib;
use std::sync::OnceLock;

/// The language.
pub(super) fn language() -> &'static Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    LANGUAGE.get_or_init(build)
}

fn build() -> Language {
    let mut language = Language::empty();
    let blocks: [Box<dyn ParseBlock>; 5] = [
        Box::new(ForBlock),
        Box::new(CaptureBlock),
        Box::new(lib::IfBlock),
        Box::new(lib::UnlessBlock),
        Box::new(lib::CaseBlock),
    ];
    for block in blocks {
        language.blocks.register(block.reflection().start_tag().to_owned(), block);
    }
    let tags: [Box<dyn ParseTag>; 4] =
        [Box::new(AssignTag), Box::new(lib::BreakTag), Box::new(lib::ContinueTag), Box::new(lib::CycleTag)];
    for tag in tags {
        language.tags.register(tag.reflection().tag().to_owned(), tag);
    }
    for filter in texts().into_iter().chain(lists()).chain(numbers()).chain(own()) {
        language.filters.register(filter.reflection().name().to_owned(), filter);
    }
    language
}

/// Filters in boxes of one kind.
macro_rules! filters {
    ($($filter:expr),* $(,)?) => { vec![$(Box::new($filter) as Box<dyn ParseFilter>),*] };
}

fn texts() -> Vec<Box<dyn ParseFilter>> {
    filters![
        lib::Append,
        lib::Capitalize,
        lib::Date,
        lib::Default,
        lib::Downcase,
        lib::Escape,
        lib::EscapeOnce,
        lib::Lstrip,
        lib::NewlineToBr,
        lib::Prepend,
        lib::Remove,
        lib::RemoveFirst,
        lib::Replace,
        lib::ReplaceFirst,
        lib::Rstrip,
        lib::Slice,
        lib::Split,
        lib::Strip,
        lib::StripHtml,
        lib::StripNewlines,
        lib::Truncate,
        lib::TruncateWords,
        lib::Upcase,
        lib::UrlDecode,
        lib::UrlEncode,
    ]
}

fn lists() -> Vec<Box<dyn ParseFilter>> {
    filters![
        lib::Compact,
        lib::Concat,
        lib::First,
        lib::Join,
        lib::Last,
        lib::Map,
        lib::Reverse,
        lib::Sort,
        lib::SortNatural,
        lib::Uniq,
        lib::Where,
    ]
}

fn numbers() -> Vec<Box<dyn ParseFilter>> {
    filters![
        lib::Abs,
        lib::AtLeast,
        lib::AtMost,
        lib::Ceil,
        lib::DividedBy,
        lib::Floor,
        lib::Minus,
        lib::Modulo,
        lib::Plus,
        lib::Round,
        lib::Times,
    ]
}

fn own() -> Vec<Box<dyn ParseFilter>> {
    filters![ShellEscape, Q, Json, Size]
}

/// A value as one word for a POSIX shell. A list is one word per item.
fn quoted(input: &dyn ValueView) -> Value {
    let text = match input.as_array().filter(|_| !input.is_nil()) {
        Some(items) => items.values().map(|item| quote(&item.to_kstr())).collect::<Vec<_>>().join(" "),
        None => quote(&input.to_kstr()),
    };
    Value::scalar(text)
}

/// One word: between single quotes everything is itself but the single quote.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `{{ x | shell_escape }}`.
#[derive(Clone, ParseFilter, FilterReflection)]
#[filter(name = "shell_escape", description = "A word for a POSIX shell.", parsed(ShellEscapeFilter))]
struct ShellEscape;

#[derive(Debug, Default, Display_filter)]
#[name = "shell_escape"]
struct ShellEscapeFilter;

impl Filter for ShellEscapeFilter {
    fn evaluate(&self, input: &dyn ValueView, _runtime: &dyn Runtime) -> liquid_core::Result<Value> {
        Ok(quoted(input))
    }
}

/// `{{ x | q }}`: the short name of the same.
#[derive(Clone, ParseFilter, FilterReflection)]
#[filter(name = "q", description = "A word for a POSIX shell.", parsed(QFilter))]
struct Q;

#[derive(Debug, Default, Display_filter)]
#[name = "q"]
struct QFilter;

impl Filter for QFilter {
    fn evaluate(&self, input: &dyn ValueView, _runtime: &dyn Runtime) -> liquid_core::Result<Value> {
        Ok(quoted(input))
    }
}

/// `{{ x | json }}`.
#[derive(Clone, ParseFilter, FilterReflection)]
#[filter(name = "json", description = "The value as JSON.", parsed(JsonFilter))]
struct Json;

#[derive(Debug, Default, Display_filter)]
#[name = "json"]
struct JsonFilter;

impl Filter for JsonFilter {
    fn evaluate(&self, input: &dyn ValueView, _runtime: &dyn Runtime) -> liquid_core::Result<Value> {
        let json = serde_json::to_string(&input.to_value());
        json.map(Value::scalar).map_err(|error| liquid_core::Error::with_msg(error.to_string()))
    }
}

/// `{{ x | size }}`: items of a list or a map, characters of a text.
#[derive(Clone, ParseFilter, FilterReflection)]
#[filter(name = "size", description = "How many items or characters there are.", parsed(SizeFilter))]
struct Size;

#[derive(Debug, Default, Display_filter)]
#[name = "size"]
struct SizeFilter;

impl Filter for SizeFilter {
    fn evaluate(&self, input: &dyn ValueView, _runtime: &dyn Runtime) -> liquid_core::Result<Value> {
        Ok(match (input.as_array(), input.as_object()) {
            (Some(list), _) => Value::scalar(list.size()),
            (_, Some(map)) => Value::scalar(map.size()),
            _ => size(input),
        })
    }
}
