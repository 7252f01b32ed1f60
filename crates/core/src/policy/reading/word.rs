//! One word of a script: what it says after expansion, as far as that is known, and what is run to make it.
//!
//! May not know whether the word is a name, an argument or a file.

use super::reader::{ReadResult, ScriptReader, is_border, name_length};
use super::{Opaque, Spread, Word};

/// What has been read of a word.
#[derive(Debug, Default)]
pub(super) struct WordSpelling {
    /// What stands for itself.
    text: String,
    /// How much of that came before anything open.
    open_at: Option<usize>,
    /// Whether it may become any number of words.
    any: bool,
    /// Where the first character of a pattern stands.
    pattern_at: Option<usize>,
    /// Whether there is a pattern of file names.
    pattern: bool,
    /// Whether a `[` waits for its `]`.
    bracket: bool,
    brace: Brace,
    /// Whether something was quoted, escaped or expanded.
    marked: bool,
    /// Whether a command is run to make it.
    runs: bool,
    /// How many of its pieces are numbers, how many print numbers, and how many are anything else.
    numbers: usize,
    counts: usize,
    others: usize,
}

#[derive(Debug, Default)]
struct Brace {
    at: Option<usize>,
    parted: bool,
    closed: bool,
    dot: bool,
}

/// A word that was read.
#[derive(Debug, Clone)]
pub(super) struct Spelt {
    /// What it says.
    pub(super) word: Word,
    /// Where it begins, and where it ends.
    pub(super) at: usize,
    pub(super) end: usize,
    /// Whether every character of it stands for itself, without quotes.
    pub(super) bare: bool,
    /// Whether it is a whole number, known or not.
    pub(super) number: bool,
    /// Whether it is nothing but whole numbers: one, several, or none at all.
    pub(super) numeric: bool,
    /// The variable it sets, where it has the form of an assignment.
    pub(super) sets: Option<WordSetting>,
}

/// The form `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WordSetting {
    pub(super) name: String,
    pub(super) value: Word,
    pub(super) appends: bool,
    pub(super) array: bool,
    /// Whether it would fall apart into several words where it is not taken for an assignment.
    pub(super) splits: bool,
    /// Whether it has several spellings.
    pub(super) braced: bool,
}

impl WordSpelling {
    /// A character that stands for itself.
    pub(super) fn quoted(&mut self, letter: char) {
        self.marked = true;
        self.others += 1;
        self.text.push(letter);
    }

    /// Quotes that may hold nothing.
    pub(super) fn quotes(&mut self) {
        self.marked = true;
    }

    /// Something that is only known when it runs. In quotes it is one word.
    pub(super) fn open(&mut self, in_quotes: bool) {
        self.marked = true;
        self.others += 1;
        self.any |= !in_quotes;
        self.open_at.get_or_insert(self.text.len());
    }

    /// A number that is only known when it runs.
    pub(super) fn number(&mut self) {
        self.marked = true;
        self.numbers += 1;
        self.open_at.get_or_insert(self.text.len());
    }

    /// What a program prints that prints nothing but numbers, or nothing where it fails.
    pub(super) fn count(&mut self, in_quotes: bool) {
        self.marked = true;
        self.counts += 1;
        self.any |= !in_quotes;
        self.open_at.get_or_insert(self.text.len());
    }

    /// It may become no word at all.
    pub(super) fn may_be_none(&mut self) {
        self.any = true;
    }

    /// A command is run to make it.
    pub(super) fn runs(&mut self) {
        self.runs = true;
    }

    /// A character outside quotes.
    fn plain(&mut self, letter: char, before: Option<u8>) {
        match letter {
            '*' | '?' => {
                self.pattern = true;
                self.pattern_at.get_or_insert(self.text.len());
            }
            '[' => {
                self.bracket = true;
                self.pattern_at.get_or_insert(self.text.len());
            }
            ']' => self.pattern |= self.bracket,
            '~' if matches!(before, None | Some(b'=' | b':')) => {
                self.open_at.get_or_insert(self.text.len());
            }
            _ => {}
        }
        self.brace.sees(letter, self.text.len());
        self.others += 1;
        self.text.push(letter);
    }

    /// What the word says, where it may become several. `vanishing`: a pattern that fits no file may become none.
    fn word(&self, vanishing: bool) -> Word {
        let patterned = self.pattern || self.any && self.pattern_at.is_some();
        let cuts = [
            self.open_at,
            self.pattern_at.filter(|_| patterned),
            self.brace.at.filter(|_| self.brace.closed),
        ];
        let Some(cut) = cuts.into_iter().flatten().min() else { return Word::known(&self.text) };
        let any = self.any || self.brace.closed && cut == 0 || vanishing && self.pattern;
        let spread = match (any, self.pattern || self.brace.closed) {
            (true, _) => Spread::Any,
            (false, true) => Spread::Each,
            (false, false) => Spread::One,
        };
        Word::Open { start: self.text[..cut].to_owned(), spread }
    }

    /// What the word says, where it stays one: on the right of an assignment.
    pub(super) fn value(&self) -> Word {
        match self.open_at {
            Some(at) => Word::Open { start: self.text[..at].to_owned(), spread: Spread::One },
            None => Word::known(&self.text),
        }
    }

    fn is_number(&self) -> bool {
        let known =
            self.open_at.is_none() && !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        known || self.numbers == 1 && self.others == 0 && self.counts == 0
    }

    /// Whether it is nothing but numbers, however many.
    fn is_numeric(&self) -> bool {
        self.is_number() || self.counts == 1 && self.numbers == 0 && self.others == 0
    }
}

impl Brace {
    fn sees(&mut self, letter: char, at: usize) {
        match letter {
            '{' => {
                self.at.get_or_insert(at);
            }
            ',' => self.parted |= self.at.is_some(),
            '.' => self.parted |= self.dot && self.at.is_some(),
            '}' => self.closed |= self.parted,
            _ => {}
        }
        self.dot = letter == '.';
    }
}

impl ScriptReader<'_> {
    /// The next word; there must be one.
    pub(super) fn word(&mut self) -> ReadResult<Spelt> {
        let at = self.at;
        if self.peek() == Some(b'#') {
            return Err(Opaque::because("a comment stands where a word should"));
        }
        let spelling = self.spelling()?;
        if self.at == at {
            return Err(Opaque::because(match self.letter() {
                Some(letter) => format!("`{}` stands where a word should", letter.escape_default()),
                None => "the text ends where a word should stand".to_owned(),
            }));
        }
        if spelling.brace.closed {
            self.only_bash("`{…,…}`")?;
            if spelling.runs {
                return Err(Opaque::because("a command stands in a word of several spellings"));
            }
        }
        let (word, bare) = (spelling.word(self.vanishing), !spelling.marked);
        let (number, numeric) = (spelling.is_number(), spelling.is_numeric());
        let numeric = numeric || is_range(&self.text[at..self.at]);
        Ok(Spelt { word, at, end: self.at, bare, number, numeric, sets: None })
    }

    /// The next word, which may have the form of an assignment.
    pub(super) fn setting(&mut self) -> ReadResult<Spelt> {
        let (at, rest) = (self.at, self.rest());
        let length = name_length(rest);
        if length > 0 && rest[length..].starts_with('[') {
            self.only_bash("an array")?;
            self.names.arrays.insert(rest[..length].to_owned());
            self.at += length + 1;
            self.subscript_sum()?;
            self.needs("]")?;
        } else {
            self.at += length;
        }
        let member = self.at > at + length;
        let after = self.rest();
        let appends = after.starts_with("+=");
        if member && !appends && !after.starts_with('=') {
            return Err(Opaque::because("a member of an array is named, and not set"));
        }
        if length == 0 || !(appends || after.starts_with('=')) {
            self.at = at;
            return self.word();
        }
        if appends {
            self.only_bash("`+=`")?;
        }
        self.at += if appends { 2 } else { 1 };
        let name = rest[..length].to_owned();
        let array = self.peek() == Some(b'(');
        if array && member {
            return Err(Opaque::because("a member of an array is set to an array"));
        }
        let spelling = if array { WordSpelling::default() } else { self.spelling()? };
        let value = if array { self.array()? } else { spelling.value() };
        let word = match &value {
            Word::Known(value) => {
                let mut all = std::ffi::OsString::from(format!("{name}="));
                all.push(value);
                Word::Known(all)
            }
            Word::Open { start, spread } => Word::Open { start: format!("{name}={start}"), spread: *spread },
        };
        let number = spelling.is_number() && !appends && !member;
        let numeric = spelling.is_numeric() && !appends;
        let (splits, braced) = (spelling.any || spelling.pattern, spelling.brace.closed);
        let setting = WordSetting { name, value, appends, array, splits, braced };
        Ok(Spelt { word, at, end: self.at, bare: false, number, numeric, sets: Some(setting) })
    }

    /// The members of an array, from its parenthesis on.
    fn array(&mut self) -> ReadResult<Word> {
        self.only_bash("an array")?;
        self.needs("(")?;
        self.inside(|reader| {
            loop {
                reader.blanks();
                if reader.takes(")") {
                    return reader.array_ends();
                }
                if reader.peek() == Some(b'\n') && reader.pending.is_empty() {
                    reader.at += 1;
                    continue;
                }
                if reader.peek() == Some(b'#') {
                    return Err(Opaque::because("an array has comments"));
                }
                if reader.takes("[") {
                    reader.subscript_sum()?;
                    reader.needs("]=")?;
                    if reader.peek().is_none_or(is_border) {
                        continue;
                    }
                }
                reader.word()?;
            }
        })
    }

    /// With more characters after its end it would be one word, and no array.
    fn array_ends(&self) -> ReadResult<Word> {
        if !self.peek().is_none_or(|byte| is_border(byte) && byte != b'(') {
            return Err(Opaque::because("an array goes on after its end"));
        }
        Ok(Word::Open { start: String::new(), spread: Spread::One })
    }

    /// The pieces of a word up to its end.
    fn spelling(&mut self) -> ReadResult<WordSpelling> {
        let from = self.at;
        let mut spelling = WordSpelling::default();
        while let Some(byte) = self.peek() {
            if matches!(byte, b'<' | b'>') && self.ahead(1) == Some(b'(') {
                self.process_substitution(&mut spelling)?;
            } else if is_border(byte) {
                break;
            } else {
                self.piece(byte, from, &mut spelling)?;
            }
        }
        if !self.pending.is_empty() && self.text[from..self.at].contains('\n') {
            return Err(Opaque::because("a word goes on past the line after which a here-document begins"));
        }
        Ok(spelling)
    }

    /// One piece of a word, outside quotes.
    fn piece(&mut self, byte: u8, from: usize, spelling: &mut WordSpelling) -> ReadResult<()> {
        match byte {
            b'\'' => self.single_quotes(spelling),
            b'"' => self.double_quotes(spelling),
            b'\\' => {
                self.at += 1;
                let letter = self.letter().filter(|letter| *letter != '\n');
                let letter =
                    letter.ok_or_else(|| Opaque::because("a word is broken by the end of a line"))?;
                self.at += letter.len_utf8();
                spelling.quoted(letter);
                Ok(())
            }
            b'$' => self.dollar(spelling, false),
            b'`' => self.backticks(spelling, false),
            _ => {
                let before = (self.at > from).then(|| self.text.as_bytes()[self.at - 1]);
                let letter = self.letter().unwrap_or_default();
                if matches!(letter, '{' | '[') {
                    self.brackets("[")?;
                }
                self.at += letter.len_utf8();
                spelling.plain(letter, before);
                Ok(())
            }
        }
    }

    fn process_substitution(&mut self, spelling: &mut WordSpelling) -> ReadResult<()> {
        self.only_bash("`<(…)`")?;
        self.at += 2;
        if self.substitution()? == 0 {
            return Err(Opaque::because("there is nothing in `<(…)`"));
        }
        spelling.runs();
        // The name of a pipe, wherever the shell has those.
        spelling.quoted('/');
        spelling.open(true);
        Ok(())
    }
}

/// `{1..10}`: nothing but numbers.
fn is_range(raw: &str) -> bool {
    let Some(inside) = raw.strip_prefix('{').and_then(|raw| raw.strip_suffix('}')) else { return false };
    let parts: Vec<&str> = inside.split("..").collect();
    let number = |part: &&str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    matches!(parts.len(), 2 | 3) && parts.iter().all(number)
}
