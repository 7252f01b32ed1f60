//! The connections of a command that may talk to a list of hosts: by which rules they are relayed, and what the receipt says
//! of them. May not decide about one: that is the list, which is in the plan.

use crate::state::EngineState;
use runward_core::record::{Receipt, SandboxDenials};
use runward_core::sandbox::SandboxPlan;
use runward_os::{Child, NetworkRelay, RelayAccount, RelayRules, UpstreamProxy};
use std::ffi::OsStr;
use std::sync::Arc;

/// Begins to relay; none where the command has no such network. An error is a sentence for the receipt: the command runs, and
/// talks to nobody.
pub(crate) fn relay(child: &mut Child, state: &EngineState) -> Result<Option<NetworkRelay>, String> {
    let Some(hosts) = child.plan().draft().sandbox().hosts() else { return Ok(None) };
    let variable = |name: &str| state.facts.env.get(OsStr::new(name))?.to_str().map(str::to_owned);
    let rules = RelayRules {
        hosts: hosts.list.clone(),
        private: hosts.private.clone(),
        resolver: Arc::clone(&state.upstream),
        proxy: UpstreamProxy::of(variable),
    };
    child.relay(rules).map_err(|error| format!("its connections could not be relayed: {error}"))
}

/// Writes down what its connections came to.
pub(crate) fn told(receipt: &mut Receipt, account: Option<RelayAccount>, plan: &SandboxPlan) {
    match account {
        Some(RelayAccount { report, records, further }) => {
            receipt.tell_denials(SandboxDenials::of_network(&report, plan));
            receipt.network = Some(report);
            receipt.connections = records;
            receipt.further_connections = further;
        }
        None => {
            receipt.notes.push("its connections could not be relayed: the relay did not begin".to_owned());
        }
    }
}
