//! Liquid templates: which names they read, and what they become. May not look anything up by itself.
//!
//! Read first: [`Template`]. A text is cut into pieces (`scan`), the tokens of each tag are read (`expression`), tags that
//! belong together become a tree (`blocks`, `tree`), and the tree is filled in (`interpret`) with values (`value`) and
//! `filters`, within a budget. Data and commands are nodes of the tree too. What is filled in is never read as a template
//! again.

mod blocks;
mod budget;
mod compare;
mod expression;
mod filters;
mod interpret;
mod output;
mod rounds;
mod scan;
mod scope;
mod token;
mod tree;
mod value;

use crate::imports::{Assembled, SourceText};
use crate::{FlowError, Mark, meant};
use blocks::TreeReader;
use budget::{FillTrouble, MOST_BYTES, MOST_ROUNDS, MOST_WORK};
use expression::{NameTable, Spot};
use interpret::{FillStop, Filling};
pub use output::FilledPart;
use runward_engine::Code;
pub use scope::Scope;
use token::Fault;
use tree::TemplateNode;
use value::LiquidValue;

/// A template that has been read.
#[derive(Debug)]
pub struct Template {
    text: Assembled,
    nodes: Vec<TemplateNode>,
    names: Vec<String>,
    spots: Vec<Spot>,
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
        Self::of(SourceText { shown: file.to_owned(), first_line, text: text.to_owned() }.into())
    }

    /// Reads a text that was put together as a template.
    pub fn of(text: Assembled) -> Result<Self, FlowError> {
        match scan::scan(&text).and_then(|pieces| TreeReader::read(text.text(), pieces)) {
            Ok((nodes, NameTable { names, spots, .. })) => Ok(Self { text, nodes, names, spots }),
            Err(fault) => Err(error(&text, fault)),
        }
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
        Read { name: spot.name.clone(), optional: spot.optional, mark: self.text.mark(spot.range.clone()) }
    }

    /// The names that the template needs and the scope does not have.
    pub fn missing(&self, scope: &Scope) -> Vec<Read> {
        self.reads().into_iter().filter(|read| !read.optional && scope.get(&read.name).is_none()).collect()
    }

    /// What a template without commands becomes. Values are written as they are, whatever they look like.
    pub fn fill(&self, scope: &Scope) -> Result<String, FlowError> {
        let text = |part| match part {
            FilledPart::Text(text) => text,
            FilledPart::Command(command) => command.text,
        };
        Ok(self.fill_parts(scope)?.into_iter().map(text).collect())
    }

    /// What the template becomes: text that is final, and commands whose output belongs there.
    pub fn fill_parts(&self, scope: &Scope) -> Result<Vec<FilledPart>, FlowError> {
        let missing = self.missing(scope);
        if let Some(error) = missing_variables(&missing) {
            return Err(error);
        }
        let given = |name: &String| scope.get(name).map_or(LiquidValue::Nil, LiquidValue::from);
        let given = self.names.iter().map(given).collect();
        let filling = Filling::new(self.text.text(), given, scope.now);
        filling.fill(&self.nodes).map_err(|stop| self.stopped(stop))
    }

    fn stopped(&self, FillStop { trouble, range }: FillStop) -> FlowError {
        let (message, hint) = match trouble {
            FillTrouble::NoPart { spot, part, known } => return self.no_part(spot, &part, &known),
            FillTrouble::TooLarge => (
                format!("the filled template is larger than {} MiB", MOST_BYTES / 1024 / 1024),
                "Make its loops or its values smaller.",
            ),
            FillTrouble::TooManyRounds => (
                format!("the loops of the template take more than {MOST_ROUNDS} rounds"),
                "Use `limit:` or a smaller range.",
            ),
            FillTrouble::TooMuchWork => (
                format!("the filters of the template go through more than {} MiB", MOST_WORK / 1024 / 1024),
                "Filter large values once, outside of loops.",
            ),
            FillTrouble::Cut => (
                "a filter cut an import or a command in half".to_owned(),
                "Apply filters to variables, not to text that was captured around an import or a command.",
            ),
            FillTrouble::InCommand(mark) => {
                let message = "a command has an import or another command inside it";
                let hint = "Take what was captured around it out of the command.";
                return FlowError::new(Code::FlowBadTemplate, message).hint(hint).at(*mark);
            }
            FillTrouble::Unfit(words) => {
                (format!("the template cannot be filled: {words}"), "Look up what the filters take.")
            }
        };
        error(&self.text, Fault::new(range, message, hint))
    }

    fn no_part(&self, spot: usize, part: &str, known: &[String]) -> FlowError {
        let Some(spot) = self.spots.get(spot) else {
            return FlowError::new(Code::FlowMissingVariable, format!("there is no `{part}`"));
        };
        let hint = meant(part, known, "Write `| default: ''` behind it where it may be missing.");
        let message = format!("`{}` has no `{part}`", spot.name);
        FlowError::new(Code::FlowMissingVariable, message).hint(hint).at(self.text.mark(spot.range.clone()))
    }
}

fn error(text: &Assembled, fault: Fault) -> FlowError {
    FlowError::new(Code::FlowBadTemplate, fault.message).hint(fault.hint).at(text.mark(fault.range))
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
