//! Lines that may say what went wrong. Marks only order what is shown, and keep a line from being left out: they may not
//! decide anything else.

/// What makes a line a marked one, in small letters, wherever it stands in the line.
pub const MARKS: &[&str] = &[
    "error",
    "err!",
    "fail",
    "fatal",
    "panic",
    "exception",
    "traceback",
    "assert",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable to",
    "not found",
    "no such",
    "denied",
    "refused",
    "forbidden",
    "unauthorized",
    "killed",
    "abort",
    "segfault",
    "segmentation",
    "core dumped",
    "signal:",
    "sigsegv",
    "sigabrt",
    "sigkill",
    "timed out",
    "timeout",
    "undefined",
    "unresolved",
    "unexpected",
    "unhandled",
    "uncaught",
    "overflow",
    "out of memory",
    "left:",
    "right:",
    "expected",
    "received",
    "mismatch",
    "conflict",
    "corrupt",
    "crash",
    "not ok",
    "exit status",
    "exit code",
    "stack trace",
    "leak",
    "flaky",
    "violation",
    "invalid",
    "rejected",
    "--- fail",
    "×",
    "✗",
    "✘",
    "✖",
    "●",
    "❌",
];

/// How marked lines begin.
const BEGINNINGS: &[&str] = &["E ", "E\t", ">>> ", "!!! ", "- expected", "+ received"];

/// Whether a line has a mark.
pub fn is_marked(line: &str) -> bool {
    let bytes = line.as_bytes();
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning.as_bytes()))
        || has_word(bytes)
        || has_sign(bytes)
        || has_code(bytes)
}

/// Whether one of the marks in letters stands here. Each is four bytes or longer.
fn has_word(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(four) = bytes.get(at..at + FOUR) {
        // The second half says how far off the next mark may begin: mostly behind it.
        let ahead = AHEAD[pair(four[2], four[3])];
        if ahead == 0 {
            let four = small([four[0], four[1], four[2], four[3]]);
            if begins_a_mark(four) && is_mark(four, &bytes[at..]) {
                return true;
            }
        }
        at += usize::from(ahead).max(1);
    }
    false
}

fn is_mark(four: u32, bytes: &[u8]) -> bool {
    let stands =
        |mark: &str| bytes.get(..mark.len()).is_some_and(|part| part.eq_ignore_ascii_case(mark.as_bytes()));
    BEGINNINGS_OF_MARKS.iter().zip(MARKS).any(|(known, mark)| *known == four && stands(mark))
}

/// Whether one of the marks that are no letters stands here.
fn has_sign(bytes: &[u8]) -> bool {
    memchr::memchr2_iter(0xc3, 0xe2, bytes).any(|at| {
        let is_here = |mark: &&str| bytes[at..].starts_with(mark.as_bytes());
        MARKS.iter().filter(|mark| !mark.is_ascii()).any(is_here)
    })
}

/// Codes of compilers: `E0308`, `TS2322`, `CS0246`, each a word of its own.
fn has_code(bytes: &[u8]) -> bool {
    memchr::memchr3_iter(b'E', b'T', b'C', bytes).any(|at| {
        let letters = match &bytes[at..] {
            [b'T', b'S', ..] | [b'C', b'S', ..] => 2,
            [b'E', ..] => 1,
            _ => return false,
        };
        let digits = bytes[at + letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let ends = bytes.get(at + letters + digits).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        (3..=5).contains(&digits) && begins && ends
    })
}

const FOUR: usize = 4;

/// Four bytes as a number, with small letters for capital ones. Other characters may become alike, too: it is a first look.
const fn small(four: [u8; FOUR]) -> u32 {
    u32::from_le_bytes(four) | 0x2020_2020
}

/// Whether a mark may begin with these four bytes.
fn begins_a_mark(four: u32) -> bool {
    let place = place_of(four);
    FIRST_LOOK[place >> 6] >> (place & 63) & 1 == 1
}

/// Sixteen bits of a number that depend on all of it.
const fn place_of(four: u32) -> usize {
    (four.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

/// The first four bytes of each mark; of a sign, nothing.
static BEGINNINGS_OF_MARKS: [u32; MARKS.len()] = {
    let mut all = [0; MARKS.len()];
    let mut index = 0;
    while index < MARKS.len() {
        let mark = MARKS[index].as_bytes();
        if mark[0].is_ascii() {
            all[index] = small([mark[0], mark[1], mark[2], mark[3]]);
        }
        index += 1;
    }
    all
};

/// Two bytes as a place in a table, small and capital letters alike.
const fn pair(first: u8, second: u8) -> usize {
    ((first | 0x20) as usize & 0x7f) << 7 | ((second | 0x20) as usize & 0x7f)
}

/// How many bytes a mark may begin behind these four at the earliest, by the last two of them: at the latest it begins
/// with the very last one.
static AHEAD: [u8; 1 << 14] = {
    let mut ahead = [3; 1 << 14];
    let mut index = 0;
    while index < MARKS.len() {
        let mark = MARKS[index].as_bytes();
        let mut place = 0;
        while mark[0].is_ascii() && place + 2 <= FOUR {
            let known = &mut ahead[pair(mark[place], mark[place + 1])];
            let distance = 2 - place as u8;
            if distance < *known {
                *known = distance;
            }
            place += 1;
        }
        index += 1;
    }
    ahead
};

/// One bit for each place of the beginning of a mark.
static FIRST_LOOK: [u64; 1024] = {
    let mut bits = [0; 1024];
    let mut index = 0;
    while index < MARKS.len() {
        let mark = MARKS[index].as_bytes();
        if mark[0].is_ascii() {
            let place = place_of(small([mark[0], mark[1], mark[2], mark[3]]));
            bits[place >> 6] |= 1 << (place & 63);
        }
        index += 1;
    }
    bits
};

/// Where the marked lines of a text begin, in order.
#[derive(Debug, Default)]
pub(super) struct MarkedLines(Vec<usize>);

impl MarkedLines {
    pub(super) fn of(text: &str) -> Self {
        let starts = super::layout::lines(text, 0..text.len()).filter(|line| is_marked(&text[line.clone()]));
        Self(starts.map(|line| line.start).collect())
    }

    /// How many begin in this part.
    pub(super) fn within(&self, part: &std::ops::Range<usize>) -> &[usize] {
        let at = |place: usize| self.0.partition_point(|start| *start < place);
        &self.0[at(part.start)..at(part.end)]
    }

    /// To be asked about the lines of this part, one behind the other.
    pub(super) fn along(&self, part: &std::ops::Range<usize>) -> MarksAlong<'_> {
        MarksAlong(self.within(part))
    }
}

/// The marked lines that are still to come for somebody who walks along all lines.
#[derive(Debug)]
pub(super) struct MarksAlong<'a>(&'a [usize]);

impl MarksAlong<'_> {
    /// Whether the line that begins here has one; no line before it is asked about any more.
    pub(super) fn has(&mut self, start: usize) -> bool {
        while let [first, rest @ ..] = self.0 {
            if *first >= start {
                return *first == start;
            }
            self.0 = rest;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_what_went_wrong_are_marked() {
        for line in [
            "error[E0308]: mismatched types",
            "src/a.ts(1,14): error TS2322: Type 'string' is not assignable",
            "  see E0425 for more",
            "(TS7006) implicitly any",
            "thread 'main' panicked at src/lib.rs:12:5:",
            "assertion `left == right` failed",
            "  left: 1",
            " right: 2",
            "E   assert 1 == 2",
            "java.lang.NullPointerException",
            "Traceback (most recent call last):",
            "bash: foo: command not found",
            "Permission Denied",
            "FAIL src/a.test.js",
            "Killed",
            "    Expected: -1",
            "    Received: 77",
            "   × case 77 3ms",
            "● case 77",
            "✗ it works",
            "npm ERR! code E404",
            "make: *** [Makefile:3: bad.o] Error 1",
            "Segmentation fault (core dumped)",
        ] {
            assert!(is_marked(line), "{line}");
        }
    }

    #[test]
    fn ordinary_lines_are_not() {
        for line in [
            "",
            "a",
            "test tests::case_001 ... ok",
            "   Compiling serde v1.0.200",
            "WARN  retrying connection to db:5432 (attempt 7)",
            "PASS [   0.01s] widget tests::case_001",
            "test_many.py::test_n[12] PASSED [  2%]",
            "=== RUN   TestCase12",
            "E12",
            "SE0308x",
            "Enter",
        ] {
            assert!(!is_marked(line), "{line}");
        }
    }

    #[test]
    fn every_mark_is_small_and_long_enough_to_be_found() {
        for mark in MARKS {
            assert_eq!(*mark, mark.to_ascii_lowercase());
            // What looks for them knows these beginnings only.
            let is_sign = !mark.is_ascii() && matches!(mark.as_bytes()[0], 0xc3 | 0xe2);
            assert!(is_sign || mark.is_ascii() && mark.len() >= FOUR, "{mark}");
            for text in [(*mark).to_owned(), format!("x {} y", mark.to_ascii_uppercase()), format!("é{mark}")]
            {
                assert!(is_marked(&text), "{text}");
            }
            let cut = &mark[..mark.len() - mark.chars().last().unwrap().len_utf8()];
            assert!(is_marked(cut) == MARKS.iter().any(|other| cut.contains(other)), "{cut}");
        }
    }

    #[test]
    fn marks_are_told_along_the_lines() {
        let text = "an error\nfine\nfine\nit failed\n";
        let marked = MarkedLines::of(text);
        let mut along = marked.along(&(0..text.len()));
        assert_eq!([0, 9, 14, 19].map(|start| along.has(start)), [true, false, false, true]);
        assert!(!marked.along(&(9..19)).has(14));
    }
}
