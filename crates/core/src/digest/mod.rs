//! What a model is shown of a command's output: small, and unable to lie.
//!
//! Pure steps in this order: a stream is read and made plain, masked, rid of lines that are known to be harmless, folded,
//! and cut. Masking and plain text are always there; a digest only where a known tool printed much; folding and cutting
//! only where it does not fit. Laws:
//!
//! - No word of ours says that something went well. It counts what was read, and says what is missing.
//! - A digest only takes away. A line that a format does not know stays, to the byte.
//! - Everything that is hidden is counted, and has an address that gives back the very bytes.
//! - What fits is whole, and nothing gets longer by being shortened.
//! - Counts that do not explain the ending are thrown away together with their digest.
//!
//! May not look at a clock or a file, nor know how an answer is written beyond what that costs.
//! Read first: [`answer()`], then [`AnswerInput`].

mod brackets;
mod cost;
mod cut;
mod fold;
mod formats;
mod input;
mod layout;
mod marks;
mod page;
mod places;
mod plain;
mod results;
mod stream;
mod tally;

pub use cost::written_cost;
pub use input::{AnswerInput, AnswerLimits, CommandEnding, StreamAnswers, StreamInput, StreamPiece};
pub use marks::{MARKS, is_marked};
pub use page::{PageAnswer, PageInput, page};
pub use results::{FailureEntry, MOST_ENTRIES, ProblemResults, RunResults, TestResults};

use brackets::StreamAddress;
use formats::ToolReading;
use layout::TextLayout;
use stream::{RenderedStream, ShownAs, rendered};

/// So many characters may results take, however little was printed.
const LEAST_RESULTS: usize = 1000;

/// What is said of a command's output.
pub fn answer(input: &AnswerInput<'_>) -> StreamAnswers {
    let shown = ShownAs { plain: input.limits.plain, redactor: input.redactor };
    let streams = [&input.stdout, &input.stderr].map(|stream| rendered(stream, shown));
    let reading = if input.limits.digest {
        formats::read(input.programs, &streams, input.ending)
    } else {
        ToolReading::default()
    };
    let BegunAnswer { layouts, costs, results } = begun(input, &streams, &reading);
    let mut notes = Vec::new();
    if let Some(note) = results.as_ref().and_then(RunResults::note)
        && input.ending == CommandEnding::Exit(0)
    {
        notes.push(note);
    }
    let told =
        results.as_ref().map_or(0, RunResults::cost) + notes.iter().map(|note| note.len() + 8).sum::<usize>();
    let [stdout, stderr] = fitted(layouts, costs, input.limits.max_chars.saturating_sub(told));
    StreamAnswers {
        is_partial: !stdout.is_whole() || !stderr.is_whole(),
        stdout: stdout.written(),
        stderr: stderr.written(),
        results,
        notes,
    }
}

/// Both streams before they are made to fit, what they take, and what is told beside them.
struct BegunAnswer<'a> {
    layouts: [TextLayout<'a>; 2],
    costs: [usize; 2],
    results: Option<RunResults>,
}

/// Leaves out what is known to be harmless where much was printed. Results take no more than that saved; where even their
/// counts would, nothing is left out.
fn begun<'a>(
    input: &AnswerInput<'a>,
    streams: &'a [RenderedStream<'a>; 2],
    reading: &ToolReading,
) -> BegunAnswer<'a> {
    let letters = |stream: &RenderedStream<'_>| stream.text.chars().count();
    let printed = streams.iter().map(letters).sum::<usize>();
    // A list of what is shown anyway is no reason for a much longer answer.
    let room = (input.limits.max_chars / 4).min(LEAST_RESULTS.max(printed / 4));
    let within = |room| reading.results.clone().and_then(|results| results.within(room));
    let address = |stream| StreamAddress { id: input.id, stream };
    let mut layouts =
        [(0, "stdout"), (1, "stderr")].map(|(at, name)| TextLayout::whole(&streams[at], address(name)));
    let whole = layouts.each_ref().map(TextLayout::cost);
    if reading.is_some() && printed >= input.limits.digest_from {
        let costs = [0, 1].map(|at| layouts[at].leave_out(&reading.left_out[at], whole[at]));
        let saved = whole[0] + whole[1] - costs[0] - costs[1];
        let results = within(room.min(saved));
        if saved > 0 && (results.is_some() || within(room).is_none()) {
            return BegunAnswer { layouts, costs, results };
        }
        layouts.iter_mut().for_each(TextLayout::show_all);
    }
    BegunAnswer { layouts, costs: whole, results: within(room) }
}

/// Both streams, made to fit.
fn fitted<'a>(mut layouts: [TextLayout<'a>; 2], mut costs: [usize; 2], budget: usize) -> [TextLayout<'a>; 2] {
    for step in [fold_step, cut_step] {
        if costs[0] + costs[1] <= budget {
            break;
        }
        let shares = shares(costs, budget);
        for index in 0..2 {
            if costs[index] > shares[index] {
                costs[index] = step(&mut layouts[index], shares[index], costs[index]);
            }
        }
    }
    layouts
}

fn fold_step(layout: &mut TextLayout<'_>, _share: usize, cost: usize) -> usize {
    // Escaped bytes are alike by chance only.
    if layout.stream.is_binary { cost } else { layout.attempt(cost, fold::fold) }
}

fn cut_step(layout: &mut TextLayout<'_>, share: usize, cost: usize) -> usize {
    layout.attempt(cost, |layout| cut::cut(layout, share))
}

/// A stream that needs less than half gets what it needs, the other one the rest.
fn shares([one, other]: [usize; 2], budget: usize) -> [usize; 2] {
    let half = budget / 2;
    match (one <= half, other <= half) {
        (true, _) => [one, budget - one],
        (false, true) => [budget - other, other],
        (false, false) => [half, budget - half],
    }
}

#[cfg(test)]
mod tests;
