//! Seals: marks that stand for data and around commands while templates are filled. May not draw the number they are made from.
//!
//! The hazard: program and data meet in one text, and a text that is looked through again makes commands out of data.
//! A seal is written with signs of Unicode's last private plane, chosen by a number drawn for this run, and carries
//! that number whole. The signs have no case and are no white space, so filters leave them alone; data cannot contain
//! the number, because it was there before the number was; and one of these signs anywhere else means that a filter
//! took a seal to pieces.

use crate::{FlowError, Mark};
use runward::Code;

/// The first sign of the private plane, and how many there are to choose from.
const PLANE: u32 = 0x10_0000;
const SIGNS: u32 = 0xFFFD;
/// Signs of one alphabet: sixteen digits, one that opens and one that closes a seal.
const ALPHABET: u32 = 18;
const OPEN: u32 = 16;
const CLOSE: u32 = 17;
/// Digits of the number in every seal.
const NUMBER: usize = 32;
const CUT: &str = "Apply filters to variables, not to text that was captured around an import or a command.";

/// What was sealed in one run.
#[derive(Debug, Clone)]
pub struct Seals {
    nonce: u128,
    data: Vec<String>,
    commands: Vec<(ErrandKind, Mark)>,
}

/// A piece of the prompt after its templates were filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// Text, which is final.
    Text(String),
    /// A command, whose output belongs here.
    Command(Errand),
}

/// A command inside a markdown agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errand {
    /// How it is written.
    pub kind: ErrandKind,
    /// Its text, with templates filled. Of a fence: the whole script, with its first line.
    pub text: String,
    /// Where it stands.
    pub mark: Mark,
}

/// How a command inside a markdown agent is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrandKind {
    /// Between backticks, behind a `!`.
    Inline,
    /// A fence whose first line names its interpreter.
    Fence {
        /// What stands behind the `#!`.
        interpreter: String,
    },
}

/// What a seal says.
#[derive(Clone, Copy)]
enum Says {
    Data(usize),
    Begin(usize),
    End(usize),
}

impl Seals {
    /// No seals yet. The number is drawn by chance for this run and told to nobody.
    pub fn new(nonce: u128) -> Self {
        Self { nonce, data: Vec::new(), commands: Vec::new() }
    }

    /// Puts a text aside and gives the mark to put in its place.
    pub fn seal_data(&mut self, text: impl Into<String>) -> String {
        self.data.push(text.into());
        self.write(Says::Data(self.data.len() - 1))
    }

    /// The marks to put before and behind a command's text, which is still a template.
    pub(super) fn command(&mut self, kind: ErrandKind, mark: Mark) -> (String, String) {
        self.commands.push((kind, mark));
        let number = self.commands.len() - 1;
        (self.write(Says::Begin(number)), self.write(Says::End(number)))
    }

    /// Opens every seal in a text whose templates are filled. Data is put back to the letter and not looked at.
    pub fn open(&self, filled: &str) -> Result<Vec<Opened>, FlowError> {
        let mut opened = Vec::new();
        let mut text = String::new();
        let mut rest = filled;
        while let Some(at) = rest.find(self.sign(OPEN)) {
            self.check(&rest[..at])?;
            text.push_str(&rest[..at]);
            let (says, after) = self.read(&rest[at..]).ok_or_else(cut)?;
            rest = after;
            match says {
                Says::Data(number) => text.push_str(self.data.get(number).ok_or_else(cut)?),
                Says::Begin(number) => {
                    let (errand, after) = self.errand(number, rest)?;
                    if !text.is_empty() {
                        opened.push(Opened::Text(std::mem::take(&mut text)));
                    }
                    opened.push(Opened::Command(errand));
                    rest = after;
                }
                Says::End(_) => return Err(cut()),
            }
        }
        self.check(rest)?;
        text.push_str(rest);
        if !text.is_empty() {
            opened.push(Opened::Text(text));
        }
        Ok(opened)
    }

    /// The command that begins here, up to its closing mark. Nothing sealed may stand in it: it would reach a shell
    /// that nobody quoted it for.
    fn errand<'t>(&self, number: usize, rest: &'t str) -> Result<(Errand, &'t str), FlowError> {
        let (kind, mark) = self.commands.get(number).ok_or_else(cut)?;
        let at = rest.find(self.sign(OPEN)).ok_or_else(|| cut().at(mark.clone()))?;
        let text = rest[..at].to_owned();
        self.check(&text).map_err(|error| error.at(mark.clone()))?;
        let kind = match kind {
            ErrandKind::Inline => ErrandKind::Inline,
            ErrandKind::Fence { .. } => {
                let first = text.lines().next().unwrap_or_default();
                ErrandKind::Fence { interpreter: first.trim_start_matches("#!").trim().to_owned() }
            }
        };
        match self.read(&rest[at..]) {
            Some((Says::End(end), after)) if end == number => {
                Ok((Errand { kind, text, mark: mark.clone() }, after))
            }
            Some((Says::Data(_) | Says::Begin(_), _)) => {
                let message = "a command has an import or another command inside it";
                Err(FlowError::new(Code::FlowBadTemplate, message)
                    .hint("Take what was captured around it out of the command.")
                    .at(mark.clone()))
            }
            _ => Err(cut().at(mark.clone())),
        }
    }

    fn write(&self, says: Says) -> String {
        let (kind, index) = match says {
            Says::Data(index) => (0, index),
            Says::Begin(index) => (1, index),
            Says::End(index) => (2, index),
        };
        let digits = format!("{kind}{:032x}{index:x}", self.nonce);
        let inner = digits.chars().filter_map(|digit| digit.to_digit(16)).map(|digit| self.sign(digit));
        std::iter::once(self.sign(OPEN)).chain(inner).chain([self.sign(CLOSE)]).collect()
    }

    /// The seal that a text begins with, and what follows it.
    fn read<'t>(&self, text: &'t str) -> Option<(Says, &'t str)> {
        let inner = text.strip_prefix(self.sign(OPEN))?;
        let (inner, rest) = inner.split_once(self.sign(CLOSE))?;
        let digits: Option<String> = inner
            .chars()
            .map(|sign| self.place(sign).and_then(|digit| char::from_digit(digit, 16)))
            .collect();
        let digits = digits?;
        let nonce = u128::from_str_radix(digits.get(1..=NUMBER)?, 16).ok()?;
        let index = usize::from_str_radix(digits.get(NUMBER + 1..)?, 16).ok()?;
        let says = match digits.get(..1)? {
            "0" => Says::Data(index),
            "1" => Says::Begin(index),
            "2" => Says::End(index),
            _ => return None,
        };
        (nonce == self.nonce).then_some((says, rest))
    }

    /// Nothing of a seal may stand outside of one, as it is or encoded for an address.
    fn check(&self, text: &str) -> Result<(), FlowError> {
        let torn = text.chars().any(|sign| self.place(sign).is_some());
        if torn || text.contains(&self.encoded()) { Err(cut()) } else { Ok(()) }
    }

    /// The opening sign as `url_encode` writes it.
    fn encoded(&self) -> String {
        self.sign(OPEN).to_string().bytes().map(|byte| format!("%{byte:02X}")).collect()
    }

    fn sign(&self, place: u32) -> char {
        char::from_u32(self.base() + place).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Which sign of the alphabet this is.
    fn place(&self, sign: char) -> Option<u32> {
        u32::from(sign).checked_sub(self.base()).filter(|place| *place < ALPHABET)
    }

    fn base(&self) -> u32 {
        let choices = u128::from(SIGNS - ALPHABET);
        PLANE + u32::try_from((self.nonce >> 64) % choices).unwrap_or(0)
    }
}

fn cut() -> FlowError {
    FlowError::new(Code::FlowBadTemplate, "a filter cut an import or a command in half").hint(CUT)
}

#[cfg(test)]
#[path = "seals_tests.rs"]
mod tests;
