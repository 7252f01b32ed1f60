//! Programs of awk that only read and print.
//!
//! Hazard: `system`, `|` and `>` run programs and write files, and a `/` is a division or the start of a regular
//! expression that could hide them. What could be either is refused, and so is anything not understood.

/// Why a program is refused, if it is.
pub(super) fn fault(program: &str) -> Option<String> {
    let mut reader =
        AwkReader { rest: program, before: SignBefore::Start, depth: 0, printing: false, getting: false };
    reader.program().err()
}

/// What stands before the next sign: it decides what a `/` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignBefore {
    /// Nothing, an operator, an opening bracket: an operand must follow.
    Start,
    /// A name, a number, a string, `]`: an operator must follow.
    Operand,
    /// `)`: either may follow.
    Closed,
}

struct AwkReader<'a> {
    rest: &'a str,
    before: SignBefore,
    /// How many parentheses are open. Inside them `>` compares.
    depth: usize,
    /// Whether the statement has a `print`, after which `>` writes.
    printing: bool,
    /// Whether the statement has a `getline`, after which `<` reads a file.
    getting: bool,
}

type AwkRead = Result<(), String>;

/// After these words an operand follows, as after an operator.
const KEYWORDS: &[&str] =
    &["case", "delete", "do", "else", "in", "print", "printf", "return", "exit", "while", "if", "for"];

impl AwkReader<'_> {
    fn program(&mut self) -> AwkRead {
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                ' ' | '\t' | '\r' => self.skip(1),
                '\n' => self.new_line(),
                '#' => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
                '\\' if self.rest.starts_with("\\\n") => self.skip(2),
                '"' => self.string()?,
                '/' => self.slash()?,
                '_' | 'a'..='z' | 'A'..='Z' => self.word()?,
                '0'..='9' | '.' => self.number(),
                _ => self.sign(letter)?,
            }
        }
        Ok(())
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// A new line may end a statement: then what follows a name is no operator any more.
    fn new_line(&mut self) {
        self.skip(1);
        if self.before == SignBefore::Operand {
            self.before = SignBefore::Closed;
        }
    }

    fn string(&mut self) -> AwkRead {
        let end = closing(&self.rest[1..], '"').ok_or("a string is not closed")?;
        self.skip(end + 2);
        self.before = SignBefore::Operand;
        Ok(())
    }

    fn slash(&mut self) -> AwkRead {
        let inside = &self.rest[1..];
        // Without another slash in the line it cannot be a regular expression.
        let alone = || !inside.find(['/', '\n']).is_some_and(|at| inside[at..].starts_with('/'));
        match self.before {
            SignBefore::Closed if !alone() => {
                return Err("a `/` may be a division or a regular expression".to_owned());
            }
            SignBefore::Operand | SignBefore::Closed => {
                self.skip(1);
                self.before = SignBefore::Start;
            }
            SignBefore::Start => {
                let end = closing(inside, '/').ok_or("a regular expression is not closed")?;
                if bracket_is_open(&inside[..end]) {
                    return Err("a `/` stands in brackets".to_owned());
                }
                self.skip(end + 2);
                self.before = SignBefore::Operand;
            }
        }
        Ok(())
    }

    fn word(&mut self) -> AwkRead {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if matches!(word, "system" | "extension") {
            return Err(format!("`{word}` runs other code"));
        }
        if matches!(word, "ARGV" | "ARGC") {
            return Err(format!("`{word}` changes what is read, which may be an address"));
        }
        self.printing |= matches!(word, "print" | "printf");
        self.getting |= word == "getline";
        self.before = match word {
            // With or without an operand: what a `/` would be there depends on the awk.
            "getline" | "length" => SignBefore::Closed,
            word if KEYWORDS.contains(&word) => SignBefore::Start,
            _ => SignBefore::Operand,
        };
        self.skip(end);
        Ok(())
    }

    /// After `<`: some awks open a connection for a name that begins with `/inet`, so the name must be seen.
    fn file(&self) -> AwkRead {
        let name = self.rest[1..].trim_start_matches(' ');
        let plain =
            name.strip_prefix('"').is_some_and(|name| !name.starts_with("/inet") && !name.starts_with('\\'));
        if plain { Ok(()) } else { Err("what `getline` reads must be a name in quotes".to_owned()) }
    }

    /// Digits only: in `1system("x")` a word follows at once.
    fn number(&mut self) {
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
        self.skip(end);
        self.before = SignBefore::Operand;
    }

    fn sign(&mut self, letter: char) -> AwkRead {
        const TWO: &[&str] =
            &["||", "&&", ">=", "<=", "==", "!=", "++", "--", "+=", "-=", "*=", "%=", "^=", "!~", "**"];
        if let Some(sign) = TWO.iter().find(|sign| self.rest.starts_with(**sign)) {
            self.skip(2);
            // `x++ / 2` divides and `x + ++y` does not: either may follow.
            self.before = if matches!(*sign, "++" | "--") { SignBefore::Closed } else { SignBefore::Start };
            return Ok(());
        }
        match letter {
            '|' => return Err("`|` runs a program".to_owned()),
            '@' => return Err("`@` calls or loads what cannot be known".to_owned()),
            '>' if self.rest.starts_with(">>") => return Err("`>>` writes a file".to_owned()),
            '>' if self.printing && self.depth == 0 => {
                return Err("`>` may write a file; put a comparison in parentheses".to_owned());
            }
            '<' if self.getting => self.file()?,
            '(' => self.depth += 1,
            ')' => self.depth = self.depth.checked_sub(1).ok_or("a parenthesis is not opened")?,
            ';' | '{' | '}' => {
                if letter != ';' && self.depth > 0 {
                    return Err("a parenthesis is not closed".to_owned());
                }
                self.printing &= self.depth > 0;
                self.getting &= self.depth > 0;
            }
            '[' | ']' | '$' | '!' | '~' | '<' | '>' | '=' | '+' | '-' | '*' | '%' | '^' | '?' | ':' | ',' => {
            }
            _ => return Err("a sign is not understood".to_owned()),
        }
        self.skip(letter.len_utf8());
        self.before = match letter {
            ')' => SignBefore::Closed,
            ']' => SignBefore::Operand,
            _ => SignBefore::Start,
        };
        Ok(())
    }
}

/// Where a string or a regular expression ends that this text is the inside of.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether a bracket is still open at the end, or may be: some awks then read on, and others do not.
fn bracket_is_open(pattern: &str) -> bool {
    let mut open = false;
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        match letter {
            '\\' => rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default(),
            '[' if open => match class(rest) {
                Some(after) => rest = after,
                None => return true,
            },
            '[' => {
                open = true;
                rest = rest.strip_prefix('^').unwrap_or(rest);
                rest = rest.strip_prefix(']').unwrap_or(rest);
            }
            ']' => open = false,
            _ => {}
        }
    }
    open
}

/// What follows `:space:]`, the rest of a character class.
fn class(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix(':')?;
    name.trim_start_matches(|c: char| c.is_ascii_lowercase()).strip_prefix(":]")
}
