//! One page of a stream, as `read_output` gives it: plain, masked, and no longer than asked for. May not digest or fold: a
//! page is what was asked for.

use super::cost::WrittenForm;
use super::stream::{RenderedStream, ShownAs, rendered_part};
use crate::redact::{Redactor, may_span_lines};

/// A page, and what stands around it: a secret that begins before it or ends behind it is known by that.
#[derive(Debug, Clone, Copy)]
pub struct PageInput<'a> {
    /// The bytes right before the page. At the stream's beginning there are none.
    pub before: &'a [u8],
    /// The bytes of the page.
    pub bytes: &'a [u8],
    /// The bytes right behind it.
    pub after: &'a [u8],
    /// Where in the stream the page begins.
    pub offset: u64,
    /// Whether the stream is known not to be text.
    pub binary: bool,
    /// As `answer.plain`.
    pub plain: bool,
    /// How many characters the page may take as it is written.
    pub max_chars: usize,
    /// Masks secrets; nothing is masked without.
    pub redactor: Option<&'a Redactor>,
}

/// A page as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageAnswer {
    /// The text.
    pub text: String,
    /// Where the next page begins.
    pub next: u64,
    /// Whether the bytes are no text, and stand there as `\xNN`.
    pub binary: bool,
}

/// The page.
pub fn page(input: &PageInput<'_>) -> PageAnswer {
    let end = input.offset + input.bytes.len() as u64;
    let before = needed_before(input);
    let bytes = [before, input.bytes, input.after].concat();
    let begin = input.offset.saturating_sub(before.len() as u64);
    let shown = ShownAs { plain: input.plain, redactor: input.redactor };
    let stream = rendered_part((begin, &bytes), input.binary, shown);
    let text = &*stream.text;
    let end = end.min(stream.raw_end(text.len())).max(input.offset);
    let from = first_at(text, |at| stream.raw_start(at) >= input.offset);
    let until = first_at(text, |at| stream.raw_start(at) >= end).max(from);
    let shown = &text[from..until];
    let fits = fitting(shown, WrittenForm::of(shown), input.max_chars);
    let fits = from_whole_marks(&stream, from, fits).min(shown.len());
    let next = if fits == shown.len() { end } else { stream.raw_start(from + fits) };
    // What was written over and is longer than a page comes from one place: reading goes on behind it.
    let next =
        if next <= input.offset && fits > 0 { stream.raw_start(line_end(text, from + fits)) } else { next };
    PageAnswer { text: shown[..fits].to_owned(), next: next.max(input.offset), binary: stream.is_binary }
}

/// So many bytes before a page are always looked at, and the lines that they lie in.
const LEAST_BEFORE: usize = 128;

/// What has to be known of what stands before a page: mostly two lines. A terminal's answer is a page of one line, and to
/// read 4 KiB for it took four fifths of a round trip.
fn needed_before<'a>(input: &PageInput<'a>) -> &'a [u8] {
    let before = input.before;
    let Some(reach) = input.redactor.map_or(Some(0), Redactor::reach) else { return before };
    if may_span_lines(before) {
        return before;
    }
    let least = &before[..before.len().saturating_sub(reach.max(LEAST_BEFORE))];
    let line = memchr::memrchr(b'\n', least).map_or(0, |end| end + 1);
    let line_before = memchr::memrchr(b'\n', &least[..line.saturating_sub(1)]).map_or(0, |end| end + 1);
    &before[line_before..]
}

/// No mask is cut in two: it goes to the next page, or is all there is on this one. `fits` is counted from the page's beginning.
fn from_whole_marks(stream: &RenderedStream<'_>, from: usize, fits: usize) -> usize {
    /// A longer stretch is a line that was written over.
    const LONGEST_MARK: usize = 128;
    match stream.fixed(from + fits) {
        Some(mark) if mark.start < from + fits && mark.len() <= LONGEST_MARK => {
            if mark.start > from {
                mark.start - from
            } else {
                mark.end - from
            }
        }
        _ => fits,
    }
}

fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end + 1)
}

/// The first place of the text for which this holds; it holds for all behind it.
fn first_at(text: &str, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = text.floor_char_boundary(low.midpoint(high));
        if holds(middle) {
            high = middle;
        } else {
            low = text.ceil_char_boundary(middle + 1);
        }
    }
    low
}

/// How much of the text takes no more than this: whole lines, or as much of the first as there is room for.
fn fitting(text: &str, form: WrittenForm, room: usize) -> usize {
    let (mut at, mut spent) = (0, 0);
    for line in text.split_inclusive('\n') {
        spent += form.cost(line);
        if spent > room {
            break;
        }
        at += line.len();
    }
    if at > 0 || spent <= room {
        return at;
    }
    let (mut spent, first) = (form.cost(""), text.split_inclusive('\n').next().unwrap_or_default());
    let over = first.char_indices().skip(1).find(|(at, c)| {
        spent += form.letters(&first[*at..at + c.len_utf8()]);
        spent + 8 > room
    });
    over.map_or(first.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn read(bytes: &[u8], max: usize, around: usize, redactor: Option<&Redactor>) -> String {
        let (mut all, mut at) = (String::new(), 0);
        while at < bytes.len() {
            let end = (at + max).min(bytes.len());
            let answer = page(&PageInput {
                before: &bytes[at.saturating_sub(around)..at],
                bytes: &bytes[at..end],
                after: &bytes[end..(end + around).min(bytes.len())],
                offset: at as u64,
                binary: false,
                plain: true,
                max_chars: max,
                redactor,
            });
            let next = usize::try_from(answer.next).unwrap();
            assert!(next > at, "{at}");
            assert!(crate::digest::written_cost(&answer.text) <= max + 20);
            all.push_str(&answer.text);
            at = next;
        }
        all
    }

    #[test]
    fn pages_put_together_are_the_text() {
        let text = "one\r\ntwo \u{1b}[31mred\u{1b}[0m äöü\n[cut: 5]\n".repeat(20);
        let plain = "one\ntwo red äöü\n [cut: 5]\n".repeat(20);
        for max in 40..90 {
            assert_eq!(read(text.as_bytes(), max, 40, None), plain, "{max}");
        }
    }

    /// What stands before a page, with a redactor that knows this value.
    fn needed(before: &str, value: &str) -> usize {
        let (name, value) = (OsString::from("API_TOKEN"), OsString::from(value));
        let redactor = Redactor::of([(&name, &value)]);
        let page = PageInput {
            before: before.as_bytes(),
            bytes: b"x",
            after: b"",
            offset: before.len() as u64,
            binary: false,
            plain: true,
            max_chars: 100,
            redactor: Some(&redactor),
        };
        needed_before(&page).len()
    }

    #[test]
    fn of_what_stands_before_a_page_a_few_lines_are_looked_at_unless_a_secret_may_begin_further_up() {
        let lines = "a line of twenty....\n".repeat(190);
        let few = needed(&lines, "");
        assert!((LEAST_BEFORE..LEAST_BEFORE + 63).contains(&few), "{few}");
        assert!(lines[lines.len() - few..].starts_with("a line"), "whole lines");
        assert!(
            needed(&lines, &"s3cr3t-".repeat(40)) >= 3 * 280 * 2,
            "a known one in hexadecimal, broken by lines"
        );
        for open in ["-----BEGIN RSA PRIVATE KEY-----", "token: \"abc", "TOKEN='abc", "--password \\"] {
            let whole = format!("{open}\n{lines}");
            assert_eq!(needed(&whole, ""), whole.len(), "{open}");
        }
        assert_eq!(needed(&"x".repeat(4000), ""), 4000, "one line");
    }

    #[test]
    fn a_secret_across_the_end_of_a_page_is_not_shown() {
        let (name, value) = (OsString::from("API_TOKEN"), OsString::from("s3cr3t-value-0815"));
        let redactor = Redactor::of([(&name, &value)]);
        let text = format!("{} s3cr3t-value-0815 {}\n", "a".repeat(50), "b".repeat(50));
        for max in 30..80 {
            let all = read(text.as_bytes(), max, 30, Some(&redactor));
            assert_eq!(all, text.replace("s3cr3t-value-0815", "[redacted: API_TOKEN]"), "{max}");
        }
    }
}
