//! Reports a run from its beginning to its end: as events, one object per line, or once and at the end.
//!
//! However it ends, it ends once: [`RunTelling::over`] uses this up.

use super::asked::RunView;
use super::events;
use crate::output::{LEFT, READER_GONE, VerbFailure, unwritten};
use runward_flow::events::Events;
use std::io::{self, Write};
use std::time::SystemTime;

/// How a run ended.
pub(super) struct RunOver {
    /// The exit code.
    pub(super) code: i32,
    pub(super) how: RunEndedBy,
}

/// Why it ended.
pub(super) enum RunEndedBy {
    /// By itself. Where that is not the whole truth, this is.
    Itself(Option<String>),
    /// We were told to end.
    Told,
}

impl RunOver {
    /// It ran to its own end.
    pub(super) fn itself(code: i32) -> Self {
        Self { code, how: RunEndedBy::Itself(None) }
    }

    /// We were told to end.
    pub(super) fn told(code: i32) -> Self {
        Self { code, how: RunEndedBy::Told }
    }
}

/// Reports one run.
pub(super) struct RunTelling {
    way: RunView,
    file: String,
    command: Option<String>,
    pub(super) events: Option<Events>,
}

impl RunTelling {
    /// A run of this file, reported in this form.
    pub(super) fn of(way: RunView, file: &str) -> Self {
        Self { way, file: file.to_owned(), command: None, events: None }
    }

    /// The run begins. Its command is left out where it is not known.
    pub(super) fn started(&mut self, command: Option<&str>) -> Result<(), VerbFailure> {
        if self.way != RunView::Events || self.events.is_some() {
            return Ok(());
        }
        self.command = command.map(str::to_owned);
        let id = uuid::Uuid::now_v7();
        let (events, line) = Events::start(&id, &self.file, command, SystemTime::now());
        self.events = Some(events);
        write(&line)
    }

    /// The run is over. Gives the exit code.
    pub(super) fn over(mut self, done: Result<RunOver, VerbFailure>) -> i32 {
        let done = match done {
            Err(VerbFailure::Left) => Ok(RunOver::told(LEFT)),
            done => done,
        };
        if self.way != RunView::Events {
            return done.map_or_else(|failure| failure.tell(self.way.format()), |over| over.code);
        }
        if matches!(done, Err(VerbFailure::ReaderGone)) {
            return READER_GONE;
        }
        let code = done.as_ref().map_or_else(VerbFailure::exit_code, |over| over.code);
        let written = self.started(None).and_then(|()| {
            let command = self.command.as_deref().unwrap_or(&self.file);
            let line = self.events.take().map(|events| events::ending(events, &done, command));
            write(&line.unwrap_or_default())
        });
        match written {
            Ok(()) => code,
            Err(failure) => failure.tell(self.way.format()),
        }
    }
}

/// Writes whole lines to standard output.
pub(super) fn write(lines: &str) -> Result<(), VerbFailure> {
    let mut out = io::stdout().lock();
    out.write_all(lines.as_bytes()).and_then(|()| out.flush()).map_err(|error| unwritten(&error))
}
