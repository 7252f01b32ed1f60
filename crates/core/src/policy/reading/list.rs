//! Lists and pipelines: commands, one after or beside the other.
//!
//! May not read a command itself.

use super::Opaque;
use super::reader::{ReadResult, ScriptReader};
use std::collections::BTreeSet;

/// What a statement did that holds from its end on, if it certainly ran.
#[derive(Debug, Default)]
pub(super) struct LastingEffects {
    /// The function it defined.
    pub(super) function: Option<String>,
    /// The variables it set to a number.
    pub(super) numbers: Vec<String>,
}

/// What is certain once the line that is being read has ended.
///
/// Hazard: where an expansion fails (`: $((1/0)); f() { …; }`), bash leaves out the rest of the line and goes on with the
/// next one. So only the first statement of a line has certainly run when the next line does.
struct OpenLine {
    certain: BTreeSet<String>,
    numbers: usize,
    first: bool,
}

impl OpenLine {
    fn of(reader: &ScriptReader<'_>) -> Self {
        Self { certain: reader.names.certain.clone(), numbers: reader.names.numbers.len(), first: true }
    }

    /// A statement was read.
    fn goes_on(&mut self, reader: &ScriptReader<'_>) {
        if self.first {
            *self = Self { first: false, ..Self::of(reader) };
        }
    }

    /// The line has ended: what else it said may not have been done.
    fn ends(&mut self, reader: &mut ScriptReader<'_>) {
        reader.names.certain.clone_from(&self.certain);
        reader.names.numbers.truncate(self.numbers);
        self.first = true;
    }
}

impl ScriptReader<'_> {
    /// The whole part that is being read.
    pub(super) fn whole(&mut self) -> ReadResult<()> {
        self.list(&[])?;
        match self.letter() {
            None => Ok(()),
            Some(letter) => Err(Opaque::because(format!("`{}` stands alone", letter.escape_default()))),
        }
    }

    /// Commands up to one of these keywords, a closing parenthesis, `;;` or the end. How many there were.
    pub(super) fn list(&mut self, until: &[&str]) -> ReadResult<usize> {
        let numbers = self.names.numbers.len();
        let mut line = OpenLine::of(self);
        let mut count = 0;
        loop {
            let from = self.at;
            self.lines()?;
            if self.text[from..self.at].replace("\\\n", "").contains('\n') {
                line.ends(self);
            }
            if self.list_ends() || until.contains(&self.bare()) {
                break;
            }
            let lasting = self.and_or()?;
            count += 1;
            self.blanks();
            self.comment();
            match self.peek() {
                Some(b';') if !self.list_ends() => {
                    self.at += 1;
                    self.lasts(lasting);
                }
                Some(b'&') => self.at += 1,
                Some(b'\n') => self.lasts(lasting),
                _ if self.list_ends() => break,
                _ => return Err(Opaque::because("a command goes on where it should end")),
            }
            line.goes_on(self);
        }
        self.names.numbers.truncate(numbers);
        Ok(count)
    }

    /// Commands up to one of these keywords; there must be some.
    pub(super) fn some(&mut self, until: &[&str]) -> ReadResult<()> {
        if self.list(until)? == 0 {
            return Err(Opaque::because("a list of commands is empty"));
        }
        Ok(())
    }

    fn list_ends(&self) -> bool {
        self.peek().is_none_or(|byte| byte == b')') || self.sees(";;") || self.sees(";&")
    }

    fn lasts(&mut self, lasting: LastingEffects) {
        self.names.numbers.extend(lasting.numbers);
        if self.depth == 0 {
            self.names.certain.extend(lasting.function);
        }
    }

    /// Pipelines joined by `&&` and `||`.
    fn and_or(&mut self) -> ReadResult<LastingEffects> {
        let lasting = self.pipeline()?;
        let mut joined = false;
        loop {
            self.blanks();
            if !self.takes("&&") && !self.takes("||") {
                return Ok(if joined { LastingEffects::default() } else { lasting });
            }
            joined = true;
            self.lines()?;
            self.pipeline()?;
        }
    }

    /// Commands joined by `|` and `|&`, perhaps timed or turned around.
    fn pipeline(&mut self) -> ReadResult<LastingEffects> {
        let mut lasting = self.prefixes()?;
        let after_prefix = lasting.is_none();
        let mut piped = false;
        if !(after_prefix && self.nothing_follows()) {
            lasting = Some(self.command()?);
        }
        loop {
            self.blanks();
            if self.sees("||") || !self.takes("|") {
                return Ok(if piped || after_prefix {
                    LastingEffects::default()
                } else {
                    lasting.unwrap_or_default()
                });
            }
            if self.takes("&") {
                self.only_bash("`|&`")?;
            }
            piped = true;
            self.lines()?;
            self.command()?;
        }
    }

    /// `time` and `!` in front of a pipeline. Nothing where there were some.
    fn prefixes(&mut self) -> ReadResult<Option<LastingEffects>> {
        let mut timed = false;
        let mut turned = false;
        loop {
            match self.bare() {
                "time" if !timed => {
                    self.only_bash("`time`")?;
                    timed = true;
                    self.at += 4;
                    self.blanks();
                    if self.takes_keyword("-p") {
                        self.blanks();
                    }
                    if self.peek() == Some(b'-') {
                        return Err(Opaque::because("an option of `time` is not understood"));
                    }
                }
                "!" if !turned && matches!(self.ahead(1), Some(b' ' | b'\t')) => {
                    turned = true;
                    self.at += 1;
                    self.blanks();
                }
                _ => return Ok((!timed && !turned).then(LastingEffects::default)),
            }
        }
    }

    /// Whether `time` or `!` stands alone.
    fn nothing_follows(&self) -> bool {
        self.peek().is_none_or(|byte| matches!(byte, b'\n' | b';'))
    }
}
