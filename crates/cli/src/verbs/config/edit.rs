//! `runward config edit`: the owner's configuration in their editor, along the road like every command; then it is read.
//!
//! May not write the file itself: the editor does.

use super::VerbResult;
use super::path::owners;
use crate::output::{VerbFailure, tell};
use crate::setup::{self, Setup, SpoolChoice};
use crate::threads;
use crate::verbs::exec::{InterruptGuard, StartOutcome, begin, sentences};
use crate::verbs::run::interactive;
use runward::core::render::word;
use runward::{Caller, CommandSpec, HostFacts, Request, Wish, host};
use std::io::{self, IsTerminal};
use std::path::Path;

pub(super) fn run(file: Option<&Path>) -> VerbResult {
    let facts = setup::facts()?;
    let place = owners(file, &facts)?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(VerbFailure::bad_value(
            "an editor needs a terminal, and there is none".to_owned(),
            &format!("Change the file itself: {}", word(place.as_os_str())),
        ));
    }
    if let Some(folder) = place.parent() {
        host::private_folder(folder).map_err(|error| {
            VerbFailure::host("the folder of the configuration could not be made", &error)
        })?;
    }
    let code = edited(&place, file, &facts)?;
    // What the editor left is read as every command will read it: an error is reported with its line.
    setup::read(file.filter(|_| place.is_file()), &facts)?;
    if place.is_file() {
        tell(&format!("{} is in order", word(place.as_os_str())));
    }
    Ok(code)
}

fn edited(place: &Path, file: Option<&Path>, facts: &HostFacts) -> VerbResult {
    // A configuration that is broken or not there yet is what people edit, so only a sound one rules the editor.
    let setup = match setup::read(file, facts) {
        Ok(_) => Setup::open(file)?,
        Err(_) => Setup::built_in()?,
    };
    let engine = setup.engine(SpoolChoice::Off)?;
    let request = Request::by(Caller::person(), interactive::seated(editor(place, facts)));
    let runtime = threads::runtime()?;
    let done = runtime.block_on(async {
        let mut guard = InterruptGuard::listen()?;
        match begin(&engine, request, &mut guard).await? {
            StartOutcome::Interrupted(code) => Ok(code),
            StartOutcome::Running(session) => {
                let receipt = interactive::attend(session, &mut guard).await?;
                sentences(&receipt).iter().for_each(|sentence| tell(sentence));
                Ok(guard.exit_code().unwrap_or_else(|| receipt.end.exit_code()))
            }
        }
    });
    runtime.shutdown_background();
    done
}

/// The editor, with the words that people put into its variable (`code --wait`).
fn editor(place: &Path, facts: &HostFacts) -> CommandSpec {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| facts.env_var(name)?.to_str());
    let words: Vec<String> = named
        .map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .find(|words| !words.is_empty())
        .unwrap_or_else(|| vec!["vi".to_owned()]);
    let mut spec = CommandSpec::exec(&words[0]).args(&words[1..]).arg(place);
    spec.limits.wall = Wish::Off;
    spec
}
