//! The state machine of one command's life: phases, deadlines, and what each input does. May not read a clock.

use super::{Action, LifeInput, LifeTerms, StreamCount};
use crate::output::Stream;
use crate::record::{End, EndedBy, Leftovers, Signal, StopCause};
use std::time::{Duration, Instant};

/// Where a life stands. Each deadline is when the next thing happens by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The command runs.
    Running,
    /// The command ended by itself; what it left behind may still finish what it was printing.
    Draining { until: Instant },
    /// Everything was asked to end.
    Stopping { kill_at: Instant },
    /// Everything is being killed.
    Killing { give_up_at: Instant },
    /// Nothing is left; the last bytes are read.
    Settling { until: Instant },
    /// Over.
    Done,
}

/// What is known of the tree once the command itself has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tree {
    Alive,
    Empty,
    Unknown,
}

/// The life of one command.
#[derive(Debug)]
pub struct Life {
    terms: LifeTerms,
    phase: Phase,
    tree: Tree,
    how: Option<EndedBy>,
    stopped: Option<StopCause>,
    outlived: u32,
    printed: u64,
    stdout_open: bool,
    stderr_open: bool,
    wall_end: Option<Instant>,
    idle_end: Option<Instant>,
}

impl Life {
    /// A life that begins now.
    pub fn begin(terms: LifeTerms, now: Instant) -> Self {
        Self {
            terms,
            phase: Phase::Running,
            tree: Tree::Alive,
            how: None,
            stopped: None,
            outlived: 0,
            printed: 0,
            stdout_open: true,
            stderr_open: terms.streams == StreamCount::Two,
            wall_end: terms.wall.and_then(|wall| now.checked_add(wall)),
            idle_end: terms.idle.and_then(|idle| now.checked_add(idle)),
        }
    }

    /// When to call [`Life::on`] with [`LifeInput::Tick`] if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Running => [self.wall_end, self.idle_end].into_iter().flatten().min(),
            Phase::Draining { until } | Phase::Settling { until } => Some(until),
            Phase::Stopping { kill_at } => Some(kill_at),
            Phase::Killing { give_up_at } => Some(give_up_at),
            Phase::Done => None,
        }
    }

    /// Why it is being made to end, if it is.
    pub fn stopped(&self) -> Option<StopCause> {
        self.stopped
    }

    /// Something happened: what is to be done?
    pub fn on(&mut self, input: LifeInput, now: Instant) -> Vec<Action> {
        if self.phase == Phase::Done {
            return Vec::new();
        }
        match input {
            LifeInput::Output(_, len) => self.printed(len, now),
            LifeInput::Eof(stream) => self.eof(stream),
            LifeInput::Exited { how, others } => self.exited(how, others, now),
            LifeInput::Emptied { outlived } => self.emptied(outlived, now),
            LifeInput::OutOfMemory => {
                self.stopped.get_or_insert(StopCause::Memory);
                Vec::new()
            }
            LifeInput::Lost => self.lost(now),
            LifeInput::Stop(cause) => self.stop(cause, Signal::TERM, now),
            LifeInput::StopWith(cause, first) => self.stop(cause, first, now),
            LifeInput::Tick => self.tick(now),
        }
    }

    fn printed(&mut self, len: u64, now: Instant) -> Vec<Action> {
        self.printed = self.printed.saturating_add(len);
        self.idle_end = self.terms.idle.and_then(|idle| now.checked_add(idle));
        let over = self.terms.output.is_some_and(|limit| self.printed > limit);
        if over && self.phase == Phase::Running {
            self.stop(StopCause::Output, Signal::TERM, now)
        } else {
            Vec::new()
        }
    }

    fn eof(&mut self, stream: Stream) -> Vec<Action> {
        match stream {
            Stream::Stdout => self.stdout_open = false,
            Stream::Stderr => self.stderr_open = false,
        }
        if matches!(self.phase, Phase::Settling { .. }) && !self.reading() {
            self.finish()
        } else {
            Vec::new()
        }
    }

    fn reading(&self) -> bool {
        self.stdout_open || self.stderr_open
    }

    fn exited(&mut self, how: EndedBy, others: bool, now: Instant) -> Vec<Action> {
        if self.how.is_some() {
            return Vec::new();
        }
        self.how = Some(how);
        if !others {
            self.tree = Tree::Empty;
            return self.settle(now);
        }
        if self.phase == Phase::Running {
            self.phase = Phase::Draining { until: now + self.terms.drain };
        }
        Vec::new()
    }

    fn emptied(&mut self, outlived: u32, now: Instant) -> Vec<Action> {
        self.outlived = self.outlived.max(outlived);
        self.tree = Tree::Empty;
        // The command's own exit is reported first; without it there is nothing to tell yet.
        if self.how.is_some() { self.settle(now) } else { Vec::new() }
    }

    fn lost(&mut self, now: Instant) -> Vec<Action> {
        self.how.get_or_insert(EndedBy::Unknown);
        if self.tree == Tree::Alive {
            self.tree = Tree::Unknown;
        }
        self.settle(now)
    }

    fn settle(&mut self, now: Instant) -> Vec<Action> {
        if !self.reading() {
            return self.finish();
        }
        if !matches!(self.phase, Phase::Settling { .. }) {
            self.phase = Phase::Settling { until: now + self.terms.drain };
        }
        Vec::new()
    }

    fn stop(&mut self, cause: StopCause, first: Signal, now: Instant) -> Vec<Action> {
        match self.phase {
            Phase::Running => {
                self.stopped.get_or_insert(cause);
                // Asking with the one signal that cannot be caught is killing.
                if first == Signal::KILL {
                    self.kill(now)
                } else {
                    self.ask(first, self.terms.ladder.grace, now)
                }
            }
            // It ended by itself; what is left behind is asked at once instead of after the drain.
            Phase::Draining { .. } => self.ask(first, self.terms.ladder.leftovers_grace, now),
            // Asked twice: the second time climbs a rung at once.
            Phase::Stopping { .. } => self.kill(now),
            Phase::Killing { .. } | Phase::Settling { .. } | Phase::Done => Vec::new(),
        }
    }

    fn ask(&mut self, signal: Signal, grace: Duration, now: Instant) -> Vec<Action> {
        self.phase = Phase::Stopping { kill_at: now + grace };
        vec![Action::Signal(signal)]
    }

    fn kill(&mut self, now: Instant) -> Vec<Action> {
        self.phase = Phase::Killing { give_up_at: now + self.terms.ladder.patience };
        vec![Action::Sweep]
    }

    fn tick(&mut self, now: Instant) -> Vec<Action> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        match self.phase {
            Phase::Running if self.wall_end.is_some_and(|end| now >= end) => {
                self.stop(StopCause::Timeout, Signal::TERM, now)
            }
            Phase::Running => self.stop(StopCause::Idle, Signal::TERM, now),
            Phase::Draining { .. } => self.ask(Signal::TERM, self.terms.ladder.leftovers_grace, now),
            Phase::Stopping { .. } => self.kill(now),
            Phase::Killing { .. } | Phase::Settling { .. } => self.finish(),
            Phase::Done => Vec::new(),
        }
    }

    fn finish(&mut self) -> Vec<Action> {
        self.phase = Phase::Done;
        let leftovers = match (self.tree, self.outlived) {
            (Tree::Empty, 0) => Leftovers::None,
            (Tree::Empty, count) => Leftovers::Killed { count },
            (Tree::Alive, count) => Leftovers::Left { count: count.max(1) },
            (Tree::Unknown, _) => Leftovers::Unknown,
        };
        vec![Action::Finish(End {
            how: self.how.unwrap_or(EndedBy::Unknown),
            stopped: self.stopped,
            leftovers,
        })]
    }
}
