//! Conditional expressions: `[[ … ]]`.
//!
//! Hazard: `-eq` and its kin evaluate both sides as arithmetic, and `-v` its name as one with a subscript. May not read
//! those unless the words are numbers, or a plain name.

use super::Opaque;
use super::reader::{ReadResult, ScriptReader, is_name};
use super::word::Spelt;

const SUMS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const PAIRS: &[&str] = &["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"];
const LETTERS: &str = "abcdefghknoprstuwxzGLNOS";

impl ScriptReader<'_> {
    /// A condition, from `[[` on.
    pub(super) fn condition(&mut self) -> ReadResult<()> {
        self.only_bash("`[[`")?;
        self.at += 2;
        self.either()?;
        self.blanks();
        self.needs_keyword("]]")
    }

    fn either(&mut self) -> ReadResult<()> {
        loop {
            self.single()?;
            self.blanks();
            if !self.takes("&&") && !self.takes("||") {
                return Ok(());
            }
        }
    }

    fn single(&mut self) -> ReadResult<()> {
        self.blanks();
        while self.takes_keyword("!") {
            self.blanks();
        }
        if self.takes("(") {
            self.inside(Self::either)?;
            self.blanks();
            return self.needs(")");
        }
        let bare = self.bare();
        if self.is_unary(bare) {
            self.at += bare.len();
            self.blanks();
            let operand = self.operand()?;
            return match bare {
                "-v" => names_plainly(&operand),
                _ => Ok(()),
            };
        }
        let left = self.operand()?;
        self.blanks();
        self.comparison(&left)
    }

    fn is_unary(&self, word: &str) -> bool {
        let letter = word.strip_prefix('-').filter(|letter| letter.len() == 1);
        letter.is_some_and(|letter| letter == "v" || LETTERS.contains(letter))
    }

    /// What follows the left side, if anything.
    fn comparison(&mut self, left: &Spelt) -> ReadResult<()> {
        let mark = match self.peek() {
            Some(b'<') => "<",
            Some(b'>') => ">",
            _ => self.bare(),
        };
        if self.sees("<(") || self.sees(">(") {
            return Err(Opaque::because("a condition is not understood"));
        }
        if mark == "=~" {
            self.at += 2;
            self.blanks();
            return self.expression();
        }
        if PAIRS.contains(&mark) {
            self.at += mark.len();
            self.blanks();
            return self.operand().map(drop);
        }
        if SUMS.contains(&mark) {
            self.at += mark.len();
            self.blanks();
            let right = self.operand()?;
            return [left, &right].into_iter().try_for_each(|side| self.compared(mark, side));
        }
        // Alone: a word that is not empty.
        let ends = matches!(self.peek(), Some(b')')) || self.sees("&&") || self.sees("||") || mark == "]]";
        if ends { Ok(()) } else { Err(Opaque::because("a condition is not understood")) }
    }

    /// One side of `-eq` and its kin, which is evaluated as arithmetic.
    fn compared(&mut self, mark: &str, side: &Spelt) -> ReadResult<()> {
        if side.number {
            return Ok(());
        }
        let raw = self.text[side.at..side.end].trim_matches('"');
        let name = raw.strip_prefix('$').unwrap_or_default();
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        if is_name(name) {
            return self.works_out(name);
        }
        let why = format!("`{mark}` in `[[` works out what its words say");
        Err(Opaque::because(why)
            .instead(format!("Compare with `[ \"$x\" {mark} 3 ]`, which takes them as they are.")))
    }

    fn operand(&mut self) -> ReadResult<Spelt> {
        if matches!(self.bare(), "]]" | "!") || self.peek() == Some(b'#') {
            return Err(Opaque::because("a condition is not understood"));
        }
        self.word()
    }

    /// The right side of `=~`, in which parentheses and bars are ordinary characters.
    fn expression(&mut self) -> ReadResult<()> {
        let rest = self.rest();
        let length = rest.find([' ', '\t', '\n']).unwrap_or(rest.len());
        let raw = &rest[..length];
        if !raw.contains(['(', ')', '|', '<', '>', '&', ';', '#']) {
            return self.operand().map(drop);
        }
        let strange = |byte: u8| !(byte.is_ascii_alphanumeric() || b"()|^.*+?[]-_/:,=@%".contains(&byte));
        let body = raw.strip_suffix('$').unwrap_or(raw);
        let mut open = 0_i32;
        for byte in body.bytes() {
            open += i32::from(byte == b'(') - i32::from(byte == b')');
            if open < 0 || strange(byte) || byte == b'|' && open == 0 {
                return Err(Opaque::because("an expression after `=~` is not understood"));
            }
        }
        self.brackets(raw)?;
        self.at += length;
        if open == 0 { Ok(()) } else { Err(Opaque::because("an expression after `=~` is not understood")) }
    }
}

fn names_plainly(operand: &Spelt) -> ReadResult<()> {
    if operand.word.text().is_some_and(is_name) {
        return Ok(());
    }
    Err(Opaque::because("`-v` works out what its word says"))
}
