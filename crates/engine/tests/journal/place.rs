//! A journal of its own for each test.

use runward_engine::core::redact::Redactor;
use runward_engine::journal::{
    Filter, Journal, JournalNeed, JournalReader, JournalRules, Keep, Outputs, RecordedCommand,
};
use runward_engine::{
    CommandSpec, Engine, Error, Outcome, Policy, Receipt, Session, SpoolRules, Started, StdinSpec,
};
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;

pub(crate) struct Place {
    folder: TempDir,
    pub(crate) told: Arc<Mutex<Vec<String>>>,
    pub(crate) runtime: Runtime,
}

impl Place {
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { folder: tempfile::tempdir().unwrap(), told: Arc::default(), runtime }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub(crate) fn journal_folder(&self) -> PathBuf {
        self.path().join("journal")
    }

    pub(crate) fn rules(&self) -> JournalRules {
        let told = Arc::clone(&self.told);
        JournalRules {
            folder: self.journal_folder(),
            need: JournalNeed::Wanted,
            // Long: only tests of the bound itself may meet it.
            write_timeout: Duration::from_secs(60),
            keep: Keep { days: 30, bytes: 1 << 30 },
            outputs: Outputs::Kept,
            spool: Some(self.path().join("spool")),
            tell: Arc::new(move |sentence| told.lock().unwrap().push(sentence.to_owned())),
        }
    }

    pub(crate) fn engine_with(&self, rules: JournalRules) -> Engine {
        self.engine_of(rules, Policy::allow_everything("a test"))
    }

    pub(crate) fn engine_of(&self, rules: JournalRules, policy: Policy) -> Engine {
        Engine::builder()
            .policy(policy)
            .journal(Journal::new(rules, Redactor::default()))
            .spool(SpoolRules { folder: self.path().join("spool"), total: 1 << 30 })
            .build()
            .unwrap()
    }

    pub(crate) fn engine(&self) -> Engine {
        self.engine_with(self.rules())
    }

    pub(crate) fn run(&self, engine: &Engine, spec: CommandSpec) -> Result<Outcome, Error> {
        let outcome = self.runtime.block_on(engine.run(spec));
        engine.journal().unwrap().flush();
        outcome
    }

    pub(crate) fn ran(&self, engine: &Engine, spec: CommandSpec) -> Receipt {
        match self.run(engine, spec) {
            Ok(Outcome::Ran(receipt)) => *receipt,
            other => panic!("did not run: {other:?}"),
        }
    }

    /// A command that runs until it is stopped.
    pub(crate) fn waiting(&self, engine: &Engine) -> Session {
        let mut spec = CommandSpec::exec("cat");
        spec.stdin = StdinSpec::Open;
        let started = self.runtime.block_on(engine.start(spec)).unwrap();
        engine.journal().unwrap().flush();
        match started {
            Started::Running(session) => session,
            Started::Refused(refusal) => panic!("{refusal}"),
        }
    }

    pub(crate) fn stop(&self, session: Session) {
        self.runtime.block_on(async {
            session.stop();
            session.wait().await.unwrap();
        });
    }

    /// The files in a folder of the journal.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        self.journal_folder().join(folder).read_dir().unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// What a killed process left: its mark, and records on their way.
    pub(crate) fn left_by_the_dead(&self, records: &str) {
        for (folder, text) in [("alive", ""), ("intake", records)] {
            std::fs::create_dir_all(self.journal_folder().join(folder)).unwrap();
            std::fs::write(self.journal_folder().join(folder).join("a-mark"), text).unwrap();
        }
    }

    pub(crate) fn reader(&self) -> JournalReader {
        JournalReader::open(&self.journal_folder(), Some(&self.path().join("spool")))
            .unwrap()
            .expect("a journal")
    }

    pub(crate) fn all(&self) -> Vec<RecordedCommand> {
        self.reader().list(&Filter::default()).unwrap()
    }

    /// The database, for tests that tamper with it.
    pub(crate) fn database(&self) -> Connection {
        Connection::open(self.journal_folder().join("journal.db")).unwrap()
    }
}
