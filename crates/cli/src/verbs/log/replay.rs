//! `runward replay ID`: the same command again. Shows its plan and asks first; it is judged like any other.

use super::super::Done;
use super::super::exec::{Errand, Shown, Voice, Walked};
use crate::args::ReplayArgs;
use crate::house::{House, Spooling};
use crate::output::draft::DraftView;
use crate::output::{Failure, Format, LEFT, note, tell};
use runward::core::redact::MASK;
use runward::journal::{Asked, Begin, ReadError, Record};
use runward::{Caller, CommandSpec, Request, Wish};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

pub(in super::super) fn run(args: &ReplayArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let unknown = || ReadError::Unknown { id: args.id.clone() };
    let reader = house.reader()?.ok_or_else(unknown)?;
    let whole = reader.whole(&reader.find(&args.id)?)?;
    let Record::Begin(begin) = &whole.first else {
        let message = "that command never ran".to_owned();
        return Err(Failure::bad_value(message, "Type it yourself, so that it is judged as yours."));
    };
    let spec = again(begin)?;
    let format = Format::of(&args.format);
    let spooling = if format == Format::Plain { Spooling::Off } else { Spooling::ToDisk };
    let engine = house.engine(spooling)?;
    let draft = engine.explain(Request::by(Caller::person(), spec.clone()))?;
    note(DraftView::of(&draft, &house.settings).text().trim_end());
    let now = runward::core::render::word(draft.command().real_program().as_os_str());
    if now != begin.program {
        tell(&format!("then it was `{}`, now it would be `{now}`", begin.program));
    }
    if !args.yes && !agreed()? {
        return Ok(LEFT);
    }
    let shown = Shown { format, voice: Voice::Normal };
    match Errand::of(engine, spec, shown).run()? {
        Walked::Ended(ended) => shown.tell(*ended),
        Walked::Interrupted(code) => Ok(code),
    }
}

/// The command as it was asked for, where all of it is known.
fn again(begin: &Begin<'_>) -> Result<CommandSpec, Failure> {
    let words: Vec<&str> = match &begin.asked {
        Asked::Exec(words) => words.iter().map(AsRef::as_ref).collect(),
        Asked::Shell(text) => vec![text.as_ref()],
    };
    if words.iter().any(|word| word.contains(MASK)) {
        let message = "that command held a secret, which was not written down".to_owned();
        return Err(Failure::bad_value(message, "Type it again yourself."));
    }
    let spec = match (&begin.asked, words.split_first()) {
        (Asked::Exec(_), Some((name, args))) => CommandSpec::exec(*name).args(args.iter().copied()),
        (Asked::Shell(text), _) => CommandSpec::shell(text.as_ref()),
        (Asked::Exec(_), None) => CommandSpec::exec(""),
    };
    let mut spec = spec.cwd(begin.cwd.as_ref());
    let limit = |name: &str| begin.limits.iter().find(|limit| limit.name == name).map(|limit| limit.value);
    spec.limits.wall =
        limit("timeout_ms").map_or(Wish::Off, |millis| Wish::At(Duration::from_millis(millis)));
    Ok(spec)
}

/// Asks a person, if one is there.
fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        let message = "nobody is there to ask whether to run it again".to_owned();
        return Err(Failure::bad_value(message, "Say `--yes` to run it without asking."));
    }
    let mut err = io::stderr();
    let asked = write!(err, "Run it again? [y/N] ").and_then(|()| err.flush());
    asked.map_err(|error| Failure::host("the question could not be asked", &error))?;
    let mut answer = String::new();
    io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| Failure::host("the answer could not be read", &error))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
