//! Passwords in the words of known tools, where no name says so: `mysql -pSECRET`, `curl -u user:SECRET`.
//!
//! May not guess at tools that are not in the table.

use std::ops::Range;
use std::sync::LazyLock;

/// One option of some tools.
struct OptionShape {
    tools: &'static str,
    /// A word that must have come before, or nothing.
    with: &'static str,
    option: &'static str,
    holds: Holds,
}

/// Where the secret stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Glued to the option: alone, it asks.
    Glued,
    /// Glued to it, or in the next word.
    Value,
    /// Behind the first colon of its value.
    AfterColon,
    /// Behind the percent sign of its value.
    AfterPercent,
}

const fn shape(tools: &'static str, option: &'static str, holds: Holds) -> OptionShape {
    OptionShape { tools, with: "", option, holds }
}

const SHAPES: &[OptionShape] = &[
    shape(
        "mysql mariadb mysqldump mysqladmin mysqlimport mysqlshow mariadb-dump mycli 7z 7za 7zz rar unrar",
        "-p",
        Holds::Glued,
    ),
    shape("sshpass mongo mongosh mongodump mongorestore cqlsh rabbitmqadmin", "-p", Holds::Value),
    OptionShape {
        tools: "docker podman oc az nerdctl helm skopeo",
        with: "login",
        option: "-p",
        holds: Holds::Value,
    },
    shape("zip unzip zipcloak sqlcmd bcp", "-P", Holds::Value),
    shape("curl", "-u", Holds::AfterColon),
    shape("curl", "--user", Holds::AfterColon),
    shape("curl", "-U", Holds::AfterColon),
    shape("curl", "--proxy-user", Holds::AfterColon),
    shape("http xh", "-a", Holds::AfterColon),
    shape("http xh", "--auth", Holds::AfterColon),
    shape("redis-cli", "-a", Holds::Value),
    shape("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", "-w", Holds::Value),
    shape("smbclient rpcclient", "-U", Holds::AfterPercent),
    shape("openssl", WORD_OPTION, Holds::Value),
    OptionShape { tools: "openssl", with: "enc", option: "-k", holds: Holds::Value },
];

/// Adds every password that stands in the words of a tool. Each word is looked at once.
pub(super) fn find(text: &str, spans: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    // A password stands in a word of its own behind the tool's name. Most texts are one word, such as a path.
    let is_one_word = !bytes.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\''));
    if bytes.len() < 8 || is_one_word || !may_have_option(bytes) {
        return;
    }
    let mut line = ToolLine::default();
    for (range, begins) in words(text) {
        if begins {
            line = ToolLine::default();
        }
        let found = line.word(&text[range.clone()]);
        spans.extend(found.map(|part| range.start + part.start..range.start + part.end));
    }
}

/// Whether a word may begin with one of those options. Most texts have no such word, whatever they are about.
fn may_have_option(bytes: &[u8]) -> bool {
    let begins_word = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        before.is_none_or(|byte| ByteKind::of(byte) != ByteKind::Plain || is_around_words(byte))
    };
    let is_option = |at: usize| {
        let rest = &bytes[at..];
        let is = |shape: &OptionShape| rest.starts_with(shape.option.as_bytes());
        begins_word(at) && rest.len() > 1 && OPTION_LETTERS.contains(&rest[1]) && SHAPES.iter().any(is)
    };
    memchr::memchr_iter(b'-', bytes).any(is_option)
        || memchr::memmem::find(bytes, WORD_OPTION.as_bytes()).is_some()
}

/// The one option that does not begin with a dash.
const WORD_OPTION: &str = "pass:";

/// What comes behind the dash of the others.
const OPTION_LETTERS: &[u8] = b"-pPuUawk";

/// Where a word of a command has a password in it, for each of its words.
pub(super) fn in_words<'a>(
    words: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = Option<Range<usize>>> {
    let mut line = ToolLine::default();
    words.map(move |word| line.word(word))
}

/// The names of all tools, in order.
static TOOLS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut tools: Vec<&str> = SHAPES.iter().flat_map(|shape| shape.tools.split(' ')).collect();
    tools.sort_unstable();
    tools.dedup();
    tools
});

/// One bit for each pair of bytes that the name of a tool ends with. Nearly all words of a text end here.
static ENDINGS: LazyLock<Box<[u64; 1024]>> = LazyLock::new(|| {
    let mut endings = Box::new([0; 1024]);
    for tool in TOOLS.iter() {
        let pair = last_pair(tool.as_bytes()).unwrap_or_default();
        endings[pair >> 6] |= 1 << (pair & 63);
    }
    endings
});

/// The last two bytes of a word.
fn last_pair(word: &[u8]) -> Option<usize> {
    let [.., first, second] = word else { return None };
    Some(usize::from(*first) << 8 | usize::from(*second))
}

/// The tool that a word names, with or without its folder.
fn tool(word: &str) -> Option<&'static str> {
    let pair = last_pair(word.as_bytes())?;
    if ENDINGS[pair >> 6] >> (pair & 63) & 1 == 0 {
        return None;
    }
    let folder = memchr::memrchr2(b'/', b'\\', word.as_bytes()).map_or(0, |end| end + 1);
    TOOLS.binary_search(&&word[folder..]).ok().map(|at| TOOLS[at])
}

/// What was read of one command.
#[derive(Debug, Default)]
struct ToolLine {
    tool: Option<&'static str>,
    before: Vec<&'static str>,
    next: Option<Holds>,
}

impl ToolLine {
    /// The password in the next word.
    fn word(&mut self, word: &str) -> Option<Range<usize>> {
        if let Some(holds) = self.next.take() {
            return secret(word, holds);
        }
        let Some(tool) = self.tool else {
            self.tool = tool(word);
            return None;
        };
        self.before.extend(shapes_of(tool).map(|shape| shape.with).filter(|with| *with == word));
        let held = |shape: &&OptionShape| shape.with.is_empty() || self.before.contains(&shape.with);
        let shape = shapes_of(tool).filter(held).find(|shape| word.starts_with(shape.option))?;
        let rest = &word[shape.option.len()..];
        let is_long = shape.option.starts_with("--");
        let value = if is_long { rest.strip_prefix('=').unwrap_or_default() } else { rest };
        if rest.is_empty() {
            self.next = Some(shape.holds).filter(|holds| *holds != Holds::Glued);
            return None;
        }
        let from = word.len() - value.len();
        secret(value, shape.holds).map(|part| from + part.start..from + part.end)
    }
}

fn shapes_of(tool: &str) -> impl Iterator<Item = &'static OptionShape> + '_ {
    SHAPES.iter().filter(move |shape| shape.tools.split(' ').any(|known| known == tool))
}

/// The secret in a value. A name that stands for one is none.
fn secret(value: &str, holds: Holds) -> Option<Range<usize>> {
    let from = match holds {
        Holds::Glued | Holds::Value => 0,
        Holds::AfterColon => value.find(':')? + 1,
        Holds::AfterPercent => value.find('%')? + 1,
    };
    let found = &value[from..];
    (!found.is_empty() && !found.starts_with(['-', '$'])).then_some(from..value.len())
}

/// The words of a text without their quotes, and whether each may begin a command.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
    let bytes = text.as_bytes();
    let (mut at, mut begins) = (0, true);
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            match ByteKind::of(*byte) {
                ByteKind::Plain => break,
                ByteKind::Blank => {}
                ByteKind::Ends => begins = true,
            }
            at += 1;
        }
        let first = *bytes.get(at)?;
        let rest = &bytes[at + 1..];
        let (from, to, after) = if matches!(first, b'"' | b'\'') {
            let length = memchr::memchr(first, rest).unwrap_or(rest.len());
            (at + 1, at + 1 + length, at + 2 + length)
        } else {
            let is_end = |byte: &u8| ByteKind::of(*byte) != ByteKind::Plain;
            let length = rest.iter().position(is_end).unwrap_or(rest.len());
            (at, at + 1 + length, at + 1 + length)
        };
        at = after.min(bytes.len());
        Some((trimmed(bytes, from..to), std::mem::take(&mut begins)))
    })
}

/// What a byte is between words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByteKind {
    /// Part of a word.
    Plain,
    /// Between two words.
    Blank,
    /// Between two commands.
    Ends,
}

impl ByteKind {
    /// Asked of every byte of a text.
    fn of(byte: u8) -> Self {
        static KINDS: [ByteKind; 256] = {
            let mut kinds = [ByteKind::Plain; 256];
            let mut byte = 0;
            while byte < 256 {
                kinds[byte as usize] = match byte as u8 {
                    b';' | b'|' | b'&' | b'\n' | b'(' | b')' | b'`' => ByteKind::Ends,
                    byte if byte.is_ascii_whitespace() => ByteKind::Blank,
                    _ => ByteKind::Plain,
                };
                byte += 1;
            }
            kinds
        };
        KINDS[usize::from(byte)]
    }
}

/// Quotes, brackets and commas of a list of words are not theirs.
fn trimmed(bytes: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.start < range.end && is_around_words(bytes[range.start]) {
        range.start += 1;
    }
    while range.end > range.start && is_around_words(bytes[range.end - 1]) {
        range.end -= 1;
    }
    range
}

fn is_around_words(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b',' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_seen_wherever_a_word_begins() {
        for shape in SHAPES {
            let is_known = shape.option == WORD_OPTION
                || shape.option.starts_with('-') && OPTION_LETTERS.contains(&shape.option.as_bytes()[1]);
            assert!(is_known, "{}", shape.option);
            for before in ["", "x ", "x\n", "(", "\"", "'", "[\"", ",", "x;", "`"] {
                assert!(
                    may_have_option(format!("{before}{}y", shape.option).as_bytes()),
                    "{before}{}",
                    shape.option
                );
            }
        }
        for text in ["a-p b", "ls -l", "--- PASS", "", "-", "x -"] {
            assert!(!may_have_option(text.as_bytes()), "{text}");
        }
    }
}
