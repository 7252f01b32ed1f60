//! `runward replay ID`: the same command again. Shows its plan and asks first; it is judged like any other.

use super::super::VerbResult;
use super::super::exec::{ExecOutcome, ExecReport, ExecRun, Voice};
use crate::args::ReplayArgs;
use crate::output::draft::DraftView;
use crate::output::{LEFT, OutputFormat, VerbFailure, note, tell};
use crate::setup::{Setup, SpoolChoice};
use runward::core::redact::MASK;
use runward::journal::{AskedRecord, BeginRecord, JournalRecord, ReadError};
use runward::{Caller, CommandSpec, Request, Wish};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

pub(in super::super) fn run(args: &ReplayArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let unknown = || ReadError::Unknown { id: args.id.clone() };
    let reader = setup.reader()?.ok_or_else(unknown)?;
    let whole = reader.whole(&reader.find(&args.id)?)?;
    let JournalRecord::Begin(begin) = &whole.first else {
        let message = "that command never ran".to_owned();
        return Err(VerbFailure::bad_value(message, "Type it yourself, so that it is judged as yours."));
    };
    let spec = again(begin)?;
    let format = OutputFormat::of(&args.format);
    let spooling = if format == OutputFormat::Plain { SpoolChoice::Off } else { SpoolChoice::ToDisk };
    let engine = setup.engine(spooling)?;
    let draft = engine.explain(Request::by(Caller::person(), spec.clone()))?;
    note(DraftView::of(&draft, &setup.settings).text().trim_end());
    let now = runward::core::render::word(draft.command().real_program().as_os_str());
    if now != begin.program {
        tell(&format!("then it was `{}`, now it would be `{now}`", begin.program));
    }
    if !args.yes && !agreed()? {
        return Ok(LEFT);
    }
    let shown = ExecReport { format, voice: Voice::Normal, longer: None };
    match ExecRun::of(engine, spec, shown).run()? {
        ExecOutcome::Ended(ended) => shown.tell(*ended),
        ExecOutcome::Interrupted(code) => Ok(code),
    }
}

/// The command as it was asked for, where all of it is known.
fn again(begin: &BeginRecord<'_>) -> Result<CommandSpec, VerbFailure> {
    let words: Vec<&str> = match &begin.asked {
        AskedRecord::Exec(words) => words.iter().map(AsRef::as_ref).collect(),
        AskedRecord::Shell(text) => vec![text.as_ref()],
    };
    if words.iter().any(|word| word.contains(MASK)) {
        let message = "that command had a secret, which was not recorded".to_owned();
        return Err(VerbFailure::bad_value(message, "Type it again yourself."));
    }
    let spec = match (&begin.asked, words.split_first()) {
        (AskedRecord::Exec(_), Some((name, args))) => CommandSpec::exec(*name).args(args.iter().copied()),
        (AskedRecord::Shell(text), _) => CommandSpec::shell(text.as_ref()),
        (AskedRecord::Exec(_), None) => CommandSpec::exec(""),
    };
    let mut spec = spec.cwd(begin.cwd.as_ref());
    let limit = |name: &str| begin.limits.iter().find(|limit| limit.name == name).map(|limit| limit.value);
    spec.limits.wall =
        limit("timeout_ms").map_or(Wish::Off, |millis| Wish::At(Duration::from_millis(millis)));
    Ok(spec)
}

/// Asks a person, if one is there.
fn agreed() -> Result<bool, VerbFailure> {
    if !io::stdin().is_terminal() {
        let message = "nobody is there to ask whether to run it again".to_owned();
        return Err(VerbFailure::bad_value(message, "Use `--yes` to run it without asking."));
    }
    let mut err = io::stderr();
    let asked = write!(err, "Run it again? [y/N] ").and_then(|()| err.flush());
    asked.map_err(|error| VerbFailure::host("the question could not be asked", &error))?;
    let mut answer = String::new();
    io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| VerbFailure::host("the answer could not be read", &error))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
