//! How hooks of clients behave, lowered from `hook.*`. May not answer a client: the door does.

use super::Settings;
use std::time::Duration;

/// How hooks behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSettings {
    /// Who puts the question of a rule that asks.
    pub ask: HookAsker,
    /// How long an answer in `runward approvals` is waited for.
    pub ask_wait: Duration,
    /// What becomes of a command that could not be judged.
    pub on_failure: OnHookFailure,
    /// What becomes of further commands of a client that drops what it is told.
    pub on_bypass: OnBypass,
}

/// Who puts the question of a rule that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAsker {
    /// The client, where it has a question that holds.
    Client,
    /// Runward: the question waits in `runward approvals`.
    Runward,
}

/// What becomes of a command that could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnHookFailure {
    /// It is refused.
    Deny,
    /// It is left to the client.
    Client,
}

/// What becomes of further commands of a client that ran one in another way than its hook said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBypass {
    /// They are refused.
    Deny,
    /// They are judged; the person is told.
    Tell,
}

impl Settings {
    /// How hooks behave.
    pub fn hooks(&self) -> HookSettings {
        let is = |name, word| self.word(name) == Some(word);
        HookSettings {
            ask: if is("hook.ask", "client") { HookAsker::Client } else { HookAsker::Runward },
            ask_wait: Duration::from_millis(self.number("hook.ask_wait_ms").unwrap_or_default()),
            on_failure: if is("hook.on_failure", "client") {
                OnHookFailure::Client
            } else {
                OnHookFailure::Deny
            },
            on_bypass: if is("hook.on_bypass", "tell") { OnBypass::Tell } else { OnBypass::Deny },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_fails_closed() {
        let hooks = Settings::built_in().hooks();
        assert_eq!((hooks.on_failure, hooks.on_bypass), (OnHookFailure::Deny, OnBypass::Deny));
        assert_eq!((hooks.ask, hooks.ask_wait), (HookAsker::Client, Duration::from_secs(50)));
    }
}
