//! What may happen to a tool's output on its way: it is killed, merged, coloured, translated, spoken over. The same seed
//! makes the same. May not know any format.

use super::recording::RecordedRun;
use runward_core::digest::CommandEnding;

/// Numbers that look random and are the same each time.
#[derive(Debug)]
pub(crate) struct SeededNumbers(u64);

impl SeededNumbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// One below this.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or_default()
    }
}

/// Every ending that is tried.
const ENDINGS: [CommandEnding; 9] = [
    CommandEnding::Exit(0),
    CommandEnding::Exit(1),
    CommandEnding::Exit(2),
    CommandEnding::Exit(101),
    CommandEnding::Exit(124),
    CommandEnding::Exit(134),
    CommandEnding::Exit(139),
    CommandEnding::Signal,
    CommandEnding::TimedOut,
];

/// Lines that no format knows, with and without a mark. The number makes each the only one.
const UNKNOWN_LINES: [&str; 5] = [
    "zorp-17 gave up at stage NUMBER",
    "FATAL: the disk is gone NUMBER",
    "  subsystem NUMBER: assertion tripped",
    "!! NUMBER kernel taint",
    "error[X9]: NUMBER broke",
];

/// Makes another run from a recorded one.
pub(crate) fn mutated(run: &RecordedRun, others: &[RecordedRun], numbers: &mut SeededNumbers) -> RecordedRun {
    let mut made = run.clone();
    made.ending = ENDINGS[numbers.below(ENDINGS.len())];
    match numbers.below(10) {
        0..=2 => cut(&mut made, numbers),
        3..=5 => insert(&mut made, numbers),
        6 => made.streams.swap(0, 1),
        7 => merge(&mut made, numbers),
        8 => join(&mut made, &others[numbers.below(others.len())], numbers),
        _ => respell(&mut made, numbers),
    }
    // Half of them meet a second accident.
    match numbers.below(6) {
        0 => insert(&mut made, numbers),
        1 => cut(&mut made, numbers),
        2 => respell(&mut made, numbers),
        _ => {}
    }
    made
}

/// A run that was killed: the rest was never printed.
fn cut(run: &mut RecordedRun, numbers: &mut SeededNumbers) {
    let stream = usize::from(run.streams[0].is_empty() || numbers.below(4) == 0);
    let at = numbers.below(run.streams[stream].len() + 1);
    run.streams[stream].truncate(at);
}

/// A line that nobody expects, somewhere.
fn insert(run: &mut RecordedRun, numbers: &mut SeededNumbers) {
    let stream = usize::from(run.streams[0].is_empty() || numbers.below(4) == 0);
    let bytes = &mut run.streams[stream];
    let near = numbers.below(bytes.len() + 1);
    let at = bytes[..near].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let number = format!("{:08}", numbers.below(100_000_000));
    let line = UNKNOWN_LINES[numbers.below(UNKNOWN_LINES.len())].replace("NUMBER", &number);
    bytes.splice(at..at, format!("{line}\n").into_bytes());
    run.facts.push(line);
}

/// Both streams in one, line by line or one behind the other.
fn merge(run: &mut RecordedRun, numbers: &mut SeededNumbers) {
    let [out, err] = std::mem::take(&mut run.streams);
    if numbers.below(2) == 0 {
        run.streams[0] = [out, err].concat();
        return;
    }
    let mut lines = [out, err].map(|bytes| {
        let lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.into_iter().peekable()
    });
    while lines.iter_mut().any(|lines| lines.peek().is_some()) {
        let stream = numbers.below(2);
        run.streams[0].extend(lines[stream].next().unwrap_or_default());
    }
}

/// Two tools in one command.
fn join(run: &mut RecordedRun, other: &RecordedRun, numbers: &mut SeededNumbers) {
    let other_first = numbers.below(2) == 0;
    for (own, others) in run.streams.iter_mut().zip(&other.streams) {
        if other_first {
            own.splice(0..0, others.iter().copied());
        } else {
            own.extend(others);
        }
    }
    run.programs.extend(other.programs.iter().cloned());
    run.facts.extend(other.facts.iter().cloned());
}

/// The same in other bytes: CRLF, colours, another language.
fn respell(run: &mut RecordedRun, numbers: &mut SeededNumbers) {
    let way = numbers.below(3);
    for bytes in &mut run.streams {
        let mut made = Vec::with_capacity(bytes.len() * 2);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, end) = match line.split_last() {
                Some((b'\n', text)) => (text, &b"\n"[..]),
                _ => (line, &b""[..]),
            };
            match way {
                0 => made.extend([text, if end.is_empty() { b"" } else { b"\r\n" }].concat()),
                1 => made.extend(
                    [b"\x1b[3", &[b'1' + (text.len() % 6) as u8][..], b"m", text, b"\x1b[0m", end].concat(),
                ),
                _ => made.extend([translated(text).as_slice(), end].concat()),
            }
        }
        *bytes = made;
    }
}

/// Words that tools translate.
fn translated(text: &[u8]) -> Vec<u8> {
    const WORDS: [(&str, &str); 5] = [
        ("passed", "bestanden"),
        ("failed", "fehlgeschlagen"),
        ("error", "Fehler"),
        ("warning", "Warnung"),
        ("tests", "Tests"),
    ];
    match std::str::from_utf8(text) {
        Err(_) => text.to_vec(),
        Ok(text) => {
            WORDS.iter().fold(text.to_owned(), |text, (word, other)| text.replace(word, other)).into_bytes()
        }
    }
}
