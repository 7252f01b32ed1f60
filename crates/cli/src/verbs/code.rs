//! `runward code LANG …`: run a snippet by its language.
//!
//! What it prints passes through as it does with `exec`; with `--json` it is one object. May not find the
//! interpreter or read the code's language: the engine does.

use super::exec::{Errand, Shown, Voice, Walked};
use super::{Done, resolve};
use crate::args::CodeArgs;
use crate::house::{House, Spooling};
use crate::output::{Failure, Format, emit};
use runward::languages::{CodeAnswer, CodeRequest, CodeRunner, PreparedCode};
use runward::{Caller, Code, ErrorView, Program};
use std::io::{self, Read};
use std::path::Path;

pub(super) fn run(args: &CodeArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?.tightened(&args.sandbox)?;
    let format = Format::of(&args.format);
    let voice = if args.quiet { Voice::Quiet } else { Voice::Normal };
    let request = request(args)?;
    let runner = CodeRunner::new(house.engine(Spooling::Off)?, house.settings.languages(), Caller::person());
    let shown = Shown { format, voice };
    match runner.prepare(&request) {
        Ok(prepared) => {
            if let (Voice::Normal, Program::Exec { name, .. }) = (voice, &prepared.spec().program) {
                resolve::announce(name, &house.facts);
            }
            walk(&runner, &prepared, shown)
        }
        Err(issue) if format == Format::Plain => Err(Failure::Told(issue.view().clone())),
        Err(issue) => answer(&CodeAnswer::before_start(&issue), format),
    }
}

fn walk(runner: &CodeRunner, prepared: &PreparedCode, shown: Shown) -> Done {
    let errand = Errand::of(runner.engine().clone(), prepared.spec().clone(), shown);
    match errand.run() {
        Ok(Walked::Interrupted(code)) => Ok(code),
        Ok(Walked::Ended(ended)) if shown.format == Format::Plain => shown.tell(*ended),
        Ok(Walked::Ended(ended)) => {
            let status = answer(&prepared.answer(&ended.receipt), shown.format)?;
            Ok(ended.interrupted.unwrap_or(status))
        }
        Err(Failure::Told(view)) if shown.format != Format::Plain => {
            answer(&prepared.failure(&view), shown.format)
        }
        Err(failure) => Err(failure),
    }
}

fn answer(answer: &CodeAnswer, format: Format) -> Done {
    emit(&answer.result, format)?;
    Ok(answer.status)
}

/// What was typed, as the engine takes it.
pub(super) fn request(args: &CodeArgs) -> Result<CodeRequest, Failure> {
    Ok(CodeRequest {
        cwd: args.cwd.clone(),
        timeout: args.timeout.unwrap_or_default(),
        version: args.version.clone(),
        ..CodeRequest::new(&args.lang, code(args)?)
    })
}

/// The code: as typed, from a file, or from our own input.
fn code(args: &CodeArgs) -> Result<String, Failure> {
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
        Failure::Told(ErrorView {
            code: Code::SpecBadValue,
            message: format!("the code in `{name}` could not be read: {error}"),
            hint: Some("Name a file of UTF-8 text, or give the code with `-c`.".to_owned()),
        })
    })
}
