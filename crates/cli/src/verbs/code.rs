//! `runward code LANG …`: run a snippet by its language.
//!
//! What it prints passes through as it does with `exec`; with `--json` it is one object. May not find the
//! interpreter or read the code's language: the engine does.

use super::exec::{self, ExecOutcome, ExecReport, ExecRun, Voice};
use super::{VerbResult, resolve};
use crate::args::CodeArgs;
use crate::output::{OutputFormat, VerbFailure, emit};
use crate::setup::{Setup, SpoolChoice};
use runward::languages::{CodeAnswer, CodeRequest, CodeRunner, PreparedCode};
use runward::{Caller, Code, ErrorView, Program};
use std::io::{self, Read};
use std::path::Path;

pub(super) fn run(args: &CodeArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?.tightened(&args.sandbox)?;
    let format = OutputFormat::of(&args.format);
    let voice = if args.quiet { Voice::Quiet } else { Voice::Normal };
    let mut request = request(args)?;
    exec::let_it_take_its_time(&mut request.timeout, &setup.settings);
    let runner =
        CodeRunner::new(setup.engine(SpoolChoice::Off)?, setup.settings.languages(), Caller::person());
    let shown = ExecReport { format, voice, longer: Some(exec::BY_OPTION) };
    match runner.prepare(&request) {
        Ok(prepared) => {
            if let (true, Program::Exec { name, .. }) = (args.verbose, &prepared.spec().program) {
                resolve::announce(name, &setup.facts);
            }
            walk(&runner, &prepared, shown)
        }
        Err(issue) if format == OutputFormat::Plain => Err(VerbFailure::Told(issue.view().clone())),
        Err(issue) => answer(&CodeAnswer::before_start(&issue), format),
    }
}

fn walk(runner: &CodeRunner, prepared: &PreparedCode, shown: ExecReport) -> VerbResult {
    let run = ExecRun::of(runner.engine().clone(), prepared.spec().clone(), shown);
    match run.run() {
        Ok(ExecOutcome::Interrupted(code)) => Ok(code),
        Ok(ExecOutcome::Ended(ended)) if shown.format == OutputFormat::Plain => shown.tell(*ended),
        Ok(ExecOutcome::Ended(ended)) => {
            let status = answer(&prepared.answer(&ended.receipt), shown.format)?;
            Ok(ended.interrupted.unwrap_or(status))
        }
        Err(VerbFailure::Told(view)) if shown.format != OutputFormat::Plain => {
            answer(&prepared.failure(&view), shown.format)
        }
        Err(failure) => Err(failure),
    }
}

fn answer(answer: &CodeAnswer, format: OutputFormat) -> VerbResult {
    emit(&answer.result, format)?;
    Ok(answer.status)
}

/// The arguments, as the engine takes them.
pub(super) fn request(args: &CodeArgs) -> Result<CodeRequest, VerbFailure> {
    Ok(CodeRequest {
        cwd: args.cwd.clone(),
        timeout: args.timeout.unwrap_or_default(),
        version: args.version.clone(),
        ..CodeRequest::new(&args.lang, code(args)?)
    })
}

/// The code: as typed, from a file, or from standard input.
fn code(args: &CodeArgs) -> Result<String, VerbFailure> {
    if let Some(code) = &args.code {
        return Ok(code.clone());
    }
    let read = match args.file.as_deref() {
        Some(file) if file != Path::new("-") => std::fs::read_to_string(file),
        _ => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map(|_| text)
        }
    };
    read.map_err(|error| {
        let name = args.file.as_deref().unwrap_or(Path::new("-")).display();
        VerbFailure::Told(ErrorView {
            code: Code::SpecBadValue,
            message: format!("the code in `{name}` could not be read: {error}"),
            hint: Some("Name a file of UTF-8 text, or give the code with `-c`.".to_owned()),
        })
    })
}
