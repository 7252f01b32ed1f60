//! How a word behind an `@` is read. May not know the text around it.

use super::{FilePart, Import, NAMED_PROVIDERS, Provider};
use crate::FlowError;
use runward_engine::Code;

/// What may end a sentence right behind an import.
const ENDINGS: &[char] = &['.', ',', ';', ':', '!', '?', ')', '"', '\'', '”', '’'];
/// Those among them that close something: another may stand before or behind them.
const CLOSERS: &[char] = &[')', '"', '\'', '”', '’'];
/// How many marks behind a path are looked at.
const MOST_MARKS: usize = 8;
const PROVIDERS: &str =
    "Use `@git:diff`, `@git:staged`, `@git:status`, or `@git:log(N)` with a number from 1.";

/// What a word that reaches to the next white space wants, and how many bytes of it that takes. `None` if it is only
/// a word.
pub(super) fn read(word: &str, exists: &dyn Fn(&str) -> bool) -> Result<Option<(Import, usize)>, FlowError> {
    if !can_be_one(word) {
        return Ok(None);
    }
    let short = without_ending(word);
    // `@/` and `@./` in a sentence name nothing.
    if is_path(short) {
        return Ok(Some(path(word, short, exists)));
    }
    let short = without_endings(word);
    if is_address(word) {
        let address = short.to_owned();
        return Ok(Some((Import::Url { address }, short.len())));
    }
    Ok(provider(short)?.map(|provider| (Import::Provider(provider), short.len())))
}

/// Whether it is worth looking at the whole word, which may be as long as the text.
fn can_be_one(word: &str) -> bool {
    let starts = ["./", "../", "~/", "/", "rg:", "git:"].iter().any(|start| word.starts_with(start));
    let is_marks =
        |rest: &str| rest.chars().nth(MOST_MARKS).is_none() && rest.chars().all(|one| ENDINGS.contains(&one));
    starts || is_address(word) || word.strip_prefix("tree").is_some_and(is_marks)
}

fn is_path(word: &str) -> bool {
    let rest = ["./", "../", "~/", "/"].iter().find_map(|start| word.strip_prefix(start));
    rest.is_some_and(|rest| !rest.is_empty())
}

fn is_address(word: &str) -> bool {
    let rest = word.strip_prefix("https://").or_else(|| word.strip_prefix("http://"));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_alphanumeric() || first == '['))
}

fn path(word: &str, short: &str, exists: &dyn Fn(&str) -> bool) -> (Import, usize) {
    // Asked before the rest: a literal `*` never makes a file of a pattern, or whoever can name a file could make
    // data a part of the program.
    if short.contains(['*', '?', '[']) {
        let pattern = without_endings(word);
        return (Import::Glob { pattern: pattern.to_owned() }, pattern.len());
    }
    let used = first_file(word, exists).unwrap_or(short);
    let (path, part) = file_of(used);
    (Import::File { path: path.to_owned(), part }, used.len())
}

/// The longest beginning of a word that names a file: with all its marks, with one less, and so on. A word without a mark
/// at its end is not looked for: it means what it says.
fn first_file<'w>(word: &'w str, exists: &dyn Fn(&str) -> bool) -> Option<&'w str> {
    let shorter = |word: &&'w str| Some(without_ending(word)).filter(|short| short.len() < word.len());
    let mut all = std::iter::successors(Some(word), shorter).take(MOST_MARKS);
    if without_ending(word) == word { None } else { all.find(|word| exists(file_of(word).0)) }
}

/// A path and the part of the file that stands behind it.
fn file_of(word: &str) -> (&str, FilePart) {
    if let Some((path, range)) = word.rsplit_once(':')
        && let Some((from, to)) = range.split_once('-')
        && let (Some(from), Some(to)) = (number(from), number(to))
    {
        return (path, FilePart::Lines(from, to));
    }
    match word.rsplit_once('#') {
        Some((path, name)) if is_name(name) => (path, FilePart::Symbol(name.to_owned())),
        _ => (word, FilePart::Whole),
    }
}

/// A number of a line. One that no machine counts to is as good as the largest.
fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$');
    starts && text.chars().all(|one| one.is_alphanumeric() || one == '_' || one == '$')
}

fn provider(word: &str) -> Result<Option<Provider>, FlowError> {
    if let Some((_, provider)) = NAMED_PROVIDERS.iter().find(|(name, _)| *name == word) {
        return Ok(Some(provider.clone()));
    }
    if let Some(pattern) = word.strip_prefix("rg:").filter(|pattern| !pattern.is_empty()) {
        return Ok(Some(Provider::Search(pattern.to_owned())));
    }
    let Some(name) = word.strip_prefix("git:").filter(|name| !name.is_empty()) else { return Ok(None) };
    let count = name.strip_prefix("log(").and_then(|rest| rest.strip_suffix(')'));
    match count.and_then(|count| count.parse::<u32>().ok()).filter(|count| *count > 0) {
        Some(count) => Ok(Some(Provider::GitLog(count))),
        None => {
            let message = format!("`@git:{name}` is nothing that git is asked here");
            Err(FlowError::new(Code::FlowImportMissing, message).hint(PROVIDERS))
        }
    }
}

/// The word without the marks of the sentence, where no file can tell which are its own: one, and more only around what
/// closes something.
fn without_endings(word: &str) -> &str {
    let mut short = without_ending(word);
    let closes = |text: &str| text.ends_with(CLOSERS);
    let mut before = word;
    while short.len() < before.len() && (closes(before) || closes(short)) {
        (before, short) = (short, without_ending(short));
    }
    short
}

/// The word without one mark of the sentence. A mark that closes what the word itself opens is the word's own.
fn without_ending(word: &str) -> &str {
    let Some(last) = word.chars().next_back().filter(|last| ENDINGS.contains(last)) else { return word };
    let short = &word[..word.len() - last.len_utf8()];
    let closes = match last {
        ')' => short.matches('(').count() > short.matches(')').count(),
        '"' | '\'' => short.matches(last).count() % 2 == 1,
        _ => false,
    };
    if closes { word } else { short }
}
