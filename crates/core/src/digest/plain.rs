//! Text without terminal escapes, each line as it stood at its end. May not join or drop lines: what an escape would hide
//! beyond the end of its line stays.

use super::places::{PlaceStep, RawPlaces};

const ESCAPE: u8 = 0x1b;
const BACKSPACE: u8 = 0x08;

/// The next place at which something is not plain.
pub(super) fn first_special(bytes: &[u8]) -> Option<usize> {
    memchr::memchr3(ESCAPE, b'\r', BACKSPACE, bytes)
}

/// Adds a text without its escapes, and where everything comes from. `raw` is where the text begins in its stream.
pub(super) fn push_plain(text: &str, raw: u64, out: &mut String, places: &mut RawPlaces) {
    let mut rest = text;
    let at = |rest: &str| raw + (text.len() - rest.len()) as u64;
    while let Some(special) = first_special(rest.as_bytes()) {
        let begin = memchr::memrchr(b'\n', &rest.as_bytes()[..special]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &rest.as_bytes()[special..]).map_or(rest.len(), |end| special + end);
        places.anchor(out.len(), at(rest), PlaceStep::Same);
        out.push_str(&rest[..begin]);
        push_line(&rest[begin..end], at(&rest[begin..]), out, places);
        rest = &rest[end..];
    }
    places.anchor(out.len(), at(rest), PlaceStep::Same);
    out.push_str(rest);
}

fn push_line(line: &str, raw: u64, out: &mut String, places: &mut RawPlaces) {
    let line = line.trim_end_matches('\r');
    if is_overwritten(line) {
        places.anchor(out.len(), raw, PlaceStep::Fixed);
        out.extend(as_it_stood(line));
        return;
    }
    let mut from = 0;
    while let Some(special) = memchr::memchr(ESCAPE, &line.as_bytes()[from..]).map(|at| from + at) {
        places.anchor(out.len(), raw + from as u64, PlaceStep::Same);
        out.push_str(&line[from..special]);
        from = special + escape_length(&line.as_bytes()[special..]);
    }
    places.anchor(out.len(), raw + from as u64, PlaceStep::Same);
    out.push_str(&line[from..]);
}

/// Whether something in the line takes the cursor back.
fn is_overwritten(line: &str) -> bool {
    let bytes = line.as_bytes();
    memchr::memchr2(b'\r', BACKSPACE, bytes).is_some()
        || memchr::memchr_iter(ESCAPE, bytes).any(|at| {
            let length = escape_length(&bytes[at..]);
            length > 2 && bytes[at + 1] == b'[' && bytes[at + length - 1] == b'G'
        })
}

/// How long the escape is that begins here. One that does not end in its line is only its introducer, so that nothing
/// behind it is hidden.
fn escape_length(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => {
            let parameters = bytes[2..].iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            match bytes.get(2 + parameters) {
                Some(0x40..=0x7e) => parameters + 3,
                _ => 2,
            }
        }
        Some(b']' | b'P' | b'X' | b'^' | b'_') => string_length(bytes),
        Some(0x20..=0x2f) => {
            let between = bytes[1..].iter().take_while(|byte| (0x20..0x30).contains(*byte)).count();
            1 + between + usize::from(bytes.get(1 + between).is_some_and(|byte| (0x30..0x7f).contains(byte)))
        }
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

fn string_length(bytes: &[u8]) -> usize {
    let end = memchr::memchr2(0x07, ESCAPE, &bytes[2..]).map(|at| at + 2);
    match end {
        Some(at) if bytes[at] == 0x07 => at + 1,
        Some(at) if bytes.get(at + 1) == Some(&b'\\') => at + 2,
        _ => 2,
    }
}

/// What a terminal shows once the line has ended.
fn as_it_stood(line: &str) -> Vec<char> {
    let (mut cells, mut cursor): (Vec<char>, usize) = (Vec::new(), 0);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '\r' => cursor = 0,
            '\u{8}' => cursor = cursor.saturating_sub(1),
            '\u{1b}' => {
                length = escape_length(rest.as_bytes());
                steer(&rest[..length], &mut cells, &mut cursor);
            }
            c => {
                if cursor >= cells.len() {
                    cells.resize(cursor + 1, ' ');
                }
                cells[cursor] = c;
                cursor += 1;
            }
        }
        rest = &rest[length..];
    }
    cells
}

/// Erasing within the line, and moving in it. A column that no terminal has is not gone to.
fn steer(escape: &str, cells: &mut Vec<char>, cursor: &mut usize) {
    const WIDEST: usize = 1000;
    let Some(body) = escape.strip_prefix("\u{1b}[") else { return };
    match body.split_at_checked(body.len().saturating_sub(1)) {
        Some(("" | "0", "K")) => cells.truncate(*cursor),
        Some(("1", "K")) => cells.iter_mut().take(*cursor + 1).for_each(|cell| *cell = ' '),
        Some(("2", "K")) => cells.clear(),
        Some((column, "G")) => {
            let column = if column.is_empty() { Ok(1) } else { column.parse::<usize>() };
            *cursor = column.map_or(*cursor, |column| column.saturating_sub(1).min(WIDEST));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        push_plain(text, 0, &mut out, &mut RawPlaces::default());
        out
    }

    #[test]
    fn escapes_are_taken_out() {
        assert_eq!(plain("\u{1b}[1;31mred\u{1b}[0m and \u{1b}(Bplain\n"), "red and plain\n");
        assert_eq!(plain("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\!"), "link!");
        assert_eq!(plain("\u{1b}7a\u{1b}=b\u{1b}"), "ab");
    }

    #[test]
    fn an_escape_without_an_end_hides_nothing() {
        assert_eq!(plain("\u{1b}]0;title\nerror: x\u{7}\n"), "0;title\nerror: x\u{7}\n");
        assert_eq!(plain("\u{1b}[12\nnext"), "12\nnext");
    }

    #[test]
    fn a_line_is_shown_as_it_stood_at_its_end() {
        assert_eq!(plain("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(plain("abcdef\rxy\n"), "xycdef\n");
        assert_eq!(plain("abcdef\r\u{1b}[Kxy\n"), "xy\n");
        assert_eq!(plain("abc\u{8}\u{8}X\n"), "aXc\n");
        assert_eq!(plain("loading\u{1b}[2K\u{1b}[1Gdone\n"), "done\n");
        assert_eq!(plain("a\r\nb\r\n\r\n"), "a\nb\n\n");
    }

    #[test]
    fn a_far_column_costs_nothing() {
        assert!(plain("\u{1b}[99999999999Gx\u{1b}[4000000000Gy\n").len() < 2100);
    }

    #[test]
    fn every_place_is_known() {
        let (mut out, mut places) = (String::new(), RawPlaces::default());
        let text = "one\r\n\u{1b}[31mtwo\u{1b}[0m x\nthree\rT\nfour\n";
        push_plain(text, 100, &mut out, &mut places);
        assert_eq!(out, "one\ntwo x\nThree\nfour\n");
        for word in ["one", "two", "x", "four"] {
            let place = places.raw(&out, out.find(word).unwrap());
            assert_eq!(place, 100 + text.find(word).unwrap() as u64, "{word}");
        }
        assert_eq!(places.raw(&out, out.find("ree").unwrap()), 100 + text.find("three").unwrap() as u64);
    }
}
