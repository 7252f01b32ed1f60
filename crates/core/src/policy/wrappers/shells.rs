//! Shells: the text of `-c`, in all spellings.
//!
//! May not read the text. A shell that is given a file or reads its input starts nothing by its words:
//! [`carried`](super::carried()) speaks of those.

use super::name::{among, name_of};
use super::options::{OptionOrder, read};
use super::texts::texts;
use super::{Opaque, StartedCommand, Word, script};
use crate::policy::tables::TableSection;

/// What was read of a shell's options.
#[derive(Debug, Default)]
pub(super) struct ShellOptions {
    /// A text is given: `-c`.
    pub(super) text: bool,
    /// The input is read: `-s`.
    pub(super) input: bool,
    /// It talks to a person: `-i`.
    pub(super) talks: bool,
    /// It only says something about itself.
    pub(super) ends: bool,
    /// Where the first word is that is no option.
    pub(super) rest: usize,
}

/// Letters that leave the meaning of a text alone, in the shells of the standard.
const LETTERS: &str = "abefhlmnuvxC";
const BASH_LETTERS: &str = "abefhlmnprtuvxCEPT";
const ZSH_LETTERS: &str = "eflnuvx";

/// Names for `-o` that leave the meaning of a text alone.
const NAMES: &str = "allexport errexit errtrace functrace monitor noclobber noexec noglob nolog notify nounset physical \
    pipefail posix verbose xtrace";

const LONG: &str = "norc noprofile posix login verbose restricted noediting";

/// What bash reads as a word even behind a single dash.
const LONG_BEHIND_ONE_DASH: &str = "debug debugger dump-po-strings dump-strings help init-file login noediting noprofile norc posix \
    pretty-print protected rcfile restricted verbose version wordexp";

pub(super) fn starts(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let asked = options(words)?;
    if !asked.text || asked.ends {
        return Ok(Vec::new());
    }
    if asked.input {
        return Err(Opaque::because("a shell is given a text and reads its input too"));
    }
    match (words[0].text(), words.get(asked.rest)) {
        (Some(shell), Some(text)) => Ok(vec![script(shell, text)?]),
        _ => Err(Opaque::because("the text for the shell is missing")),
    }
}

/// Reads the options of a shell of the standard.
pub(super) fn options(words: &[Word]) -> Result<ShellOptions, Opaque> {
    let letters = match words.first().and_then(name_of).as_deref() {
        Some("bash" | "rbash") => BASH_LETTERS,
        Some("zsh" | "rzsh") => ZSH_LETTERS,
        _ => LETTERS,
    };
    let mut asked = ShellOptions { rest: 1, ..ShellOptions::default() };
    while let Some(word) = words.get(asked.rest) {
        let Some(text) = word_of_shell(word)? else { break };
        asked.rest += 1;
        match text.strip_prefix("--") {
            _ if text == "-" => break,
            Some("") => break,
            Some("help" | "version") => {
                asked.ends = true;
                break;
            }
            Some(long) if among(LONG, long) => {}
            Some(_) => return Err(unknown(text)),
            None => bundle(text, letters, words, &mut asked)?,
        }
    }
    Ok(asked)
}

/// The word, where it is an option or the end of options.
fn word_of_shell(word: &Word) -> Result<Option<&str>, Opaque> {
    match word {
        Word::Open { start, .. } if word.may_be_option() || start.starts_with('+') => {
            Err(Opaque::because("an option is only known when it runs"))
        }
        Word::Open { .. } => Ok(None),
        Word::Known(text)
            if !text.as_encoded_bytes().starts_with(b"-") && !text.as_encoded_bytes().starts_with(b"+") =>
        {
            Ok(None)
        }
        Word::Known(text) => text.to_str().map(Some).ok_or_else(|| unknown("-")),
    }
}

fn bundle(text: &str, letters: &str, words: &[Word], asked: &mut ShellOptions) -> Result<(), Opaque> {
    let given = &text[1..];
    if given.is_empty() || among(LONG_BEHIND_ONE_DASH, given) {
        return Err(unknown(text));
    }
    let on = text.starts_with('-');
    for (at, letter) in given.char_indices() {
        match letter {
            'c' if on => asked.text = true,
            's' if on => asked.input = true,
            'i' if on => asked.talks = true,
            // Some shells take the letters behind it for a name, others for options.
            'o' if at + 1 == given.len() => {
                let name = words.get(asked.rest).and_then(Word::text);
                if !name.is_some_and(|name| among(NAMES, name)) {
                    return Err(unknown("-o"));
                }
                asked.rest += 1;
            }
            _ if letters.contains(letter) => {}
            _ => return Err(unknown(text)),
        }
    }
    Ok(())
}

/// `csh -fc TEXT`.
pub(super) fn csh(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let Some(first) = words.get(1) else { return Ok(Vec::new()) };
    if !first.may_be_option() {
        return Ok(Vec::new());
    }
    let Some(text) = first.text() else {
        return Err(Opaque::because("an option is only known when it runs"));
    };
    let letters = text.strip_prefix('-').unwrap_or_default().strip_suffix('c');
    match (words[0].text(), letters, words.get(2)) {
        (Some(shell), Some(letters), Some(text))
            if letters.chars().all(|letter| "efvx".contains(letter)) && !text.may_be_option() =>
        {
            Ok(vec![script(shell, text)?])
        }
        _ if text == "--help" || text == "--version" => Ok(Vec::new()),
        _ => Err(unknown(text)),
    }
}

/// `fish -c TEXT`, which may be given several.
pub(super) fn fish(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::First, words)?;
    if read.ends { Ok(Vec::new()) } else { texts(&read, words[0].text().unwrap_or("fish")) }
}

fn unknown(option: &str) -> Opaque {
    Opaque::because(format!("the shell's option `{option}` is not known here"))
}
