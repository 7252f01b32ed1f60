//! Steps of one agent are run: each with its own prompt and command, those of a batch at once.
//!
//! What may run when is [`crate::steps`]' business. Hazard: a step whose record cannot be written would run again on
//! `--resume`; that is told, and nothing is lost.

use super::agent::Agent;
use super::commands::{CommandPlace, MOST_KEPT};
use super::in_progress::AgentInProgress;
use super::ready::ReadyGround;
use super::road::Road;
use super::text::ProgramText;
use crate::FlowError;
use crate::adapters::{LARGEST_ARGUMENT, adapter, passing};
use crate::build::{self, Placing, Prompt};
use crate::front::{Front, Value};
use crate::steps::{self, Finished, RememberedSteps, StepEnding, StepOrder, StepText, StepsProgress, Turn};
use crate::template::{Scope, Template};
use futures_util::future::join_all;
use runward_engine::core::render::bytes;
use runward_engine::{Code, Coded, CommandSpec, StdinSpec, Wish};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Steps that run at the same time.
const AT_ONCE: NonZeroUsize = NonZeroUsize::new(8).expect("eight");

/// Where finished steps are remembered.
#[derive(Debug, Clone)]
pub struct Record {
    /// The file.
    pub file: PathBuf,
    /// Whether what the last run finished counts.
    pub resume: bool,
}

/// What the steps came to.
pub(super) struct Done {
    /// The value of `steps` in templates.
    pub(super) value: Value,
    /// What those printed that no other step needs.
    pub(super) result: String,
    pub(super) notes: Vec<String>,
}

/// The steps of an agent.
pub(super) fn of(agent: &Agent) -> Result<Vec<StepText>, FlowError> {
    let front = agent.cascade.front();
    match (front.get("_steps"), front.mark_of("_steps")) {
        (Some(value), Some(mark)) if !value.is_empty() => {
            let steps = steps::read(value, mark)?;
            // What can never run is told before anything does.
            StepOrder::of(steps).map(|order| order.steps().to_vec())
        }
        _ => Ok(Vec::new()),
    }
}

/// The line of the file on which a step's prompt begins.
pub(super) fn first_line(step: &StepText) -> usize {
    let begins_there = step.run.lines().next().is_none_or(|first| step.mark.text.contains(first));
    if begins_there { step.mark.line } else { step.mark.line + 1 }
}

/// Runs the steps of a draft; nothing where there are none. A failure is the error that names it.
pub(super) async fn run<R: Road>(
    draft: &AgentInProgress,
    scope: &Scope,
    place: &CommandPlace,
    ground: &ReadyGround<'_, R>,
) -> Result<Option<Done>, FlowError> {
    let steps = of(&draft.agent)?;
    if steps.is_empty() {
        return Ok(None);
    }
    let mut progress = StepsProgress::new(StepOrder::of(steps)?, AT_ONCE);
    let (remembered, notes, said) = (RememberedSteps::default(), Vec::new(), Vec::new());
    let mut runner = StepRunner { draft, place, ground, remembered, notes, said };
    runner.remember()?;
    while !progress.is_over() {
        let turns = progress.ready();
        let mut scope = scope.clone();
        scope.set("steps", progress.read_by_templates());
        let ended = runner.batch(&progress, turns, &scope).await?;
        for (turn, (ending, said)) in ended {
            runner.note(&ending);
            // Of several tries the last one counts.
            let id = progress.step(&turn).id.clone();
            runner.said.retain(|(of, _)| *of != id);
            runner.said.extend(said.map(|said| (id, said)));
            progress.ended(turn, ending);
        }
    }
    match progress.failure() {
        Some(failure) => Err(runner.told(&failure)),
        None => {
            let (value, result) = (progress.read_by_templates(), progress.result());
            Ok(Some(Done { value, result, notes: runner.notes }))
        }
    }
}

struct StepRunner<'a, R> {
    draft: &'a AgentInProgress,
    place: &'a CommandPlace,
    ground: &'a ReadyGround<'a, R>,
    remembered: RememberedSteps,
    notes: Vec<String>,
    /// What failed steps said.
    said: Vec<(String, String)>,
}

/// How a step ended, and what it said if it failed.
type Ran = (StepEnding, Option<String>);

impl<R: Road> StepRunner<'_, R> {
    /// Reads what the last run finished, if that counts, or begins a new record.
    fn remember(&mut self) -> Result<(), FlowError> {
        let Some(record) = self.ground.record.as_ref().filter(|_| self.ground.surroundings.road.is_some())
        else {
            return Ok(());
        };
        if record.resume {
            let text = std::fs::read_to_string(&record.file).unwrap_or_default();
            self.remembered = RememberedSteps::read(&text)?;
        } else if let Err(error) = std::fs::write(&record.file, "") {
            self.notes.push(format!("steps cannot be remembered for `--resume`: {error}"));
        }
        Ok(())
    }

    /// Writes down a step that ended well.
    fn note(&mut self, ending: &StepEnding) {
        let (Some(record), StepEnding::Ran(finished)) = (&self.ground.record, ending) else { return };
        let known = self.remembered.find(&finished.id, &finished.digest).is_some();
        if known || finished.exit_code != 0 || self.ground.surroundings.road.is_none() {
            return;
        }
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(&record.file);
        if let Err(error) = opened.and_then(|mut file| file.write_all(finished.line().as_bytes())) {
            self.notes
                .push(format!("the step `{}` cannot be remembered for `--resume`: {error}", finished.id));
        }
    }

    /// The failure with what the steps said: nobody else has seen it.
    fn told(&self, failure: &FlowError) -> FlowError {
        let said: String = self.said.iter().map(|(id, said)| format!("; `{id}` said: {said}")).collect();
        let error = FlowError::new(failure.code(), format!("{failure}{said}"));
        let error = Coded::hint(failure).into_iter().fold(error, FlowError::hint);
        error.at(failure.mark().cloned())
    }

    /// Runs the steps that may run now, all at once.
    async fn batch(
        &self,
        progress: &StepsProgress,
        turns: Vec<Turn>,
        scope: &Scope,
    ) -> Result<Vec<(Turn, Ran)>, FlowError> {
        let each = turns.into_iter().map(|turn| async move {
            let step = progress.step(&turn);
            let ran = self.one(step, &progress.needed_by(step), scope).await?;
            Ok((turn, ran))
        });
        join_all(each).await.into_iter().collect()
    }

    async fn one(&self, step: &StepText, needed: &[String], scope: &Scope) -> Result<Ran, FlowError> {
        if !self.is_wanted(step, scope)? {
            return Ok((StepEnding::NotWanted, None));
        }
        let program = &self.draft.agent.program;
        let surroundings = std::sync::Arc::clone(&self.ground.surroundings);
        let text = ProgramText::fetch(program, &step.run, first_line(step), surroundings).await?;
        let prompt = text.fill(scope, self.place, self.ground.surroundings.road.as_ref()).await?;
        let (words, spec) = self.spec(step, &prompt)?;
        // A step may read files that those before it wrote: it is the same only after the same.
        let digest = steps::digest(&[&words[..], needed].concat(), &prompt);
        if let Some(finished) = self.remembered.find(&step.id, &digest) {
            return Ok((StepEnding::Ran(finished.clone()), None));
        }
        let ran = |stdout, exit_code| {
            StepEnding::Ran(Finished { id: step.id.clone(), digest: digest.clone(), stdout, exit_code })
        };
        let Some(road) = &self.ground.surroundings.road else {
            let stdout = format!("[the step `{}` is not run by --dry-run]", step.id);
            return Ok((ran(stdout, 0), None));
        };
        let printed = road.run(spec).await.map_err(|error| error.at(step.mark.clone()))?;
        if printed.left_out > 0 {
            let message = format!("the step `{}` printed more than {}", step.id, bytes(MOST_KEPT));
            let hint = "Let it print less, or write to a file that the next step reads.";
            return Err(FlowError::new(Code::FlowStepFailed, message).hint(hint).at(step.mark.clone()));
        }
        let stdout = printed.stdout.trim_end_matches('\n').to_owned();
        let exit_code = printed.exit_code;
        let said = (exit_code != 0).then(|| super::hooks::said(&printed)).flatten();
        Ok((ran(stdout, exit_code), said))
    }

    fn is_wanted(&self, step: &StepText, scope: &Scope) -> Result<bool, FlowError> {
        let Some(when) = &step.when else { return Ok(true) };
        let template = Template::parse(&self.draft.agent.program.flow.file, step.mark.line, when)?;
        Ok(StepText::is_wanted(&template.fill(scope)?))
    }

    /// The words of a step's command, and what the engine is asked to run.
    fn spec(&self, step: &StepText, prompt: &str) -> Result<(Vec<String>, CommandSpec), FlowError> {
        let agent = &self.draft.agent;
        let command = step.command.as_deref().unwrap_or(&agent.choice.command);
        let adapter = adapter(command);
        // Another command has its own flags: only what is known about it, not what the file says for its own.
        let front = match adapter {
            // A step prints, even where the agent itself gets the terminal.
            _ if command == agent.choice.command => agent.front_of_step(),
            Some(adapter) => adapter.defaults(),
            None => Front::default(),
        };
        let prepared = build::prepare(&front, prompt, &self.draft.reads)?;
        let way = match &prepared.prompt {
            Some(prompt) => passing(adapter, &front, prompt, LARGEST_ARGUMENT)?,
            None => Prompt::Argument,
        };
        let variadic = adapter.map_or(&[][..], |adapter| adapter.variadic);
        let placing = Placing { positionals: &[], variadic, way, cwd: &self.place.cwd };
        let built = prepared.build(command, &placing);
        let mut spec = self.place.lower(&built);
        spec.limits.keep = Wish::At(MOST_KEPT);
        if way == Prompt::Stdin {
            spec.stdin = StdinSpec::Bytes(prompt.trim().as_bytes().to_vec());
        }
        let mut words = [vec![built.executable], built.args].concat();
        if command == agent.choice.command
            && let Some(text) = agent.translated.text_for_file(adapter)
        {
            let file = agent.translated.file.as_deref().unwrap_or_default();
            spec.shown.push(PathBuf::from(file));
            // The file is made anew for each run: what it says makes a step another one, not where it lies.
            words = words.iter().map(|word| word.replace(file, "")).chain([text.to_owned()]).collect();
        }
        Ok((words, spec))
    }
}
