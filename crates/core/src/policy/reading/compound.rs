//! Commands that hold others: groups, subshells, branches, loops and functions.
//!
//! May not read simple commands or conditions in `[[ … ]]`.

use super::list::LastingEffects;
use super::reader::{ReadResult, ScriptReader, is_name};
use super::{Opaque, builtins};

/// Words that mean something only in their place.
const PARTS: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "in", "}", "!", "time", "]]"];

impl ScriptReader<'_> {
    /// One command of any kind.
    pub(super) fn command(&mut self) -> ReadResult<LastingEffects> {
        let compound: fn(&mut Self) -> ReadResult<()> = match self.bare() {
            "" if self.peek() == Some(b'(') => Self::parenthesis,
            "{" => Self::group,
            "if" => Self::branches,
            "while" | "until" => Self::loop_,
            "for" => Self::each,
            "select" => Self::select,
            "case" => Self::cases,
            "[[" => Self::condition,
            "function" => return self.inside(Self::function_keyword),
            "coproc" => return Err(Opaque::because("`coproc` is not understood")),
            word if PARTS.contains(&word) => {
                return Err(Opaque::because(format!("`{word}` is out of place")));
            }
            _ => return self.simple(),
        };
        self.inside(compound)?;
        let redirects = self.redirects()?;
        self.reading.redirects.extend(redirects);
        Ok(LastingEffects::default())
    }

    fn parenthesis(&mut self) -> ReadResult<()> {
        self.at += 1;
        if self.takes("(") {
            self.only_bash("`((…))`")?;
            self.sum()?;
            return self.needs("))");
        }
        self.some(&[])?;
        self.needs(")")
    }

    fn group(&mut self) -> ReadResult<()> {
        self.at += 1;
        if !matches!(self.peek(), Some(b' ' | b'\t' | b'\n')) {
            return Err(Opaque::because("`{` stands alone"));
        }
        self.some(&["}"])?;
        self.needs_keyword("}")
    }

    fn branches(&mut self) -> ReadResult<()> {
        self.at += 2;
        self.some(&["then"])?;
        self.needs_keyword("then")?;
        self.some(&["elif", "else", "fi"])?;
        while self.takes_keyword("elif") {
            self.some(&["then"])?;
            self.needs_keyword("then")?;
            self.some(&["elif", "else", "fi"])?;
        }
        if self.takes_keyword("else") {
            self.some(&["fi"])?;
        }
        self.needs_keyword("fi")
    }

    fn loop_(&mut self) -> ReadResult<()> {
        self.at += 5;
        self.some(&["do"])?;
        self.done()
    }

    fn done(&mut self) -> ReadResult<()> {
        self.reading.repeats = true;
        self.needs_keyword("do")?;
        self.some(&["done"])?;
        self.needs_keyword("done")
    }

    fn each(&mut self) -> ReadResult<()> {
        self.at += 3;
        self.blanks();
        let numbers = self.names.numbers.len();
        if self.takes("((") {
            self.only_bash("`for ((…))`")?;
            let number = self.sum()?;
            self.names.numbers.extend(number);
            self.needs(";")?;
            self.sum()?;
            self.needs(";")?;
            self.sum()?;
            self.needs("))")?;
            self.blanks();
            self.takes(";");
            self.lines()?;
        } else {
            let number = self.variable_and_words()?;
            self.names.numbers.extend(number);
        }
        self.done()?;
        self.names.numbers.truncate(numbers);
        Ok(())
    }

    fn select(&mut self) -> ReadResult<()> {
        self.only_bash("`select`")?;
        self.at += 6;
        self.blanks();
        let number = self.variable_and_words()?;
        self.names.not_numbers.extend(number);
        self.sets("REPLY", builtins::anything(), false)?;
        self.done()
    }

    /// `name in words;`, up to the body. The name, where it can only be a number.
    fn variable_and_words(&mut self) -> ReadResult<Option<String>> {
        let name = self.bare().to_owned();
        if !is_name(&name) {
            return Err(Opaque::because("the variable of a loop is not a plain name"));
        }
        self.at += name.len();
        self.lines()?;
        let mut numbers = false;
        if self.takes_keyword("in") {
            numbers = true;
            loop {
                self.blanks();
                self.comment();
                if self.takes(";") || self.peek() == Some(b'\n') {
                    break;
                }
                numbers &= self.word()?.numeric;
            }
        } else {
            self.takes(";");
        }
        self.lines()?;
        self.sets(&name, builtins::anything(), numbers)?;
        Ok(numbers.then_some(name))
    }

    fn cases(&mut self) -> ReadResult<()> {
        self.at += 4;
        self.blanks();
        self.word()?;
        self.lines()?;
        self.needs_keyword("in")?;
        loop {
            self.lines()?;
            if self.takes_keyword("esac") {
                return Ok(());
            }
            self.patterns()?;
            self.list(&["esac"])?;
            if self.sees(";;&") || self.sees(";&") {
                self.only_bash("`;&`")?;
            }
            if !(self.takes(";;&") || self.takes(";;") || self.takes(";&")) {
                return self.needs_keyword("esac");
            }
        }
    }

    /// `a | b)`.
    fn patterns(&mut self) -> ReadResult<()> {
        self.takes("(");
        loop {
            self.blanks();
            if self.peek() == Some(b'#') {
                return Err(Opaque::because("a pattern begins like a comment"));
            }
            self.word()?;
            self.blanks();
            if self.takes(")") {
                return Ok(());
            }
            self.needs("|")?;
        }
    }

    fn function_keyword(&mut self) -> ReadResult<LastingEffects> {
        self.only_bash("`function`")?;
        self.at += 8;
        self.blanks();
        let name = self.bare().to_owned();
        self.at += name.len();
        self.blanks();
        if self.takes("(") {
            self.needs(")")?;
        }
        self.function(name)
    }

    /// The body of a function.
    pub(super) fn function(&mut self, name: String) -> ReadResult<LastingEffects> {
        if !is_name(&name.replace('-', "_")) || self.posix && !is_name(&name) {
            return Err(Opaque::because("the name of a function is not a plain name"));
        }
        if builtins::is_special(&name) {
            return Err(Opaque::because(format!("a function takes the name of the builtin `{name}`")));
        }
        self.names.functions.insert(name.clone());
        self.reading.repeats = true;
        self.lines()?;
        let body: fn(&mut Self) -> ReadResult<()> = match self.bare() {
            "{" => Self::group,
            "" if self.peek() == Some(b'(') && self.ahead(1) != Some(b'(') => Self::parenthesis,
            _ => return Err(Opaque::because("the body of a function is not a group of commands")),
        };
        self.inside(body)?;
        let redirects = self.redirects()?;
        self.reading.redirects.extend(redirects);
        Ok(LastingEffects { function: Some(name), ..LastingEffects::default() })
    }
}
