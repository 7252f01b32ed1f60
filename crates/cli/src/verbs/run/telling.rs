//! How a run is told from its beginning to its end: as events, one object per line, or once and at the end.
//!
//! However it ends, it ends once: [`Telling::over`] uses this up.

use super::asked::Way;
use super::events;
use crate::output::{Failure, LEFT, READER_GONE};
use runward_flow::events::Events;
use std::io::{self, Write};
use std::time::SystemTime;

/// How a run came to its end.
pub(super) struct Over {
    /// What to exit with.
    pub(super) code: i32,
    pub(super) how: How,
}

/// What ended it.
pub(super) enum How {
    /// It did, by itself. Where that is not the whole truth, this is.
    Itself(Option<String>),
    /// Somebody told us to end.
    Told,
}

impl Over {
    /// It ran to its own end.
    pub(super) fn itself(code: i32) -> Self {
        Self { code, how: How::Itself(None) }
    }

    /// We were told to end.
    pub(super) fn told(code: i32) -> Self {
        Self { code, how: How::Told }
    }
}

/// Tells one run.
pub(super) struct Telling {
    way: Way,
    file: String,
    command: Option<String>,
    pub(super) events: Option<Events>,
}

impl Telling {
    /// A run of this file, told in this way.
    pub(super) fn of(way: Way, file: &str) -> Self {
        Self { way, file: file.to_owned(), command: None, events: None }
    }

    /// The run begins. Its command is left out where it is not known.
    pub(super) fn started(&mut self, command: Option<&str>) -> Result<(), Failure> {
        if self.way != Way::Events || self.events.is_some() {
            return Ok(());
        }
        self.command = command.map(str::to_owned);
        let id = uuid::Uuid::now_v7();
        let (events, line) = Events::start(&id, &self.file, command, SystemTime::now());
        self.events = Some(events);
        write(&line)
    }

    /// The run is over. Gives what to exit with.
    pub(super) fn over(mut self, done: Result<Over, Failure>) -> i32 {
        let done = match done {
            Err(Failure::Left) => Ok(Over::told(LEFT)),
            done => done,
        };
        if self.way != Way::Events {
            return done.map_or_else(|failure| failure.tell(self.way.format()), |over| over.code);
        }
        if matches!(done, Err(Failure::ReaderGone)) {
            return READER_GONE;
        }
        let code = done.as_ref().map_or_else(Failure::exit_code, |over| over.code);
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
pub(super) fn write(lines: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(lines.as_bytes()).and_then(|()| out.flush()).map_err(|error| failed(&error))
}

/// Standard output takes no more.
pub(super) fn failed(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::host("the output could not be written", error),
    }
}
