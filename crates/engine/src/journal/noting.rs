//! From the road to records: of a plan, a refusal, a failure, an ending. Pure but for the clock
//! that is passed in; masks everything that a caller wrote.

use super::leaving::{HookNote, ToldClient};
use super::record::run_name;
use super::record::{
    AskedRecord, Asker, BeginRecord, EndRecord, JournalRecord, JudgedRecord, LimitRecord, Millis,
    NetworkRecord, PrintedRecord, RefusedRecord, RunnerRecord, SCHEMA, TroubleRecord,
};
use crate::attempt::Attempt;
use crate::rule_text::rule_table;
use runward_core::error::ErrorView;
use runward_core::plan::{Draft, ExecPlan, Grantor};
use runward_core::policy::{always, gist};
use runward_core::record::{EndedBy, Receipt, StopCause};
use runward_core::redact::Redactor;
use runward_core::render::word;
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::{Caller, Program, StdinSpec, Terminal};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// What is known when a record is made.
pub(super) struct Scribe<'a> {
    pub(super) at: Millis,
    pub(super) redactor: &'a Redactor,
}

fn shown(text: &OsStr) -> Cow<'_, str> {
    text.to_str().map_or_else(|| Cow::Owned(word(text)), Cow::Borrowed)
}

impl Scribe<'_> {
    fn masked<'t>(&self, text: &'t OsStr) -> Cow<'t, str> {
        match shown(text) {
            Cow::Borrowed(text) => self.redactor.mask(text),
            Cow::Owned(text) => Cow::Owned(self.redactor.mask(&text).into_owned()),
        }
    }

    fn words<'t>(&self, words: impl Iterator<Item = &'t OsStr>) -> Vec<Cow<'t, str>> {
        self.redactor.mask_words(&words.map(shown).collect::<Vec<_>>())
    }

    fn asked<'t>(&self, program: &'t Program) -> AskedRecord<'t> {
        match program {
            Program::Exec { name, args } => {
                AskedRecord::Exec(self.words(std::iter::once(name).chain(args).map(|word| word.as_os_str())))
            }
            Program::Shell { script, .. } => AskedRecord::Shell(self.masked(script)),
        }
    }

    /// What was asked for, and the words that are run. They are mostly the same, and then masked once.
    fn asked_and_argv<'t>(&self, command: &'t ResolvedCommand) -> (AskedRecord<'t>, Vec<Cow<'t, str>>) {
        let (asked, argv) = (self.asked(command.asked()), command.argv());
        let argv = match (&asked, command.asked()) {
            (AskedRecord::Exec(words), Program::Exec { name, args })
                if std::iter::once(name).chain(args).eq(argv) =>
            {
                words.clone()
            }
            _ => self.words(argv.iter().map(|word| word.as_os_str())),
        };
        (asked, argv)
    }

    /// The commands of a request. A single program has a name already, and one without arguments starts no other.
    fn comes_to(&self, asked: &Program, program: Option<&Path>) -> Vec<String> {
        if matches!(asked, Program::Exec { args, .. } if args.is_empty()) {
            return Vec::new();
        }
        let mut names = gist(asked, program);
        if let (Program::Exec { name, .. }, [one]) = (asked, names.as_slice())
            && shown(name).rsplit(['/', '\\']).next() == Some(one)
        {
            names.clear();
        }
        names.into_iter().map(|name| self.redactor.mask(&name).into_owned()).collect()
    }

    fn is_harmless(&self, text: &str) -> bool {
        matches!(self.redactor.mask(text), Cow::Borrowed(_))
    }

    fn path<'t>(&self, path: &'t Path) -> Cow<'t, str> {
        self.masked(path.as_os_str())
    }

    /// A command that is about to start.
    pub(super) fn begin<'t>(&self, plan: &'t ExecPlan, mark: &str) -> JournalRecord<'t> {
        let (draft, command) = (plan.draft(), plan.draft().command());
        let (rule, approved_by) = leave(plan);
        let (asked, argv) = self.asked_and_argv(command);
        JournalRecord::Begin(Box::new(BeginRecord {
            schema: SCHEMA,
            at: self.at,
            id: run_name(draft.id()),
            asker: asker(draft.caller()),
            asked,
            comes_to: self.comes_to(command.asked(), Some(command.program())),
            asked_cwd: command.asked_cwd().map(|cwd| self.path(cwd)),
            purpose: command.purpose().map(|purpose| self.redactor.mask(purpose)),
            program: self.path(command.real_program()),
            argv,
            cwd: self.path(command.cwd()),
            env: command.env().keys().map(|name| shown(name)).collect(),
            stdin: stdin(command.stdin()),
            terminal: match command.terminal() {
                Terminal::Pty { rows, cols } => Some((rows, cols)),
                Terminal::Pipes => None,
            },
            rule,
            // A rule with a secret in it is never suggested.
            agreed: approved_by.as_ref().and_then(|_| agreed(draft)).filter(|text| self.is_harmless(text)),
            approved_by,
            containment: Cow::Borrowed(draft.containment().name()),
            sandbox: draft.sandbox_layers().to_vec(),
            limits: draft.limits().iter().map(limit).collect(),
            plan: draft.digest().to_string(),
            runner: RunnerRecord { pid: std::process::id(), mark: Cow::Owned(mark.to_owned()) },
        }))
    }

    /// A command that may not run, or could not be made ready.
    pub(super) fn refused(
        &self,
        id: String,
        asked: &Attempt<'_>,
        view: &ErrorView,
    ) -> JournalRecord<'static> {
        let draft = asked.draft;
        JournalRecord::Refused(Box::new(RefusedRecord {
            schema: SCHEMA,
            at: self.at,
            id,
            asker: asker(asked.caller),
            asked: owned(self.asked(asked.program)),
            comes_to: self.comes_to(asked.program, draft.map(|draft| draft.command().program())),
            asked_cwd: asked.cwd.map(|cwd| self.path(cwd).into_owned()),
            program: draft.map(|draft| self.path(draft.command().real_program()).into_owned()),
            rule: draft.and_then(|draft| Some(draft.ruling().deciding()?.rule.clone())),
            trouble: self.trouble(view),
        }))
    }

    /// A command that a client's own shell may run.
    pub(super) fn judged(
        &self,
        id: String,
        noted: &HookNote<'_>,
        told: &ToldClient,
    ) -> JournalRecord<'static> {
        let (asked, draft) = (noted.attempt(), noted.draft);
        let own = |text: &str| self.redactor.mask(text).into_owned();
        JournalRecord::Judged(Box::new(JudgedRecord {
            schema: SCHEMA,
            at: self.at,
            id,
            asker: asker(asked.caller),
            asked: owned(self.asked(asked.program)),
            comes_to: self.comes_to(asked.program, draft.map(|draft| draft.command().program())),
            asked_cwd: asked.cwd.map(|cwd| self.path(cwd).into_owned()),
            rule: draft.and_then(|draft| Some(draft.ruling().deciding()?.rule.clone())),
            told: Cow::Borrowed(told.name()),
            approved_by: match told {
                ToldClient::PassApproved(person) => Some(person.clone()),
                _ => None,
            },
            session: noted.session.map(own),
            call: noted.call.map(own),
            note: noted.note.map(own),
        }))
    }

    fn trouble(&self, view: &ErrorView) -> TroubleRecord {
        let message = self.redactor.mask(&view.message).into_owned();
        TroubleRecord { code: Cow::Borrowed(view.code.name()), message }
    }

    /// A command that is over.
    pub(super) fn end(&self, receipt: &Receipt, printed: [PrintedRecord; 2]) -> JournalRecord<'static> {
        let end = &receipt.end;
        let timed_out = end.stopped == Some(StopCause::Timeout);
        let (exit_code, signal) = match end.how {
            EndedBy::Exited(code) => (Some(code), None),
            EndedBy::Signaled(signal) => (None, Some(signal.to_string())),
            EndedBy::Unknown => (None, None),
        };
        let [stdout, stderr] = printed;
        JournalRecord::End(Box::new(EndRecord {
            schema: SCHEMA,
            at: self.at,
            id: run_name(receipt.id),
            pid: Some(receipt.pid),
            exit_code: if timed_out { Some(124) } else { exit_code },
            signal,
            stopped: end.stopped.map(|cause| Cow::Borrowed(cause.name())),
            leftovers: end.leftovers.count(),
            leftovers_state: Cow::Borrowed(end.leftovers.state()),
            duration_ms: u64::try_from(receipt.duration.as_millis()).unwrap_or(u64::MAX),
            stdout,
            stderr,
            failed: None,
            notes: receipt.notes.iter().map(|note| self.redactor.mask(note).into_owned()).collect(),
            denied: self.denied(receipt),
            network: self.network(receipt),
            stored: None,
        }))
    }

    fn denied(&self, receipt: &Receipt) -> Option<Box<serde_json::Value>> {
        let denied = receipt.denied.clone()?.masked(|text| self.redactor.mask(text).into_owned());
        serde_json::to_value(&denied).ok().map(Box::new)
    }

    /// Names of hosts are the command's own words, and may carry what is secret.
    fn network(&self, receipt: &Receipt) -> Option<Box<NetworkRecord>> {
        let masked = |text: &str| self.redactor.mask(text).into_owned();
        let mut report = receipt.network.clone()?;
        for denied in &mut report.denied {
            (denied.host, denied.why) = (masked(&denied.host), masked(&denied.why));
        }
        let mut rows = receipt.connections.clone();
        for row in &mut rows {
            row.host = masked(&row.host);
            row.why = row.why.as_deref().map(masked);
        }
        let further =
            receipt.further_connections.iter().map(|(host, count)| (masked(host), *count)).collect();
        Some(Box::new(NetworkRecord { report, rows, further }))
    }

    /// A command with a written first record, which then could not be started.
    pub(super) fn never_started(&self, id: String, view: &ErrorView) -> JournalRecord<'static> {
        JournalRecord::End(Box::new(EndRecord {
            schema: SCHEMA,
            at: self.at,
            id,
            pid: None,
            exit_code: None,
            signal: None,
            stopped: None,
            leftovers: Some(0),
            leftovers_state: Cow::Borrowed("none"),
            duration_ms: 0,
            stdout: PrintedRecord::default(),
            stderr: PrintedRecord::default(),
            failed: Some(self.trouble(view)),
            notes: Vec::new(),
            denied: None,
            network: None,
            stored: None,
        }))
    }
}

fn owned(asked: AskedRecord<'_>) -> AskedRecord<'static> {
    match asked {
        AskedRecord::Exec(words) => {
            AskedRecord::Exec(words.into_iter().map(|word| Cow::Owned(word.into_owned())).collect())
        }
        AskedRecord::Shell(text) => AskedRecord::Shell(Cow::Owned(text.into_owned())),
    }
}

fn asker(caller: &Caller) -> Asker {
    Asker {
        door: Cow::Borrowed(caller.door.name()),
        hand: Cow::Borrowed(caller.hand.name()),
        client: caller.name.clone(),
        tool: caller.tool.clone(),
    }
}

/// The rule that decided, and the person who approved.
fn leave(plan: &ExecPlan) -> (Cow<'_, str>, Option<String>) {
    match plan.permitted_by() {
        Grantor::Rule(rule) => (Cow::Borrowed(rule), None),
        Grantor::Person(person) => {
            let asked_by = plan.draft().ruling().deciding().map_or("no rule", |found| found.rule.as_str());
            (Cow::Borrowed(asked_by), Some(person.clone()))
        }
    }
}

/// The rules that would have allowed it, as TOML.
fn agreed(draft: &Draft) -> Option<String> {
    Some(always(draft)?.iter().filter_map(rule_table).collect::<Vec<_>>().concat())
        .filter(|text| !text.is_empty())
}

/// Never the bytes, nor a digest of them: a short secret could be found by trying.
fn stdin(spec: &StdinSpec) -> String {
    match spec {
        StdinSpec::Null => "null".to_owned(),
        StdinSpec::Open => "open".to_owned(),
        StdinSpec::Bytes(bytes) => format!("{} bytes", bytes.len()),
    }
}

fn limit(kept: &runward_core::plan::KeptLimit) -> LimitRecord {
    LimitRecord { name: Cow::Borrowed(kept.name), value: kept.value, by: Cow::Borrowed(kept.by.name()) }
}
