//! The requests and answers of the control socket, as JSON.

use crate::approve::ApprovalChoice;
use crate::registry::{Live, SessionState};
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// A request. A session is named by its id, the beginning of it, or the name its owner gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Every session.
    List,
    /// A session's output, and with `follow` what is still to come.
    Logs {
        /// Which session.
        session: String,
        /// Until it ends.
        follow: bool,
    },
    /// Wait for a session's end.
    Wait {
        /// Which session.
        session: String,
    },
    /// End a session.
    Kill {
        /// Which session.
        session: String,
        /// The signal to send first, such as `SIGTERM`.
        signal: String,
    },
    /// Attach to a session's terminal.
    Attach {
        /// Which session.
        session: String,
    },
    /// Every question that waits for a person.
    Questions,
    /// A person's answer to one of them.
    Answer {
        /// The question's whole id.
        question: String,
        /// What they say.
        choice: ApprovalChoice,
    },
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedSession {
    /// Its id.
    pub id: String,
    /// The name its owner gave it.
    pub name: Option<String>,
    /// The command.
    pub command: String,
    /// Its process.
    pub pid: u32,
    /// What it is doing.
    pub state: String,
    /// How long ago it began.
    pub age_ms: u64,
    /// How it ended, as an exit code.
    pub exit_code: Option<i32>,
    /// Bytes it printed.
    pub bytes: u64,
    /// The server it belongs to.
    pub server: u32,
    /// Further facts about a child server of a gateway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child: Option<Box<ListedChild>>,
}

/// A child server in a list, beside what it has in common with a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedChild {
    /// Bytes of memory that its processes hold, where the host reports it.
    pub memory: Option<u64>,
    /// How often it was restarted.
    pub restarts: u32,
    /// How many calls it got.
    pub calls: u64,
    /// Half of the latest calls took at most this many microseconds.
    pub p50_us: Option<u64>,
    /// All but one in a hundred took at most this many.
    pub p99_us: Option<u64>,
    /// Why it is down.
    pub why: Option<String>,
}

impl ListedSession {
    /// The state of a session.
    pub fn of(live: &Live) -> Self {
        let standing = live.standing();
        let age = SystemTime::now().duration_since(live.started()).unwrap_or_default();
        Self {
            id: live.id(),
            name: live.name().map(str::to_owned),
            command: live.command_line().to_owned(),
            pid: live.pid(),
            state: if standing.receipt.is_some() { SessionState::Exited } else { live.state() }
                .name()
                .to_owned(),
            age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
            exit_code: standing.receipt.map(|receipt| receipt.end.exit_code()),
            bytes: standing.stdout + standing.stderr,
            server: std::process::id(),
            child: None,
        }
    }
}
