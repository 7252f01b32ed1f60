//! Quotes: `'…'`, `"…"`, `$'…'` and backticks.
//!
//! May not guess what a locale makes of a character: escapes beyond ASCII are opaque.

use super::Opaque;
use super::reader::{ReadResult, ScriptReader};
use super::word::WordSpelling;

fn unclosed() -> Opaque {
    Opaque::because("a quote is never closed")
}

impl ScriptReader<'_> {
    /// `'…'`: everything stands for itself.
    pub(super) fn single_quotes(&mut self, spelling: &mut WordSpelling) -> ReadResult<()> {
        self.at += 1;
        let (inside, _) = self.rest().split_once('\'').ok_or_else(unclosed)?;
        spelling.quotes();
        self.masks(inside);
        inside.chars().for_each(|letter| spelling.quoted(letter));
        self.at += inside.len() + 1;
        Ok(())
    }

    /// `"…"`: expansions are made, each within one word.
    pub(super) fn double_quotes(&mut self, spelling: &mut WordSpelling) -> ReadResult<()> {
        self.at += 1;
        spelling.quotes();
        loop {
            match self.peek() {
                None => return Err(unclosed()),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => self.quoted_letter(spelling, false)?,
            }
        }
    }

    /// One character or expansion in double quotes, or in a here-document.
    pub(super) fn quoted_letter(&mut self, spelling: &mut WordSpelling, here: bool) -> ReadResult<()> {
        let letter = self.letter().ok_or_else(unclosed)?;
        match letter {
            '$' => return self.dollar(spelling, true),
            '`' => return self.backticks(spelling, true),
            '\\' => {
                self.at += 1;
                match self.letter().ok_or_else(unclosed)? {
                    '\n' => self.at += 1,
                    escaped @ ('$' | '`' | '\\') => self.escaped(spelling, escaped),
                    '"' if !here => self.escaped(spelling, '"'),
                    _ => spelling.quoted('\\'),
                }
            }
            _ => {
                if !here && matches!(letter, '{' | '[') {
                    self.masked.push(self.at);
                }
                self.at += letter.len_utf8();
                spelling.quoted(letter);
            }
        }
        Ok(())
    }

    fn escaped(&mut self, spelling: &mut WordSpelling, letter: char) {
        self.at += letter.len_utf8();
        spelling.quoted(letter);
    }

    /// Backticks. What stands in them is unescaped before it is read, so a backslash makes it opaque.
    pub(super) fn backticks(&mut self, spelling: &mut WordSpelling, in_quotes: bool) -> ReadResult<()> {
        self.at += 1;
        let (inside, _) = self.rest().split_once('`').ok_or_else(unclosed)?;
        if inside.contains('\\') || in_quotes && inside.contains(['"', '\'']) {
            return Err(Opaque::because("there are escapes or quotes in backticks"));
        }
        let end = self.at + inside.len();
        self.part(end, |reader| reader.whole())?;
        self.at = end + 1;
        spelling.runs();
        spelling.open(in_quotes);
        Ok(())
    }

    /// `$'…'`: escapes as in C, from the quote on.
    pub(super) fn escapes(&mut self, spelling: &mut WordSpelling) -> ReadResult<()> {
        self.only_bash("`$'…'`")?;
        self.at += 1;
        spelling.quotes();
        loop {
            let letter = self.letter().ok_or_else(unclosed)?;
            if matches!(letter, '{' | '[') {
                self.masked.push(self.at);
            }
            self.at += letter.len_utf8();
            match letter {
                '\'' => return Ok(()),
                '\\' => self.escape(spelling)?,
                _ => spelling.quoted(letter),
            }
        }
    }

    /// One escape, after its backslash.
    fn escape(&mut self, spelling: &mut WordSpelling) -> ReadResult<()> {
        let letter = self.letter().ok_or_else(unclosed)?;
        self.at += letter.len_utf8();
        let meant = match letter {
            'a' => '\x07',
            'b' => '\x08',
            'e' | 'E' => '\x1b',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\\' | '\'' | '"' | '?' => letter,
            '0'..='7' => {
                self.at -= 1;
                self.code(8, 3)?
            }
            'x' => self.code(16, 2)?,
            'u' => self.code(16, 4)?,
            'U' => self.code(16, 8)?,
            _ => return Err(Opaque::because("an escape in `$'…'` is not understood")),
        };
        spelling.quoted(meant);
        Ok(())
    }

    /// A character by its number.
    fn code(&mut self, base: u32, most: usize) -> ReadResult<char> {
        let digits = self.rest().chars().take(most).take_while(|letter| letter.is_digit(base)).count();
        let number = u32::from_str_radix(&self.rest()[..digits], base).ok();
        self.at += digits;
        let letter = number.filter(|number| (1..128).contains(number)).and_then(char::from_u32);
        letter.ok_or_else(|| Opaque::because("an escape in `$'…'` is not a letter of ASCII"))
    }
}
