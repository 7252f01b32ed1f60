//! One event: read, judged, answered, written down. The journal's record is left in the intake: no database is opened.
//!
//! May not run anything, and may not be silent about what it could not judge.

use super::after;
use super::asking;
use super::clock::HookClock;
use super::wrap::{self, WrapOutcome};
use crate::args::HookMode;
use crate::hook::{
    ClientWords, HookAnswer, HookClient, HookEvent, HookMoment, HookTrouble, TicketDesk, ToolRuns, denial,
    failure,
};
use crate::output::VerbFailure;
use crate::places;
use crate::setup::{Setup, SpoolChoice};
use runward::config::{HookAsker, HookSettings, OnBypass, OnHookFailure};
use runward::core::plan::{Grantor, Leave};
use runward::core::render::one_short_line;
use runward::journal::{HookNote, JournalNeed, ToldClient};
use runward::{Caller, Code, CommandSpec, Door, Draft, Engine, ErrorView, Hand, Request};
use std::io::Read;
use std::path::Path;

/// A client's event to be answered.
pub(super) struct HookDoor<'a> {
    pub(super) client: HookClient,
    pub(super) mode: HookMode,
    pub(super) file: Option<&'a Path>,
    pub(super) clock: &'a HookClock,
}

/// One command of one event, and all that is needed to judge it.
pub(super) struct HookCase<'a> {
    pub(super) event: &'a HookEvent,
    pub(super) text: &'a str,
    pub(super) key: &'static str,
    pub(super) mode: HookMode,
    pub(super) file: Option<&'a Path>,
    pub(super) setup: Setup,
    pub(super) engine: Engine,
    pub(super) hooks: HookSettings,
    pub(super) caller: Caller,
    pub(super) spec: CommandSpec,
    pub(super) desk: Option<TicketDesk>,
}

impl From<VerbFailure> for HookTrouble {
    fn from(failure: VerbFailure) -> Self {
        match failure {
            VerbFailure::Told(view) | VerbFailure::Marked(view, _) => HookTrouble(view.message),
            VerbFailure::ReaderGone | VerbFailure::Left => HookTrouble("nobody is there".to_owned()),
        }
    }
}

impl HookDoor<'_> {
    /// The answer, in the client's words.
    pub(super) fn answer(&self) -> ClientWords {
        let bytes = match self.input() {
            Ok(bytes) => bytes,
            Err(trouble) => return self.failed(&trouble),
        };
        let event = match HookEvent::read(self.client, &bytes) {
            Ok(event) => event,
            Err(trouble) => return self.failed(&trouble),
        };
        match self.settle(&event) {
            Ok(answer) => answer.words(&event),
            Err(_) if self.mode == HookMode::Watch => HookAnswer::Silence.words(&event),
            Err(trouble) => self.failed(&trouble),
        }
    }

    /// Whoever only watches changes nothing, whatever goes wrong. Where the owner wants it, failures are left to the
    /// client; a configuration that cannot be read says nothing about that, so then they are not.
    fn failed(&self, trouble: &HookTrouble) -> ClientWords {
        let lenient = self.mode == HookMode::Watch
            || Setup::open(self.file)
                .is_ok_and(|setup| setup.settings.hooks().on_failure == OnHookFailure::Client);
        if lenient { ClientWords::default() } else { failure(self.client, &trouble.0) }
    }

    /// Everything on standard input, and a little more than it may be.
    fn input(&self) -> Result<Vec<u8>, HookTrouble> {
        let mut bytes = Vec::new();
        let most = (1 << 20) + 1;
        let read = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
        read.map_err(|error| HookTrouble(format!("its input cannot be read: {error}")))?;
        Ok(bytes)
    }

    fn settle(&self, event: &HookEvent) -> Result<HookAnswer, HookTrouble> {
        let ToolRuns::Command(found) = &event.runs else { return Ok(HookAnswer::Silence) };
        let case = HookCase::of(event, (&found.text, found.key), self.mode, self.file)?;
        if case.hooks.on_failure == OnHookFailure::Client {
            self.clock.lenient(HookAnswer::Silence.words(event));
        }
        if let Some(desk) = &case.desk {
            desk.note_alive(self.client, event.moment == HookMoment::After);
        }
        match event.moment {
            HookMoment::After => after::settle(&case).map(|()| HookAnswer::Silence),
            HookMoment::Before => case.before(self.clock),
        }
    }
}

impl<'a> HookCase<'a> {
    /// The case of a command in an event.
    pub(super) fn of(
        event: &'a HookEvent,
        (text, key): (&'a str, &'static str),
        mode: HookMode,
        file: Option<&'a Path>,
    ) -> Result<Self, HookTrouble> {
        let setup = Setup::open(file)?;
        let engine = setup.engine(SpoolChoice::Off)?;
        let caller = Caller {
            door: Door::Hook,
            hand: Hand::Program,
            name: Some(event.client.name().to_owned()),
            tool: Some(event.tool.clone()),
        };
        let mut spec = CommandSpec::shell(text);
        spec.cwd.clone_from(&event.cwd);
        let desk = places::state_folder(&setup.facts).map(|state| TicketDesk::in_state(&state));
        let hooks = setup.settings.hooks();
        Ok(Self { event, text, key, mode, file, setup, engine, hooks, caller, spec, desk })
    }

    fn before(&self, clock: &HookClock) -> Result<HookAnswer, HookTrouble> {
        if self.mode == HookMode::Watch {
            self.note(None, &ToldClient::Watch, None)?;
            return Ok(HookAnswer::Silence);
        }
        if let Some(refused) = self.bypassing()? {
            return Ok(HookAnswer::Deny(refused));
        }
        let draft = match self.engine.explain(Request::by(self.caller.clone(), self.spec.clone())) {
            Ok(draft) => draft,
            Err(error) => {
                let why = ErrorView::of(&error);
                let told = ErrorView { code: Code::HookFailed, message: why.message, hint: why.hint };
                self.refuse(None, &told)?;
                return Err(HookTrouble(told.message));
            }
        };
        match draft.leave() {
            Leave::Refused(refusal) => self.denied(&draft, &refusal.view()),
            Leave::Granted(_) => self.passed(&draft, None),
            Leave::Ask(question) if self.asks_there() => self.asks(&draft, question.because()),
            Leave::Ask(_) => {
                clock.extend(self.hooks.ask_wait);
                match asking::ask(&self.engine, &self.setup, &draft, self.hooks.ask_wait)? {
                    Ok(Grantor::Person(person)) => self.passed(&draft, Some(person)),
                    Ok(Grantor::Rule(_)) => self.passed(&draft, None),
                    Err(view) => self.denied(&draft, &view),
                }
            }
        }
    }

    fn asks_there(&self) -> bool {
        self.hooks.ask == HookAsker::Client && self.event.client.asks()
    }

    fn denied(&self, draft: &Draft, view: &ErrorView) -> Result<HookAnswer, HookTrouble> {
        self.refuse(Some(draft), view)?;
        Ok(HookAnswer::Deny(denial(view)))
    }

    /// It may run: in the client's own shell, or in ours.
    fn passed(&self, draft: &Draft, approved: Option<String>) -> Result<HookAnswer, HookTrouble> {
        match wrap::wrap(self, approved.as_deref())? {
            WrapOutcome::Yes(input) => Ok(HookAnswer::Rewrite(input)),
            WrapOutcome::No(note) => {
                let told = approved.map_or(ToldClient::Pass, ToldClient::PassApproved);
                self.note(Some(draft), &told, note.as_deref())?;
                Ok(HookAnswer::Silence)
            }
            WrapOutcome::Refused(view) => self.denied(draft, &view),
        }
    }

    /// The client asks its own person. What it runs afterwards was approved by them.
    fn asks(&self, draft: &Draft, because: &str) -> Result<HookAnswer, HookTrouble> {
        let person = format!("the person at `{}`", self.event.client.name());
        match wrap::wrap(self, Some(&person))? {
            WrapOutcome::Yes(input) => Ok(HookAnswer::AskRewritten(because.to_owned(), input)),
            WrapOutcome::No(note) => {
                self.note(Some(draft), &ToldClient::Ask, note.as_deref())?;
                Ok(HookAnswer::Ask(because.to_owned()))
            }
            WrapOutcome::Refused(view) => self.denied(draft, &view),
        }
    }

    /// The refusal of every command of a session that goes around us, where the owner wants it.
    fn bypassing(&self) -> Result<Option<String>, HookTrouble> {
        let Some(desk) = &self.desk else { return Ok(None) };
        if self.mode == HookMode::Wrap && !desk.hears_after(self.event.client) {
            // Nothing comes after a call here, so what was not used by now counts.
            after::find_bypass(self, desk, |_| true)?;
        }
        let (client, session) = (self.event.client, self.event.session.as_deref());
        let Some(what) = desk.bypassed(client, session).filter(|_| self.hooks.on_bypass == OnBypass::Deny)
        else {
            return Ok(None);
        };
        let view = ErrorView {
            code: Code::HookBypassed,
            message: format!(
                "this client drops rewritten commands: it ran `{}` as it was written",
                one_short_line(&what)
            ),
            hint: Some(format!("Run `runward hook install --client {}`, without `--wrap`.", client.name())),
        };
        self.refuse(None, &view)?;
        Ok(Some(denial(&view)))
    }

    pub(super) fn noted<'n>(&'n self, draft: Option<&'n Draft>, note: Option<&'n str>) -> HookNote<'n> {
        HookNote {
            caller: &self.caller,
            spec: &self.spec,
            draft,
            session: self.event.session.as_deref(),
            call: self.event.call.as_deref(),
            note,
        }
    }

    fn note(&self, draft: Option<&Draft>, told: &ToldClient, note: Option<&str>) -> Result<(), HookTrouble> {
        let Some(journal) = self.engine.journal() else { return Ok(()) };
        let left = journal.leave_judged(&self.noted(draft, note), told);
        let Some(run) = self.recorded(left)? else { return Ok(()) };
        let (client, session) = (self.event.client, self.event.session.as_deref());
        if let (Some(desk), Some(call)) = (&self.desk, &self.event.call)
            && (self.mode == HookMode::Watch || desk.hears_after(client))
        {
            // Without it, the end of this call is not paired with its beginning.
            let _ = desk.begin(client, session, call, &run);
        }
        Ok(())
    }

    pub(super) fn refuse(&self, draft: Option<&Draft>, view: &ErrorView) -> Result<(), HookTrouble> {
        let Some(journal) = self.engine.journal() else { return Ok(()) };
        self.recorded(journal.leave_refused(&self.noted(draft, None), view)).map(drop)
    }

    /// A record that cannot be written is a trouble where the journal is required.
    pub(super) fn recorded<T>(&self, left: std::io::Result<T>) -> Result<Option<T>, HookTrouble> {
        match (left, self.setup.settings.journal_need()) {
            (Ok(left), _) => Ok(Some(left)),
            (Err(_), JournalNeed::Wanted) => Ok(None),
            (Err(error), JournalNeed::Required) => {
                Err(HookTrouble(format!("the journal is required and cannot be written: {error}")))
            }
        }
    }
}
