//! Presets against every row of the threats that concern them.
//!
//! May not start anything: what git really does is tried in the engine's tests.

use super::*;
use crate::policy::Spread;

mod allowed;
mod argument_rows;
mod build;
mod git;
mod open_words;
mod scripts;
mod spellings;
mod tables;

/// A line as words: blanks separate, quotes of one kind hold together.
fn words(line: &str) -> Vec<Word> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.into_iter().map(Word::known).collect()
}

fn fit(preset_name: &str, line: &str, form: CommandForm) -> Fit {
    let known = preset(preset_name).unwrap().says(&words(line), form);
    known.unwrap_or_else(|| Fit::Refuses(format!("`{preset_name}` does not know the program")))
}

fn allowed(preset_name: &str, line: &str) -> PresetTerms {
    match fit(preset_name, line, CommandForm::Argv) {
        Fit::Fits(terms) => terms,
        Fit::Refuses(why) => panic!("{line}: {why}"),
    }
}

fn refused(preset_name: &str, line: &str) -> String {
    match fit(preset_name, line, CommandForm::Argv) {
        Fit::Refuses(why) => why,
        Fit::Fits(_) => panic!("{line}: allowed"),
    }
}

fn all_allowed(preset_name: &str, lines: &[&str]) {
    lines.iter().for_each(|line| drop(allowed(preset_name, line)));
}

fn all_refused(preset_name: &str, lines: &[&str]) {
    lines.iter().for_each(|line| drop(refused(preset_name, line)));
}

fn every_line_allowed(preset_name: &str, lines: &str) {
    lines.lines().filter(|line| !line.is_empty()).for_each(|line| drop(allowed(preset_name, line)));
}

fn every_line_refused(preset_name: &str, lines: &str) {
    lines.lines().filter(|line| !line.is_empty()).for_each(|line| drop(refused(preset_name, line)));
}

fn open(start: &str, spread: Spread) -> Word {
    Word::Open { start: start.to_owned(), spread }
}
