//! Every interleaving to a fixed length, random longer ones, and the stories that matter by name.

use super::{Action, Life, LifeInput, LifeTerms, StreamCount};
use crate::output::Stream;
use crate::plan::StopLadder;
use crate::record::{End, EndedBy, Leftovers, Signal, StopCause};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn terms() -> LifeTerms {
    LifeTerms {
        wall: Some(ms(1000)),
        idle: Some(ms(700)),
        output: Some(100),
        drain: ms(100),
        ladder: StopLadder { grace: ms(500), leftovers_grace: ms(100), patience: ms(2000) },
        streams: StreamCount::Two,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "an Instant can be had no other way; only differences to it are used"
)]
fn epoch() -> Instant {
    Instant::now()
}

/// A life, the time it believes in, and everything it said.
struct Story {
    life: Life,
    now: Instant,
    said: Vec<Action>,
}

impl Story {
    fn new(terms: LifeTerms, epoch: Instant) -> Self {
        Self { life: Life::begin(terms, epoch), now: epoch, said: Vec::new() }
    }

    fn on(&mut self, input: LifeInput) -> &mut Self {
        let actions = self.life.on(input, self.now);
        self.said.extend(actions);
        self
    }

    fn after(&mut self, time: Duration) -> &mut Self {
        self.now += time;
        self.on(LifeInput::Tick)
    }

    fn end(&self) -> Option<&End> {
        self.said.iter().find_map(|action| if let Action::Finish(end) = action { Some(end) } else { None })
    }

    /// Lets time alone pass until the life is over.
    fn wait_out(&mut self) {
        for _ in 0..10 {
            let Some(deadline) = self.life.deadline() else { return };
            self.now = self.now.max(deadline);
            self.on(LifeInput::Tick);
        }
        panic!("time alone did not end it: {:?}", self.life);
    }
}

fn story() -> Story {
    Story::new(terms(), epoch())
}

fn exited(code: i32, others: bool) -> LifeInput {
    LifeInput::Exited { how: EndedBy::Exited(code), others }
}

#[test]
fn a_quiet_command_ends_when_it_exits_and_both_streams_are_over() {
    let mut story = story();
    story.on(LifeInput::Eof(Stream::Stdout)).on(LifeInput::Eof(Stream::Stderr)).on(exited(0, false));
    assert_eq!(
        story.said,
        [Action::Finish(End { how: EndedBy::Exited(0), stopped: None, leftovers: Leftovers::None })]
    );
}

#[test]
fn output_after_the_exit_is_still_read() {
    let mut story = story();
    story.on(exited(3, false));
    assert_eq!(story.end(), None);
    story
        .on(LifeInput::Output(Stream::Stdout, 5))
        .on(LifeInput::Eof(Stream::Stdout))
        .on(LifeInput::Eof(Stream::Stderr));
    assert_eq!(story.end().map(|end| end.how), Some(EndedBy::Exited(3)));
}

#[test]
fn a_pipe_held_by_a_stranger_never_holds_the_answer() {
    let mut story = story();
    story.on(exited(0, false)).after(ms(99));
    assert_eq!(story.end(), None);
    story.after(ms(1));
    assert_eq!(story.end().map(|end| end.leftovers.clone()), Some(Leftovers::None));
}

#[test]
fn what_outlives_the_command_is_asked_then_killed_then_counted() {
    let mut story = story();
    story.on(exited(0, true)).after(ms(100));
    assert_eq!(story.said, [Action::Signal(Signal::TERM)]);
    story.after(ms(100));
    assert_eq!(story.said.last(), Some(&Action::Sweep));
    story
        .on(LifeInput::Emptied { outlived: 2 })
        .on(LifeInput::Eof(Stream::Stdout))
        .on(LifeInput::Eof(Stream::Stderr));
    let end = End { how: EndedBy::Exited(0), stopped: None, leftovers: Leftovers::Killed { count: 2 } };
    assert_eq!(story.end(), Some(&end));
}

#[test]
fn what_finishes_during_the_drain_is_no_leftover() {
    let mut story = story();
    story.on(exited(0, true)).on(LifeInput::Eof(Stream::Stdout)).on(LifeInput::Eof(Stream::Stderr));
    story.on(LifeInput::Emptied { outlived: 0 });
    assert_eq!(story.end().map(|end| end.leftovers.clone()), Some(Leftovers::None));
}

#[test]
fn the_ladder_of_a_timeout() {
    let mut story = story();
    story
        .on(LifeInput::Output(Stream::Stdout, 1))
        .after(ms(600))
        .on(LifeInput::Output(Stream::Stdout, 1))
        .after(ms(400));
    assert_eq!(story.said, [Action::Signal(Signal::TERM)]);
    story.after(ms(499));
    assert_eq!(story.said.len(), 1);
    story.after(ms(1));
    assert_eq!(story.said[1..], [Action::Sweep]);
    story
        .on(LifeInput::Exited { how: EndedBy::Signaled(Signal::KILL), others: true })
        .on(LifeInput::Emptied { outlived: 0 });
    story.on(LifeInput::Eof(Stream::Stdout)).on(LifeInput::Eof(Stream::Stderr));
    let how = EndedBy::Signaled(Signal::KILL);
    let end = End { how, stopped: Some(StopCause::Timeout), leftovers: Leftovers::None };
    assert_eq!(story.end(), Some(&end));
}

#[test]
fn silence_is_a_limit_of_its_own_and_output_resets_it() {
    let mut story = story();
    story.after(ms(699)).on(LifeInput::Output(Stream::Stderr, 1)).after(ms(250));
    assert_eq!(story.life.stopped(), None);
    let mut story = Story::new(LifeTerms { wall: None, ..terms() }, epoch());
    story.after(ms(700));
    assert_eq!(story.life.stopped(), Some(StopCause::Idle));
}

#[test]
fn too_much_output_stops_it() {
    let mut story = story();
    story.on(LifeInput::Output(Stream::Stdout, 100));
    assert!(story.said.is_empty());
    story.on(LifeInput::Output(Stream::Stderr, 1));
    assert_eq!(story.life.stopped(), Some(StopCause::Output));
}

#[test]
fn a_second_stop_kills_at_once() {
    let mut story = story();
    story.on(LifeInput::Stop(StopCause::Caller)).on(LifeInput::Stop(StopCause::Caller));
    assert_eq!(story.said, [Action::Signal(Signal::TERM), Action::Sweep]);
    assert_eq!(story.life.stopped(), Some(StopCause::Caller));
}

#[test]
fn a_stop_may_name_the_signal_that_asks() {
    let mut story = story();
    story.on(LifeInput::StopWith(StopCause::Caller, Signal::INT)).after(ms(500));
    assert_eq!(story.said, [Action::Signal(Signal::INT), Action::Sweep]);
    let mut story = self::story();
    story.on(LifeInput::StopWith(StopCause::Caller, Signal::KILL));
    assert_eq!(story.said, [Action::Sweep]);
}

#[test]
fn the_first_cause_is_the_one_that_is_told() {
    let mut story = story();
    story.on(LifeInput::Stop(StopCause::Caller)).on(LifeInput::Stop(StopCause::Shutdown));
    assert_eq!(story.life.stopped(), Some(StopCause::Caller));
}

#[test]
fn memory_is_named_when_the_kernel_acts() {
    let mut story = story();
    story
        .on(LifeInput::OutOfMemory)
        .on(LifeInput::Exited { how: EndedBy::Signaled(Signal::KILL), others: false });
    story.wait_out();
    assert_eq!(story.end().and_then(|end| end.stopped), Some(StopCause::Memory));
}

#[test]
fn what_cannot_be_killed_is_reported_as_left() {
    let mut story = story();
    story.on(LifeInput::Stop(StopCause::Caller));
    story.wait_out();
    let end = End {
        how: EndedBy::Unknown,
        stopped: Some(StopCause::Caller),
        leftovers: Leftovers::Left { count: 1 },
    };
    assert_eq!(story.end(), Some(&end));
}

#[test]
fn a_lost_watcher_is_told_honestly() {
    let mut story = story();
    story.on(LifeInput::Lost);
    story.wait_out();
    let end = End { how: EndedBy::Unknown, stopped: None, leftovers: Leftovers::Unknown };
    assert_eq!(story.end(), Some(&end));
}

const ALPHABET: usize = 9;

fn letter(story: &mut Story, letter: usize) {
    match letter {
        0 => story.on(LifeInput::Output(Stream::Stdout, 60)),
        1 => story.on(LifeInput::Eof(Stream::Stdout)),
        2 => story.on(LifeInput::Eof(Stream::Stderr)),
        3 => story.on(exited(0, false)),
        4 => story.on(exited(1, true)),
        5 => story.on(LifeInput::Emptied { outlived: 1 }),
        6 => story.on(LifeInput::Stop(StopCause::Caller)),
        7 => story.on(LifeInput::Lost),
        _ => story.after(ms(450)),
    };
}

/// What must hold after any word: exactly one ending, nothing after it, and time alone brings it about.
fn check(mut story: Story) {
    story.wait_out();
    let endings = story.said.iter().filter(|action| matches!(action, Action::Finish(_))).count();
    assert_eq!(endings, 1, "{:?}", story.said);
    assert!(matches!(story.said.last(), Some(Action::Finish(_))), "{:?}", story.said);
    let said = story.said.len();
    for l in 0..ALPHABET {
        letter(&mut story, l);
    }
    assert_eq!(story.said.len(), said, "something was said after the end: {:?}", story.said);
    let sweeps = story.said.iter().filter(|action| **action == Action::Sweep).count();
    assert!(sweeps <= 1, "{:?}", story.said);
}

#[test]
fn every_word_of_six_inputs_ends_once() {
    let epoch = epoch();
    for word in 0..ALPHABET.pow(6) {
        let mut story = Story::new(terms(), epoch);
        let mut rest = word;
        for _ in 0..6 {
            letter(&mut story, rest % ALPHABET);
            rest /= ALPHABET;
        }
        check(story);
    }
}

proptest! {
    #[test]
    fn every_long_life_ends_once(word in prop::collection::vec(0..ALPHABET, 0..60)) {
        let mut story = Story::new(terms(), epoch());
        word.into_iter().for_each(|l| letter(&mut story, l));
        check(story);
    }
}
