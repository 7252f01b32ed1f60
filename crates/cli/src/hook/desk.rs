//! What hooks remember in the state folder: tickets, calls that have begun, sessions that went around us.
//!
//! A ticket is 128 random bits; only its hash is stored. Each is a file of its own. The race: two that use one ticket. Using
//! it is renaming its file, which succeeds once. May not decide what a ticket is good for: whoever redeems it compares.

use super::HookClient;
use runward::host::{private_file, private_folder};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a ticket is good for.
const GOOD_FOR: Duration = Duration::from_secs(60);

/// How long anything is remembered.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);

/// What one run was promised to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HookTicket {
    pub(crate) client: String,
    pub(crate) session: Option<String>,
    pub(crate) call: Option<String>,
    pub(crate) tool: String,
    /// The hash of the text that is run.
    pub(crate) text: String,
    /// The hash of the text that was asked for.
    pub(crate) asked: String,
    /// What was asked, masked: a record of it may have to be written.
    pub(crate) shown: String,
    /// Folders that it may run in: the same one, spelled with its links and without.
    pub(crate) folders: Vec<PathBuf>,
    /// The hash of the rules that it was judged by.
    pub(crate) rules: String,
    /// The person who approved.
    pub(crate) approved_by: Option<String>,
    /// When it was handed out, in milliseconds since 1970.
    pub(crate) at: u64,
}

/// Why a ticket is not good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadTicket {
    /// There is none, or it was used.
    Unknown,
    /// It is too old.
    Late,
}

/// A call that has begun: its name in the journal, and when.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BegunCall {
    pub(crate) run: String,
    pub(crate) at: u64,
}

/// Where hooks remember things.
#[derive(Debug)]
pub(crate) struct TicketDesk {
    folder: PathBuf,
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl TicketDesk {
    /// The desk in this state folder.
    pub(crate) fn in_state(state: &Path) -> Self {
        Self { folder: state.join("hook") }
    }

    /// The hash of a text or of rules, as tickets have it.
    pub(crate) fn hash_of(text: &str) -> String {
        hash(&[text])
    }

    fn path(&self, kind: &str, name: &str) -> PathBuf {
        self.folder.join(kind).join(name)
    }

    fn put(&self, kind: &str, name: &str, text: &str) -> io::Result<()> {
        let folder = self.folder.join(kind);
        let hidden = folder.join(format!(".{}", uuid::Uuid::now_v7()));
        let mut file = private_file(&hidden).or_else(|_| {
            private_folder(&self.folder)?;
            private_folder(&folder)?;
            private_file(&hidden)
        })?;
        let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&hidden, folder.join(name)));
        if written.is_err() {
            let _ = fs::remove_file(&hidden);
        }
        written
    }

    fn keep(&self, kind: &str, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.put(kind, name, &serde_json::to_string(value)?)
    }

    /// Hands out a ticket for this.
    pub(crate) fn issue(&self, ticket: HookTicket) -> io::Result<String> {
        self.sweep("tickets");
        self.sweep("used");
        private_folder(&self.folder)?;
        private_folder(&self.folder.join("used"))?;
        let token = uuid::Uuid::new_v4().simple().to_string() + &uuid::Uuid::new_v4().simple().to_string();
        self.keep("tickets", &hash(&[&token]), &HookTicket { at: now(), ..ticket })?;
        Ok(token)
    }

    /// Uses a ticket up. It is good once, whatever comes of it.
    pub(crate) fn redeem(&self, token: &str) -> Result<HookTicket, BadTicket> {
        let name = hash(&[token]);
        let used = self.path("used", &name);
        fs::rename(self.path("tickets", &name), &used).map_err(|_| BadTicket::Unknown)?;
        let ticket: HookTicket = read(&used).ok_or(BadTicket::Unknown)?;
        let age = now().checked_sub(ticket.at).map(Duration::from_millis);
        if age.is_some_and(|age| age <= GOOD_FOR) { Ok(ticket) } else { Err(BadTicket::Late) }
    }

    /// A ticket that turned out to be for something else counts as not used by its call.
    pub(crate) fn burn(&self, token: &str) {
        let name = hash(&[token]);
        // If it stays, the call counts as run through us; what was run instead is recorded either way.
        let _ = fs::rename(self.path("used", &name), self.path("tickets", &format!("burnt-{name}")));
    }

    /// Takes a ticket of this session that was handed out and not used, and is wanted.
    pub(crate) fn take_unused(
        &self,
        client: HookClient,
        session: Option<&str>,
        wanted: impl Fn(&HookTicket) -> bool,
    ) -> Option<HookTicket> {
        let entries = fs::read_dir(self.folder.join("tickets")).ok()?;
        entries.flatten().find_map(|entry| {
            let ticket: HookTicket = read(&entry.path())?;
            let same = ticket.client == client.name() && ticket.session.as_deref() == session;
            (same && wanted(&ticket) && fs::remove_file(entry.path()).is_ok()).then_some(ticket)
        })
    }

    /// This session goes around us.
    pub(crate) fn mark_bypassed(
        &self,
        client: HookClient,
        session: Option<&str>,
        what: &str,
    ) -> io::Result<()> {
        self.keep_of(client, "bypassed", &what)?;
        self.put("bypassed", &session_name(client, session), what)
    }

    /// What this session ran around us, if it did.
    pub(crate) fn bypassed(&self, client: HookClient, session: Option<&str>) -> Option<String> {
        fs::read_to_string(self.path("bypassed", &session_name(client, session))).ok()
    }

    /// A call has begun.
    pub(crate) fn begin(
        &self,
        client: HookClient,
        session: Option<&str>,
        call: &str,
        run: &str,
    ) -> io::Result<()> {
        self.sweep("calls");
        self.keep("calls", &call_name(client, session, call), &BegunCall { run: run.to_owned(), at: now() })
    }

    /// A call is over: what its beginning was called, and how long ago that was.
    pub(crate) fn end(
        &self,
        client: HookClient,
        session: Option<&str>,
        call: &str,
    ) -> Option<(String, Duration)> {
        let path = self.path("calls", &call_name(client, session, call));
        let begun: BegunCall = read(&path)?;
        fs::remove_file(path).ok()?;
        Some((begun.run, Duration::from_millis(now().saturating_sub(begun.at))))
    }

    /// This client sends events after its calls, too.
    pub(crate) fn hears_after(&self, client: HookClient) -> bool {
        self.path("clients", &format!("{}.after", client.name())).exists()
    }

    /// This client is set up to send events after its calls.
    pub(crate) fn expect_after(&self, client: HookClient) {
        // The first such event notes it otherwise.
        let _ = self.put("clients", &format!("{}.after", client.name()), "");
    }

    /// An event came.
    pub(crate) fn note_alive(&self, client: HookClient, after: bool) {
        // Only people look at it; what cannot be noted is not seen by them.
        let _ = self.put("clients", &format!("{}.alive", client.name()), "");
        if after && !self.hears_after(client) {
            self.expect_after(client);
        }
    }

    /// When the last event of this client came.
    pub(crate) fn alive(&self, client: HookClient) -> Option<Duration> {
        let at =
            fs::metadata(self.path("clients", &format!("{}.alive", client.name()))).ok()?.modified().ok()?;
        at.elapsed().ok()
    }

    /// Keeps something about a client.
    pub(crate) fn keep_of(&self, client: HookClient, what: &str, value: &impl Serialize) -> io::Result<()> {
        self.keep("clients", &format!("{}.{what}", client.name()), value)
    }

    /// What was kept about a client.
    pub(crate) fn kept_of<T: DeserializeOwned>(&self, client: HookClient, what: &str) -> Option<T> {
        read(&self.path("clients", &format!("{}.{what}", client.name())))
    }

    /// Forgets something about a client.
    pub(crate) fn forget(&self, client: HookClient, what: &str) {
        // What is not there needs no forgetting.
        let _ = fs::remove_file(self.path("clients", &format!("{}.{what}", client.name())));
    }

    /// Forgets what is old.
    fn sweep(&self, kind: &str) {
        let Ok(entries) = fs::read_dir(self.folder.join(kind)) else { return };
        for entry in entries.flatten() {
            let at = entry.metadata().and_then(|found| found.modified()).ok();
            if at.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > REMEMBERED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn session_name(client: HookClient, session: Option<&str>) -> String {
    hash(&[client.name(), session.unwrap_or_default()])
}

fn call_name(client: HookClient, session: Option<&str>, call: &str) -> String {
    hash(&[client.name(), session.unwrap_or_default(), call])
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUDE: HookClient = HookClient::ClaudeCode;

    fn ticket(call: &str) -> HookTicket {
        HookTicket {
            client: "claude-code".to_owned(),
            session: Some("s".to_owned()),
            call: Some(call.to_owned()),
            tool: "Bash".to_owned(),
            text: TicketDesk::hash_of("ls"),
            asked: TicketDesk::hash_of("ls"),
            shown: "ls".to_owned(),
            folders: vec!["/tmp".into()],
            rules: String::new(),
            approved_by: None,
            at: 0,
        }
    }

    #[test]
    fn a_ticket_is_good_once_and_cannot_be_read_from_the_disk() {
        let state = tempfile::tempdir().unwrap();
        let desk = TicketDesk::in_state(state.path());
        let token = desk.issue(ticket("1")).unwrap();
        assert_eq!(token.len(), 64);
        let stored: Vec<String> = fs::read_dir(state.path().join("hook/tickets"))
            .unwrap()
            .flatten()
            .map(|entry| {
                entry.file_name().into_string().unwrap() + &fs::read_to_string(entry.path()).unwrap()
            })
            .collect();
        assert!(stored.len() == 1 && !stored[0].contains(&token), "{stored:?}");
        assert_eq!(desk.redeem("0123").unwrap_err(), BadTicket::Unknown);
        assert_eq!(desk.redeem(&token).unwrap().call.as_deref(), Some("1"));
        assert_eq!(desk.redeem(&token).unwrap_err(), BadTicket::Unknown);
    }

    #[test]
    fn a_ticket_of_a_minute_ago_is_late_and_so_is_one_of_tomorrow() {
        let state = tempfile::tempdir().unwrap();
        let desk = TicketDesk::in_state(state.path());
        for (name, at) in [("old", now() - 61_000), ("new", now() + 61_000)] {
            desk.issue(ticket("x")).unwrap();
            desk.keep("tickets", &hash(&[name]), &HookTicket { at, ..ticket("1") }).unwrap();
            assert_eq!(desk.redeem(name).unwrap_err(), BadTicket::Late);
        }
    }

    #[test]
    fn only_what_was_not_used_by_this_call_of_this_session_is_found() {
        let state = tempfile::tempdir().unwrap();
        let desk = TicketDesk::in_state(state.path());
        let of = |call: &'static str| move |ticket: &HookTicket| ticket.call.as_deref() == Some(call);
        let first = desk.issue(ticket("1")).unwrap();
        desk.issue(ticket("2")).unwrap();
        assert_eq!(desk.take_unused(CLAUDE, Some("other"), |_| true), None);
        assert_eq!(desk.take_unused(HookClient::Codex, Some("s"), |_| true), None);
        desk.redeem(&first).unwrap();
        assert_eq!(desk.take_unused(CLAUDE, Some("s"), of("1")), None);
        assert_eq!(desk.take_unused(CLAUDE, Some("s"), of("2")).unwrap().call.as_deref(), Some("2"));
        assert_eq!(desk.take_unused(CLAUDE, Some("s"), |_| true), None);
        desk.burn(&first);
        assert!(desk.take_unused(CLAUDE, Some("s"), of("1")).is_some(), "it was for something else");
    }

    #[test]
    fn a_call_ends_once() {
        let state = tempfile::tempdir().unwrap();
        let desk = TicketDesk::in_state(state.path());
        desk.begin(CLAUDE, None, "1", "run").unwrap();
        assert_eq!(desk.end(CLAUDE, Some("s"), "1"), None);
        assert_eq!(desk.end(CLAUDE, None, "1").unwrap().0, "run");
        assert_eq!(desk.end(CLAUDE, None, "1"), None);
    }
}
