//! Checks of arguments: what an option's value or an operand must be.
//!
//! May not let through what it does not understand.

mod awk;
mod sed;
mod test_words;
mod values;

pub(super) use test_words::test_expression;

use super::walk::{No, shown};
use crate::policy::{Spread, Word};

/// A demand on a value or an operand, by its name in the tables.
#[derive(Debug, Clone)]
pub(super) enum ValueCheck {
    /// Anything; as a word of its own it must not look like an option.
    Value,
    /// Anything at all.
    Any,
    /// One of these.
    OneOf(Vec<&'static str>),
    /// A demand that has a name.
    Named(&'static NamedCheck),
}

/// A demand that has a name.
#[derive(Debug)]
pub(super) struct NamedCheck {
    name: &'static str,
    /// For people, in place of the value.
    shown: &'static str,
    /// Why a text does not do, if it does not.
    fault: fn(&str) -> Option<String>,
    /// What an open word must certainly begin with to do, if any will.
    open: OpenWord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenWord {
    No,
    /// Any will: what is refused is told early, and not kept out for certain.
    Any,
    /// Where what is certain of it already has a slash.
    AfterSlash,
    /// Where what is certain of it begins with another character than this.
    NotAt(char),
    /// Where it certainly begins with this.
    At(char),
}

const NAMED: &[NamedCheck] = &[
    NamedCheck { name: "sed", shown: "SCRIPT", fault: sed::fault, open: OpenWord::No },
    NamedCheck { name: "awk", shown: "PROGRAM", fault: awk::fault, open: OpenWord::No },
    NamedCheck { name: "archive", shown: "FILE", fault: values::remote_archive, open: OpenWord::AfterSlash },
    NamedCheck { name: "format", shown: "+FORMAT", fault: values::no_format, open: OpenWord::At('+') },
    NamedCheck {
        name: "no-list",
        shown: "FILE",
        fault: values::list_of_arguments,
        open: OpenWord::NotAt('@'),
    },
    NamedCheck { name: "no-address", shown: "FILE", fault: values::address, open: OpenWord::Any },
    NamedCheck { name: "here", shown: "REPOSITORY", fault: values::elsewhere, open: OpenWord::No },
    NamedCheck { name: "columns", shown: "COLUMNS", fault: values::shows_env, open: OpenWord::No },
    NamedCheck {
        name: "processes",
        shown: "aux and the like",
        fault: values::ps_letters,
        open: OpenWord::No,
    },
    NamedCheck { name: "goal", shown: "TARGET or NAME=VALUE", fault: values::goal, open: OpenWord::No },
    NamedCheck { name: "makefile", shown: "FILE", fault: values::standard_input, open: OpenWord::AfterSlash },
    NamedCheck { name: "package", shown: "NAME@VERSION", fault: values::package, open: OpenWord::No },
    NamedCheck { name: "module", shown: "MODULE@VERSION", fault: values::module, open: OpenWord::No },
    NamedCheck { name: "name", shown: "NAME", fault: values::no_name, open: OpenWord::No },
    NamedCheck { name: "code-here", shown: "FILE", fault: values::code_outside, open: OpenWord::No },
    NamedCheck { name: "requirement", shown: "PACKAGE", fault: values::requirement, open: OpenWord::No },
    NamedCheck { name: "folder-here", shown: "FOLDER", fault: values::outside, open: OpenWord::No },
];

/// What the named check finds wrong with a text.
pub(super) fn fault(name: &str, text: &str) -> Option<String> {
    NAMED.iter().find(|named| named.name == name).and_then(|named| (named.fault)(text))
}

impl ValueCheck {
    /// The demand that a table names: `any`, `{a,b}` or a name of the list above.
    pub(super) fn named(name: &'static str) -> Result<Self, String> {
        if let Some(choice) = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            return Ok(ValueCheck::OneOf(choice.split(',').collect()));
        }
        if name == "any" {
            return Ok(ValueCheck::Any);
        }
        NAMED
            .iter()
            .find(|named| named.name == name)
            .map(ValueCheck::Named)
            .ok_or_else(|| "no such check".to_owned())
    }

    /// The value, for people.
    pub(super) fn shown(&self) -> String {
        match self {
            ValueCheck::Value | ValueCheck::Any => "VALUE".to_owned(),
            ValueCheck::OneOf(choice) => choice.join("/"),
            ValueCheck::Named(named) => named.shown.to_owned(),
        }
    }

    /// Whether a value in the same word as its option will do.
    pub(super) fn holds(&self, of: &str, value: &str) -> Result<(), No> {
        let fault = match self {
            ValueCheck::Value | ValueCheck::Any => None,
            ValueCheck::OneOf(choice) if choice.contains(&value) => None,
            ValueCheck::OneOf(choice) => Some(format!("only {} are known to be harmless", choice.join(", "))),
            ValueCheck::Named(named) => (named.fault)(value),
        };
        fault.map_or(Ok(()), |fault| {
            let value = shown(&Word::known(value));
            Err(No::Because(format!("`{value}` of `{of}` is refused: {fault}")))
        })
    }

    /// Whether the next word will do as a value.
    pub(super) fn holds_next(&self, of: &str, word: &Word) -> Result<(), No> {
        if matches!(self, ValueCheck::Value)
            && word.exact().is_some()
            && word.may_be_option()
            && !is_negative(word)
        {
            return Err(No::Because(format!("the value of `{of}` begins with a dash")));
        }
        match word {
            Word::Open { spread: Spread::Each | Spread::Any, .. } => Err(unknown(of)),
            word => self.holds_operand(of, word),
        }
    }

    /// Whether an operand will do, and each of the words that it may become.
    pub(super) fn holds_operand(&self, of: &str, word: &Word) -> Result<(), No> {
        match word {
            Word::Known(text) => match (self, text.to_str()) {
                (ValueCheck::Value | ValueCheck::Any, _) => Ok(()),
                (_, Some(text)) => self.holds(of, text),
                (_, None) => Err(No::Because(format!("a word of `{of}` is not Unicode"))),
            },
            Word::Open { start, spread: Spread::One | Spread::Each } if self.lets(start) => Ok(()),
            // Of any number of words only the first is known to begin so: each of them must do.
            Word::Open { spread: Spread::Any, .. } if self.lets("") => Ok(()),
            Word::Open { .. } => Err(unknown(of)),
        }
    }

    /// Whether a value that is not known will do.
    pub(super) fn lets_open(&self) -> bool {
        matches!(self, ValueCheck::Value | ValueCheck::Any)
    }

    fn lets(&self, start: &str) -> bool {
        match self {
            ValueCheck::Value | ValueCheck::Any => true,
            ValueCheck::OneOf(_) => false,
            ValueCheck::Named(named) => match named.open {
                OpenWord::No => false,
                OpenWord::Any => true,
                OpenWord::AfterSlash => start.contains('/') && (named.fault)(start).is_none(),
                OpenWord::NotAt(letter) => !start.is_empty() && !start.starts_with(letter),
                OpenWord::At(letter) => start.starts_with(letter),
            },
        }
    }
}

fn unknown(of: &str) -> No {
    No::Because(format!("a word of `{of}` is only known when it runs; it must be known before"))
}

/// `-5` and the like: a number, which no program takes for an option here.
fn is_negative(word: &Word) -> bool {
    word.text().is_some_and(|text| text[1..].starts_with(|first: char| first.is_ascii_digit()))
}
