//! Runs of lines that are alike but for digits become their first, a count, and their last. May not fold marked lines
//! unless they are equal to the byte: 62 errors of a compiler once became 4 lines.

use super::brackets;
use super::layout::{LayoutPart, PartKind, TextLayout, lines};
use std::ops::Range;

/// Shorter runs are shown.
const SHORTEST_RUN: usize = 6;

/// Folds what is shown of a stream.
pub(super) fn fold(layout: &mut TextLayout<'_>) {
    let mut parts = Vec::with_capacity(layout.parts.len());
    for part in &layout.parts {
        if part.kind == PartKind::Shown {
            fold_part(layout, part.range.clone(), &mut parts);
        } else {
            parts.push(part.clone());
        }
    }
    layout.parts = parts;
}

/// Lines in a row that are alike.
struct AlikeRun {
    first: Range<usize>,
    last: Range<usize>,
    count: usize,
    is_marked: bool,
}

fn fold_part(layout: &TextLayout<'_>, part: Range<usize>, parts: &mut Vec<LayoutPart>) {
    let text = &*layout.stream.text;
    let (mut shown_from, mut run): (usize, Option<AlikeRun>) = (part.start, None);
    let mut marks = layout.stream.marked().along(&part);
    for line in lines(text, part.clone()) {
        let is_marked = marks.has(line.start);
        if let Some(run) = run.as_mut().filter(|run| goes_on(text, run, &line, is_marked)) {
            run.last = line;
            run.count += 1;
            continue;
        }
        if let Some(run) = &run {
            close(layout, run, &mut shown_from, parts);
        }
        run = Some(AlikeRun { first: line.clone(), last: line, count: 1, is_marked });
    }
    if let Some(run) = &run {
        close(layout, run, &mut shown_from, parts);
    }
    if shown_from < part.end {
        parts.push(LayoutPart::new(shown_from..part.end, PartKind::Shown));
    }
}

fn goes_on(text: &str, run: &AlikeRun, line: &Range<usize>, is_marked: bool) -> bool {
    let bytes = text.as_bytes();
    let (one, other) = (&bytes[run.first.clone()], &bytes[line.clone()]);
    if run.is_marked { one == other } else { !is_marked && is_alike(one, other) }
}

fn close(layout: &TextLayout<'_>, run: &AlikeRun, shown_from: &mut usize, parts: &mut Vec<LayoutPart>) {
    let hidden = run.first.end..run.last.start;
    if run.count < SHORTEST_RUN {
        return;
    }
    let folded = run.count - 2;
    let form = layout.form;
    if form.cost(&brackets::folded(folded)) >= form.cost(&layout.stream.text[hidden.clone()]) {
        return;
    }
    parts.push(LayoutPart::new(*shown_from..hidden.start, PartKind::Shown));
    *shown_from = hidden.end;
    parts.push(LayoutPart::new(hidden, PartKind::Folded(folded)));
}

/// Whether two lines differ in digits only; a number may have more of them than the other.
fn is_alike(mut one: &[u8], mut other: &[u8]) -> bool {
    loop {
        let same = same_beginning(one, other);
        // The difference may be within a number that both have begun.
        let is_within = same > 0 && one[same - 1].is_ascii_digit();
        (one, other) = (&one[same..], &other[same..]);
        let begins = [one, other].map(|line| line.first().is_some_and(u8::is_ascii_digit));
        match begins {
            [false, false] => return one.is_empty() && other.is_empty(),
            [true, true] => {}
            _ if is_within => {}
            _ => return false,
        }
        (one, other) = (behind_digits(one), behind_digits(other));
    }
}

/// How many bytes both begin with, eight at a time.
fn same_beginning(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    let same = pairs.take_while(|(one, other)| one == other).count() * 8;
    same + one[same..].iter().zip(&other[same..]).take_while(|(one, other)| one == other).count()
}

fn behind_digits(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_alike_whose_numbers_are_one(one in "[a1]{0,20}", other in "[a12]{0,20}") {
            let plain = |line: &str| {
                let mut plain = String::new();
                for c in line.chars() {
                    match c {
                        '0'..='9' if plain.ends_with('1') => {}
                        '0'..='9' => plain.push('1'),
                        c => plain.push(c),
                    }
                }
                plain
            };
            prop_assert_eq!(is_alike(one.as_bytes(), other.as_bytes()), plain(&one) == plain(&other));
        }
    }

    #[test]
    fn lines_are_alike_but_for_their_numbers() {
        assert!(is_alike(b"took 5 ms of 10\n", b"took 12345 ms of 9\n"));
        assert!(is_alike(b"", b""));
        assert!(!is_alike(b"took 5 ms", b"took 5 s"));
        assert!(!is_alike(b"took 5", b"took 5 s"));
        assert!(!is_alike(b"a1", b"a"));
        assert!(is_alike(b"number 10000000 of many", b"number 1000000023 of many"));
        assert!(is_alike(b"a1", b"a12") && is_alike(b"a1b", b"a12b") && is_alike(b"a2b34", b"a29b3"));
        assert!(!is_alike(b"a1b", b"a1c") && !is_alike(b"1", b"") && !is_alike(b"12x", b"12"));
    }
}
