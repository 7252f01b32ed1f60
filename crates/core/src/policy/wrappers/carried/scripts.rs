//! Scripts of `sed` and `awk`, which can start programs and write files: one that does more than edit what passes
//! through is code, and so is a script that stands in a file.
//!
//! Hazard: what is taken for an option's value here and for the script by the program would run unread. So every
//! option is known, or the command is not. May not read files.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::presets::fault;
use crate::policy::tables::{ProgramTable, TableSection};
use crate::policy::wrappers::options::{OptionOrder, OptionsRead, read};
use std::sync::LazyLock;

static EDITORS: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/scripts.table")));

/// The short names of the options that give a script, or a file of scripts.
const SCRIPT: &str = "-e";
const FILES: &[&str] = &["-f", "-E"];

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    let editor = EDITORS.exactly(name)?;
    let order = |word| if word == "anywhere" { OptionOrder::Anywhere } else { OptionOrder::First };
    let all = editor.words("order").map(order).filter_map(|order| match read(editor, order, words) {
        Ok(read) if read.ends => None,
        Ok(read) => in_file(name, editor, words, &read).or_else(|| in_words(name, editor, &read)),
        Err(opaque) => Some(Carried::never(format!("`{name}` may carry code of its own: {opaque}"))),
    });
    all.max_by_key(|carried| carried.words)
}

/// Whether an option names a file of scripts. To `sed`, `-E` is something else.
fn in_file(name: &str, editor: TableSection, words: &[Word], read: &OptionsRead) -> Option<Carried> {
    let files = FILES.iter().filter(|option| editor.value("script") == Some("awk") || **option == "-f");
    let found = files.flat_map(|option| read.all(option)).max_by_key(|found| found.at)?;
    Some(Carried::new(format!("{} runs a script from a file", shown(name, words, found.at)), found.at + 1))
}

fn in_words(name: &str, editor: TableSection, read: &OptionsRead) -> Option<Carried> {
    let given: Vec<&Word> = read.all(SCRIPT).filter_map(|found| found.value.as_ref()).collect();
    let scripts = if given.is_empty() { first(read) } else { given };
    scripts.into_iter().find_map(|script| match script.text() {
        None => Some(Carried::never(format!("the script of `{name}` is only known when it runs"))),
        Some(text) => fault(editor.value("script").unwrap_or_default(), text)
            .map(|why| Carried::never(format!("the script of `{name}` does more than edit: {why}"))),
    })
}

/// The first operand, and the one behind it where some versions take the first for an ending.
fn first(read: &OptionsRead) -> Vec<&Word> {
    let is_ending = read.operands.first().is_some_and(|word| word.text() == Some(""));
    read.operands.iter().take(1 + usize::from(is_ending)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carries(line: &[&str]) -> bool {
        let words: Vec<Word> = line.iter().map(Word::known).collect();
        says(line[0], &words).is_some()
    }

    #[test]
    fn scripts_that_edit_carry_nothing() {
        for line in [
            &["sed", "-n", "1,5p", "f"][..],
            &["sed", "-i", "s/a/b/", "f"],
            &["sed", "-ne", "p", "-e", "s/a/b/", "f"],
            &["sed", "-i.bak", "s/a/b/", "f"],
            &["sed", "-iep", "s/a/b/", "f"],
            &["sed", "-i", "", "s/a/b/", "f"],
            &["sed", "-nE", "-e", "p", "--", "f"],
            &["sed", "--version"],
            &["awk", "{print $1}", "f"],
            &["awk", "-F:", "-v", "x=1", "$3 > 5", "f"],
            &["awk", "{print}", "-e", "system(1)"],
            &["gawk", "--lint", "{print}", "f"],
            &["sed"],
        ] {
            assert!(!carries(line), "{line:?}");
        }
    }

    #[test]
    fn scripts_that_start_or_write_are_code() {
        for line in [
            &["sed", "1e touch x"][..],
            &["sed", "-n", "s/a/b/e"],
            &["sed", "-ne", "w f"],
            &["sed", "--expr=1e id"],
            &["sed", "-e1e id", "f"],
            &["awk", "BEGIN{system(\"id\")}"],
            &["gawk", "-l", "filefuncs", "1"],
            &["gawk", "-v", "x=1", "--source", "BEGIN{\"id\"|getline}"],
            &["mawk", "--", "{print > \"f\"}"],
            &["sed", "p", "f", "-e", "1e touch x"],
            &["sed", "-iep", "1e touch x", "f"],
            &["sed", "-i", "", "w x", "f"],
            &["sed", "--line-length", "5", "1e touch x"],
            &["sed", "-f", "script.sed", "f"],
            &["sed", "p", "-fscript.sed"],
            &["sed", "--unknown", "p"],
            &["awk", "-f", "prog.awk"],
            &["gawk", "-E", "prog.awk"],
            &["gawk", "--exe=prog.awk"],
            &["awk", "--", "-system(\"id\")"],
            &["awk", "--", "-1{}BEGIN{system(\"id\")}"],
            &["gawk", "-dfx", "BEGIN{system(\"id\")}"],
            &["gawk", "-Lfatal", "BEGIN{system(\"id\")}"],
            &["mawk", "-W", "exec", "prog.awk"],
        ] {
            assert!(carries(line), "{line:?}");
        }
        let open = Word::Open { start: String::new(), spread: crate::policy::Spread::One };
        assert!(says("awk", &[Word::known("awk"), open.clone()]).is_some());
        assert!(
            says("sed", &["sed", "p"].map(Word::known).into_iter().chain([open]).collect::<Vec<_>>())
                .is_some()
        );
    }

    #[test]
    fn a_file_of_scripts_can_be_named_on_purpose() {
        let words: Vec<Word> = ["awk", "-f", "prog.awk", "f"].map(Word::known).into();
        assert_eq!(says("awk", &words).unwrap().words, 2);
    }
}
