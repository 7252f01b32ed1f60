//! The doctor's lines about hooks: for each client that has one whether it was ever called, and whether it went around us.

use super::DoctorCheck;
use crate::hook::{HookClient, TicketDesk};
use crate::places;
use runward::HostFacts;
use runward::core::render::duration;
use serde_json::Value;

const NAME: &str = "hook";

/// A line for each client with a hook.
pub(super) fn checks(facts: &HostFacts) -> Vec<DoctorCheck> {
    let Some(state) = places::state_folder(facts) else { return Vec::new() };
    let desk = TicketDesk::in_state(&state);
    HookClient::ALL.into_iter().filter_map(|client| check(&desk, client)).collect()
}

fn check(desk: &TicketDesk, client: HookClient) -> Option<DoctorCheck> {
    let (title, name) = (client.title(), client.name());
    let installed = desk.kept_of::<Value>(client, "before").is_some();
    let alive = desk.alive(client);
    if desk.kept_of::<Value>(client, "bypassed").is_some() {
        let cure = format!("Run `runward hook install --client {name}`, without `--wrap`.");
        return Some(DoctorCheck::missing(
            NAME,
            format!("{title}: bypassed, it drops rewritten commands"),
            cure,
        ));
    }
    match (installed, alive) {
        (false, None) => None,
        (_, Some(ago)) => {
            let installed = if installed { "installed, " } else { "" };
            Some(DoctorCheck::ok(NAME, format!("{title}: {installed}alive: {} ago", duration(ago))))
        }
        (true, None) => {
            let cure = match client {
                HookClient::Codex => "Type `/hooks` in Codex and trust it, then let it run a command.",
                _ => "Let the client run a command.",
            };
            Some(DoctorCheck::missing(NAME, format!("{title}: installed, never called"), cure))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::CheckState;
    use serde_json::json;

    #[test]
    fn a_hook_is_installed_then_alive_then_perhaps_bypassed() {
        let state = tempfile::tempdir().unwrap();
        let (desk, codex) = (TicketDesk::in_state(state.path()), HookClient::Codex);
        assert!(check(&desk, codex).is_none());
        desk.keep_of(codex, "before", &json!({})).unwrap();
        let never = check(&desk, codex).unwrap();
        assert_eq!(
            (never.state, never.found.as_str()),
            (CheckState::Missing, "Codex: installed, never called")
        );
        assert!(never.fix.unwrap().contains("/hooks"));
        desk.note_alive(codex, false);
        assert!(check(&desk, codex).unwrap().found.starts_with("Codex: installed, alive: "));
        desk.mark_bypassed(codex, Some("s"), "ls").unwrap();
        assert!(check(&desk, codex).unwrap().found.contains("bypassed"));
    }
}
