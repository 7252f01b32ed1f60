//! Programs that run what a project, a package or an image holds: `npm run`, `cargo test`, `npx`, `docker run`.
//!
//! May not look at any project. Of most of these the harmless commands are named, and all others count.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::tables::{ProgramTable, TableSection};
use crate::policy::wrappers::name::unversioned;
use std::sync::LazyLock;

static TABLE: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/runners.table")));

/// Whether a program runs what a project, a package or an image holds.
pub(super) fn is_runner(name: &str) -> bool {
    TABLE.find(name, unversioned(name)).is_some()
}

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    let runner = TABLE.exactly(name)?;
    if runner.value("fetches").is_some() {
        return Some(fetcher(runner, name, words));
    }
    let needed: usize = runner.value("words").and_then(|words| words.parse().ok()).unwrap_or(1);
    let plus = usize::from(words.get(1).and_then(Word::text).is_some_and(|word| word.starts_with('+')));
    let at = 1 + plus;
    if needed == 1 {
        return Some(Carried::new(format!("`{name}` runs what the project says"), 1));
    }
    let Some(command) = words.get(at) else {
        return Some(Carried::new(format!("`{name}` runs what the project says"), at + 1));
    };
    let Some(text) = command.text() else {
        return Some(Carried::never(format!("what `{name}` is to do is only known when it runs")));
    };
    if runner.words("safe").any(|safe| safe == text) || is_about_itself(name, text, words) {
        return None;
    }
    // Behind an option stands perhaps its value, perhaps the command.
    let unclear = text.starts_with('-') && words.len() > at + 1;
    let words_needed = if unclear { usize::MAX } else { needed + plus };
    Some(Carried::new(format!("{} runs code of a project or package", shown(name, words, at)), words_needed))
}

fn is_about_itself(name: &str, text: &str, words: &[Word]) -> bool {
    name != "yarn" && words.len() == 2 && ["-v", "-V", "-h", "--version", "--help"].contains(&text)
}

fn fetcher(runner: TableSection, name: &str, words: &[Word]) -> Carried {
    let is_flag = |text: &str| runner.words("fetches").any(|flag| flag == text);
    let flag = |word: &Word| word.text().is_some_and(is_flag);
    let at = 1 + words.iter().skip(1).take_while(|word| flag(word)).count();
    let because = format!("`{name}` fetches what it is named and runs it");
    match words.get(at) {
        Some(Word::Known(package)) if !package.as_encoded_bytes().starts_with(b"-") => {
            Carried::new(because, at + 1)
        }
        _ => Carried::never(because),
    }
}
