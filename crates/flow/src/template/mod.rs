//! Liquid templates: which names they read, and what they become. May not look anything up by itself.
//!
//! Read first: [`Template`]. Our own reader finds tags, names and mistakes with their places; the Liquid crate fills in
//! what it is shown in its own spelling. What is filled in is never read as a template again.

mod bind;
mod blocks;
mod budget;
mod compose;
mod datum;
mod language;
mod loops;
mod scan;
mod token;
mod view;
mod world;

use crate::{FlowError, Mark};
use blocks::{Blocks, Section};
use budget::{Capped, MOST_BYTES, MOST_ROUNDS, Trouble};
use compose::Spot;
pub use datum::{Datum, Scope};
use liquid_core::Renderable;
use runward::Code;
use runward::core::resolve::nearest;
use std::io::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use token::Fault;
use world::World;

/// A template that has been read.
#[derive(Debug)]
pub struct Template {
    file: String,
    first_line: usize,
    text: String,
    sections: Vec<Part>,
    spots: Vec<Spot>,
    names: Vec<String>,
    texts: Vec<Range<usize>>,
}

#[derive(Debug)]
enum Part {
    Text(Range<usize>),
    Program(liquid_core::Template, Range<usize>),
}

/// A name that a template reads and does not make itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The name; of `user.name` it is `user`.
    pub name: String,
    /// Every read of it stands behind `default:`.
    pub optional: bool,
    /// The first place where it is read; the first that needs it, if one does.
    pub mark: Mark,
}

impl Template {
    /// Reads a template whose first line has this number in its file.
    pub fn parse(file: &str, first_line: usize, text: &str) -> Result<Self, FlowError> {
        let mut template = Self {
            file: file.to_owned(),
            first_line,
            text: text.to_owned(),
            sections: Vec::new(),
            spots: Vec::new(),
            names: Vec::new(),
            texts: Vec::new(),
        };
        match template.read() {
            Ok(()) => Ok(template),
            Err(fault) => Err(template.error(fault)),
        }
    }

    fn read(&mut self) -> Result<(), Fault> {
        if scan::opening(&self.text, 0).is_none() {
            self.sections.push(Part::Text(0..self.text.len()));
            return Ok(());
        }
        let pieces = scan::scan(&self.text)?;
        let Blocks { composer, sections, .. } = Blocks::read(&self.text, pieces)?;
        for section in sections {
            self.sections.push(match section {
                Section::Text(range) => Part::Text(range),
                Section::Program(source, range) => Part::Program(program(&source, &range)?, range),
            });
        }
        (self.spots, self.names, self.texts) = (composer.spots, composer.names, composer.texts);
        Ok(())
    }

    /// The names that the template reads and does not make itself, each once, in the order of their first read.
    /// Conditions read like everything else.
    pub fn reads(&self) -> Vec<Read> {
        let mut reads: Vec<Read> = Vec::new();
        for spot in self.spots.iter().filter(|spot| !spot.local) {
            match reads.iter_mut().find(|read| read.name == spot.name) {
                Some(read) if read.optional && !spot.optional => *read = self.read_at(spot),
                Some(_) => {}
                None => reads.push(self.read_at(spot)),
            }
        }
        reads
    }

    fn read_at(&self, spot: &Spot) -> Read {
        Read { name: spot.name.clone(), optional: spot.optional, mark: self.mark(spot.range.clone()) }
    }

    /// The names that the template needs and the scope does not have.
    pub fn missing(&self, scope: &Scope) -> Vec<Read> {
        self.reads().into_iter().filter(|read| !read.optional && scope.get(&read.name).is_none()).collect()
    }

    /// What the template becomes. Values are written as they are, whatever they look like.
    pub fn fill(&self, scope: &Scope) -> Result<String, FlowError> {
        let missing = self.missing(scope);
        if let Some(error) = missing_variables(&missing) {
            return Err(error);
        }
        let texts = self.texts.iter().map(|range| &self.text[range.clone()]).collect();
        let world = World::new(&self.names, texts, scope);
        let mut out = Capped::default();
        for part in &self.sections {
            let (filled, range) = match part {
                Part::Text(range) => {
                    (out.write_all(self.text[range.clone()].as_bytes()).map_err(|_| String::new()), range)
                }
                Part::Program(program, range) => (render(program, &mut out, &world), range),
            };
            filled.map_err(|words| self.stopped(&world, out.is_full, &words, range))?;
        }
        String::from_utf8(out.bytes)
            .map_err(|_| self.error(cannot_fill("a filter cut a character in half", 0..1)))
    }

    fn stopped(&self, world: &World<'_>, is_full: bool, words: &str, range: &Range<usize>) -> FlowError {
        let trouble = world.trouble().or(is_full.then_some(Trouble::TooLarge));
        let range = range.clone();
        match trouble {
            Some(Trouble::NoPart { spot, part, known }) => self.no_part(spot, &part, &known),
            Some(Trouble::TooLarge) => self.error(Fault::new(
                range,
                format!("the filled template is larger than {} MiB", MOST_BYTES / 1024 / 1024),
                "Make its loops or its values smaller.",
            )),
            Some(Trouble::TooManyRounds) => self.error(Fault::new(
                range,
                format!("the loops of the template take more than {MOST_ROUNDS} rounds"),
                "Use `limit:` or a smaller range.",
            )),
            None => self.error(cannot_fill(words, range)),
        }
    }

    fn no_part(&self, spot: usize, part: &str, known: &[String]) -> FlowError {
        let Some(spot) = self.spots.get(spot) else {
            return FlowError::new(Code::FlowMissingVariable, format!("there is no `{part}`"));
        };
        let hint = match nearest(part, known).first() {
            Some(near) => format!("Write `{near}` if that is what is meant."),
            None => "Write `| default: ''` behind it where it may be missing.".to_owned(),
        };
        let message = format!("`{}` has no `{part}`", spot.name);
        FlowError::new(Code::FlowMissingVariable, message).hint(hint).at(self.mark(spot.range.clone()))
    }

    fn mark(&self, range: Range<usize>) -> Mark {
        Mark::of(&self.file, &self.text, self.first_line, range)
    }

    fn error(&self, fault: Fault) -> FlowError {
        FlowError::new(Code::FlowBadTemplate, fault.message).hint(fault.hint).at(self.mark(fault.range))
    }
}

/// The one error that lists all names without a value, at the place of the first. None where none is missing.
pub fn missing_variables(missing: &[Read]) -> Option<FlowError> {
    let first = missing.first()?;
    let mut names: Vec<&str> = Vec::new();
    for read in missing.iter().filter(|read| !read.optional) {
        if !names.contains(&read.name.as_str()) {
            names.push(&read.name);
        }
    }
    Some(crate::words::missing(&names).at(first.mark.clone()))
}

/// Lets the crate read what was written for it.
fn program(source: &str, range: &Range<usize>) -> Result<liquid_core::Template, Fault> {
    let parsed = guarded(|| liquid_core::parser::parse(source, language::language()));
    let parsed = parsed.map_err(|words| {
        let hint = "Look up what the tag and its filters take.";
        Fault::new(range.clone(), format!("the template cannot be read: {words}"), hint)
    })?;
    Ok(liquid_core::Template::new(parsed))
}

fn render(program: &liquid_core::Template, out: &mut Capped, world: &World<'_>) -> Result<(), String> {
    guarded(|| program.render_to(out, world))
}

/// Asks the crate for something. A panic of it (arithmetic that overflows, in a debug build) is an error like others.
fn guarded<T>(ask: impl FnOnce() -> liquid_core::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(answer) => answer.map_err(|error| words_of(&error.to_string())),
        Err(_) => Err("a filter cannot work with this value".to_owned()),
    }
}

/// The sentence in an error of the crate: behind the drawing if it has one, or else its first line.
fn words_of(error: &str) -> String {
    let drawn = error.lines().find_map(|line| line.trim_start().strip_prefix("= "));
    let line = drawn.or_else(|| error.lines().next()).unwrap_or_default();
    let line = line.trim_start_matches("liquid: ").trim_end_matches('.');
    let mut chars = line.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn cannot_fill(words: &str, range: Range<usize>) -> Fault {
    Fault::new(range, format!("the template cannot be filled: {words}"), "Look up what the filters take.")
}
