//! Arguments of builtins: some are taken for names or numbers, and what stands in them would be run.
//!
//! Hazard: `test -v "$a"`, `printf -v "$a"`, `wait -p "$a"` and `unset "$a"` run `rm` where `a` is `x[$(rm y)]`. May not
//! let a word that is only known when it runs stand where a name or an option could.

use super::reader::{ReadResult, is_name};
use super::word::Spelt;
use super::{Opaque, Spread, Word};

const PAIRS: &[&str] = &["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"];
const SUMS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const LETTERS: &str = "bcdefghknprstuwxzGLNOS";
const OPTIONS: &[&str] =
    &["errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "pipefail", "errtrace", "functrace"];

/// Whether the words of a builtin are of the kind that nothing in them is run.
pub(super) fn check(name: &str, words: &[Spelt], posix: bool) -> ReadResult<()> {
    let fine = match name {
        "test" => conditions(words, posix),
        "[" => match words.split_last() {
            Some((last, words)) => last.word.text() == Some("]") && conditions(words, posix),
            None => false,
        },
        "printf" => prints(words, posix),
        "break" | "continue" | "exit" | "return" | "shift" => {
            words.iter().all(|word| word.number || !posix && is_one(word))
        }
        "sleep" => !posix || words.iter().all(|word| word.word.exact().is_some()),
        "wait" => {
            words.iter().all(|word| word.number || word.word.text().is_some_and(|text| text.starts_with('%')))
        }
        "umask" => words.iter().all(|word| word.word.exact().is_some()),
        "ulimit" => words.iter().all(|word| word.word.text().is_some_and(is_limit)),
        "set" => sets_options(words),
        "dirs" | "jobs" => words.is_empty(),
        _ => false,
    };
    if fine {
        return Ok(());
    }
    Err(Opaque::because(format!("`{name}` may take what its words say for more than text")))
}

/// The variables that a builtin sets, and whether it makes arrays of them.
pub(super) fn variables(name: &str, words: &[Spelt]) -> ReadResult<(Vec<String>, bool)> {
    let unclear = || Opaque::because(format!("which variables `{name}` sets is not understood"));
    let mut array = matches!(name, "mapfile" | "readarray");
    let names = match name {
        "read" => {
            let (after, whole) = after_options(words).ok_or_else(unclear)?;
            array = whole;
            after
        }
        "unset" if words.first().and_then(|word| word.word.text()) == Some("-v") => &words[1..],
        "mapfile" | "readarray" if words.first().and_then(|word| word.word.text()) == Some("-t") => {
            &words[1..]
        }
        "getopts" if words.len() >= 2 && is_one(&words[0]) && !words[0].word.may_be_option() => &words[1..2],
        "getopts" => return Err(unclear()),
        _ => words,
    };
    let mut variables = Vec::new();
    for word in names {
        let variable = word.word.text().filter(|text| is_name(text)).ok_or_else(unclear)?;
        variables.push(variable.to_owned());
    }
    match name {
        "getopts" => variables.push("OPTARG".to_owned()),
        "read" if variables.is_empty() => variables.push("REPLY".to_owned()),
        "mapfile" | "readarray" if variables.is_empty() => variables.push("MAPFILE".to_owned()),
        _ => {}
    }
    Ok((variables, array))
}

/// What follows the options of `read`, where they are all understood, and whether the name there becomes an array.
fn after_options(mut words: &[Spelt]) -> Option<(&[Spelt], bool)> {
    while let Some((first, rest)) = words.split_first() {
        let Some(flags) = first.word.text()?.strip_prefix('-') else { return Some((words, false)) };
        // `-a NAME`, the last of its options: what follows a name would be names that it leaves alone.
        if let Some(plain) = flags.strip_suffix('a') {
            let fits = plain.bytes().all(|flag| matches!(flag, b'r' | b's')) && rest.len() == 1;
            return fits.then_some((rest, true));
        }
        words = rest;
        let takes = flags.find(['p', 't', 'n', 'N', 'd', 'u']);
        let plain = &flags[..takes.unwrap_or(flags.len())];
        if flags.is_empty() || !plain.bytes().all(|flag| matches!(flag, b'r' | b's')) {
            return None;
        }
        if takes.is_some_and(|at| at + 1 == flags.len()) {
            words = words.split_first().filter(|(value, _)| is_one(value))?.1;
        }
    }
    Some((words, false))
}

pub(super) fn is_one(word: &Spelt) -> bool {
    matches!(word.word, Word::Known(_) | Word::Open { spread: Spread::One, .. })
}

/// A word of `ulimit`: which limit, or how much.
fn is_limit(word: &str) -> bool {
    let amount = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match word.strip_prefix('-') {
        Some(letters) => letters.bytes().all(|letter| letter.is_ascii_alphabetic()),
        None => amount(word) || ["unlimited", "hard", "soft"].contains(&word),
    }
}

/// The words of `test`: terms joined by `-a` and `-o`.
fn conditions(words: &[Spelt], posix: bool) -> bool {
    let mut rest = words;
    if rest.is_empty() || rest.len() == 1 && is_one(&rest[0]) {
        return true;
    }
    loop {
        if text(rest, 0) == Some("!") {
            rest = &rest[1..];
        }
        let Some(length) = term(rest, posix) else { return false };
        rest = &rest[length..];
        if rest.is_empty() {
            return true;
        }
        if !matches!(text(rest, 0), Some("-a" | "-o")) {
            return false;
        }
        rest = &rest[1..];
    }
}

/// How many words the first term has.
fn term(words: &[Spelt], posix: bool) -> Option<usize> {
    let pair = text(words, 1).filter(|mark| PAIRS.contains(mark) || SUMS.contains(mark));
    if let (Some(mark), Some(right)) = (pair, words.get(2)) {
        let worked_out = posix && SUMS.contains(&mark) && !(words[0].number && right.number);
        return (is_one(&words[0]) && is_one(right) && !worked_out).then_some(3);
    }
    let operand = words.get(1)?;
    match text(words, 0)?.strip_prefix('-')? {
        "v" => operand.word.text().is_some_and(is_name).then_some(2),
        letter if letter.len() == 1 && LETTERS.contains(letter) => is_one(operand).then_some(2),
        _ => None,
    }
}

fn text(words: &[Spelt], at: usize) -> Option<&str> {
    words.get(at)?.word.text()
}

/// What `printf` prints: no option, and in other shells nothing that is taken for a number.
fn prints(words: &[Spelt], posix: bool) -> bool {
    let words = if text(words, 0) == Some("--") { &words[1..] } else { words };
    let Some(first) = words.first() else { return true };
    if first.word.may_be_option()
        || (words.len() > 1 || !is_one(first)) && first.word.text().is_none_or(stores)
    {
        return false;
    }
    if !posix || words[1..].iter().all(|word| word.word.exact().is_some()) {
        return true;
    }
    let kinds = first.word.text().map(|format| format.split('%').skip(1).collect::<Vec<_>>());
    kinds.is_some_and(|kinds| kinds.iter().all(|kind| kind.starts_with(['s', 'b', 'c', 'q'])))
}

/// Whether a format has a `%n`, which stores a number in the variable that its word names.
pub(super) fn stores(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once('%') {
        let kind = behind
            .trim_start_matches(|letter: char| letter.is_ascii_digit() || "-+ #0'*.hlLjzt".contains(letter));
        if kind.starts_with('n') {
            return true;
        }
        // The second sign of `%%` begins nothing.
        rest = kind.strip_prefix('%').unwrap_or(kind);
    }
    false
}

/// `set`: options that load and redefine nothing, then words.
fn sets_options(words: &[Spelt]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.word.text() else { return false };
        if text == "--" {
            return true;
        }
        let Some(flags) = text.strip_prefix(['-', '+']) else { return false };
        let named = flags.ends_with('o');
        let flags = flags.strip_suffix('o').unwrap_or(flags);
        if !flags.bytes().all(|flag| b"euxvfCbhET".contains(&flag)) || flags.is_empty() && !named {
            return false;
        }
        if named
            && !words.next().and_then(|word| word.word.text()).is_some_and(|name| OPTIONS.contains(&name))
        {
            return false;
        }
    }
    true
}
