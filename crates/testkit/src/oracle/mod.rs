//! bash itself as the judge of our parser: a script is run where every program is a recorder, and whatever was started
//! must have been parsed.
//!
//! Only scripts that were understood are run: the others are refused anyway. May not be pointed at scripts that name
//! paths. Read first: [`Oracle`].

mod effects;
mod fits;
mod grammar;
mod hostile;
mod pieces;
mod sandbox;

pub use effects::{Effect, Effects};
pub use grammar::ScriptGrammar;
pub use sandbox::{Oracle, PROGRAMS};

use runward_core::policy::{Dialect, ScriptReading, read};
use std::io;

/// The result of holding a script against bash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OracleVerdict {
    /// It is not understood, so nothing was run.
    Opaque,
    /// It is understood, but could do harm here, so nothing was run.
    NotRun,
    /// Everything that was started had been parsed: how many programs that was.
    Agrees(usize),
    /// Something was started that had not been parsed.
    Disagrees(String),
}

impl Oracle {
    /// Reads a script, runs it if that is safe, and compares.
    pub fn verdict(&mut self, script: &str) -> io::Result<OracleVerdict> {
        let Ok(reading) = read(script, self.dialect) else { return Ok(OracleVerdict::Opaque) };
        // What the environment holds is looked at by the judge, and here it is hostile.
        if reading.worked_out.iter().any(|name| sandbox::HOSTILE.iter().any(|(hostile, _)| hostile == name)) {
            return Ok(OracleVerdict::Opaque);
        }
        // Only bash can be told how often a function may call itself.
        if could_harm(script) || self.dialect != Dialect::Bash && script.contains("()") {
            return Ok(OracleVerdict::NotRun);
        }
        let started = self.run(script)?;
        Ok(match started.iter().find(|words| !was_read(&reading, words)) {
            Some(words) => {
                let words: Vec<_> = words.iter().map(|word| word.escape_ascii().to_string()).collect();
                OracleVerdict::Disagrees(format!(
                    "{script:?} started {words:?}, which was not read: {reading:#?}"
                ))
            }
            None => OracleVerdict::Agrees(started.len()),
        })
    }
}

/// Paths lead out of the sandbox, and signals to other processes.
fn could_harm(script: &str) -> bool {
    script.contains('/') || script.contains("kill") || script.contains("..")
}

fn was_read(reading: &ScriptReading, started: &[Vec<u8>]) -> bool {
    reading.commands.iter().any(|command| fits::fits(&command.words, started))
}
