//! Sums: `$((…))`, `((…))` and `for ((…))`.
//!
//! Hazard: the value of a variable in a sum is itself evaluated, and `a[$(rm x)]` in it would be run. Only numbers are
//! read, and variables that certainly hold one. May not work anything out.

use super::reader::{Read, Reader, name_length};
use super::{Opaque, builtins};

/// Variables of bash itself that are always numbers.
const ALWAYS_NUMBERS: &[&str] =
    &["RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "EPOCHSECONDS"];

impl Reader<'_> {
    /// One sum, up to the parenthesis or semicolon that ends it. The variable that it certainly sets.
    pub(super) fn sum(&mut self) -> Read<Option<String>> {
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

    /// The variable that the sum begins by setting.
    fn target(&mut self) -> Read<Option<String>> {
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

    /// A number, or a variable that certainly is one.
    fn term(&mut self) -> Read<()> {
        let dollar = self.takes("$");
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = name_length(rest);
        if digits > 0 && !dollar {
            self.at += digits;
        } else if length > 0 {
            self.is_a_number(&rest[..length])?;
            self.at += length;
        } else if dollar && rest.starts_with(['#', '?']) {
            self.at += 1;
        } else {
            return Err(not_understood());
        }
        // `x$i` would be one name, and `0x` one number.
        let sticks =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'@' | b'[');
        if self.peek().is_some_and(sticks) { Err(not_understood()) } else { Ok(()) }
    }

    fn is_a_number(&mut self, name: &str) -> Read<()> {
        if !self.posix && ALWAYS_NUMBERS.contains(&name) {
            return Ok(());
        }
        if !self.names.numbers.iter().any(|number| number == name) {
            return Err(Opaque::because(format!("`{name}` in a sum may hold more than a number")));
        }
        self.names.reckoned.insert(name.to_owned());
        Ok(())
    }
}

fn not_understood() -> Opaque {
    Opaque::because("a sum holds more than numbers")
}
