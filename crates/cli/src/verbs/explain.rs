//! `runward explain …`: the road up to the draft. Starts nothing, and opens nothing but the file that is explained.

use super::run::{explain as explain_agent, format as format_of_agent};
use super::{VerbResult, code, exec};
use crate::args::{CodeArgs, ExplainArgs, ExplainVerb, FormatArgs, SandboxArgs};
use crate::output::draft::DraftView;
use crate::output::{OutputFormat, VerbFailure, emit, print};
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
        None => typed(&engine, exec::lower(&args.exec), &setup, args.format()),
        Some(ExplainVerb::Exec(exec)) => typed(&engine, exec::lower(exec), &setup, args.format()),
        Some(ExplainVerb::Code(code)) => snippet(engine, code, &setup, args.format()),
        Some(ExplainVerb::Run(agent)) => explain_agent(agent, &engine, &setup),
    }
}

fn snippet(engine: Engine, args: &CodeArgs, setup: &Setup, format: OutputFormat) -> VerbResult {
    let runner = CodeRunner::new(engine, setup.settings.languages(), Caller::person());
    // Code that is too large for one argument lives in a file for as long as this does.
    let prepared =
        runner.lower(&code::request(args)?).map_err(|issue| VerbFailure::Told(issue.view().clone()))?;
    typed(runner.engine(), prepared.spec().clone(), setup, format)
}

/// Shows the draft of what a person typed.
fn typed(engine: &Engine, spec: CommandSpec, setup: &Setup, format: OutputFormat) -> VerbResult {
    let draft = engine.explain(Request::by(Caller::person(), spec))?;
    let view = DraftView::of(&draft, &setup.settings);
    match format {
        OutputFormat::Plain => print(view.text().trim_end())?,
        structured => emit(&view, structured)?,
    }
    // A refused command is explained too; being refused is not a failure to explain.
    Ok(0)
}
