//! Values that are known to be secrets, wherever they stand: as they are, broken by the end of a line, in base64 (also
//! inside something longer that was encoded with them), in hexadecimal digits, and as addresses spell them.
//!
//! Hazard: a short piece of an encoding stands in texts by chance, so pieces below a length are not looked for. May not
//! know which variables there are.

use super::MASK;
use memchr::memmem::Finder;
use std::ops::Range;

/// Pieces of an encoding that are shorter than this stand everywhere.
const SHORTEST_PIECE: usize = 8;

/// Shorter beginnings and ends of a value are ends of other words.
const SHORTEST_EDGE: usize = 4;

/// A secret, and what it looks like.
#[derive(Debug, Clone)]
pub(super) struct KnownSecret {
    pub(super) value: String,
    /// What stands in its place.
    mark: String,
    spellings: Vec<SecretSpelling>,
}

#[derive(Debug, Clone)]
struct SecretSpelling {
    finder: Finder<'static>,
    length: usize,
    /// Whether what stands around it was encoded with it.
    inside: bool,
}

/// A part of a text, and what stands in its place.
pub(super) type Masked<'a> = (Range<usize>, &'a str);

impl KnownSecret {
    /// A secret that a variable of this name holds, or that a person typed.
    pub(super) fn of(name: Option<&str>, value: &str) -> Self {
        let mark = name.map_or_else(|| MASK.to_owned(), |name| format!("[redacted: {name}]"));
        let mut spellings = vec![SecretSpelling::of(value, false)];
        let percent = percent(value);
        spellings.extend((percent != value).then(|| SecretSpelling::of(&percent, false)));
        spellings.extend(hex(value).map(|text| SecretSpelling::of(&text, false)));
        spellings.extend(pieces(value).map(|text| SecretSpelling::of(&text, true)));
        Self { value: value.to_owned(), mark, spellings }
    }
}

impl KnownSecret {
    /// How many bytes of a text any of its spellings may take, with the end of a line behind each.
    pub(super) fn longest(&self) -> usize {
        3 * self.spellings.iter().map(|spelling| spelling.length).max().unwrap_or_default()
    }

    /// What a text begins or ends with that is part of the value, and not all of it.
    pub(super) fn at_the_edges<'a>(&'a self, text: &str) -> impl Iterator<Item = Masked<'a>> {
        let cuts = || (SHORTEST_EDGE..self.value.len()).rev().filter(|cut| *cut <= text.len());
        let end = cuts().find(|cut| text.as_bytes().ends_with(&self.value.as_bytes()[..*cut]));
        let begin =
            cuts().find(|cut| text.as_bytes().starts_with(&self.value.as_bytes()[self.value.len() - cut..]));
        let ranges = [begin.map(|cut| 0..cut), end.map(|cut| text.len() - cut..text.len())];
        let whole =
            |range: &Range<usize>| text.is_char_boundary(range.start) && text.is_char_boundary(range.end);
        ranges
            .into_iter()
            .flatten()
            .filter(whole)
            .map(|range| (range, self.mark.as_str()))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

impl SecretSpelling {
    fn of(text: &str, inside: bool) -> Self {
        Self { finder: Finder::new(text).into_owned(), length: text.len(), inside }
    }
}

/// Adds every place at which one of these stands.
pub(super) fn find<'a>(all: impl Iterator<Item = &'a KnownSecret>, text: &str, found: &mut Vec<Masked<'a>>) {
    let mut all = all.peekable();
    if all.peek().is_none() {
        return;
    }
    let unbroken = UnbrokenText::of(text);
    for known in all {
        for spelling in &known.spellings {
            for at in spelling.finder.find_iter(unbroken.bytes()) {
                let mut range = at..at + spelling.length;
                if spelling.inside {
                    range = around(unbroken.bytes(), range);
                }
                found.push((unbroken.original(range), &known.mark));
            }
        }
    }
}

/// All that was encoded together.
fn around(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/_-=".contains(byte);
    let before = bytes[..range.start].iter().rev().take_while(is).count();
    let after = bytes[range.end..].iter().take_while(is).count();
    range.start - before..range.end + after
}

/// A text as if no line ended in it.
enum UnbrokenText<'a> {
    /// It has one line.
    Same(&'a [u8]),
    Joined {
        bytes: Vec<u8>,
        /** Where each line begins here, and where it began. */
        lines: Vec<(usize, usize)>,
    },
}

impl<'a> UnbrokenText<'a> {
    fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        if memchr::memchr(b'\n', bytes).is_none() {
            return Self::Same(bytes);
        }
        let (mut joined, mut lines, mut from) = (Vec::with_capacity(bytes.len()), vec![(0, 0)], 0);
        for end in memchr::memchr_iter(b'\n', bytes) {
            let line = &bytes[from..end];
            joined.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
            from = end + 1;
            lines.push((joined.len(), from));
        }
        joined.extend_from_slice(&bytes[from..]);
        Self::Joined { bytes: joined, lines }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Same(bytes) => bytes,
            Self::Joined { bytes, .. } => bytes,
        }
    }

    /// Where a part of it stood.
    fn original(&self, range: Range<usize>) -> Range<usize> {
        let Self::Joined { lines, .. } = self else { return range };
        let at = |place: usize| {
            let line = lines.partition_point(|(begins, _)| *begins <= place) - 1;
            let (begins, began) = lines[line];
            began + (place - begins)
        };
        // Its last byte is asked about: behind it another line may begin.
        at(range.start)..at(range.end - 1) + 1
    }
}

fn hex(value: &str) -> impl Iterator<Item = String> {
    let small: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let capital = small.to_ascii_uppercase();
    let two = if capital == small { vec![small] } else { vec![small, capital] };
    two.into_iter().filter(|text| text.len() >= SHORTEST_PIECE)
}

/// As an address spells it.
fn percent(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    value
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// What certainly stands in the base64 of anything that holds the value: it depends on how many bytes come before it,
/// and its ends depend on what they are.
fn pieces(value: &str) -> impl Iterator<Item = String> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut all = Vec::new();
    for before in 0..3_usize {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(value.bytes()).collect();
        let whole = bytes.len() / 3 * 3;
        let letters = bytes[..whole].chunks(3).flat_map(|three| {
            let number = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
            [18, 12, 6, 0].map(|shift| char::from(ALPHABET[(number >> shift & 63) as usize]))
        });
        // A byte of what comes before is part of this many characters.
        let piece: String = letters.skip([0, 2, 3][before]).collect();
        all.push(piece.replace('+', "-").replace('/', "_"));
        all.push(piece);
    }
    all.sort_unstable();
    all.dedup();
    all.into_iter().filter(|piece| piece.len() >= SHORTEST_PIECE)
}
