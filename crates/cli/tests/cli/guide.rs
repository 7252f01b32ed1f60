//! The guide to markdown agents is true: its files are written, its commands are run, and what it shows comes out.
//!
//! A block with the first line `markdown NAME` is a file of that name.

use crate::readme::holds_true;
use crate::runner::Place;

const GUIDE: &str = include_str!("../../../../docs/flows.md");

/// Blocks with what stands behind their opening backticks.
pub(crate) fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|sign| *sign == '`').collect();
        match &open {
            None if ticks.len() >= 3 => {
                blocks.push((line[ticks.len()..].to_owned(), String::new()));
                open = Some(ticks);
            }
            Some(opened) if line == opened => open = None,
            Some(_) => blocks.iter_mut().last().unwrap().1.push_str(&format!("{line}\n")),
            None => {}
        }
    }
    blocks
}

#[test]
fn every_console_block_of_the_guide_shows_what_comes_out() {
    let place = Place::new();
    for (kind, text) in blocks(GUIDE) {
        if let Some(name) = kind.strip_prefix("markdown ") {
            place.file(name, &text);
        }
    }
    holds_true(&place, GUIDE, 10, "");
}

#[test]
fn every_file_of_the_guide_is_run() {
    for (kind, _) in blocks(GUIDE) {
        match kind.strip_prefix("markdown ") {
            Some(name) => assert!(GUIDE.matches(name).count() > 1, "{name}"),
            None => assert!(["console", "toml"].contains(&kind.as_str()), "{kind}"),
        }
    }
}
