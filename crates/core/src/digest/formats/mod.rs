//! Formats of known tools: which lines are known to be harmless, and what was counted.
//!
//! A format is used where the program and its opening line agree. Whatever it read is right or thrown away: a run that
//! stopped early, counts that do not add up, an ending that they do not explain. May not leave out a marked line, nor a
//! line it does not know. Read first: [`ToolReading`], then [`reader::FormatReader`].

mod cargo;
mod eslint;
mod go;
mod go_events;
mod gradle;
mod jest;
mod libtest;
mod maven;
mod nextest;
mod one_line;
mod packages;
mod programs;
mod pytest;
mod reader;
mod ruff;
mod unittest;

use super::input::CommandEnding;
use super::layout::lines;
use super::results::RunResults;
use super::stream::RenderedStream;
use super::tally::LeftOutLines;
use programs::KnownFormat;
use reader::{FormatOutcome, FormatReader, FormatReading, StreamLine};

/// What was read of both streams.
#[derive(Debug, Default)]
pub(super) struct ToolReading {
    pub(super) results: Option<RunResults>,
    pub(super) left_out: [LeftOutLines; 2],
}

impl ToolReading {
    /// Whether anything is left out.
    pub(super) fn is_some(&self) -> bool {
        self.left_out.iter().any(|lines| !lines.ranges.is_empty())
    }
}

/// Reads the formats of these programs.
pub(super) fn read(
    programs: &[Vec<String>],
    streams: &[RenderedStream<'_>; 2],
    ending: CommandEnding,
) -> ToolReading {
    // What did not come to its own end did not count to the end either.
    let CommandEnding::Exit(code) = ending else { return ToolReading::default() };
    let formats = programs::formats_of(programs);
    if formats.is_empty() {
        return ToolReading::default();
    }
    let Some(read) = streams.iter().map(|stream| read_stream(stream, &formats)).collect::<Option<Vec<_>>>()
    else {
        return ToolReading::default();
    };
    let all = || read.iter().flatten().filter_map(|reading| reading.results.as_ref());
    let bad: u64 = all().map(RunResults::bad).sum();
    if code != 0 && bad == 0 {
        return ToolReading::default();
    }
    let results = chosen(all());
    let mut left_out = read.iter().map(|readings| harmless(readings));
    let left_out = [(); 2].map(|()| left_out.next().unwrap_or_default());
    ToolReading { results, left_out }
}

/// What every format read of a stream; nothing at all where one of them contradicts itself.
fn read_stream(stream: &RenderedStream<'_>, formats: &[KnownFormat]) -> Option<Vec<FormatReading>> {
    // Nobody knows what stands in a gap.
    if stream.is_binary || !stream.gaps.is_empty() {
        return if stream.text.is_empty() { Some(Vec::new()) } else { None };
    }
    let text = &*stream.text;
    let mut readers: Vec<Box<dyn FormatReader<'_> + '_>> =
        formats.iter().map(|format| format.reader()).collect();
    let mut marks = stream.marked().along(&(0..text.len()));
    for range in lines(text, 0..text.len()) {
        let is_marked = marks.has(range.start);
        let line = StreamLine { text: text[range.clone()].trim_end_matches(['\n', '\r']), range, is_marked };
        readers.iter_mut().for_each(|reader| reader.line(&line));
    }
    let mut readings = Vec::new();
    for reader in readers {
        match reader.outcome() {
            FormatOutcome::NotThere => {}
            FormatOutcome::Contradictory => return None,
            FormatOutcome::Read(reading) => readings.push(reading),
        }
    }
    Some(readings)
}

/// The results that are told where several tools counted: those of the one that found something, or of the one that ran
/// tests. Of two that both found something neither would be the whole truth.
fn chosen<'a>(all: impl Iterator<Item = &'a RunResults> + Clone) -> Option<RunResults> {
    let only = |mut some: Box<dyn Iterator<Item = &'a RunResults> + '_>| match (some.next(), some.next()) {
        (Some(one), None) => Some(one.clone()),
        _ => None,
    };
    if all.clone().any(|results| results.bad() > 0) {
        return only(Box::new(all.filter(|results| results.bad() > 0)));
    }
    let tests = all.clone().filter(|results| matches!(results, RunResults::Tests(_)));
    only(Box::new(tests)).or_else(|| only(Box::new(all)))
}

/// The lines that are left out, in order.
fn harmless(readings: &[FormatReading]) -> LeftOutLines {
    let mut known: Vec<_> = readings.iter().flat_map(|reading| &reading.harmless).collect();
    known.sort_by_key(|line| line.range.start);
    let (mut left_out, mut done) = (LeftOutLines::default(), 0);
    for line in known {
        if line.range.start >= done {
            done = line.range.end;
            left_out.push(line.range.clone(), line.kind, line.count);
        }
    }
    left_out
}
