//! An agent on its way to a command: everything fetched, variables known or missing, nothing run yet.
//!
//! May not ask anybody for a value: whoever can asks for what [`Draft::missing`] names.

use super::agent::Agent;
use super::gather::Surroundings;
use super::road::Road;
use super::text::Text;
use crate::FlowError;
use crate::front::{Front, Value};
use crate::inputs::{self, Input};
use crate::template::{Datum, Read, Scope, Template};
use crate::words::{Given, Listening, Variable, VariableFrom, plain, take_variables};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An agent with everything fetched.
#[derive(Debug)]
pub struct Draft {
    /// The agent.
    pub agent: Agent,
    /// The variables, the settings and what is passed on.
    pub given: Given,
    /// What came on standard input.
    pub stdin: Option<String>,
    pub(super) body: Text,
    /// What the templates of steps read.
    steps: Vec<Read>,
    /// Every name that a template reads: never a flag.
    pub(super) reads: BTreeSet<String>,
}

/// Something that has no value yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A typed input.
    Input(Input),
    /// A name that a template reads.
    Name(Read),
}

impl Missing {
    /// The name of the variable.
    pub fn name(&self) -> &str {
        match self {
            Missing::Input(input) => &input.name,
            Missing::Name(read) => &read.name,
        }
    }
}

/// What is outside the file: the words after it, and what came on standard input.
#[derive(Debug, Default)]
pub struct Outside {
    /// The words after the file, without those that are ours.
    pub words: Vec<String>,
    /// What came on standard input, if anything did.
    pub stdin: Option<String>,
}

impl Draft {
    /// Fetches what the body wants, and gives the words to the variables.
    pub async fn of<R: Road>(
        mut agent: Agent,
        outside: Outside,
        surroundings: Arc<Surroundings<R>>,
    ) -> Result<Self, FlowError> {
        let flow = &agent.program.flow;
        let body = Text::fetch(&agent.program, &flow.body, flow.body_line, surroundings).await?;
        let mut reads: BTreeSet<String> = body.reads().into_iter().map(|read| read.name).collect();
        let steps = step_reads(&agent)?;
        reads.extend(steps.iter().map(|read| read.name.clone()));
        let given = {
            let who = Listening { front: agent.cascade.front(), inputs: &agent.inputs, reads: &reads };
            take_variables(&outside.words, &who)?
        };
        agent.cascade.lay(&given.settings, &crate::cascade::Origin::CommandLine);
        agent.interactive |= crate::choose::is_interactive_front(agent.cascade.front());
        let stdin = outside.stdin.filter(|text| !text.is_empty());
        let mut draft = Self { agent, given, stdin, body, steps, reads };
        inputs::settle(&draft.agent.inputs, &mut draft.given)?;
        Ok(draft)
    }

    /// What still has no value: typed inputs in the order of the file, then names that templates read.
    pub fn missing(&self) -> Vec<Missing> {
        let lacks = |input: &&Input| {
            let held = self.given.get(&input.name);
            input.need == inputs::Need::Required && held.is_none_or(Value::is_empty)
        };
        let mut missing: Vec<Missing> =
            self.agent.inputs.iter().filter(lacks).cloned().map(Missing::Input).collect();
        let scope = self.scope();
        let of_steps = self.steps.iter().filter(|read| !read.optional && scope.get(&read.name).is_none());
        for read in self.body.missing(&scope).into_iter().chain(of_steps.cloned()) {
            let known = missing.iter().any(|one| one.name() == read.name);
            if !known && !self.is_made_later(&read.name) {
                missing.push(Missing::Name(read));
            }
        }
        missing
    }

    /// What `steps` holds is known only when they have run.
    fn is_made_later(&self, name: &str) -> bool {
        name == "steps" && self.agent.cascade.front().has("_steps")
    }

    /// Gives a variable its value; one that its input does not take is an error.
    pub fn give(&mut self, name: &str, value: &Value) -> Result<(), FlowError> {
        let input = self.agent.inputs.iter().find(|input| input.name == name);
        let value = input.map_or_else(|| Ok(value.clone()), |input| input.check(value))?;
        self.given.variables.retain(|variable| variable.name != name);
        let from = VariableFrom::Asked;
        self.given.variables.push(Variable { name: name.to_owned(), value, from });
        Ok(())
    }

    /// What was given as a password.
    pub(super) fn passwords(&self) -> impl Iterator<Item = &str> {
        let hidden = self.agent.inputs.iter().filter(|input| input.kind == inputs::Kind::Password);
        hidden.filter_map(|input| match self.given.get(&input.name) {
            Some(Value::Text(text) | Value::Number(text)) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The one error that names everything that is missing, if anything is.
    pub fn check_complete(&self) -> Result<(), FlowError> {
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = missing.iter().map(Missing::name).collect();
        let error = crate::words::missing(&names);
        let mark = missing.iter().find_map(|one| match one {
            Missing::Name(read) => Some(read.mark.clone()),
            Missing::Input(input) => input.mark.as_deref().cloned(),
        });
        Err(error.at(mark))
    }

    /// What templates see.
    pub(super) fn scope(&self) -> Scope {
        let mut scope = Scope::new();
        for Variable { name, value, .. } in &self.given.variables {
            scope.set(name.clone(), Datum::from(value));
        }
        // Dash and underscore are equal: a template may spell a name the other way.
        for read in self.reads.iter().filter(|read| scope.get(read).is_none()).collect::<Vec<_>>() {
            let same = |one: &&Variable| plain(&one.name) == plain(read);
            if let Some(variable) = self.given.variables.iter().find(same) {
                scope.set(read.clone(), Datum::from(&variable.value));
            }
        }
        if let Some(stdin) = &self.stdin {
            scope.set("_stdin", Datum::text(stdin.clone()));
        } else if self.reads.contains("_stdin") {
            scope.set("_stdin", Datum::text(""));
        }
        // No words are an empty list of them, not a missing one.
        if self.reads.contains("_args") && scope.get("_args").is_none() {
            scope.set("_args", Datum::text(""));
        }
        scope
    }

    /// Every name that a template reads, those of imported files included.
    pub fn reads(&self) -> &BTreeSet<String> {
        &self.reads
    }

    /// The keys in force.
    pub fn front(&self) -> Front {
        self.agent.front()
    }
}

/// Names that the templates of steps read, so that the command line can set them.
pub(super) fn step_reads(agent: &Agent) -> Result<Vec<Read>, FlowError> {
    let mut reads = Vec::new();
    for step in super::steps::of(agent)? {
        let texts =
            [(Some(&step.run), super::steps::first_line(&step)), (step.when.as_ref(), step.mark.line)];
        for (text, line) in texts {
            let Some(text) = text else { continue };
            let template = Template::parse(&agent.program.flow.file, line, text)?;
            reads.extend(template.reads().into_iter().filter(|read| read.name != "steps"));
        }
    }
    Ok(reads)
}
