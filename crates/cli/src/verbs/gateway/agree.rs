//! `runward gateway consent`: agreeing to the servers of a project's file beforehand, and taking it back.
//!
//! May not start anything.

use super::consent::{Ledger, is_project, line_of, somebody_is_there};
use super::servers::{list, nobody_agreed};
use crate::args::ConsentArgs;
use crate::house;
use crate::output::{Failure, Format, emit, print};
use crate::verbs::Done;
use runward::Code;
use runward::core::render::one_line;
use runward::host::Disk;
use runward_mcp::gateway::config::{Roster, Start};
use serde::Serialize;

pub(super) fn run(args: &ConsentArgs) -> Done {
    let facts = house::facts()?;
    let file = facts.naming.join(&facts.cwd, &args.file);
    let roster = list(&file, &facts)?;
    let ledger = Ledger::of(&file, &facts);
    if !args.withdraw.is_empty() {
        return withdraw(args, &roster, &ledger);
    }
    if !args.list {
        agree(args, &roster, &ledger)?;
    }
    let view = View { needed: is_project(&file, &facts, &Disk), servers: views(&roster, &ledger)? };
    match Format::of(&args.format) {
        Format::Plain => print(&view.text())?,
        structured => emit(&view, structured)?,
    }
    let open = view.needed && view.servers.iter().any(|server| !server.agreed);
    Ok(if open && !args.list { i32::from(Code::GatewayNeedsConsent.exit()) } else { 0 })
}

fn agree(args: &ConsentArgs, roster: &Roster, ledger: &Ledger<'_>) -> Result<(), Failure> {
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

fn withdraw(args: &ConsentArgs, roster: &Roster, ledger: &Ledger<'_>) -> Done {
    for key in &args.withdraw {
        let server = roster.server(key).ok_or_else(|| {
            let message = format!("there is no server `{}` in the file", one_line(key));
            Failure::bad_value(message, "Look for its key with `--list`.")
        })?;
        ledger.withdraw(server)?;
    }
    Ok(0)
}

/// What was agreed to.
#[derive(Debug, Serialize)]
struct View {
    /// Whether the file needs any leave: one's own does not.
    needed: bool,
    servers: Vec<ServerView>,
}

#[derive(Debug, Serialize)]
struct ServerView {
    key: String,
    agreed: bool,
    /// What one agrees to.
    digest: String,
    /// The exact command line, or the address.
    command: String,
}

fn views(roster: &Roster, ledger: &Ledger<'_>) -> Result<Vec<ServerView>, Failure> {
    let consents = ledger.read()?;
    let on = roster.servers.iter().filter(|server| server.start != Start::Never);
    let views = on.map(|server| {
        let digest = ledger.digest(server);
        ServerView {
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
            lines.push("the file is your own; its servers need nobody's leave".to_owned());
        }
        lines.join("\n")
    }
}
