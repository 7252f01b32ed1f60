//! Expansions that begin with a dollar sign: parameters, command substitution.
//!
//! Hazard: some of them evaluate the *value* of a variable as code (`${!a}`, `${a@P}`, `${a[b]}`, `${a:b}`). Only
//! forms that are known not to are read. May not read sums: see [`super::sum`].

use super::reader::{ReadResult, ScriptReader, name_length};
use super::word::WordSpelling;
use super::{Opaque, builtins};

impl ScriptReader<'_> {
    /// What begins with this dollar sign, in quotes or not.
    pub(super) fn dollar(&mut self, spelling: &mut WordSpelling, in_quotes: bool) -> ReadResult<()> {
        self.at += 1;
        match self.peek() {
            Some(b'(') if self.ahead(1) == Some(b'(') => {
                self.at += 2;
                self.inside(Self::sum)?;
                self.needs("))")?;
                spelling.number();
            }
            Some(b'(') => {
                let counts = self.counts_ahead();
                self.at += 1;
                self.substitution()?;
                spelling.runs();
                if counts { spelling.count(in_quotes) } else { spelling.open(in_quotes) }
            }
            Some(b'{') => self.braces(spelling, in_quotes)?,
            Some(b'[') => return Err(Opaque::because("`$[…]` is an old way to work out a sum")),
            Some(b'\'') if !in_quotes => self.escapes(spelling)?,
            Some(b'"') if !in_quotes => return Err(Opaque::because("`$\"…\"` is translated when it runs")),
            Some(b'\\') if self.ahead(1) == Some(b'\n') => {
                return Err(Opaque::because("a line ends in the middle of an expansion"));
            }
            Some(byte) => self.parameter(byte, spelling, in_quotes),
            None => spelling.quoted('$'),
        }
        Ok(())
    }

    /// `$name` and its like, or a dollar sign that stands for itself.
    fn parameter(&mut self, byte: u8, spelling: &mut WordSpelling, in_quotes: bool) {
        let length = name_length(self.rest());
        match byte {
            b'#' | b'?' | b'$' => {
                self.at += 1;
                spelling.number();
            }
            b'!' => {
                self.at += 1;
                spelling.number();
                if !in_quotes {
                    spelling.may_be_none();
                }
            }
            b'@' => {
                self.at += 1;
                spelling.open(false);
            }
            b'*' | b'-' | b'0'..=b'9' => {
                self.at += 1;
                spelling.open(in_quotes);
            }
            _ if length > 0 => {
                let name = &self.rest()[..length];
                self.at += length;
                if self.names.reckons(name) {
                    spelling.number();
                } else {
                    spelling.open(in_quotes);
                }
            }
            _ => spelling.quoted('$'),
        }
    }

    /// The commands of `$(…)`, `<(…)` or `>(…)`, after the parenthesis. How many there are.
    pub(super) fn substitution(&mut self) -> ReadResult<usize> {
        let end = self.end;
        self.part(end, |reader| {
            let count = reader.list(&[])?;
            reader.needs(")")?;
            Ok(count)
        })
    }

    /// `${…}`, from the brace on.
    fn braces(&mut self, spelling: &mut WordSpelling, in_quotes: bool) -> ReadResult<()> {
        self.at += 1;
        let counts = self.peek() == Some(b'#') && self.ahead(1) != Some(b'}');
        if counts {
            self.at += 1;
        }
        if self.takes_keys() {
            spelling.open(false);
            return Ok(());
        }
        let from = self.at;
        let name = self.parameter_name()?;
        let all = self.subscript()?;
        if counts {
            self.needs("}")?;
            spelling.number();
            return Ok(());
        }
        if !self.takes("}") {
            self.operation(name, from)?;
        }
        match name {
            "#" | "?" | "$" => spelling.number(),
            _ => spelling.open(in_quotes && name != "@" && !all),
        }
        Ok(())
    }

    /// `${!name[@]}`, after its brace: the keys of an array, and nothing that is looked into.
    fn takes_keys(&mut self) -> bool {
        let Some(rest) = self.rest().strip_prefix('!').filter(|_| !self.posix) else { return false };
        let length = name_length(rest);
        let all = ["[@]}", "[*]}"].iter().any(|end| rest[length..].starts_with(end));
        if length > 0 && all {
            self.at += 1 + length + "[@]}".len();
        }
        length > 0 && all
    }

    fn parameter_name(&mut self) -> ReadResult<&'static str> {
        let rest = self.rest();
        let length = match rest.bytes().next() {
            Some(b'0'..=b'9') => rest.bytes().take_while(u8::is_ascii_digit).count(),
            _ => name_length(rest),
        };
        if length > 0 {
            self.at += length;
            return Ok("name");
        }
        let special = ["@", "*", "#", "?", "$", "-"].into_iter().find(|name| self.takes(name));
        special.ok_or_else(|| Opaque::because("what stands in `${…}` is not understood"))
    }

    /// A subscript that is evaluated without looking into a variable. Whether it means all members.
    fn subscript(&mut self) -> ReadResult<bool> {
        if !self.takes("[") {
            return Ok(false);
        }
        self.only_bash("an array")?;
        if self.takes("@]") {
            return Ok(true);
        }
        if self.takes("*]") {
            return Ok(false);
        }
        self.subscript_sum()?;
        self.needs("]")?;
        Ok(false)
    }

    /// What is done to the value, up to the closing brace. `from` is where its name begins.
    fn operation(&mut self, name: &str, from: usize) -> ReadResult<()> {
        if !matches!(name, "name" | "@" | "*") {
            return Err(Opaque::because("what is done in `${…}` is not understood"));
        }
        let length = self.rest().bytes().position(|byte| byte == b'}').unwrap_or(self.rest().len());
        let inside = &self.rest()[..length];
        let strange = ['$', '`', '\\', '\'', '"', '{', '<', '>', '(', ')', '\n'];
        if inside.contains(strange) || inside.len() == self.rest().len() {
            return Err(Opaque::because("what stands in `${…}` is more than plain letters"));
        }
        self.kind(inside)?;
        self.brackets(inside)?;
        let before = &self.text[from..self.at];
        if inside.starts_with('=') || inside.starts_with(":=") {
            // `${PATH[1]:=x}` makes an array of the variable, which commands then are not given any more.
            self.sets(&before[..name_length(before)], builtins::anything(), false)?;
        }
        self.at += length + 1;
        Ok(())
    }

    /// Whether the operation is one that evaluates nothing.
    fn kind(&self, inside: &str) -> ReadResult<()> {
        let (mark, rest) = inside.split_at_checked(1).unwrap_or(("", ""));
        match mark {
            "-" | "=" | "+" | "?" | "#" | "%" => Ok(()),
            ":" if rest.starts_with(['-', '=', '+', '?']) => Ok(()),
            ":" => {
                self.only_bash("a part of a value")?;
                let digits = |byte: u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b':');
                if rest.bytes().all(digits) {
                    return Ok(());
                }
                Err(Opaque::because("which part of a value is meant is worked out when it runs"))
            }
            "/" | "^" | "," => self.only_bash("changing a value in `${…}`"),
            "@" if matches!(rest, "Q" | "E" | "U" | "u" | "L" | "a" | "A" | "K" | "k") => {
                self.only_bash("`${…@…}`")
            }
            _ => Err(Opaque::because("what is done in `${…}` is not understood")),
        }
    }
}
