//! Building the program that does the work, and counting its instructions.
//!
//! May not compare anything.

use super::compare::Counts;
use crate::process::{ChildTool, on_path};
use crate::root::RepositoryRoot;
use serde_json::Value;
use std::path::PathBuf;

/// The program that does the work.
pub(crate) struct CountedProgram {
    path: String,
    valgrind: PathBuf,
}

/// Optimised, so that what is counted is what runs. Whatever else the environment asks of the compiler is kept out.
const BUILD: &str = "cargo build --quiet --package runward-core --bench counts --profile counts --locked \
                     --message-format json-render-diagnostics";

/// libc chooses its copying by processor. One of its ways is a single instruction that repeats itself, which counts
/// once for every byte; this leaves the way that every processor of the kind has.
const PLAIN_COPIES: &str = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM";

impl CountedProgram {
    /// Builds it.
    pub(crate) fn build(root: &RepositoryRoot) -> Result<Self, String> {
        let valgrind = on_path("valgrind").ok_or("valgrind is missing; run `cargo xtask install`")?;
        let told = ChildTool::new(BUILD)
            .without("RUSTFLAGS")
            .without("CARGO_ENCODED_RUSTFLAGS")
            .env("CARGO_INCREMENTAL", "0")
            .read(root)?;
        let path = built(&told).ok_or_else(|| format!("`{BUILD}` did not say what it built"))?;
        Ok(Self { path, valgrind })
    }

    /// What each scenario takes.
    pub(crate) fn count(&self, root: &RepositoryRoot) -> Result<Counts, String> {
        let list = ChildTool::new("").args([&self.path]).read(root)?;
        let scenarios =
            list.lines().map(|line| scenario(line).ok_or_else(|| format!("`{line}` is no scenario")));
        scenarios
            .map(|scenario| {
                let (name, times) = scenario?;
                let (few, many) =
                    (self.instructions(root, name, times)?, self.instructions(root, name, 2 * times)?);
                Ok((name.to_owned(), many.saturating_sub(few) / times))
            })
            .collect()
    }

    /// How many instructions the whole program runs through. The environment is empty but for [`PLAIN_COPIES`]: it lies
    /// on the stack above everything else, and valgrind reads options from it.
    fn instructions(&self, root: &RepositoryRoot, name: &str, times: u64) -> Result<u64, String> {
        let tool = ChildTool::new("env --ignore-environment PATH=/usr/bin:/bin")
            .args([PLAIN_COPIES, &*self.valgrind.to_string_lossy()])
            .args("--tool=callgrind --callgrind-out-file=/dev/null --command-line-only=yes".split(' '))
            .args([&self.path, name, &times.to_string()]);
        let answer = tool.answer(root)?;
        let told = String::from_utf8(answer.stderr).unwrap_or_default();
        collected(&told)
            .filter(|_| answer.status.success())
            .ok_or_else(|| format!("`{name}` could not be counted ({}):\n{told}", answer.status))
    }
}

/// The program among the messages of cargo.
fn built(told: &str) -> Option<String> {
    let messages = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut ours = messages.filter(|message| message["target"]["name"] == "counts");
    ours.find_map(|message| Some(message["executable"].as_str()?.to_owned()))
}

/// A line of the program's list: a name, and how often it is to be done.
fn scenario(line: &str) -> Option<(&str, u64)> {
    let (name, times) = line.split_once(' ')?;
    Some((name, times.parse().ok().filter(|times| *times > 0)?))
}

/// The number in valgrind's line `==12== Collected : 365320171`.
fn collected(told: &str) -> Option<u64> {
    told.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_valgrind_is_understood() {
        let told = "==7== Callgrind, a call-graph generating cache profiler\n==7== \n==7== Events    : Ir\n\
                    ==7== Collected : 365320171\n==7== \n==7== I   refs:      365,320,171\n";
        assert_eq!(collected(told), Some(365_320_171));
        assert_eq!(collected("==7== Collected : \n"), None);
        assert_eq!(collected("valgrind: no such program\n"), None);
    }

    #[test]
    fn the_program_is_found_among_the_messages_of_cargo() {
        let told = "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"serde\"},\"executable\":null}\n\
                    {\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"counts\"},\"executable\":\"/t/counts\"}\n\
                    {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(built(told).as_deref(), Some("/t/counts"));
        assert_eq!(built(""), None);
    }

    #[test]
    fn a_scenario_has_a_name_and_a_number() {
        assert_eq!(scenario("life 1000"), Some(("life", 1000)));
        assert_eq!((scenario("life"), scenario("life 0"), scenario("life often")), (None, None, None));
    }
}
