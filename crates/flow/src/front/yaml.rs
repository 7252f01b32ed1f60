//! Front matter from YAML, event by event, with every key's place. May not let a few lines grow into many: depth and
//! the number of values are bounded, aliases included.

use super::{Front, Value, scalar};
use crate::{FlowError, Mark};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};
use runward_engine::Code;
use std::collections::HashMap;
use std::ops::Range;

/// How deep lists and maps may be nested.
const DEPTH: usize = 32;

/// How many values there may be, each copy of an alias counted.
const VALUES: usize = 10_000;

/// Reads the lines between the borders, the first of which has this number in the file.
pub(super) fn read(file: &str, text: &str, line: usize) -> Result<Front, FlowError> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_comments: false,
        // Our own bound is lower, and says what it is.
        flow_nesting_limit: 2 * DEPTH,
        block_nesting_limit: 2 * DEPTH,
    };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut reader = FrontReader { file, text, line, parser, anchors: HashMap::new(), values: 0 };
    reader.whole()
}

struct FrontReader<'a> {
    file: &'a str,
    text: &'a str,
    line: usize,
    parser: Parser<'a, StrInput<'a>>,
    /// Values that may be repeated, with how many values each holds.
    anchors: HashMap<usize, (Value, usize)>,
    values: usize,
}

/// An event with the bytes it covers.
type YamlEvent<'a> = (Event<'a>, Range<usize>);

impl<'a> FrontReader<'a> {
    fn whole(&mut self) -> Result<Front, FlowError> {
        let mut front = None;
        loop {
            let (event, range) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(front.unwrap_or_default()),
                Event::DocumentStart(..) if front.is_some() => {
                    return Err(self.wrong(range, "the front matter is more than one document"));
                }
                Event::DocumentStart(..) => {}
                Event::MappingStart(_, anchor, tag) => {
                    self.tag(tag.as_deref(), &range)?;
                    front = Some(self.map(anchor, 1)?);
                }
                Event::Scalar(word, ScalarStyle::Plain, ..) if word.is_empty() => {}
                _ => {
                    return Err(self
                        .wrong(range, "the front matter is not a list of keys with values")
                        .hint("Write each key as `key: value` on a line of its own."));
                }
            }
        }
    }

    fn next(&mut self) -> Result<YamlEvent<'a>, FlowError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, bytes(span))),
            Some(Err(error)) => Err(self.broken(&error)),
            None => Ok((Event::StreamEnd, self.text.len()..self.text.len())),
        }
    }

    fn map(&mut self, anchor: usize, depth: usize) -> Result<Front, FlowError> {
        let before = self.values;
        let mut front = Front::default();
        loop {
            let (event, range) = self.next()?;
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(word, style, ..) => {
                    self.key(word.into_owned(), style == ScalarStyle::Plain, &range)?
                }
                _ => return Err(self.no_key(range)),
            };
            let mark = self.mark(range.clone());
            let value = self.value(depth)?;
            if !front.add(key.clone(), value, mark) {
                return Err(self.twice(&front, &key, range));
            }
        }
        self.remember(anchor, before, || Value::Map(front.clone()));
        Ok(front)
    }

    fn key(&self, key: String, plain: bool, range: &Range<usize>) -> Result<String, FlowError> {
        match key.as_str() {
            // The parser spells a key that is not there `~`.
            "" | "~" if plain || key.is_empty() => Err(self.wrong(range.clone(), "a key has no name")),
            "<<" if plain => Err(self
                .wrong(range.clone(), "merge keys (`<<`) are not read")
                .hint("Write the keys out where they are needed.")),
            _ => Ok(key),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, FlowError> {
        let told = self.next()?;
        self.value_of(told, depth)
    }

    fn value_of(&mut self, (event, range): YamlEvent<'a>, depth: usize) -> Result<Value, FlowError> {
        self.count(1, &range)?;
        let deeper = depth + 1;
        if deeper > DEPTH {
            return Err(self.wrong(range, format!("the front matter is nested deeper than {DEPTH} levels")));
        }
        match event {
            Event::Scalar(word, style, anchor, tag) => {
                let text = self.tag(tag.as_deref(), &range)? || style != ScalarStyle::Plain;
                let value = if text { Value::Text(word.into_owned()) } else { scalar::plain(&word) };
                self.remember(anchor, self.values - 1, || value.clone());
                Ok(value)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.tag(tag.as_deref(), &range)?;
                self.list(anchor, deeper)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.tag(tag.as_deref(), &range)?;
                self.map(anchor, deeper).map(Value::Map)
            }
            Event::Alias(anchor) => self.again(anchor, range),
            _ => Err(self.wrong(range, "a value is missing")),
        }
    }

    fn list(&mut self, anchor: usize, depth: usize) -> Result<Value, FlowError> {
        let before = self.values;
        let mut items = Vec::new();
        loop {
            let told = self.next()?;
            if matches!(told.0, Event::SequenceEnd) {
                break;
            }
            items.push(self.value_of(told, depth)?);
        }
        let list = Value::List(items);
        self.remember(anchor, before, || list.clone());
        Ok(list)
    }

    fn again(&mut self, anchor: usize, range: Range<usize>) -> Result<Value, FlowError> {
        // A value that holds itself is not finished when it is named, so it is not here.
        let Some((value, size)) = self.anchors.get(&anchor).cloned() else {
            return Err(self.wrong(range, "a value contains itself"));
        };
        self.count(size, &range)?;
        Ok(value)
    }

    fn remember(&mut self, anchor: usize, before: usize, value: impl FnOnce() -> Value) {
        if anchor != 0 {
            self.anchors.insert(anchor, (value(), self.values - before));
        }
    }

    fn count(&mut self, more: usize, range: &Range<usize>) -> Result<(), FlowError> {
        self.values += more;
        if self.values > VALUES {
            let what = format!("the front matter holds more than {VALUES} values");
            return Err(self.wrong(range.clone(), what));
        }
        Ok(())
    }

    /// Whether a tag makes a text of whatever follows; a tag that means nothing here is an error.
    fn tag(&self, tag: Option<&Tag>, range: &Range<usize>) -> Result<bool, FlowError> {
        match tag.map(|tag| (tag.core_suffix(), tag)) {
            None => Ok(false),
            Some((Some(suffix), _)) => Ok(suffix == "str"),
            Some((None, tag)) => {
                let what = format!("the tag `{}` means nothing here", tag.original());
                Err(self.wrong(range.clone(), what).hint("Leave the tag out."))
            }
        }
    }

    fn no_key(&self, range: Range<usize>) -> FlowError {
        let error = self.wrong(range.clone(), "a key is not a single word");
        if self.mark(range).text.contains("{{") {
            return error.hint("Put a value that begins with `{` in quotes.");
        }
        error.hint("Write each key as `key: value`.")
    }

    fn twice(&self, front: &Front, key: &str, range: Range<usize>) -> FlowError {
        let first = front.line_of(key).unwrap_or(self.line);
        self.wrong(range, format!("the key `{key}` is there twice"))
            .hint(format!("Keep one of them; the first stands on line {first}."))
    }

    fn broken(&self, error: &ScanError) -> FlowError {
        let at = error.marker().byte_offset().unwrap_or(self.text.len());
        // What is missing at the end is missed after the last line, where there is nothing to see.
        let at = at.min(self.text.trim_end().len());
        let error = self.wrong(at..at + 1, format!("the front matter is not YAML: {}", error.info()));
        error.hint("Put values with special characters in quotes, and indent with blanks.")
    }

    fn wrong(&self, range: Range<usize>, what: impl Into<String>) -> FlowError {
        FlowError::new(Code::FlowBadFrontMatter, what).at(self.mark(range))
    }

    fn mark(&self, range: Range<usize>) -> Mark {
        Mark::of(self.file, self.text, self.line, range)
    }
}

fn bytes(span: Span) -> Range<usize> {
    span.byte_range().unwrap_or_default()
}
