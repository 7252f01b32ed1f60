//! The project's own tasks: `cargo xtask VERB`.
//!
//! May not be needed to build or use Runward. Read first: [`VERBS`]; a new verb is one line there.

mod bench;
mod chaos;
mod check;
mod conformance;
mod counts;
mod cross;
mod digest;
mod dist;
mod docs;
mod fuzz;
mod install;
mod library;
mod needed;
mod needs;
mod node;
mod picture;
mod process;
mod root;
mod tidy;
mod times;

use root::RepositoryRoot;
use std::process::ExitCode;

/// What a chore ends with: nothing, or the sentence that says why it failed.
type ChoreResult = Result<(), String>;

/// One chore.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn(&RepositoryRoot, &[String]) -> ChoreResult,
}

const VERBS: &[Chore] = &[
    Chore { name: "test", about: check::ABOUT, run: check::run },
    Chore { name: "tidy", about: tidy::ABOUT, run: tidy::run },
    Chore { name: "docs", about: docs::ABOUT, run: docs::run },
    Chore { name: "picture", about: picture::ABOUT, run: picture::run },
    Chore { name: "bench", about: bench::ABOUT, run: bench::run },
    Chore { name: "counts", about: counts::ABOUT, run: counts::run },
    Chore { name: "conformance", about: conformance::ABOUT, run: conformance::run },
    Chore { name: "chaos", about: chaos::ABOUT, run: chaos::run },
    Chore { name: "fuzz", about: fuzz::ABOUT, run: fuzz::run },
    Chore { name: "digest", about: digest::ABOUT, run: digest::run },
    Chore { name: "cross", about: cross::ABOUT, run: cross::run },
    Chore { name: "api", about: library::api::ABOUT, run: library::api::run },
    Chore { name: "dist", about: dist::ABOUT, run: dist::run },
    Chore { name: "install", about: install::ABOUT, run: install::run },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.split_first() {
        None => {
            print!("{}", usage());
            Ok(())
        }
        Some((word, _)) if matches!(word.as_str(), "help" | "-h" | "--help") => {
            print!("{}", usage());
            Ok(())
        }
        Some((word, rest)) => call(word, rest),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn call(word: &str, rest: &[String]) -> ChoreResult {
    let verb = VERBS
        .iter()
        .find(|verb| verb.name == word)
        .ok_or_else(|| format!("there is no verb `{word}`\n\n{}", usage()))?;
    (verb.run)(&RepositoryRoot::find()?, rest)
}

fn usage() -> String {
    let mut text = "usage: cargo xtask VERB [FLAGS]\n\n".to_owned();
    for verb in VERBS {
        text.push_str(&format!("  {:<12} {}\n", verb.name, verb.about));
    }
    text
}
