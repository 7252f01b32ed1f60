//! Targets that nothing can be measured against yet.
//!
//! A line goes when what it is about is built, and its row comes.

use super::document::Absent;

const NO_SANDBOX: &str = "there is no sandbox layer yet";

const TARGETS: &[(&str, &str)] = &[
    ("sandbox: Landlock and seccomp, static program, against none (≤ 2 ×)", NO_SANDBOX),
    ("sandbox: with namespaces, against bwrap for the same (≤ 1 ×)", NO_SANDBOX),
];

/// All of them.
pub(crate) fn targets() -> impl Iterator<Item = Absent> {
    TARGETS.iter().map(|(what, why)| Absent::new(*what, *why))
}
