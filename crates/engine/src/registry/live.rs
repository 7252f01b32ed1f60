//! One session of the registry.

use super::SessionState;
use super::keys::{UnknownKey, bytes_of_key};
use super::pattern::OutputPattern;
use super::reading::{self, OutputReading, ReadAsk, ReadFrom};
use super::screen::SessionScreen;
use super::search::{Search, SearchStep};
use super::sessions::SessionOwner;
use super::until::{LOOK_EVERY, Until, WaitOutcome};
use crate::aside::aside;
use crate::session::EndedList;
use crate::{Error, Ledger, LedgerStanding, Session};
use runward_core::output::Stream;
use runward_core::plan::RunId;
use runward_core::record::{Receipt, Signal};
use runward_core::spec::Terminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A session of the registry. Cheap to clone; the clones are one session.
#[derive(Debug, Clone)]
pub struct Live(Arc<LiveInner>);

#[derive(Debug)]
struct LiveInner {
    session: Session,
    ledger: Arc<Ledger>,
    owner: SessionOwner,
    name: Option<String>,
    command: String,
    started: SystemTime,
    screen: Option<SessionScreen>,
    /// Where the next reading of each stream begins.
    cursor: Mutex<(u64, u64)>,
}

/// What is known when a session begins.
pub(super) struct Birth {
    pub(super) owner: SessionOwner,
    pub(super) name: Option<String>,
    pub(super) command: String,
    pub(super) terminal: Terminal,
}

/// After the first byte, a little more is waited for: programs print in chunks.
const GATHER: Duration = Duration::from_millis(50);

impl Live {
    /// A session without a ledger is given back.
    pub(super) fn new(mut session: Session, birth: Birth) -> Result<Self, Session> {
        let Some(ledger) = session.ledger() else { return Err(session) };
        session.stop_listening();
        let screen = match birth.terminal {
            Terminal::Pty { rows, cols } => Some(SessionScreen::new(rows, cols)),
            Terminal::Pipes => None,
        };
        Ok(Self(Arc::new(LiveInner {
            session,
            ledger,
            owner: birth.owner,
            name: birth.name,
            command: birth.command,
            started: SystemTime::now(),
            screen,
            cursor: Mutex::new((0, 0)),
        })))
    }

    /// Its name for tools: the run's own.
    pub fn id(&self) -> String {
        self.0.session.id().to_string()
    }

    /// The run's own name.
    pub(super) fn run(&self) -> RunId {
        self.0.session.id()
    }

    /// Puts its name there once it has ended.
    pub(super) fn tell_when_over(&self, over: &EndedList) {
        self.0.ledger.tell_when_over(self.run(), over);
    }

    /// The name its owner gave it.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// Its owner.
    pub fn owner(&self) -> &SessionOwner {
        &self.0.owner
    }

    /// The command, as a person would type it.
    pub fn command_line(&self) -> &str {
        &self.0.command
    }

    /// The command's process.
    pub fn pid(&self) -> u32 {
        self.0.session.pid()
    }

    /// When it began.
    pub fn started(&self) -> SystemTime {
        self.0.started
    }

    /// How much output it has, and how it ended.
    pub fn standing(&self) -> LedgerStanding {
        self.0.ledger.standing()
    }

    /// Whether it has not ended.
    pub fn is_active(&self) -> bool {
        self.standing().receipt.is_none()
    }

    /// What it is doing.
    pub fn state(&self) -> SessionState {
        if self.is_active() { self.0.session.watcher().look().into() } else { SessionState::Exited }
    }

    /// Reads output. If there is nothing and time was given, waits for the first bytes or the end.
    pub async fn read(&self, ask: &ReadAsk) -> OutputReading {
        let has_new = |standing: &LedgerStanding| self.has_new(standing, ask) || standing.receipt.is_some();
        if !ask.timeout.is_zero() && !has_new(&self.standing()) {
            let news = self.0.ledger.until(|standing| has_new(standing).then_some(()));
            if tokio::time::timeout(ask.timeout, news).await.is_ok() && self.is_active() {
                // Whatever ends the gathering early is fine too.
                let ended = self.0.ledger.until(|standing| standing.receipt.clone());
                let _ = tokio::time::timeout(GATHER, ended).await;
            }
        }
        self.take(ask)
    }

    fn has_new(&self, standing: &LedgerStanding, ask: &ReadAsk) -> bool {
        let (out, err) = *self.0.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        match ask.begin {
            ReadFrom::Offset(_) => true,
            ReadFrom::LastTime => {
                (ask.which.includes(Stream::Stdout) && standing.stdout > out)
                    || (ask.which.includes(Stream::Stderr) && standing.stderr > err)
            }
        }
    }

    fn take(&self, ask: &ReadAsk) -> OutputReading {
        let mut cursor = self.0.cursor.lock().unwrap_or_else(PoisonError::into_inner);
        let (out, err) = *cursor;
        let (stdout, stderr) = reading::read_both(&self.0.ledger, *cursor, ask);
        if ask.begin == ReadFrom::LastTime {
            *cursor = (stdout.as_ref().map_or(out, |s| s.next), stderr.as_ref().map_or(err, |s| s.next));
        }
        drop(cursor);
        OutputReading {
            stdout,
            stderr,
            state: self.state(),
            receipt: self.standing().receipt,
            recalled_code: None,
        }
    }

    /// What a person would see on its terminal, if it has one.
    pub async fn screen(&self) -> Option<String> {
        self.aside(|screen, ledger| screen.shown(ledger)).await
    }

    /// What to print on a terminal so that it looks like the session's, and the offset at which its output goes on. A
    /// session without a terminal has no screen; its output is sent from the beginning.
    #[cfg(feature = "control")]
    pub(crate) async fn screen_to_draw(&self) -> (String, u64) {
        self.aside(|screen, ledger| screen.drawn(ledger)).await.unwrap_or_default()
    }

    /// Draws on another thread: there may be much output since the last look.
    async fn aside<T: Send + 'static>(
        &self,
        draw: impl FnOnce(&SessionScreen, &Ledger) -> T + Send + 'static,
    ) -> Option<T> {
        let inner = Arc::clone(&self.0);
        let drawn = move || inner.screen.as_ref().map(|screen| draw(screen, &inner.ledger));
        // It ends early only together with the runtime, and with it the caller.
        aside(drawn).await.flatten()
    }

    /// The ledger of its output.
    #[cfg(feature = "control")]
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// Writes to its input. An error says how it ended, if it has.
    pub async fn write(&self, bytes: Vec<u8>) -> Result<(), Error> {
        self.0.session.input().write(bytes).await
    }

    /// Presses keys, by name.
    pub async fn press(&self, keys: &[String]) -> Result<Result<(), Error>, UnknownKey> {
        let bytes = keys.iter().map(|key| bytes_of_key(key)).collect::<Result<Vec<_>, _>>()?.concat();
        Ok(self.write(bytes).await)
    }

    /// Ends its input: closes a pipe, presses Ctrl-D on a terminal.
    pub async fn close_input(&self) -> Result<(), Error> {
        if self.0.screen.is_some() {
            const END_OF_TRANSMISSION: u8 = 4;
            return self.write(vec![END_OF_TRANSMISSION]).await;
        }
        self.0.session.input().close().await
    }

    /// Sets the size of its terminal.
    pub fn resize(&self, rows: u16, cols: u16) -> Result<(), Error> {
        self.0.session.resize(rows, cols)?;
        if let Some(screen) = &self.0.screen {
            screen.resize(rows, cols);
        }
        Ok(())
    }

    /// Sends a signal to the whole process tree; the ladder does the rest.
    pub fn stop(&self, signal: Signal) {
        self.0.session.stop_with(signal);
    }

    /// Waits for the end.
    pub async fn ended(&self) -> Arc<Receipt> {
        self.0.ledger.until(|standing| standing.receipt.clone()).await
    }

    /// Waits for a condition, for the end, or until the time is over; then reads what there is.
    pub async fn wait(&self, until: &Until, timeout: Duration) -> WaitOutcome {
        self.wait_and_read(until, timeout, &ReadAsk::default()).await
    }

    /// The same, with what is to be read.
    pub async fn wait_and_read(&self, until: &Until, timeout: Duration, ask: &ReadAsk) -> WaitOutcome {
        let met = async {
            tokio::select! {
                biased;
                held = self.condition(until) => if held { until.name() } else { Until::Exit.name() },
                // Output that is there is searched to its end even when nothing more can come.
                _ = self.ended(), if !matches!(until, Until::Output(_)) => Until::Exit.name(),
            }
        };
        let what = tokio::time::timeout(timeout, met).await.unwrap_or("timeout");
        WaitOutcome { what, reading: self.take(ask) }
    }

    /// Waits for a condition; `false` if it can hold no more.
    async fn condition(&self, until: &Until) -> bool {
        match until {
            Until::Exit => drop(self.ended().await),
            Until::Output(wanted) => return self.printed(wanted).await,
            Until::Idle(time) => self.quiet_for(*time).await,
            Until::Port(port) => self.looked_for(|| self.0.session.watcher().listens(*port)).await,
            Until::Input => self.looked_for(|| self.state().wants_input()).await,
        }
        true
    }

    /// Unread output matches; `false` if it ended and none does. Reading it is left to the caller.
    async fn printed(&self, wanted: &OutputPattern) -> bool {
        let mut searches = [Search::new(wanted, Stream::Stdout), Search::new(wanted, Stream::Stderr)];
        let mut look = |standing: &LedgerStanding| {
            let (out, err) = *self.0.cursor.lock().unwrap_or_else(PoisonError::into_inner);
            let [of_out, of_err] = &mut searches;
            let both =
                [of_out.look(&self.0.ledger, standing, out), of_err.look(&self.0.ledger, standing, err)];
            let news =
                [SearchStep::Found, SearchStep::MoreToSee].into_iter().find(|looked| both.contains(looked));
            news.or_else(|| standing.receipt.is_some().then_some(SearchStep::AllSeen))
        };
        loop {
            match self.0.ledger.until(&mut look).await {
                SearchStep::Found => return true,
                SearchStep::AllSeen => return false,
                // There may be much output already: other tasks get a turn between two chunks.
                SearchStep::MoreToSee => tokio::task::yield_now().await,
            }
        }
    }

    async fn quiet_for(&self, time: Duration) {
        loop {
            let quiet_at = self.standing().last_output + time;
            if quiet_at <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(quiet_at.into()).await;
        }
    }

    /// The kernel does not announce this, so it is polled, slowly.
    async fn looked_for(&self, holds: impl Fn() -> bool) {
        while !holds() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}
