//! What is left of a stream that does not fit: its end, its beginning, and the marked lines between them. May not cut
//! inside a character, nor hide anything without a count and an address.

use super::layout::{LayoutPart, PartKind, TextLayout, lines};
use std::collections::HashMap;
use std::ops::Range;

/// Longer lines keep their ends.
const LONGEST_LINE: usize = 1000;
/// So much of each end.
const LINE_END: usize = 500;
const LINES_BEFORE: usize = 2;
const LINES_AFTER: usize = 8;
/// How many marked lines of one look come before those of another.
const OF_ONE_LOOK: usize = 2;

/// Cuts a stream so that it takes no more than its budget. Notes at its end may exceed a budget that they alone are
/// larger than.
pub(super) fn cut(layout: &mut TextLayout<'_>, budget: usize) {
    shorten_lines(layout, budget);
    if layout.cost() <= budget {
        return;
    }
    let room = budget.saturating_sub(layout.closing_cost() + layout.bracket_cost() + 7);
    let end = layout.stream.text.len();
    let mut kept: Vec<Range<usize>> = Vec::new();
    if room >= layout.bracket_cost() / 2 {
        let tail = ends_in(layout, room * 35 / 100);
        let head = begins_with(layout, room * 15 / 100).min(tail);
        let spent = cost_of(layout, &(0..head)) + cost_of(layout, &(tail..end));
        kept.extend([0..head, tail..end]);
        if !layout.stream.is_binary {
            keep_marked(layout, room.saturating_sub(spent), head..tail, &mut kept);
        }
    }
    kept.sort_by_key(|part| part.start);
    layout.parts = apply(layout, &kept);
    if kept.is_empty() {
        layout.tally = super::tally::LeftOutTally::default();
    }
}

/// Takes the middle out of long lines.
fn shorten_lines(layout: &mut TextLayout<'_>, budget: usize) {
    let text = &*layout.stream.text;
    let keep = LINE_END.min(budget / 8).max(1);
    let mut parts = Vec::with_capacity(layout.parts.len());
    for part in &layout.parts {
        let mut from = part.range.start;
        if part.kind == PartKind::Shown {
            for line in lines(text, part.range.clone()) {
                if let Some(middle) = middle_of(&text[line.clone()], keep, layout.stream.is_binary) {
                    let middle = line.start + middle.start..line.start + middle.end;
                    parts.push(LayoutPart::new(from..middle.start, PartKind::Shown));
                    from = middle.end;
                    parts.push(LayoutPart::new(middle, PartKind::InnerCut));
                }
            }
        }
        parts.push(LayoutPart::new(from..part.range.end, part.kind));
    }
    parts.retain(|part| !part.range.is_empty() || matches!(part.kind, PartKind::Gap(_)));
    layout.parts = parts;
}

fn middle_of(line: &str, keep: usize, is_binary: bool) -> Option<Range<usize>> {
    if line.len() <= LONGEST_LINE || line.chars().count() <= LONGEST_LINE {
        return None;
    }
    let mut from = line.char_indices().nth(keep).map(|(at, _)| at)?;
    let mut to = line.char_indices().rev().nth(keep.max(2) - 1).map(|(at, _)| at)?;
    if is_binary {
        // In escaped text every backslash begins an escape of four characters.
        from = escape_before(line, from).unwrap_or(from);
        to = escape_before(line, to).map_or(to, |at| at + 4).min(line.len());
    }
    (from < to).then_some(from..to)
}

/// The beginning of the escape that this place lies inside.
fn escape_before(line: &str, at: usize) -> Option<usize> {
    let near = at.saturating_sub(3);
    memchr::memrchr(b'\\', &line.as_bytes()[near..at]).map(|back| near + back)
}

/// Where the beginning ends that takes no more than this.
fn begins_with(layout: &TextLayout<'_>, room: usize) -> usize {
    let (mut spent, mut at) = (0, 0);
    for part in &layout.parts {
        if part.kind == PartKind::Shown {
            for line in lines(&layout.stream.text, part.range.clone()) {
                spent += layout.form.cost(&layout.stream.text[line.clone()]);
                if spent > room {
                    return at;
                }
                at = line.end;
            }
        } else {
            spent += layout.part_cost(part);
            if spent > room {
                return at;
            }
            at = part.range.end;
        }
    }
    at
}

/// Where the end begins that takes no more than this.
fn ends_in(layout: &TextLayout<'_>, room: usize) -> usize {
    let (mut spent, mut at) = (0, layout.stream.text.len());
    for part in layout.parts.iter().rev() {
        if part.kind == PartKind::Shown {
            for line in lines(&layout.stream.text, part.range.clone()).rev() {
                spent += layout.form.cost(&layout.stream.text[line.clone()]);
                if spent > room {
                    return at;
                }
                at = line.start;
            }
        } else {
            spent += layout.part_cost(part);
            if spent > room {
                return at;
            }
            at = part.range.start;
        }
    }
    at
}

/// What a part of the text takes as it is laid out.
fn cost_of(layout: &TextLayout<'_>, range: &Range<usize>) -> usize {
    let first = layout.parts.partition_point(|part| part.range.end < range.start);
    let inside = layout.parts[first..].iter().take_while(|part| part.range.start < range.end);
    inside
        .map(|part| {
            let both = part.range.start.max(range.start)..part.range.end.min(range.end);
            match part.kind {
                PartKind::Shown if both.start >= both.end => 0,
                PartKind::Shown => layout.form.cost(&layout.stream.text[both]),
                _ => layout.part_cost(part),
            }
        })
        .sum()
}

/// Keeps as many marked lines as there is room for, with what stands around them: first a few of each look, so that the
/// thousandth retry does not hide the one failure.
fn keep_marked(layout: &TextLayout<'_>, mut room: usize, middle: Range<usize>, kept: &mut Vec<Range<usize>>) {
    let text = &*layout.stream.text;
    let mut looks: HashMap<u64, usize> = HashMap::new();
    let mut later = Vec::new();
    for &start in layout.stream.marked().within(&middle) {
        if is_kept(kept, start) || layout.parts_hide(start) {
            continue;
        }
        let seen = looks.entry(look(line_at(text, start))).or_default();
        *seen += 1;
        if *seen > OF_ONE_LOOK {
            later.push(start);
            continue;
        }
        let around = around(text, start, &middle);
        if !keep(layout, around, &mut room, kept) && !keep(layout, line_range(text, start), &mut room, kept) {
            return;
        }
    }
    for start in later {
        if !is_kept(kept, start) && !keep(layout, line_range(text, start), &mut room, kept) {
            return;
        }
    }
}

/// Keeps a part if there is room for it and for the bracket of one more cut.
fn keep(layout: &TextLayout<'_>, part: Range<usize>, room: &mut usize, kept: &mut Vec<Range<usize>>) -> bool {
    let joins = kept.iter().any(|other| other.end == part.start && !other.is_empty());
    let bracket = if joins { 0 } else { layout.bracket_cost() + 7 };
    let cost = cost_of(layout, &part) + bracket;
    let fits = cost <= *room;
    if fits {
        *room -= cost;
        kept.push(part);
    }
    fits
}

fn is_kept(kept: &[Range<usize>], at: usize) -> bool {
    kept.iter().any(|part| part.contains(&at))
}

fn line_range(text: &str, start: usize) -> Range<usize> {
    let end = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |end| start + end + 1);
    start..end
}

fn line_at(text: &str, start: usize) -> &str {
    &text[line_range(text, start)]
}

/// The line that begins here with what stands around it.
fn around(text: &str, start: usize, within: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut from = start;
    for _ in 0..LINES_BEFORE {
        if from > within.start {
            from = memchr::memrchr(b'\n', &bytes[..from - 1]).map_or(0, |end| end + 1);
        }
    }
    let mut to = start;
    for _ in 0..=LINES_AFTER {
        if to < within.end {
            to = line_range(text, to).end;
        }
    }
    from.max(within.start)..to.min(within.end)
}

/// A line without its digits, as a number.
fn look(line: &str) -> u64 {
    line.bytes()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The parts, with everything cut that is not kept.
fn apply(layout: &TextLayout<'_>, kept: &[Range<usize>]) -> Vec<LayoutPart> {
    let mut parts: Vec<LayoutPart> = Vec::new();
    for part in &layout.parts {
        match part.kind {
            PartKind::Shown => split(part, kept, &mut parts),
            PartKind::LeftOut | PartKind::Gap(_) | PartKind::Cut => push(&mut parts, part.clone()),
            PartKind::Folded(_) | PartKind::InnerCut => {
                let is_kept =
                    kept.iter().any(|kept| kept.start <= part.range.start && kept.end >= part.range.end);
                let kind = if is_kept { part.kind } else { PartKind::Cut };
                push(&mut parts, LayoutPart::new(part.range.clone(), kind));
            }
        }
    }
    parts
}

fn split(part: &LayoutPart, kept: &[Range<usize>], parts: &mut Vec<LayoutPart>) {
    let mut from = part.range.start;
    for keep in kept {
        let (start, end) = (keep.start.max(from), keep.end.min(part.range.end));
        if start < end {
            push(parts, LayoutPart::new(from..start, PartKind::Cut));
            push(parts, LayoutPart::new(start..end, PartKind::Shown));
            from = end;
        }
    }
    push(parts, LayoutPart::new(from..part.range.end, PartKind::Cut));
}

/// Adds a part. A cut takes up what was left out right before it, and joins the cut before that.
fn push(parts: &mut Vec<LayoutPart>, part: LayoutPart) {
    if part.range.is_empty() && !matches!(part.kind, PartKind::Gap(_)) {
        return;
    }
    let joins =
        |kind| kind == part.kind && matches!(kind, PartKind::Cut | PartKind::Shown | PartKind::LeftOut);
    if part.kind == PartKind::Cut
        && let [.., before, between] = parts.as_slice()
        && before.kind == PartKind::Cut
        && between.kind == PartKind::LeftOut
    {
        parts.pop();
        if let Some(last) = parts.last_mut() {
            last.range.end = part.range.end;
        }
        return;
    }
    match parts.last_mut() {
        Some(last) if joins(last.kind) && last.range.end == part.range.start => {
            last.range.end = part.range.end;
        }
        _ => parts.push(part),
    }
}

impl TextLayout<'_> {
    /// Whether what stands here is left out or folded already.
    fn parts_hide(&self, at: usize) -> bool {
        let index = self.parts.partition_point(|part| part.range.end <= at);
        self.parts.get(index).is_some_and(|part| matches!(part.kind, PartKind::LeftOut | PartKind::Folded(_)))
    }
}
