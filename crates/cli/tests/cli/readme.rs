//! The README is true: every console block is run, and what it shows is what comes out.
//!
//! A line that begins with `$ ` is a command; what follows is its output. `…` stands for anything.

use crate::runner::{Place, program};
use std::path::Path;

pub(crate) struct Example {
    pub(crate) command: String,
    pub(crate) shown: String,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(kind) => inside = kind == "console",
            None if !inside => {}
            None => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    examples.push(Example { command: command.to_owned(), shown: String::new() });
                }
                (None, Some(example)) => example.shown.push_str(&format!("{line}\n")),
                (None, None) => panic!("a console block begins with a command: {line}"),
            },
        }
    }
    examples
}

/// Whether a text is what a pattern shows, with `…` for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.trim_end(), text.trim_end());
    let parts: Vec<&str> = pattern.split('…').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn run(place: &Place, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_runward"));
    // Whoever reads begins by building what is built here already.
    let command = command.replace("cargo install --path crates/cli", "true");
    let command = command.replace("cargo run --", "runward");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = program(Path::new("bash"))
        .args(["-c", &format!("exec 2>&1; {command}")])
        .env("PATH", path)
        .env("HOME", place.home())
        .env_remove("ALLOWED_COMMANDS")
        .env("RUNWARD_STATE_DIR", place.work().join("state"))
        .env("XDG_CONFIG_HOME", place.work().join("config"))
        .current_dir(place.work())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Every example of a page, of which there are more than so many, shows what comes out of its command behind `before`.
pub(crate) fn holds_true(place: &Place, page: &str, more_than: usize, before: &str) {
    let examples = examples(page);
    assert!(examples.len() > more_than, "the page lost its examples");
    let wrong = examples.iter().filter_map(|Example { command, shown }| {
        let said = run(place, &format!("{before}{command}"));
        (!matches(shown, &said)).then(|| format!("$ {command}\nshown:\n{shown}\nsaid:\n{said}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_console_block_shows_what_comes_out() {
    holds_true(&Place::new(), include_str!("../../../../README.md"), 5, "");
}

#[test]
fn the_first_screen_says_how_to_install_it_and_how_to_begin() {
    let screen: Vec<&str> = include_str!("../../../../README.md").lines().take(25).collect();
    let screen = screen.join("\n");
    for line in ["npx runward", "pipx install runward", "brew install runward", "$ runward init\n"] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    let package = screen.split("$ cargo install --path ").nth(1).unwrap().lines().next().unwrap();
    assert!(env!("CARGO_MANIFEST_DIR").ends_with(package), "the program is not built by that package");
    assert!(screen.contains("](docs/first-minute.svg)"), "{screen}");
    let lines = include_str!("../../../../README.md").lines().count();
    assert!(lines <= 200, "a landing page of {lines} lines");
}

/// The text of an element, with what was written for signs that it may not hold.
fn shown_text(line: &str) -> &str {
    line.split_once('>').and_then(|(_, rest)| rest.strip_suffix("</text>")).unwrap_or_default()
}

#[cfg(target_os = "linux")]
#[test]
fn the_picture_shows_what_comes_out() {
    let picture = include_str!("../../../../docs/first-minute.svg");
    let plain = |text: &str| {
        let text =
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let place = Place::new();
    std::fs::create_dir_all(place.work().join("config/runward")).unwrap();
    place.file("config/runward/runward.toml", "[policy]\npresets = [\"readonly\"]\n");
    let mut said = String::new();
    let mut shown = 0;
    for line in picture.lines().filter(|line| line.starts_with("<text ")) {
        let text = plain(shown_text(line));
        match text.strip_prefix("$ ") {
            Some(command) => said = plain(&run(&place, command)),
            // Names and times of the machine that drew it are its own.
            None if text.contains(|sign: char| sign.is_ascii_digit()) && !text.contains("time limit") => {}
            None if text.contains('/') || text.contains("You are the owner") => {}
            None => {
                shown += 1;
                assert!(said.contains(&text), "the picture shows {text:?}, and this came: {said}");
            }
        }
    }
    assert!(shown >= 6, "the picture lost its words");
}

#[test]
fn every_block_is_run_by_something() {
    let readme = include_str!("../../../../README.md");
    let kinds: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("```")).step_by(2).collect();
    assert!(kinds.iter().all(|kind| ["console", "rust"].contains(kind)), "{kinds:?}");
}

#[test]
fn patterns_stand_for_anything() {
    assert!(matches("a…c\n", "abbbc\n") && matches("…\n", "anything\nat all\n") && matches("ab\n", "ab\n"));
    assert!(!matches("a…c\n", "abbb\n") && !matches("ab\n", "abc\n"));
}
