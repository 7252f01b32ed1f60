//! `runward explain …`: the road up to the draft. Starts nothing, and opens nothing but the file that is explained.

use super::run::{explain as explain_agent, format as format_of_agent};
use super::{VerbResult, code, exec};
use crate::args::{CodeArgs, ExecArgs, ExplainArgs, ExplainVerb, FormatArgs, SandboxArgs};
use crate::mistakes::at_the_command_line;
use crate::output::draft::{self, DraftView};
use crate::output::{OutputFormat, VerbFailure, emit, folded, print};
use crate::setup::{Setup, SpoolChoice, TypedRules};
use runward::languages::CodeRunner;
use runward::{Caller, CommandSpec, Engine, Request};
use std::path::Path;

impl ExplainArgs {
    /// How the draft is printed.
    pub(super) fn format(&self) -> OutputFormat {
        let format: &FormatArgs = match &self.verb {
            None => &self.exec.format,
            Some(ExplainVerb::Exec(args)) => &args.format,
            Some(ExplainVerb::Code(args)) => &args.format,
            Some(ExplainVerb::Run(args)) => return format_of_agent(args),
        };
        OutputFormat::of(format)
    }

    /// Whether everything is named.
    fn is_verbose(&self) -> bool {
        match &self.verb {
            None => self.exec.verbose,
            Some(ExplainVerb::Exec(args)) => args.verbose,
            Some(ExplainVerb::Code(args)) => args.verbose,
            Some(ExplainVerb::Run(_)) => false,
        }
    }

    /// The presets that `exec` would be held to.
    fn presets(&self) -> &[String] {
        match &self.verb {
            None => &self.exec.presets,
            Some(ExplainVerb::Exec(args)) => &args.presets,
            Some(ExplainVerb::Code(_) | ExplainVerb::Run(_)) => &[],
        }
    }

    /// The sandbox options.
    fn sandbox(&self) -> &SandboxArgs {
        match &self.verb {
            None => &self.exec.sandbox,
            Some(ExplainVerb::Exec(args)) => &args.sandbox,
            Some(ExplainVerb::Code(args)) => &args.sandbox,
            Some(ExplainVerb::Run(args)) => &args.sandbox,
        }
    }
}

pub(super) fn run(args: &ExplainArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::allowing(file, TypedRules::presets(args.presets()))?.tightened(args.sandbox())?;
    let engine = setup.engine(SpoolChoice::Off)?;
    exec::hold(&engine, args.presets());
    match &args.verb {
        None => program(&engine, &args.exec, &setup, args),
        Some(ExplainVerb::Exec(exec)) => program(&engine, exec, &setup, args),
        Some(ExplainVerb::Code(code)) => snippet(engine, code, &setup, args),
        Some(ExplainVerb::Run(agent)) => explain_agent(agent, &engine, &setup),
    }
}

fn program(engine: &Engine, exec: &ExecArgs, setup: &Setup, args: &ExplainArgs) -> VerbResult {
    let explained = typed(engine, exec::lower(exec), setup, args);
    explained.map_err(|failure| at_the_command_line(failure, &exec.command.program))
}

fn snippet(engine: Engine, code: &CodeArgs, setup: &Setup, args: &ExplainArgs) -> VerbResult {
    let runner = CodeRunner::new(engine, setup.settings.languages(), Caller::person());
    // Code that is too large for one argument lives in a file for as long as this does.
    let prepared =
        runner.lower(&code::request(code)?).map_err(|issue| VerbFailure::Told(issue.view().clone()))?;
    typed(runner.engine(), prepared.spec().clone(), setup, args)
}

/// Shows the draft of what a person typed.
fn typed(engine: &Engine, mut spec: CommandSpec, setup: &Setup, args: &ExplainArgs) -> VerbResult {
    exec::let_it_take_its_time(&mut spec.limits.wall, &setup.settings);
    let (format, verbose) = (args.format(), args.is_verbose());
    let draft = engine.explain(Request::by(Caller::person(), spec))?;
    let view = DraftView::of(&draft, &setup.settings);
    match format {
        OutputFormat::Plain => {
            let text = if verbose { view.verbose_text() } else { view.text() };
            print(&folded::for_stdout(text.trim_end(), draft::LABEL))?;
        }
        structured => emit(&view, structured)?,
    }
    // A refused command is explained too; being refused is not a failure to explain.
    Ok(0)
}
