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
        || bytes.windows(2).enumerate().any(|(at, pair)| {
            begins_a_mark(pair[0], pair[1]) && MARKS.iter().any(|mark| begins_with(&bytes[at..], mark))
        })
        || has_code(line)
}

fn begins_with(bytes: &[u8], mark: &str) -> bool {
    // Nearly all of them end at their second letter.
    let near = |at: usize| (bytes[at] ^ mark.as_bytes()[at]) & !0x20 == 0;
    near(0)
        && near(1)
        && bytes.get(..mark.len()).is_some_and(|part| part.eq_ignore_ascii_case(mark.as_bytes()))
}

/// Codes of compilers: `E0308`, `TS2322`, `CS0246`, each a word of its own.
fn has_code(line: &str) -> bool {
    let bytes = line.as_bytes();
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

/// Whether one of the marks begins with these two bytes, whatever their case. Most places of a text end here.
fn begins_a_mark(first: u8, second: u8) -> bool {
    let pair = usize::from(first) << 8 | usize::from(second);
    PAIRS[pair >> 6] >> (pair & 63) & 1 == 1
}

/// One bit for each pair of bytes that a mark begins with.
static PAIRS: [u64; 1024] = {
    let mut pairs = [0; 1024];
    let mut index = 0;
    while index < MARKS.len() {
        let mark = MARKS[index].as_bytes();
        let (first, second) =
            ([mark[0], mark[0].to_ascii_uppercase()], [mark[1], mark[1].to_ascii_uppercase()]);
        let mut combination = 0;
        while combination < 4 {
            let pair = (first[combination & 1] as usize) << 8 | second[combination >> 1] as usize;
            pairs[pair >> 6] |= 1 << (pair & 63);
            combination += 1;
        }
        index += 1;
    }
    pairs
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

    /// Whether the line that begins here has one.
    pub(super) fn has(&self, start: usize) -> bool {
        self.0.binary_search(&start).is_ok()
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
    fn every_mark_is_small_and_has_two_bytes() {
        for mark in MARKS {
            assert!(mark.len() >= 2 && *mark == mark.to_ascii_lowercase(), "{mark}");
            assert!(is_marked(mark) && is_marked(&format!("x {} y", mark.to_ascii_uppercase())), "{mark}");
        }
    }
}
