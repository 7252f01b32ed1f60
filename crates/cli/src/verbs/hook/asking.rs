//! The question of a rule that asks, put into the queue that `runward approvals` shows, for as long as a hook may wait.
//!
//! May not answer it.

use crate::hook::HookTrouble;
use crate::places;
use crate::setup::Setup;
use crate::threads;
use runward::control::{serve, socket_path};
use runward::core::plan::Grantor;
use runward::core::render::duration;
use runward::registry::{SessionRules, Sessions};
use runward::{Code, Draft, Engine, ErrorView};
use std::time::Duration;

const ANSWER: &str = "Ask again, and let a person answer it with `runward approve ID` while it waits; `runward approvals` shows what waits.";

/// Asks about a draft. A no, and no answer in time, is why it may not run.
pub(super) fn ask(
    engine: &Engine,
    setup: &Setup,
    draft: &Draft,
    wait: Duration,
) -> Result<Result<Grantor, ErrorView>, HookTrouble> {
    let Some(folder) = places::run_folder(&setup.facts) else {
        return Err(HookTrouble("a person must be asked, and there is no place for the question".to_owned()));
    };
    let runtime = threads::runtime()?;
    let engine = engine.asking(engine.questions().clone());
    let sessions = Sessions::new(engine.clone(), SessionRules::default());
    let socket = socket_path(&folder);
    let answered = runtime.block_on(async {
        tokio::select! {
            biased;
            permit = tokio::time::timeout(wait, engine.permit(draft)) => Ok(permit),
            served = serve(sessions, None, &socket) => Err(served),
        }
    });
    runtime.shutdown_background();
    match answered {
        Ok(Ok(permit)) => Ok(permit.map_err(|refusal| refusal.view())),
        Ok(Err(_)) => Ok(Err(ErrorView {
            code: Code::PolicyNeedsApproval,
            message: format!(
                "a person must agree to this command, and nobody answered within {}",
                duration(wait)
            ),
            hint: Some(ANSWER.to_owned()),
        })),
        Err(served) => {
            let why = served.err().map(|error| error.to_string()).unwrap_or_default();
            Err(HookTrouble(format!("a person must be asked, and the question cannot be put: {why}")))
        }
    }
}
