//! Interpreters and shells: code in their words, and code they are fed.
//!
//! A file of code is not in the words: naming an interpreter allows it to run files. May not read any code.

use super::super::name::unversioned;
use super::super::options::{OptionMark, OptionOrder, OptionValue, read};
use super::super::shells;
use super::super::{Word, table};
use super::{Carried, shown};
use crate::policy::tables::{ProgramTable, TableSection};
use std::sync::LazyLock;

static LANGUAGES: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/languages.table")));

fn language(name: &str) -> Option<TableSection> {
    LANGUAGES.find(name, unversioned(name))
}

/// Whether all options of a language are known, and not a few letters only.
fn is_known_whole(language: TableSection) -> bool {
    language.value("flags").is_some()
}

/// What is to be said of an interpreter or a shell.
pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    if table::is_shell(name) {
        return shell(name, words);
    }
    let language = language(name)?;
    if is_known_whole(language) { precise(name, language, words) } else { by_letters(name, language, words) }
}

/// Whether a name is an interpreter's, and no shell's.
pub(super) fn is_language(name: &str) -> bool {
    ["java", "javaw"].contains(&unversioned(name)) || language(name).is_some()
}

/// The file of code that an interpreter or a shell is given, where it is given one; `.` and `source` take one, too.
pub(in crate::policy) fn code_file(words: &[Word]) -> Option<&Word> {
    let name = super::super::name::name_of(words.first()?)?;
    let at = match unversioned(&name) {
        "." | "source" => 1,
        _ if table::is_shell(&name) => shells::options(words).ok().filter(|asked| !asked.text)?.rest,
        _ if language(&name).is_some_and(is_known_whole) => operand(language(&name)?, words)?,
        _ if language(&name).is_some() => {
            1 + words.iter().skip(1).take_while(|word| word.may_be_option() && word.exact().is_some()).count()
        }
        _ => return None,
    };
    words.get(at)
}

/// Where the first operand stands, unless an option carries the code.
fn operand(options: TableSection, words: &[Word]) -> Option<usize> {
    let read = read(options, OptionOrder::First, words).ok()?;
    let carries =
        |mark: &OptionMark| matches!(mark, OptionMark::Takes(OptionValue::Code | OptionValue::Load));
    let none = read.ends || read.found.iter().any(|found| carries(&found.mark));
    (!none).then(|| words.len() - read.operands.len())
}

/// Whether it would read code from its input or from a person.
pub(in super::super) fn asks(name: &str, words: &[Word]) -> bool {
    says(name, words).is_some_and(|carried| carried.because.ends_with(FED))
}

const FED: &str = "runs the code it is fed";

/// An interpreter whose options are all known.
fn precise(name: &str, options: TableSection, words: &[Word]) -> Option<Carried> {
    let read = match read(options, OptionOrder::First, words) {
        Ok(read) => read,
        Err(opaque) => return Some(Carried::never(format!("`{name}` may carry code of its own: {opaque}"))),
    };
    if read.ends {
        return None;
    }
    if let Some(found) = read.found.iter().find(|found| found.mark == OptionMark::Asks) {
        return Some(Carried::new(format!("{} {FED}", shown(name, words, found.at)), found.at + 1));
    }
    let own = "carries code of its own";
    for found in &read.found {
        let shown = shown(name, words, found.at);
        match found.mark {
            OptionMark::Takes(OptionValue::Code) => {
                return Some(Carried::new(format!("{shown} {own}"), found.at + 1));
            }
            OptionMark::Takes(OptionValue::Load) => {
                let separate = words.get(found.at + 1) == found.value.as_ref();
                let named = found.at + 1 + usize::from(separate);
                return Some(Carried::new(format!("{shown} runs code by its name"), named));
            }
            _ => {}
        }
    }
    fed(name, words, words.len() - read.operands.len())
}

/// An interpreter that is known by a few letters only.
fn by_letters(name: &str, language: TableSection, words: &[Word]) -> Option<Carried> {
    let own = "carries code of its own";
    let safe_letters = language.value("letters").unwrap_or_default();
    let about = |word: &Word| word.text().is_some_and(|text| ["-v", "-V", "-h"].contains(&text));
    if safe_letters.contains('v') && matches!(words, [_, word] if about(word)) {
        return None;
    }
    for (at, word) in words.iter().enumerate().skip(1) {
        // To some, `--` is a word like any other.
        if word.text() == Some("--") && !safe_letters.is_empty() {
            return fed(name, words, at + 1);
        }
        if !word.may_be_option() {
            return fed(name, words, at);
        }
        let Some(text) = word.text() else {
            return Some(Carried::never(format!("whether `{name}` {own} is only known when it runs")));
        };
        if language.words("code").any(|code| code == text) {
            return Some(Carried::new(format!("{} {own}", shown(name, words, at)), at + 1));
        }
        let letters = text.trim_start_matches('-');
        let safe = !text.starts_with("--") && is_safe(letters, safe_letters);
        let bundled = language.words("code").any(|code| {
            let code = code.trim_start_matches('-');
            code.len() == 1 && letters.strip_suffix(code).is_some_and(|rest| is_safe(rest, safe_letters))
        });
        match (safe, bundled) {
            (true, _) => {}
            (false, true) => {
                return Some(Carried::new(format!("{} {own}", shown(name, words, at)), at + 1));
            }
            (false, false) => {
                return Some(Carried::never(format!("{} may carry code of its own", shown(name, words, at))));
            }
        }
    }
    fed(name, words, words.len())
}

fn is_safe(letters: &str, safe: &str) -> bool {
    letters.chars().all(|letter| safe.contains(letter))
}

/// What the first operand says: a file of code, or the input.
fn fed(name: &str, words: &[Word], at: usize) -> Option<Carried> {
    let Some(operand) = words.get(at) else { return Some(Carried::never(format!("`{name}` {FED}"))) };
    is_input(name, operand).then(|| Carried::new(format!("{} {FED}", shown(name, words, at)), at + 1))
}

fn is_input(name: &str, operand: &Word) -> bool {
    let start = match operand {
        Word::Known(text) => text.to_str().unwrap_or_default(),
        Word::Open { start, .. } => start,
    };
    let debugs = name.starts_with("node") && ["inspect", "debug"].contains(&start);
    start == "-" || debugs || ["/dev/", "/proc/"].iter().any(|fed| start.starts_with(fed))
}

fn is_switch(word: &Word) -> bool {
    word.may_be_option() || word.text().is_some_and(|text| text.starts_with('/') && text.len() < 8)
}

/// A shell without a text.
fn shell(name: &str, words: &[Word]) -> Option<Carried> {
    match name {
        "fish" | "csh" | "tcsh" | "cmd" | "powershell" | "pwsh" | "pwsh-preview" => {
            let alone = words.iter().skip(1).all(is_switch);
            let started = super::super::through(words).is_ok_and(|started| !started.is_empty());
            (alone && !started).then(|| Carried::never(format!("`{name}` {FED}")))
        }
        _ => match shells::options(words) {
            Err(opaque) => Some(Carried::never(format!("`{name}` may run anything: {opaque}"))),
            Ok(asked) if asked.ends || asked.text => None,
            Ok(asked) if asked.input || asked.talks => {
                let named = if words.len() == 2 { 2 } else { usize::MAX };
                Some(Carried::new(format!("{} {FED}", shown(name, words, 1)), named))
            }
            Ok(asked) => fed(name, words, asked.rest),
        },
    }
}
