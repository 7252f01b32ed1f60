//! `runward init --hook`: the hook of each client that is named, as `runward hook install` does it. May not know a client's
//! settings.

use super::super::{VerbResult, hook};
use crate::args::{HookInstallArgs, InitArgs};
use crate::hook::HookClient;
use crate::output::VerbFailure;
use clap::ValueEnum;
use std::path::Path;

pub(super) fn run(args: &InitArgs, config: Option<&Path>) -> VerbResult {
    let clients: Vec<HookClient> = args.clients().map(|id| client(id)).collect::<Result<_, _>>()?;
    if clients.is_empty() {
        let message = "`--hook` was given without a client".to_owned();
        return Err(VerbFailure::bad_value(message, &format!("Name one of {}.", names())));
    }
    for client in clients {
        let InitArgs { wrap, yes, dry_run, remove, .. } = *args;
        let code = hook::install(&HookInstallArgs { client, wrap, yes, dry_run, remove }, config)?;
        if code != 0 {
            return Ok(code);
        }
    }
    Ok(0)
}

fn client(id: &str) -> Result<HookClient, VerbFailure> {
    HookClient::from_str(id, false).map_err(|_| {
        let message = format!("`{id}` has no hook that Runward knows");
        VerbFailure::bad_value(message, &format!("Name one of {}, or leave `--hook` out.", names()))
    })
}

fn names() -> String {
    let all = HookClient::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    all.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
}
