//! Wrap mode: what may run is handed back as a run of Runward, with a ticket.
//!
//! Where a sandbox is in force, a text that cannot be wrapped is refused: run by the client, it would be outside. May not
//! wrap where rules of the client would be lost by it.

use super::door::HookCase;
use crate::args::HookMode;
use crate::hook::{HookTicket, HookTrouble, TicketDesk, WrapShape, quoted, shape, theirs};
use runward::core::facts::System;
use runward::core::redact::Redactor;
use runward::{Code, ErrorView};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// What became of wrapping a command.
pub(super) enum WrapOutcome {
    /// The tool's input, with another text for the command.
    Yes(Map<String, Value>),
    /// It is left to the client; a record says why, where that is not as it was wanted.
    No(Option<String>),
    /// It may not run without being wrapped.
    Refused(ErrorView),
}

/// Wraps the command of a case, if it can be.
pub(super) fn wrap(case: &HookCase<'_>, approved: Option<&str>) -> Result<WrapOutcome, HookTrouble> {
    if case.mode != HookMode::Wrap {
        return Ok(WrapOutcome::No(None));
    }
    let (Some(desk), None) = (&case.desk, unable(case)) else {
        let why = unable(case).unwrap_or_else(|| "there is no state folder for tickets".to_owned());
        return Ok(unwrapped(case, &why));
    };
    match shape(case.text) {
        WrapShape::Unwrapped(why) => Ok(unwrapped(case, why)),
        WrapShape::Whole => rewritten(case, desk, approved, ("", None, case.text)),
        WrapShape::Behind { lead, folder, rest } => {
            rewritten(case, desk, approved, (lead, Some(folder), rest))
        }
    }
}

/// Why this client's commands cannot be wrapped now.
fn unable(case: &HookCase<'_>) -> Option<String> {
    let client = case.event.client;
    if !client.rewrites() {
        return Some(format!("{} does not take another text for a command", client.title()));
    }
    if case.setup.facts.system == System::Windows {
        return Some("the shells of Windows are not wrapped".to_owned());
    }
    if case.engine.journal().is_none() && case.desk.is_none() {
        return Some("there is no state folder for tickets".to_owned());
    }
    let folder = case.event.cwd.as_deref().unwrap_or(&case.setup.facts.cwd);
    let places = theirs::RulePlaces::of(&case.setup.facts, folder);
    let taken = case.desk.as_ref().and_then(|desk| theirs::TakenOver::kept(desk, client));
    theirs::lost_by_wrapping(client, &places, taken.as_ref())
}

fn unwrapped(case: &HookCase<'_>, why: &str) -> WrapOutcome {
    if case.engine.sandbox().is_off() {
        return WrapOutcome::No(Some(format!("not wrapped: {why}")));
    }
    WrapOutcome::Refused(ErrorView {
        code: Code::PolicyDenied,
        message: format!("this command cannot be run in the sandbox: {why}"),
        hint: Some(
            "Write `cd DIR && …` at its beginning and nowhere else, leave out the last `&`, or make it two commands."
                .to_owned(),
        ),
    })
}

/// The lead that stays as it was written, the folder that it changes to, and the text that is wrapped.
type WrappedParts<'a> = (&'a str, Option<&'a str>, &'a str);

fn rewritten(
    case: &HookCase<'_>,
    desk: &TicketDesk,
    approved: Option<&str>,
    (lead, folder, text): WrappedParts<'_>,
) -> Result<WrapOutcome, HookTrouble> {
    let redactor: &Redactor = case.engine.redactor();
    let ticket = HookTicket {
        client: case.event.client.name().to_owned(),
        session: case.event.session.clone(),
        call: case.event.call.clone(),
        tool: case.event.tool.clone(),
        text: TicketDesk::hash_of(text),
        asked: TicketDesk::hash_of(case.text),
        shown: redactor.mask(case.text).into_owned(),
        folders: folders(case.event.cwd.as_deref().unwrap_or(&case.setup.facts.cwd), folder),
        rules: rules_hash(case),
        approved_by: approved.map(str::to_owned),
        at: 0,
    };
    let unkept = |error| HookTrouble(format!("no ticket could be kept: {error}"));
    let token = desk.issue(ticket).map_err(unkept)?;
    let program = own_program()?;
    let config = match case.file.map(|file| case.setup.facts.cwd.join(file)) {
        None => String::new(),
        Some(file) => {
            let name = file.to_str().ok_or_else(|| HookTrouble("`--config` is not UTF-8".to_owned()))?;
            format!("--config {} ", quoted(name))
        }
    };
    let joined = if case.event.client.joins_streams() { " 2>&1" } else { "" };
    let (program, text) = (quoted(&program), quoted(text));
    let line = format!("{lead}{program} {config}exec --ticket {token} --shell {text}{joined}");
    let mut input = case.event.input.clone();
    input.insert(case.key.to_owned(), Value::String(line));
    Ok(WrapOutcome::Yes(input))
}

fn rules_hash(case: &HookCase<'_>) -> String {
    TicketDesk::hash_of(&format!("{:?}", case.engine.policy()))
}

/// This program, by its whole path.
pub(super) fn own_program() -> Result<String, HookTrouble> {
    let path =
        std::env::current_exe().map_err(|error| HookTrouble(format!("this program has no path: {error}")))?;
    let there = path.to_str().filter(|_| path.exists()).map(str::to_owned);
    there.ok_or_else(|| HookTrouble(format!("this program is not at `{}` any more", path.display())))
}

/// The folder that the text runs in, as a shell arrives there with links and without.
fn folders(around: &Path, inside: Option<&str>) -> Vec<PathBuf> {
    let plain = inside.map_or_else(|| around.to_owned(), |inside| around.join(inside));
    let lexical = normalized(&plain);
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut all = vec![real(&plain), real(&lexical)];
    all.dedup();
    all
}

/// A path without `.` and `..`, as `cd` follows it.
fn normalized(path: &Path) -> PathBuf {
    use std::path::Component;
    path.components().fold(PathBuf::new(), |mut all, part| {
        match part {
            Component::ParentDir => drop(all.pop()),
            Component::CurDir => {}
            other => all.push(other),
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_followed_as_a_shell_does() {
        assert_eq!(normalized(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
        assert_eq!(normalized(Path::new("/../a")), Path::new("/a"));
    }
}
