//! Lives: one that prints and exits, and one that is stopped at its time limit and leaves something behind.

use crate::Work;
use runward_core::life::{Life, LifeInput, LifeTerms, StreamCount};
use runward_core::output::Stream;
use runward_core::plan::StopLadder;
use runward_core::record::{EndedBy, Signal};
use std::hint::black_box;
use std::time::{Duration, Instant};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const TERMS: LifeTerms = LifeTerms {
    wall: Some(ms(30_000)),
    idle: Some(ms(5000)),
    output: Some(1 << 30),
    drain: ms(100),
    ladder: StopLadder { grace: ms(500), leftovers_grace: ms(100), patience: ms(2000) },
    streams: StreamCount::Two,
};

/// What happens, and when.
type Story = Vec<(Duration, LifeInput)>;

/// Both lives, from their beginning to their end: fifty steps.
///
/// Adding to an instant costs more where a second is full, and it cannot be chosen where in its second the first
/// instant is. So each time begins a millisecond later, and a thousand times meet every place in a second.
pub(crate) fn life() -> Work {
    let stories = [quiet(), stopped()];
    let mut epoch = epoch();
    Box::new(move || {
        stories.iter().for_each(|story| live(black_box(story), epoch));
        epoch += ms(1);
    })
}

/// As the loop of the engine does it: hear, act, ask when to wake.
fn live(story: &Story, epoch: Instant) {
    let mut life = Life::begin(black_box(TERMS), epoch);
    for (after, input) in story {
        black_box(life.on(*input, epoch + *after));
        black_box(life.deadline());
    }
}

fn printing(count: u32) -> impl Iterator<Item = (Duration, LifeInput)> {
    (0..count).map(|n| {
        let stream = if n % 4 == 0 { Stream::Stderr } else { Stream::Stdout };
        (ms(10) * n, LifeInput::Output(stream, 4096))
    })
}

fn quiet() -> Story {
    let end = [
        LifeInput::Eof(Stream::Stdout),
        LifeInput::Eof(Stream::Stderr),
        LifeInput::Exited { how: EndedBy::Exited(0), others: false },
    ];
    printing(20).chain(end.map(|input| (ms(300), input))).collect()
}

fn stopped() -> Story {
    let end = [
        (ms(10_000), LifeInput::Tick),
        (ms(10_500), LifeInput::Tick),
        (ms(10_501), LifeInput::Exited { how: EndedBy::Signaled(Signal::KILL), others: true }),
        (ms(10_502), LifeInput::Emptied { outlived: 2 }),
        (ms(10_503), LifeInput::Eof(Stream::Stdout)),
        (ms(10_503), LifeInput::Eof(Stream::Stderr)),
    ];
    printing(21).chain(end).collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "an Instant can be had no other way; only differences to it are used"
)]
fn epoch() -> Instant {
    Instant::now()
}
