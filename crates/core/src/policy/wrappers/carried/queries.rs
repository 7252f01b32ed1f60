//! Clients of databases: queries are theirs to run, but some of their orders start programs.
//!
//! May not understand a query beyond whether it could be such an order.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::tables::{ProgramTable, TableSection};
use std::sync::LazyLock;

static CLIENTS: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/queries.table")));

/// Words that could make a query start or load a program.
const STARTS: &[&str] =
    &["system", "source", "program", "load_extension", "edit(", "tokenizer", "load ", "install ", "shell"];

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    let client = CLIENTS.exactly(name)?;
    let query =
        if client.value("query").is_none() { operand_query(words) } else { option_query(client, words) };
    match query {
        None => Some(Carried::never(format!("`{name}` runs the code it is fed"))),
        Some(at) if is_plain(&words[at]) => None,
        Some(at) => Some(Carried::never(format!("{} may start programs", shown(name, words, at)))),
    }
}

/// Where the only query is that an option carries.
fn option_query(client: TableSection, words: &[Word]) -> Option<usize> {
    let carries =
        |word: &Word| word.text().is_some_and(|word| client.words("query").any(|option| option == word));
    let at = words.iter().position(carries)? + 1;
    let others = words.iter().enumerate().skip(1).filter(|(place, _)| *place != at && *place + 1 != at);
    let mut others = others.map(|(_, word)| word);
    let harmless = |word: &Word| match word.text() {
        Some(text) => {
            !text.starts_with('-')
                || ["-X", "-A", "-t", "-q", "-h", "-p", "-U", "-d", "-u", "-N", "-B", "-s"].contains(&text)
        }
        None => !word.may_be_option(),
    };
    (at < words.len() && others.all(harmless)).then_some(at)
}

/// Where the only query is among operands: a file, then the query.
fn operand_query(words: &[Word]) -> Option<usize> {
    const FLAGS: &[&str] = &[
        "-readonly",
        "-json",
        "-csv",
        "-header",
        "-noheader",
        "-line",
        "-list",
        "-column",
        "-table",
        "-safe",
        "-batch",
        "-bail",
        "-markdown",
        "-box",
    ];
    let flag =
        |word: &Word| word.text().is_some_and(|word| FLAGS.contains(&word.replacen("--", "-", 1).as_str()));
    let at = 1 + words.iter().skip(1).take_while(|word| flag(word)).count();
    let file = words.get(at)?;
    (words.len() == at + 2 && !file.may_be_option() && !words[at + 1].may_be_option()).then_some(at + 1)
}

fn is_plain(query: &Word) -> bool {
    query.text().is_some_and(|query| {
        let query = query.to_ascii_lowercase();
        !query.contains('\\')
            && !query.trim_start().starts_with(['.', '|'])
            && !STARTS.iter().any(|word| query.contains(word))
            && !query.lines().any(|line| line.trim_start().starts_with('.'))
    })
}
