//! Scripts of sed that only read and print.
//!
//! Hazard: `e`, `w` and `W`, and the flags `e` and `w` of `s`, run programs and write files. The script is read as
//! sed reads it, command by command; where seds differ, or a text is not understood, it is refused.

/// Why a script is refused, if it is.
pub(super) fn fault(script: &str) -> Option<String> {
    let mut reader = SedReader { rest: script };
    reader.script().err()
}

struct SedReader<'a> {
    rest: &'a str,
}

type SedRead = Result<(), String>;

impl<'a> SedReader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let (gone, rest) = self.rest.split_at(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        gone
    }

    fn blanks(&mut self) {
        self.skip(|c| c == ' ' || c == '\t');
    }

    fn script(&mut self) -> SedRead {
        loop {
            self.skip(|c| c.is_ascii_whitespace() || c == ';');
            if self.rest.is_empty() {
                return Ok(());
            }
            self.addresses()?;
            self.command()?;
        }
    }

    fn addresses(&mut self) -> SedRead {
        if self.address()? {
            self.blanks();
            if self.peek() == Some(',') {
                self.next();
                self.blanks();
                if matches!(self.peek(), Some('+' | '~')) {
                    self.next();
                }
                if !self.address()? {
                    return Err("an address is not understood".to_owned());
                }
            }
        }
        self.blanks();
        self.skip(|c| c == '!');
        self.blanks();
        Ok(())
    }

    fn address(&mut self) -> Result<bool, String> {
        match self.peek() {
            Some('$') => {
                self.next();
            }
            Some(digit) if digit.is_ascii_digit() => {
                self.skip(|c| c.is_ascii_digit() || c == '~');
            }
            Some('/') => {
                self.next();
                self.pattern('/')?;
                self.skip(|c| c == 'I' || c == 'M');
            }
            Some('\\') => {
                self.next();
                let mark = self.mark()?;
                self.pattern(mark)?;
                self.skip(|c| c == 'I' || c == 'M');
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mark(&mut self) -> Result<char, String> {
        match self.next() {
            Some(mark) if mark.is_ascii_punctuation() && !"\\[]".contains(mark) => Ok(mark),
            _ => Err("a delimiter is not understood".to_owned()),
        }
    }

    /// To the end of a regular expression. A delimiter in brackets ends it for some seds and not for others.
    fn pattern(&mut self, mark: char) -> SedRead {
        let unclosed = || "a regular expression is not understood".to_owned();
        let mut bracket = false;
        loop {
            match self.next().ok_or_else(unclosed)? {
                '\n' => return Err(unclosed()),
                c if c == mark && bracket => return Err("a delimiter stands in brackets".to_owned()),
                c if c == mark => return Ok(()),
                '\\' if !bracket => {
                    self.next().filter(|c| *c != '\n').ok_or_else(unclosed)?;
                }
                // In brackets some seds skip what follows a backslash, and others do not.
                '\\' if self.rest.starts_with([mark, ']', '\\']) => return Err(unclosed()),
                '[' if !bracket => {
                    bracket = true;
                    if self.peek() == Some('^') {
                        self.next();
                    }
                    if self.peek() == Some(']') {
                        self.next();
                    }
                }
                '[' if self.rest.starts_with([':', '.', '=']) => self.class(mark)?,
                ']' => bracket = false,
                _ => {}
            }
        }
    }

    /// `[:space:]` inside brackets.
    fn class(&mut self, mark: char) -> SedRead {
        let kind = self.next().unwrap_or(':');
        let name = self.skip(|c| c.is_ascii_alphanumeric());
        let closed =
            self.next() == Some(kind) && self.next() == Some(']') && !name.is_empty() && kind != mark;
        if closed { Ok(()) } else { Err("a class of letters is not understood".to_owned()) }
    }

    /// To the end of a replacement, or of one half of `y`.
    fn replacement(&mut self, mark: char) -> SedRead {
        let unclosed = || "a replacement is not understood".to_owned();
        loop {
            match self.next().ok_or_else(unclosed)? {
                '\n' => return Err(unclosed()),
                '\\' => {
                    self.next().ok_or_else(unclosed)?;
                }
                c if c == mark => return Ok(()),
                _ => {}
            }
        }
    }

    fn command(&mut self) -> SedRead {
        match self.next() {
            Some('{') => Ok(()),
            Some('}' | '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z') => {
                self.end()
            }
            Some('l' | 'q' | 'Q') => {
                self.blanks();
                self.skip(|c| c.is_ascii_digit());
                self.end()
            }
            Some('s') => self.substitute(),
            Some('y') => {
                let mark = self.mark()?;
                self.replacement(mark)?;
                self.replacement(mark)?;
                self.end()
            }
            Some('b' | 't' | 'T') => {
                self.blanks();
                self.skip(is_label);
                self.end()
            }
            Some(':') => {
                self.blanks();
                let name = self.skip(is_label);
                if name.is_empty() { Err("a label has no name".to_owned()) } else { self.end() }
            }
            Some('a' | 'i' | 'c') => self.text(),
            Some('r' | 'R') => self.line(),
            Some('#') => self.line(),
            Some('e') => Err("its command `e` runs a program".to_owned()),
            Some(write @ ('w' | 'W')) => Err(format!("its command `{write}` writes a file")),
            _ => Err("a command is not understood".to_owned()),
        }
    }

    fn substitute(&mut self) -> SedRead {
        let mark = self.mark()?;
        self.pattern(mark)?;
        self.replacement(mark)?;
        self.skip(|c| c.is_ascii_digit() || "gpiImM".contains(c));
        match self.peek() {
            Some('e') => Err("the flag `e` of its command `s` runs a program".to_owned()),
            Some('w') => Err("the flag `w` of its command `s` writes a file".to_owned()),
            _ => self.end(),
        }
    }

    /// After a command: the end, or the next one.
    fn end(&mut self) -> SedRead {
        self.blanks();
        match self.peek() {
            None | Some('\n' | ';' | '}') => Ok(()),
            Some(_) => Err("what follows a command is not understood".to_owned()),
        }
    }

    /// The text of `a`, `i` and `c`: to the end of the line, where `\` and a new line first may begin it.
    fn text(&mut self) -> SedRead {
        self.blanks();
        if let Some(rest) = self.rest.strip_prefix('\\') {
            self.rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        let text = self.skip(|c| c != '\n');
        if text.is_empty() || text.ends_with('\\') {
            Err("an inserted text is not understood".to_owned())
        } else {
            Ok(())
        }
    }

    fn line(&mut self) -> SedRead {
        let line = self.skip(|c| c != '\n');
        if line.ends_with('\\') { Err("a line ends in a backslash".to_owned()) } else { Ok(()) }
    }
}

fn is_label(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}
