//! Arithmetic (sums): `$((…))`, `((…))`, `for ((…))`, and what stands in `[…]` after the name of an array.
//!
//! Hazard: the value of a variable in a sum is itself evaluated, and `a[$(rm x)]` in it would be run. A variable may
//! stand in a sum where nothing in the whole text sets it to anything but a number; what the environment holds under
//! its name is looked at by the judge. May not evaluate anything.

use super::reader::{ReadResult, ScriptReader, name_length};
use super::{Opaque, builtins};

/// Variables of every bash that are always numbers.
const ALWAYS_NUMBERS: &[&str] = &["RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID"];

impl ScriptReader<'_> {
    /// One sum, up to the parenthesis or semicolon that ends it. The variable that it certainly sets.
    pub(super) fn sum(&mut self) -> ReadResult<Option<String>> {
        let mut open = 0;
        let target = self.target()?;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' | b';' if open == 0 => break,
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    self.term()?;
                    continue;
                }
                b'<' | b'>' if self.ahead(1) == Some(b'(') => return Err(not_understood()),
                b' ' | b'\t' | b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'=' | b'!' | b'&' | b'|'
                | b'^' | b'~' | b'?' | b':' | b',' => {}
                _ => return Err(not_understood()),
            }
            self.at += 1;
        }
        Ok(target)
    }

    /// What stands in `[…]` after a name: a sum without blanks, or a key that a sum may read.
    pub(super) fn subscript_sum(&mut self) -> ReadResult<()> {
        let from = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.term()?,
                b'+' | b'-' | b'*' | b'/' | b'%' => self.at += 1,
                b']' if self.at > from => return Ok(()),
                _ => break,
            }
        }
        Err(Opaque::because("what stands in `[…]` after a name is worked out when it runs"))
    }

    /// The variable that the sum begins by setting.
    fn target(&mut self) -> ReadResult<Option<String>> {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let rest = self.rest();
        let length = name_length(rest);
        let after = rest[length..].trim_start_matches([' ', '\t']);
        if length == 0 || !after.starts_with('=') || after.starts_with("==") {
            return Ok(None);
        }
        let name = &rest[..length];
        self.sets(name, builtins::anything(), true)?;
        self.at += rest.len() - after.len() + 1;
        Ok(Some(name.to_owned()))
    }

    /// A number, or a variable that can only hold one.
    fn term(&mut self) -> ReadResult<()> {
        let dollar = self.takes("$");
        let rest = self.rest();
        let digits = digits(rest);
        let length = name_length(rest);
        if digits > 0 && !dollar {
            self.at += digits;
        } else if length > 0 {
            self.works_out(&rest[..length])?;
            self.at += length;
        } else if dollar && rest.starts_with(['#', '?']) {
            self.at += 1;
        } else if dollar && rest.starts_with('{') {
            self.braced_term()?;
        } else if dollar && rest.starts_with('(') {
            return Err(Opaque::because("a sum evaluates what a command prints")
                .instead("Keep it in a variable first: `n=$(wc -l < f); echo $((n + 1))`."));
        } else {
            return Err(not_understood());
        }
        // `x$i` would be one name, `0x` one number, and `x y` no sum at all.
        let sticks =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'@' | b'[');
        let next = self.rest().trim_start_matches([' ', '\t']).bytes().next();
        if next.is_some_and(sticks) { Err(not_understood()) } else { Ok(()) }
    }

    /// `${name}` or `${#name}`, from the brace on.
    fn braced_term(&mut self) -> ReadResult<()> {
        self.at += 1;
        let counts = self.takes("#");
        let rest = self.rest();
        let length = name_length(rest);
        if length == 0 {
            return Err(not_understood());
        }
        if !counts {
            self.works_out(&rest[..length])?;
        }
        self.at += length;
        if counts && !self.takes("[@]") {
            self.takes("[*]");
        }
        self.needs("}")
    }

    /// Notes a variable that is evaluated.
    pub(super) fn works_out(&mut self, name: &str) -> ReadResult<()> {
        if !self.posix && ALWAYS_NUMBERS.contains(&name) {
            return Ok(());
        }
        if crate::policy::means::decides_what_runs(name) {
            // A sum may set what it names: `((PATH++))`.
            self.sets(name, builtins::anything(), true)?;
        }
        if !self.names.reckons(name) {
            self.names.worked_out.insert(name.to_owned());
        }
        Ok(())
    }
}

/// How long the number is that this begins with: `10`, `0x1f`, `16#ff`.
fn digits(text: &str) -> usize {
    let while_is = |from: usize, is: fn(&u8) -> bool| text.bytes().skip(from).take_while(is).count();
    let digits = while_is(0, u8::is_ascii_digit);
    match text.as_bytes().get(digits) {
        Some(b'x' | b'X') if &text[..digits] == "0" => match while_is(2, u8::is_ascii_hexdigit) {
            0 => digits,
            hexadecimal => 2 + hexadecimal,
        },
        Some(b'#') if digits > 0 => match while_is(digits + 1, u8::is_ascii_alphanumeric) {
            0 => digits,
            based => digits + 1 + based,
        },
        _ => digits,
    }
}

fn not_understood() -> Opaque {
    Opaque::because("a sum holds more than numbers")
}
