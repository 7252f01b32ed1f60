//! `runward gateway consent`: approves the servers of a project's file beforehand, and withdraws approvals.
//!
//! May not start anything.

use super::consent::{ConsentLedger, is_project, line_of, somebody_is_there};
use super::servers::{list, nobody_agreed};
use crate::args::ConsentArgs;
use crate::output::{OutputFormat, VerbFailure, emit, print};
use crate::setup;
use crate::verbs::VerbResult;
use runward::Code;
use runward::core::render::one_line;
use runward::host::Disk;
use runward_mcp::gateway::config::{Roster, ServerStart};
use serde::Serialize;

pub(super) fn run(args: &ConsentArgs) -> VerbResult {
    let facts = setup::facts()?;
    let file = facts.naming.join(&facts.cwd, &args.file);
    let roster = list(&file, &facts)?;
    let ledger = ConsentLedger::of(&file, &facts);
    if !args.withdraw.is_empty() {
        return withdraw(args, &roster, &ledger);
    }
    if !args.list {
        agree(args, &roster, &ledger)?;
    }
    let view = View { needed: is_project(&file, &facts, &Disk), servers: views(&roster, &ledger)? };
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => print(&view.text())?,
        structured => emit(&view, structured)?,
    }
    let open = view.needed && view.servers.iter().any(|server| !server.agreed);
    Ok(if open && !args.list { i32::from(Code::GatewayNeedsConsent.exit()) } else { 0 })
}

fn agree(args: &ConsentArgs, roster: &Roster, ledger: &ConsentLedger<'_>) -> Result<(), VerbFailure> {
    let missing = ledger.missing(roster)?;
    if !missing.is_empty() && !args.yes && !somebody_is_there() {
        return Err(nobody_agreed(missing.len()));
    }
    for (server, digest) in missing {
        if args.yes {
            ledger.agree(server, &digest)?;
        } else {
            ledger.ask(server, &digest)?;
        }
    }
    Ok(())
}

fn withdraw(args: &ConsentArgs, roster: &Roster, ledger: &ConsentLedger<'_>) -> VerbResult {
    for key in &args.withdraw {
        let server = roster.server(key).ok_or_else(|| {
            let message = format!("there is no server `{}` in the file", one_line(key));
            VerbFailure::bad_value(message, "Look for its key with `--list`.")
        })?;
        ledger.withdraw(server)?;
    }
    Ok(0)
}

/// The approved servers.
#[derive(Debug, Serialize)]
struct View {
    /// Whether the file needs an approval: one's own does not.
    needed: bool,
    servers: Vec<AgreedServerView>,
}

#[derive(Debug, Serialize)]
struct AgreedServerView {
    key: String,
    agreed: bool,
    /// What an approval is for.
    digest: String,
    /// The exact command line, or the address.
    command: String,
}

fn views(roster: &Roster, ledger: &ConsentLedger<'_>) -> Result<Vec<AgreedServerView>, VerbFailure> {
    let consents = ledger.read()?;
    let on = roster.servers.iter().filter(|server| server.start != ServerStart::Never);
    let views = on.map(|server| {
        let digest = ledger.digest(server);
        AgreedServerView {
            key: server.key.clone(),
            agreed: consents.covers(&digest),
            digest: digest.as_str().to_owned(),
            command: line_of(server),
        }
    });
    Ok(views.collect())
}

impl View {
    fn text(&self) -> String {
        let widest =
            self.servers.iter().map(|server| one_line(&server.key).chars().count()).max().unwrap_or(0);
        let mut lines: Vec<String> = Vec::new();
        for server in &self.servers {
            let word = if server.agreed { "agreed" } else { "not yet" };
            lines.push(format!("{:<widest$}  {word:<7}  {}", one_line(&server.key), server.command));
        }
        if !self.needed {
            lines.push("the file is your own; its servers need no approval".to_owned());
        }
        lines.join("\n")
    }
}
