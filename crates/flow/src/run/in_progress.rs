//! An agent on its way to a command: everything fetched, variables known or missing, nothing run yet.
//!
//! May not ask anybody for a value: whoever can asks for what [`AgentInProgress::missing`] names.

use super::agent::Agent;
use super::gather::Surroundings;
use super::road::Road;
use super::text::ProgramText;
use crate::front::{Front, Value};
use crate::inputs::{self, Input};
use crate::keys::Takers;
use crate::template::{Read, Scope, Template};
use crate::words::{self, Given, Listening, Variable, VariableFrom, plain, take_variables};
use crate::{FlowError, Mark};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;

/// An agent with everything fetched.
#[derive(Debug)]
pub struct AgentInProgress {
    /// The agent.
    pub agent: Agent,
    /// The variables, the settings and what is passed on.
    pub given: Given,
    /// What came on standard input.
    pub stdin: Option<String>,
    pub(super) body: ProgramText,
    /// What the templates of steps read.
    steps: Vec<Read>,
    /// Every name that a template reads: never a flag.
    pub(super) reads: BTreeSet<String>,
    /// What people should be told about keys that do nothing here, before anything runs.
    pub remarks: Vec<String>,
}

/// Something that has no value yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingValue {
    /// A typed input.
    Input(Input),
    /// A name that a template reads.
    Name(Read),
}

impl MissingValue {
    /// The name of the variable.
    pub fn name(&self) -> &str {
        match self {
            MissingValue::Input(input) => &input.name,
            MissingValue::Name(read) => &read.name,
        }
    }

    /// Where the file asks for it.
    fn mark(&self) -> Option<&Mark> {
        match self {
            MissingValue::Input(input) => input.mark.as_deref(),
            MissingValue::Name(read) => Some(&read.mark),
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

impl AgentInProgress {
    /// Fetches what the body wants, and gives the words to the variables.
    pub async fn of<R: Road>(
        mut agent: Agent,
        outside: Outside,
        surroundings: Arc<Surroundings<R>>,
    ) -> Result<Self, FlowError> {
        let flow = &agent.program.flow;
        let body = ProgramText::fetch(&agent.program, &flow.body, flow.body_line, surroundings).await?;
        let mut reads: BTreeSet<String> = body.reads().into_iter().map(|read| read.name).collect();
        let steps = step_reads(&agent)?;
        reads.extend(steps.iter().map(|read| read.name.clone()));
        let given = {
            let who = Listening { front: agent.cascade.front(), inputs: &agent.inputs, reads: &reads };
            take_variables(&outside.words, &who)?
        };
        let settings = spelled_as_in(agent.cascade.front(), &given.settings);
        agent.cascade.lay(&settings, &crate::cascade::Origin::CommandLine);
        agent.interactive |= crate::choose::is_interactive_front(agent.cascade.front());
        let stdin = outside.stdin.filter(|text| !text.is_empty());
        let takers = takers(&agent, &reads)?;
        let mut remarks = takers.remarks(&agent.cascade);
        remarks.extend(agent.translate()?);
        let mut draft = Self { agent, given, stdin, body, steps, reads, remarks };
        draft.refuse_options(&takers, &outside.words);
        inputs::sift(&draft.agent.inputs, &mut draft.given);
        Ok(draft)
    }

    /// Somebody typed these options, and nothing takes them.
    fn refuse_options(&mut self, takers: &Takers, typed: &[String]) {
        let options = self.given.variables.iter().filter(|one| one.from == VariableFrom::Option);
        let front = self.agent.cascade.front();
        for variable in options.filter(|one| one.name.starts_with('_') && !front.has(&one.name)) {
            let option = words::typed_so(typed, &variable.name).unwrap_or(&variable.name);
            let problem = takers.refuse(option).map(|error| (variable.name.clone(), error));
            self.given.problems.extend(problem);
        }
    }

    /// What still has no value: typed inputs in the order of the file, then names that templates read.
    pub fn missing(&self) -> Vec<MissingValue> {
        let lacks = |input: &&Input| {
            let held = self.given.get(&input.name);
            input.need == inputs::Need::Required
                && held.is_none_or(Value::is_empty)
                && !self.is_bad(&input.name)
        };
        let mut missing: Vec<MissingValue> =
            self.agent.inputs.iter().filter(lacks).cloned().map(MissingValue::Input).collect();
        let scope = self.scope();
        let of_steps = self.steps.iter().filter(|read| !read.optional && scope.get(&read.name).is_none());
        for read in self.body.missing(&scope).into_iter().chain(of_steps.cloned()) {
            let known = missing.iter().any(|one| one.name() == read.name);
            if !known && !self.is_made_later(&read.name) && !self.is_bad(&read.name) {
                missing.push(MissingValue::Name(read));
            }
        }
        missing
    }

    /// Whether something was given that will not do: then it is not missing.
    fn is_bad(&self, name: &str) -> bool {
        self.given.problems.iter().any(|(of, _)| plain(of) == plain(name))
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
        let hidden = self.agent.inputs.iter().filter(|input| input.kind == inputs::InputKind::Password);
        hidden.filter_map(|input| match self.given.get(&input.name) {
            Some(Value::Text(text) | Value::Number(text)) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The one error that names everything that was given and will not do, and everything that is missing beside it. What
    /// is only missing can still be asked for.
    pub fn check_given(&self) -> Result<(), FlowError> {
        if self.given.problems.is_empty() {
            return Ok(());
        }
        let missing = self.missing();
        let missing = missing.iter().map(|one| words::missing(&[one.name()]).at(one.mark().cloned()));
        self.given.check_and(missing.collect())
    }

    /// The one error that names everything that will not do or is missing, if anything is.
    pub fn check_complete(&self) -> Result<(), FlowError> {
        self.check_given()?;
        let missing = self.missing();
        let Some(first) = missing.first() else { return Ok(()) };
        let names: Vec<&str> = missing.iter().map(MissingValue::name).collect();
        let error = words::missing(&names).at(first.mark().cloned());
        Err(if missing.len() == 1 { error } else { error.hint(places(&missing)) })
    }

    /// What templates see.
    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    pub(super) fn scope(&self) -> Scope {
        let mut scope = Scope::new();
        scope.now = Some(SystemTime::now());
        for Variable { name, value, .. } in &self.given.variables {
            scope.set(name.clone(), value.clone());
        }
        // Dash and underscore are equal: a template may spell a name the other way.
        for read in self.reads.iter().filter(|read| scope.get(read).is_none()).collect::<Vec<_>>() {
            let same = |one: &&Variable| plain(&one.name) == plain(read);
            if let Some(variable) = self.given.variables.iter().find(same) {
                scope.set(read.clone(), variable.value.clone());
            }
        }
        if let Some(stdin) = &self.stdin {
            scope.set("_stdin", stdin.clone());
        } else if self.reads.contains("_stdin") {
            scope.set("_stdin", "");
        }
        // No words are an empty list of them, not a missing one.
        if self.reads.contains("_args") && scope.get("_args").is_none() {
            scope.set("_args", "");
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

/// Settings under the names that the file has for them: dash and underscore are equal.
fn spelled_as_in(front: &Front, settings: &Front) -> Front {
    let held = |key: &str| front.iter().map(|(held, _)| held).find(|held| plain(held) == plain(key));
    settings.iter().map(|(key, value)| (held(key).unwrap_or(key), value.clone())).collect()
}

/// Who takes what is given to an agent whose templates read these names.
fn takers(agent: &Agent, reads: &BTreeSet<String>) -> Result<Takers, FlowError> {
    let places = words::names_of_places(agent.cascade.front())?;
    let typed = agent.inputs.iter().map(|input| &input.name);
    let mut names: Vec<String> = Vec::new();
    let made_here = |name: &String| ["_stdin", "steps"].contains(&name.as_str());
    for name in typed.chain(&places).chain(reads) {
        if !names.contains(name) && !made_here(name) {
            names.push(name.clone());
        }
    }
    // What a step imports may be written by another step, so it is read only when that has run.
    let open = super::steps::of(agent)?.iter().any(|step| step.run.contains('@'));
    Ok(Takers { names, open })
}

/// How to give each of them a value, and where the file asks for it: an error itself has one place only.
fn places(missing: &[MissingValue]) -> String {
    let option = |one: &MissingValue| {
        let place = one.mark().map(|mark| format!(" ({})", mark.place())).unwrap_or_default();
        format!("`--{} VALUE`{place}", one.name())
    };
    format!("Give a value with {}.", missing.iter().map(option).collect::<Vec<_>>().join(", "))
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
