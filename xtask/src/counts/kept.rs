//! The file of numbers that are kept, and what they were made with.
//!
//! Instructions of one kind of processor say nothing about another's, so the file is for one. May not judge.

use super::compare::Counts;
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde_json::{Map, Value, json};
use std::env::consts::ARCH;
use std::fs;

/// The file.
const FILE: &str = "crates/core/benches/counts/counts.json";

/// Numbers, and what they were made with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KeptCounts {
    processor: String,
    made_with: String,
    /// The numbers.
    pub(crate) counts: Counts,
}

impl KeptCounts {
    /// What is kept.
    pub(crate) fn read(root: &RepositoryRoot) -> Result<Self, String> {
        let text = fs::read_to_string(root.join(FILE))
            .map_err(|error| format!("`{FILE}` cannot be read: {error}"))?;
        Self::parse(&text)
            .ok_or_else(|| format!("`{FILE}` is damaged: write it anew with `cargo xtask counts --accept`"))
    }

    /// Nothing, of this machine.
    pub(crate) fn nothing() -> Self {
        Self { processor: ARCH.to_owned(), made_with: String::new(), counts: Vec::new() }
    }

    /// Whether anything can be said here, and the numbers may be replaced.
    pub(crate) fn is_of(&self, processor: &str) -> ChoreResult {
        if self.processor == processor {
            return Ok(());
        }
        let kept = &self.processor;
        Err(format!(
            "the numbers in `{FILE}` are those of {kept}, and this is {processor}: count on such a machine"
        ))
    }

    /// Numbers made on this machine.
    pub(crate) fn here(root: &RepositoryRoot, counts: Counts) -> Result<Self, String> {
        let first = |line: &str| {
            Ok::<_, String>(ChildTool::new(line).read(root)?.lines().next().unwrap_or_default().to_owned())
        };
        let made_with =
            [first("rustc --version")?, first("getconf GNU_LIBC_VERSION")?, first("valgrind --version")?];
        Ok(Self { processor: ARCH.to_owned(), made_with: made_with.join(", "), counts })
    }

    /// Keeps these numbers.
    pub(crate) fn write(&self, root: &RepositoryRoot) -> ChoreResult {
        fs::write(root.join(FILE), self.text())
            .map_err(|error| format!("`{FILE}` cannot be written: {error}"))
    }

    /// What to add to a complaint where other tools made the numbers that are kept.
    pub(crate) fn made_otherwise(&self, now: &Self) -> String {
        if self.made_with == now.made_with {
            return String::new();
        }
        format!(
            "\nthe numbers were made with {}; here it is {}, which may be all there is to it",
            self.made_with, now.made_with
        )
    }

    fn text(&self) -> String {
        let counts: Map<String, Value> =
            self.counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
        let Self { processor, made_with, .. } = self;
        format!("{:#}\n", json!({ "processor": processor, "made_with": made_with, "counts": counts }))
    }

    fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let counts =
            value["counts"].as_object()?.iter().map(|(name, count)| Some((name.clone(), count.as_u64()?)));
        Some(Self {
            processor: value["processor"].as_str()?.to_owned(),
            made_with: value["made_with"].as_str()?.to_owned(),
            counts: counts.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(made_with: &str) -> KeptCounts {
        let counts = vec![("life".to_owned(), 9511), ("window".to_owned(), 853_558)];
        KeptCounts { processor: "x86_64".to_owned(), made_with: made_with.to_owned(), counts }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let kept = kept("rustc 1, glibc 2");
        assert_eq!(KeptCounts::parse(&kept.text()), Some(kept));
        assert_eq!(KeptCounts::parse("{\"counts\": {\"life\": \"many\"}}"), None);
    }

    #[test]
    fn the_file_of_the_house_can_be_read() {
        let text = fs::read_to_string(RepositoryRoot::find().unwrap().join(FILE)).unwrap();
        let kept = KeptCounts::parse(&text).unwrap();
        assert!(kept.counts.iter().any(|(name, count)| name == "life" && *count > 0), "{kept:?}");
    }

    #[test]
    fn other_tools_are_named_beside_a_complaint() {
        assert_eq!(kept("rustc 1").made_otherwise(&kept("rustc 1")), "");
        let text = kept("rustc 1").made_otherwise(&kept("rustc 2"));
        assert!(text.contains("made with rustc 1; here it is rustc 2"), "{text}");
    }

    #[test]
    fn numbers_of_another_processor_are_neither_compared_nor_replaced() {
        let text = kept("rustc 1").is_of("aarch64").unwrap_err();
        assert!(text.contains("those of x86_64, and this is aarch64"), "{text}");
        assert_eq!((kept("rustc 1").is_of("x86_64"), KeptCounts::nothing().is_of(ARCH)), (Ok(()), Ok(())));
    }
}
