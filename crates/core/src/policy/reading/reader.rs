//! The parser's position in a script, and what is shared by everything that reads on from it.
//!
//! Every step moves forward or gives up, so reading takes time in proportion to the text. May not know any grammar.

use super::here::Pending;
use super::{Opaque, ScriptReading, Simple};
use std::collections::BTreeSet;

/// What reading a part of a text gives.
pub(super) type ReadResult<T> = Result<T, Opaque>;

/// How deep constructs may stand in each other: bounds the recursion.
const DEEPEST: u32 = 24;

/// How many simple commands one text may hold.
const MOST_COMMANDS: usize = 400;

/// How many brackets and braces outside quotes one text may hold: the second reader looks for the end of each.
const MOST_BRACKETS: usize = 32;

/// How deep parts of a text that are texts of their own may stand in each other.
const DEEPEST_PART: u32 = 8;

/// A simple command as it stands in the text: what two readers must agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoundCommand {
    /// Where its name begins.
    pub(super) at: usize,
    /// How many words it has, its name among them.
    pub(super) words: usize,
}

/// Names that matter beyond the command that mentions them.
#[derive(Debug, Default)]
pub(super) struct MentionedNames {
    /// Functions that certainly exist from here on.
    pub(super) certain: BTreeSet<String>,
    /// Every function of the text.
    pub(super) functions: BTreeSet<String>,
    /// Every array of the text.
    pub(super) arrays: BTreeSet<String>,
    /// Variables that a builtin sets to something that would be looked into if they were arrays.
    pub(super) declared: BTreeSet<String>,
    /// Variables that are unset.
    pub(super) unset: BTreeSet<String>,
    /// Variables that certainly hold a number from here on.
    pub(super) numbers: Vec<String>,
    /// Variables that were taken for numbers.
    pub(super) reckoned: BTreeSet<String>,
    /// Programs that were taken to print nothing but numbers.
    pub(super) counters: BTreeSet<String>,
    /// Variables that are evaluated: they stand in arithmetic.
    pub(super) worked_out: BTreeSet<String>,
    /// Variables that are set at all.
    pub(super) set: BTreeSet<String>,
    /// Variables that are set to something that may not be a number.
    pub(super) not_numbers: BTreeSet<String>,
    /// Variables of which this is known from an earlier reading.
    pub(super) distrusted: BTreeSet<String>,
}

impl MentionedNames {
    /// Takes a variable for a number, if it certainly is one.
    pub(super) fn reckons(&mut self, name: &str) -> bool {
        let is = !self.distrusted.contains(name) && self.numbers.iter().any(|number| number == name);
        if is {
            self.reckoned.insert(name.to_owned());
        }
        is
    }

    /// Whether what was taken for granted about a name holds for the whole text.
    pub(super) fn agree(&self) -> ReadResult<()> {
        let both = |one: &BTreeSet<String>, other: &BTreeSet<String>, why: &str| match one
            .intersection(other)
            .next()
        {
            Some(name) => Err(Opaque::because(format!("`{name}` {why}"))),
            None => Ok(()),
        };
        both(&self.reckoned, &self.not_numbers, "in a sum may hold more than a number")?;
        self.only_numbers_are_worked_out()?;
        both(&self.counters, &self.functions, "is a function, and may print more than numbers")?;
        both(&self.arrays, &self.declared, "is an array, and a builtin would look into what it is set to")?;
        both(&self.functions, &self.unset, "is a function that may be unset")
    }
}

impl MentionedNames {
    /// Takes in the names of a text that may run at any moment: what it does may be done anywhere.
    pub(super) fn absorb(&mut self, other: Self) {
        let Self {
            functions, arrays, declared, unset, reckoned, counters, worked_out, set, not_numbers, ..
        } = other;
        let mine = [
            &mut self.functions,
            &mut self.arrays,
            &mut self.declared,
            &mut self.unset,
            &mut self.reckoned,
            &mut self.counters,
            &mut self.worked_out,
            &mut self.set,
            &mut self.not_numbers,
        ];
        let theirs = [functions, arrays, declared, unset, reckoned, counters, worked_out, set, not_numbers];
        mine.into_iter().zip(theirs).for_each(|(mine, theirs)| mine.extend(theirs));
    }

    /// What is evaluated is a number: nothing in the text sets it to anything else, and neither does the shell itself.
    fn only_numbers_are_worked_out(&self) -> ReadResult<()> {
        for name in &self.worked_out {
            let own = name.bytes().any(|byte| byte.is_ascii_lowercase()) || self.set.contains(name);
            if !own || self.not_numbers.contains(name) {
                let why = format!("a sum evaluates what `{name}` holds, which may be more than a number");
                return Err(Opaque::because(why).instead(format!(
                    "Make a number of it first (`printf -v number %d \"${name}\"`) and take that, or compare with \
                     `[ \"${name}\" -gt 3 ]`."
                )));
            }
        }
        Ok(())
    }
}

/// The reader of one text.
#[derive(Debug)]
pub(super) struct ScriptReader<'a> {
    /// The whole text.
    pub(super) text: &'a str,
    /// The next byte to read.
    pub(super) at: usize,
    /// Where the part that is being read ends.
    pub(super) end: usize,
    /// Whether what is special to bash is not understood.
    pub(super) posix: bool,
    /// Here-documents with bodies that begin at the next line.
    pub(super) pending: Vec<Pending>,
    /// What was read so far.
    pub(super) reading: ScriptReading,
    /// The commands to be listed so far, and where each begins.
    pub(super) commands: Vec<(usize, Simple)>,
    /// Every simple command so far.
    pub(super) found: Vec<FoundCommand>,
    /// Names so far.
    pub(super) names: MentionedNames,
    /// Brackets and braces in quotes, which the second reader need not see.
    pub(super) masked: Vec<usize>,
    brackets: usize,
    parts: u32,
    /// Variables that the command which is being read sets to a number.
    pub(super) numbered: Vec<String>,
    /// Whether a pattern of file names may become no word at all: `nullglob` is set somewhere in the text.
    pub(super) vanishing: bool,
    /// Whether `nullglob` was met.
    pub(super) nullglob: bool,
    /// How deep in the texts of traps this one stands.
    pub(super) traps: u32,
    /// How many constructs are open. Nothing open means: this line runs, once, in the shell itself.
    pub(super) depth: u32,
}

impl<'a> ScriptReader<'a> {
    pub(super) fn new(text: &'a str, posix: bool) -> Self {
        Self {
            text,
            at: 0,
            end: text.len(),
            posix,
            pending: Vec::new(),
            reading: ScriptReading::default(),
            commands: Vec::new(),
            found: Vec::new(),
            names: MentionedNames::default(),
            masked: Vec::new(),
            brackets: 0,
            parts: 0,
            numbered: Vec::new(),
            vanishing: false,
            nullglob: false,
            traps: 0,
            depth: 0,
        }
    }

    /// The byte that many places ahead; nothing at the end.
    pub(super) fn ahead(&self, places: usize) -> Option<u8> {
        let at = self.at + places;
        (at < self.end).then(|| self.text.as_bytes()[at])
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.ahead(0)
    }

    /// The character here, as a whole.
    pub(super) fn letter(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// What is left of the part that is being read.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// Whether the rest begins like this.
    pub(super) fn sees(&self, what: &str) -> bool {
        self.text.as_bytes()[self.at..self.end].starts_with(what.as_bytes())
    }

    /// Moves past this, if it is here.
    pub(super) fn takes(&mut self, what: &str) -> bool {
        let sees = self.sees(what);
        if sees {
            self.at += what.len();
        }
        sees
    }

    /// Moves past this, which must be here.
    pub(super) fn needs(&mut self, what: &str) -> ReadResult<()> {
        if self.takes(what) { Ok(()) } else { Err(Opaque::because(format!("`{what}` is missing"))) }
    }

    /// Understood in bash only.
    pub(super) fn only_bash(&self, what: &str) -> ReadResult<()> {
        if self.posix {
            return Err(Opaque::because(format!("{what} is special to bash, and this is another shell")));
        }
        Ok(())
    }

    /// Reads something that stands inside something else.
    pub(super) fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> ReadResult<T>) -> ReadResult<T> {
        if self.depth >= DEEPEST {
            return Err(Opaque::because("constructs stand too deep in each other"));
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// Reads a part of the text that ends before the rest does. Its here-documents are its own.
    pub(super) fn part<T>(
        &mut self,
        end: usize,
        read: impl FnOnce(&mut Self) -> ReadResult<T>,
    ) -> ReadResult<T> {
        if self.parts >= DEEPEST_PART {
            return Err(Opaque::because("commands stand too deep in the words of others"));
        }
        self.parts += 1;
        let outer_end = std::mem::replace(&mut self.end, end);
        let outer = std::mem::take(&mut self.pending);
        let done = self.inside(read)?;
        if !self.pending.is_empty() {
            return Err(Opaque::because("a here-document has no end"));
        }
        self.parts -= 1;
        self.pending = outer;
        self.end = outer_end;
        Ok(done)
    }

    /// Counts brackets and braces outside quotes.
    pub(super) fn brackets(&mut self, text: &str) -> ReadResult<()> {
        self.brackets += text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
        if self.brackets > MOST_BRACKETS {
            return Err(Opaque::because("there are too many brackets"));
        }
        Ok(())
    }

    /// Notes the brackets and braces of a quoted text that begins here.
    pub(super) fn masks(&mut self, text: &str) {
        let opens = text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'['));
        self.masked.extend(opens.map(|(at, _)| self.at + at));
    }

    /// The text as the second reader sees it.
    pub(super) fn for_the_second(&self) -> String {
        let mut bytes = self.text.as_bytes().to_vec();
        self.masked.iter().for_each(|at| bytes[*at] = b'x');
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Notes a simple command.
    pub(super) fn note(&mut self, at: usize, words: usize) -> ReadResult<()> {
        if self.found.len() >= MOST_COMMANDS {
            return Err(Opaque::because("there are too many commands"));
        }
        self.found.push(FoundCommand { at, words });
        Ok(())
    }

    /// Moves past blanks, and past a line's end that is escaped between two words.
    pub(super) fn blanks(&mut self) {
        loop {
            let between = self.at == 0
                || matches!(self.text.as_bytes()[self.at - 1], b' ' | b'\t' | b'\n' | b'|' | b'&' | b';');
            if matches!(self.peek(), Some(b' ' | b'\t')) {
                self.at += 1;
            } else if !(between && self.pending.is_empty() && self.takes("\\\n")) {
                return;
            }
        }
    }

    /// Moves past a comment, if one begins here.
    pub(super) fn comment(&mut self) {
        if self.peek() == Some(b'#') {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Moves past blanks, comments and line ends, and reads here-documents that begin there.
    pub(super) fn lines(&mut self) -> ReadResult<()> {
        loop {
            self.blanks();
            self.comment();
            if !self.takes("\n") {
                return Ok(());
            }
            self.bodies()?;
        }
    }

    /// The word here, if it is nothing but characters that stand for themselves.
    pub(super) fn bare(&self) -> &'a str {
        let rest = self.rest();
        let length = rest
            .bytes()
            .position(|byte| is_border(byte) || matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`'))
            .unwrap_or(rest.len());
        let ends = rest.as_bytes().get(length).is_none_or(|byte| is_border(*byte));
        if ends { &rest[..length] } else { "" }
    }

    /// Moves past a keyword, if it is here.
    pub(super) fn takes_keyword(&mut self, word: &str) -> bool {
        let is = self.bare() == word;
        if is {
            self.at += word.len();
        }
        is
    }

    /// Moves past a keyword, which must be here.
    pub(super) fn needs_keyword(&mut self, word: &str) -> ReadResult<()> {
        if self.takes_keyword(word) {
            return Ok(());
        }
        Err(Opaque::because(format!("`{word}` is missing")))
    }
}

/// Whether this byte ends a word.
pub(super) fn is_border(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// How long the name of a variable is that this begins with.
pub(super) fn name_length(text: &str) -> usize {
    let is_name =
        |at: usize, byte: u8| byte == b'_' || byte.is_ascii_alphabetic() || at > 0 && byte.is_ascii_digit();
    text.bytes().enumerate().position(|(at, byte)| !is_name(at, byte)).unwrap_or(text.len())
}

/// Whether this is the name of a variable, and nothing else.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}
