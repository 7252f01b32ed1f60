//! `runward`, `runward help [VERB]`, `runward version`: where to begin, and what there is.

use super::VerbResult;
use crate::args::Cli;
use crate::output::{VerbFailure, print, usage};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;

/// What `runward` alone prints.
const START: &str = "Runward runs commands for AI agents: your rules decide, nothing is left running,
everything is written down.

  runward init          let your agent use it (Claude, Codex, Cursor, VS Code, …)
  runward doctor        what this host can do, and which rules are in force
  runward exec -- ls    run a command yourself
  runward --help        every verb";

/// The start page.
pub(super) fn start() -> VerbResult {
    print(START).map(|()| 0)
}

/// The same as `--help`, of all or of one verb.
pub(super) fn run(verb: &[String]) -> VerbResult {
    let mut command = Cli::command();
    for (at, name) in verb.iter().enumerate() {
        command = match command.find_subcommand(name) {
            Some(inner) => inner.clone(),
            None => {
                let message = format!("there is no verb `{}`", verb[..=at].join(" "));
                return Err(VerbFailure::bad_value(message, "See `runward help` for the verbs."));
            }
        };
    }
    let asked = ["runward".to_owned()].into_iter().chain(verb.iter().cloned()).chain(["--help".to_owned()]);
    let typed: Vec<OsString> = asked.map(OsString::from).collect();
    // Asking for help is an error to the parser, so there is always one.
    Ok(Cli::try_parse_from(&typed).err().map_or(0, |error| usage(&error, &typed)))
}

/// The same as `--version`.
pub(super) fn version() -> VerbResult {
    print(&format!("runward {}", env!("CARGO_PKG_VERSION"))).map(|()| 0)
}
