//! Code by language: a snippet, its language, and its result.
//!
//! Each run is a fresh process that gets the code as it is: `bash -c`, `node -e`, `python3 -c`, or whatever the
//! configuration names. May not keep state between runs, read the environment, or decide what is allowed: the
//! engine's policy does, and the operator opens the tool `exec` there.
//!
//! ```
//! use runward_engine::languages::{CodeRequest, CodeRunner, Languages};
//! use runward_engine::{Caller, Door, Engine, Policy};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::default().grant("exec", "an example")).build()?;
//! let runner = CodeRunner::new(engine, Languages::default(), Caller::tool(Door::Library, "exec"));
//! let answer = runner.run(&CodeRequest::new("bash", "echo $((6 * 7))")).await;
//! assert_eq!((answer.result.success, answer.result.stdout.as_str()), (true, "42\n"));
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
//! Read first: [`CodeRunner::run`], then [`CodeResult`].

mod answer;
mod issue;
mod language;
mod large;
mod prepare;
mod request;

pub use answer::{CodeAnswer, CodeResult};
pub use issue::CodeIssue;
pub use language::{Language, LanguageReader, Languages};
pub use prepare::PreparedCode;
pub use request::CodeRequest;

use crate::{Caller, Engine, ErrorView, Outcome};

/// Runs snippets for one caller.
#[derive(Debug, Clone)]
pub struct CodeRunner {
    engine: Engine,
    languages: Languages,
    caller: Caller,
}

impl CodeRunner {
    /// A runner of these languages.
    pub fn new(engine: Engine, languages: Languages, caller: Caller) -> Self {
        Self { engine, languages, caller }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The languages.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// Runs a snippet to its end. Whatever happens is an answer.
    pub async fn run(&self, request: &CodeRequest) -> CodeAnswer {
        let prepared = match self.prepare_aside(request).await {
            Ok(prepared) => prepared,
            Err(issue) => return CodeAnswer::before_start(&issue),
        };
        match self.engine.run(prepared.request()).await {
            Ok(Outcome::Ran(receipt)) => prepared.answer(&receipt),
            Ok(Outcome::Refused(refusal)) => prepared.failure(&refusal.view()),
            Err(error) => prepared.failure(&ErrorView::of(&error)),
        }
    }
}
