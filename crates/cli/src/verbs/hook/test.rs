//! `runward hook test`: what a client would be told about a command, from a recorded event. Runs and records nothing.

use super::VerbResult;
use super::door::HookCase;
use crate::args::{HookMode, HookTestArgs};
use crate::hook::{ClientWords, HookAnswer, HookEvent, HookTrouble, ToolRuns, denial, failure, sample};
use crate::output::print;
use runward::Request;
use runward::core::plan::Leave;
use std::path::Path;

pub(super) fn run(args: &HookTestArgs, file: Option<&Path>) -> VerbResult {
    let told = words(args, file).unwrap_or_else(|trouble| failure(args.client, &trouble.0));
    let shown = |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.to_owned() };
    print(&format!(
        "{} would be told about `{}`:\nexit status     {}\nstandard output {}\nstandard error  {}",
        args.client.title(),
        args.text,
        told.code,
        shown(&told.stdout),
        shown(&told.stderr)
    ))?;
    Ok(0)
}

fn words(args: &HookTestArgs, file: Option<&Path>) -> Result<ClientWords, HookTrouble> {
    let mut event = HookEvent::read(args.client, sample(args.client, &args.text).as_bytes())?;
    event.cwd = None;
    let ToolRuns::Command(found) = event.runs.clone() else {
        return Err(HookTrouble("the recorded event has no command".to_owned()));
    };
    let case = HookCase::of(&event, (&found.text, found.key), HookMode::Judge, file)?;
    let draft = case.engine.explain(Request::by(case.caller.clone(), case.spec.clone()));
    let draft = draft.map_err(|error| HookTrouble(error.to_string()))?;
    let answer = match draft.leave() {
        Leave::Granted(_) => HookAnswer::Silence,
        Leave::Refused(refusal) => HookAnswer::Deny(denial(&refusal.view())),
        Leave::Ask(question) if event.client.asks() => HookAnswer::Ask(question.because().to_owned()),
        Leave::Ask(question) => HookAnswer::Deny(format!(
            "runward: {} (a person would be asked in `runward approvals` first)",
            question.because()
        )),
    };
    Ok(answer.words(&event))
}
