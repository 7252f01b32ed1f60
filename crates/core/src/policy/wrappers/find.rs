//! `find -exec` and its kin: the commands that are run on what is found.
//!
//! May not judge what else `find` does, such as deleting.

use super::name::among;
use super::{Opaque, Spread, StartedCommand, Word, started};
use crate::policy::tables::TableSection;

const RUNS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// Tests and actions that are never the beginning of a path.
const TESTS: &str = "-name -iname -path -ipath -wholename -type -maxdepth -mindepth -newer -size -mtime -mmin -ctime -cmin \
    -atime -amin -empty -not -regex -iregex -perm -user -group -print -print0 -exec -execdir -ok -okdir \
    -prune -executable -readable -writable -links -inum -depth";

pub(super) fn starts(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let words = words.get(1..).unwrap_or_default();
    let found = beginning(words);
    let mut all = Vec::new();
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        rest = behind;
        match word {
            Word::Known(text) => {
                let Some(run) = RUNS.iter().find(|run| text == **run) else { continue };
                let (command, after) = one_command(behind)?;
                let start = if run.ends_with("dir") { "" } else { found.as_str() };
                let at_once = behind[command.len()].exact().is_some_and(|end| end == "+");
                let spread = if at_once { Spread::Each } else { Spread::One };
                all.extend(started(&with_found(command, start, spread))?);
                rest = after;
            }
            // One word alone completes no command; several, or one before a command's end, might.
            Word::Open { .. } if word.may_be_option() && may_run(word, behind) => {
                return Err(Opaque::because("what it is told to run is only known when it runs"));
            }
            Word::Open { .. } => {}
        }
    }
    Ok(all)
}

fn may_run(word: &Word, behind: &[Word]) -> bool {
    let ends = |word: &Word| word.exact().is_none_or(|text| text == ";" || text == "+");
    !matches!(word, Word::Open { spread: Spread::One, .. }) || behind.iter().any(ends)
}

/// The words up to the end of a command that `find` runs, and what stands behind it.
fn one_command(words: &[Word]) -> Result<(&[Word], &[Word]), Opaque> {
    let mut open = 0;
    for (at, word) in words.iter().enumerate() {
        let Some(text) = word.exact() else {
            open += usize::from(word.may_be_option());
            // One that turns out to be `;` ends the command and begins no other. Two could do both.
            if !super::is_one(word) || open > 1 {
                return Err(Opaque::because("where the command it runs ends is only known when it runs"));
            }
            continue;
        };
        // The word before it was perhaps no action but what another test was given.
        if RUNS.iter().any(|run| text == *run) {
            return Err(Opaque::because("it runs a command inside a command"));
        }
        if text == "+"
            && at.checked_sub(1).and_then(|before| words[before].exact()).is_none_or(|word| word != "{}")
        {
            return Err(Opaque::because("where the command it runs ends depends on the version"));
        }
        if text == ";" || text == "+" {
            let command = &words[..at];
            if command
                .first()
                .and_then(Word::text)
                .is_none_or(|name| ["", "(", ")", "!", ","].contains(&name))
            {
                return Err(Opaque::because("the name of the program it starts is not known"));
            }
            return Ok((command, &words[at + 1..]));
        }
    }
    Err(Opaque::because("the command it runs has no end"))
}

/// A command with the place of what is found left open.
fn with_found(command: &[Word], start: &str, spread: Spread) -> Vec<Word> {
    let put = |word: &Word| match word {
        Word::Known(text) => match text.to_str() {
            Some("{}") => Word::Open { start: start.to_owned(), spread },
            Some(known) => match known.split_once("{}") {
                Some((before, _)) => Word::Open { start: before.to_owned(), spread: Spread::One },
                None => word.clone(),
            },
            None => Word::Open { start: String::new(), spread: Spread::One },
        },
        Word::Open { .. } => word.clone(),
    };
    command.iter().map(put).collect()
}

/// How the path of everything that is found begins, as far as that is certain.
fn beginning(words: &[Word]) -> String {
    let plain = ["-H", "-L", "-P"];
    let behind = words.iter().skip_while(|word| word.text().is_some_and(|text| plain.contains(&text)));
    let (mut starts, mut first) = (Vec::new(), None);
    for word in behind {
        match word {
            Word::Known(text) if ends_paths(text.as_encoded_bytes()) => {
                first = Some(word);
                break;
            }
            Word::Known(text) => starts.push(text.to_str().unwrap_or_default()),
            Word::Open { spread: Spread::Any, .. } => starts.push(""),
            Word::Open { start, .. } => starts.push(start),
        }
    }
    if words.iter().any(|word| word.text().is_some_and(|text| text.starts_with("-files0"))) {
        return String::new();
    }
    let is_test = first.is_some_and(|word| word.text().is_some_and(|text| among(TESTS, text)));
    match starts.split_first() {
        // Only where certainly no path is named, it is the folder it runs in.
        None if is_test => ".".to_owned(),
        None => String::new(),
        Some((one, more)) => {
            more.iter().fold((*one).to_owned(), |shared, other| shared_start(&shared, other))
        }
    }
}

fn ends_paths(text: &[u8]) -> bool {
    text.starts_with(b"-")
        || text.starts_with(b"(")
        || text.starts_with(b")")
        || text.starts_with(b"!")
        || text == b","
}

fn shared_start(one: &str, other: &str) -> String {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

/// `fd`, which runs commands on what it finds with `-x` and `-X`.
pub(super) fn fd(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let may_run = |word: &Word| match word {
        Word::Known(text) => {
            let text = text.to_string_lossy();
            match text.strip_prefix("--") {
                Some(long) => long.starts_with("exec"),
                None => text.starts_with('-') && text.contains(['x', 'X']),
            }
        }
        Word::Open { .. } => word.may_be_option(),
    };
    let is_end = |word: &Word| word.exact().is_some_and(|text| text == "--");
    // `--` may itself be what an option was given, so it ends nothing behind an option.
    let ends = |at: usize| is_end(&words[at]) && !words[at - 1].may_be_option();
    let end = (1..words.len()).find(|at| ends(*at)).unwrap_or(words.len());
    if words.get(1..end).unwrap_or_default().iter().any(may_run) {
        return Err(Opaque::because("it runs commands on what it finds"));
    }
    Ok(Vec::new())
}
