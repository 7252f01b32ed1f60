//! `ps`, `logs`, `wait`, `kill` and `attach`: the sessions of running servers, over their private sockets.
//!
//! May not start or judge anything: it finds the server that has a session, asks, and shows.

mod attach;
pub(super) mod looks;
mod ps;

use super::VerbResult;
use crate::args::{AttachArgs, KillArgs, LogsArgs, PsArgs, WaitArgs};
use crate::output::{OutputFormat, VerbFailure, emit, print, unwritten};
use crate::{places, setup, threads};
use runward::control::{Ask, ControlCall, ControlMessage, ControlRefused, ListedSession, servers};
use runward::core::render::{may_mean_id, some_ids};
use runward::{Code, ErrorView};
use std::future::Future;
use std::io::Write;
use std::path::PathBuf;

pub(super) fn ps(args: &PsArgs) -> VerbResult {
    on_runtime(ps::show(args))
}

pub(super) fn attach(args: &AttachArgs) -> VerbResult {
    on_runtime(attach::sit_down(args))
}

pub(super) fn logs(args: &LogsArgs) -> VerbResult {
    on_runtime(async {
        let (first, mut call) =
            ask(&args.session, |session| Ask::Logs { session, follow: args.follow }).await?;
        pour(first, &mut call).await?;
        Ok(0)
    })
}

pub(super) fn wait(args: &WaitArgs) -> VerbResult {
    on_runtime(async {
        let (first, mut call) = ask(&args.session, |session| Ask::Wait { session }).await?;
        let listed = pour(first, &mut call).await?;
        Ok(listed.exit_code.unwrap_or(0))
    })
}

pub(super) fn kill(args: &KillArgs) -> VerbResult {
    on_runtime(async {
        let signal = args.signal.clone();
        let (first, mut call) =
            ask(&args.session, |session| Ask::Kill { session, signal: signal.clone() }).await?;
        let listed = pour(first, &mut call).await?;
        match OutputFormat::of(&args.format) {
            OutputFormat::Plain => {
                print(&format!("{} ended with {}", listed.id, listed.exit_code.unwrap_or(0)))?;
            }
            structured => emit(&listed, structured)?,
        }
        Ok(0)
    })
}

pub(super) fn on_runtime(work: impl Future<Output = VerbResult>) -> VerbResult {
    threads::runtime()?.block_on(work)
}

/// The sockets of every server that answers.
pub(super) async fn all_servers() -> Result<Vec<PathBuf>, VerbFailure> {
    let facts = setup::facts()?;
    Ok(match places::run_folder(&facts) {
        Some(folder) => servers(&folder).await,
        None => Vec::new(),
    })
}

/// Asks the server that has the session: its first answer, and the call to read the rest from.
async fn ask(
    session: &str,
    make: impl Fn(String) -> Ask,
) -> Result<(ControlMessage, ControlCall), VerbFailure> {
    let (server, id) = meant(session, all_sessions().await?)?;
    let call = ControlCall::make(&server, &make(id)).await;
    let mut call = call.map_err(|error| VerbFailure::unheard("the server could not be reached", &error))?;
    let heard = call.hear().await;
    match heard.map_err(|error| VerbFailure::unheard("the server's answer could not be read", &error))? {
        ControlMessage::Refused(why) => Err(refused(why)),
        first => Ok((first, call)),
    }
}

/// Every session of every server.
async fn all_sessions() -> Result<Vec<(PathBuf, ListedSession)>, VerbFailure> {
    let mut all = Vec::new();
    for server in all_servers().await? {
        // A server that ends while it is asked has no sessions any more.
        if let Ok(mut call) = ControlCall::make(&server, &Ask::List).await
            && let Ok(ControlMessage::Sessions(sessions)) = call.hear().await
        {
            all.extend(sessions.into_iter().map(|listed| (server.clone(), listed)));
        }
    }
    Ok(all)
}

/// The one session that is meant by its id, the beginning or end of it, or its name; and its server.
fn meant(session: &str, all: Vec<(PathBuf, ListedSession)>) -> Result<(PathBuf, String), VerbFailure> {
    let hint = Some("See `runward ps` for the sessions of running servers.".to_owned());
    let unknown = |message| VerbFailure::Told(ErrorView { code: Code::SessionUnknown, message, hint });
    let is_exact = |listed: &ListedSession| listed.id == session || listed.name.as_deref() == Some(session);
    let any_exact = all.iter().any(|(_, listed)| is_exact(listed));
    let fits = |listed: &ListedSession| match any_exact {
        true => is_exact(listed),
        false => listed.child.is_none() && may_mean_id(&listed.id, session),
    };
    let mut fitting: Vec<(PathBuf, ListedSession)> =
        all.into_iter().filter(|(_, listed)| fits(listed)).collect();
    // Child servers have no other name than their key; the first gateway that has it is meant.
    if fitting.iter().all(|(_, listed)| listed.child.is_some()) {
        fitting.truncate(1);
    }
    match fitting.as_slice() {
        [] => Err(unknown(format!("Session not found: {session}"))),
        [(server, listed)] if listed.child.is_some() => Ok((server.clone(), session.to_owned())),
        [(server, listed)] => Ok((server.clone(), listed.id.clone())),
        several => {
            let ids: Vec<&str> = several.iter().map(|(_, listed)| listed.id.as_str()).collect();
            let (count, ids) = (ids.len(), some_ids(&ids));
            Err(unknown(format!("{count} sessions may be meant by `{session}`: {ids}")))
        }
    }
}

/// Prints a session's output, and gives its state at the end.
async fn pour(first: ControlMessage, call: &mut ControlCall) -> Result<ListedSession, VerbFailure> {
    let mut heard = first;
    loop {
        match heard {
            ControlMessage::Bytes(bytes) => {
                let mut out = std::io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush()).map_err(|error| unwritten(&error))?;
            }
            ControlMessage::Session(listed) => return Ok(listed),
            ControlMessage::Refused(why) => return Err(refused(why)),
            ControlMessage::Sessions(_) | ControlMessage::Questions(_) | ControlMessage::Gone => {
                return Err(gone());
            }
        }
        heard = call
            .hear()
            .await
            .map_err(|error| VerbFailure::unheard("the server's answer could not be read", &error))?;
    }
}

pub(super) fn refused(why: ControlRefused) -> VerbFailure {
    let code = runward::core::error::TABLE
        .iter()
        .find(|row| row.name == why.code)
        .map_or(Code::Internal, |row| row.code);
    VerbFailure::Told(ErrorView { code, message: why.message, hint: why.hint })
}

pub(super) fn gone() -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::SessionEnded,
        message: "the server is gone, and its sessions with it".to_owned(),
        hint: Some("See `runward ps` for the sessions of running servers.".to_owned()),
    })
}
