//! Tables of scripts and what is read in them. The rows S01 to S31 are classes of tricks that were used on other tools.

mod bounds;
mod everyday;
mod hidden;
mod understood;
mod variables;

use super::*;

/// The commands of a script for bash, one per line: known words as they are, others as `<start…spread>`.
fn commands(script: &str) -> Vec<String> {
    match read(script, Dialect::Bash) {
        Ok(reading) => reading.commands.iter().map(shown).collect(),
        Err(opaque) => panic!("{script:?} is opaque: {opaque}"),
    }
}

fn shown(command: &Simple) -> String {
    command.words.iter().map(shown_word).collect::<Vec<_>>().join(" ")
}

fn shown_word(word: &Word) -> String {
    match word {
        Word::Known(text) => text.to_str().unwrap().to_owned(),
        Word::Open { start, spread } => format!("<{start}…{spread:?}>"),
    }
}

/// Each script is read as these commands.
fn reads(rows: &[(&str, &[&str])]) {
    for (script, expected) in rows {
        assert_eq!(commands(script), *expected, "{script:?}");
    }
}

/// None of these scripts is understood.
fn opaque(dialect: Dialect, scripts: &[&str]) {
    for script in scripts {
        if let Ok(reading) = read(script, dialect) {
            panic!("{script:?} is read as {reading:?}");
        }
    }
}

#[test]
fn a_shell_is_known_by_its_file() {
    assert_eq!(Dialect::of(Path::new("/usr/bin/bash")), Dialect::Bash);
    assert_eq!(Dialect::of(Path::new("bash")), Dialect::Bash);
    assert_eq!(Dialect::of(Path::new("cmd.exe")), Dialect::Other);
    assert_eq!(Dialect::of(Path::new("/usr/bin/fish")), Dialect::Other);
}

#[test]
fn zsh_and_other_shells_are_read_as_one_plain_command() {
    for dialect in [Dialect::Zsh, Dialect::Other] {
        assert_eq!(read("git status -s", dialect).unwrap().commands.len(), 1);
        opaque(dialect, &["ls; id", "ls | wc", "ls $(id)", "ls > f", "", "=ls", "*(e:id:)"]);
    }
}
