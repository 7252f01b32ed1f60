//! The checks themselves, in the order in which they fail fastest.

use super::flags::Flags;
use crate::process::{Errors, Tool};
use crate::root::Root;
use crate::{Done, conformance, counts, docs, fuzz, install, tidy};

/// One check.
pub(crate) struct Step {
    /// Its name, as `--only` takes it.
    pub(crate) name: &'static str,
    /// What it makes sure of.
    pub(crate) about: &'static str,
    /// Whether `--fast` leaves it out.
    pub(crate) slow: bool,
    /// The check.
    pub(crate) run: fn(&Root, &Flags) -> Done,
}

const fn step(name: &'static str, about: &'static str, run: fn(&Root, &Flags) -> Done) -> Step {
    Step { name, about, slow: false, run }
}

const fn slow(name: &'static str, about: &'static str, run: fn(&Root, &Flags) -> Done) -> Step {
    Step { name, about, slow: true, run }
}

/// Every check, in order.
pub(crate) const STEPS: &[Step] = &[
    step("install", "what the checks need is here", |root, _| install::everything(root)),
    step("fmt", "one format", fmt),
    step("clippy", "no lint speaks", clippy),
    step("tidy", "the house rules hold", |root, _| tidy::run(root, &[])),
    slow("deny", "dependencies are the kind we take", deny),
    slow("docs", "generated pages match the code", |root, _| docs::run(root, &["--check".to_owned()])),
    slow("rustdoc", "every link in the documentation leads somewhere", |root, _| {
        Tool::new("cargo doc --workspace --no-deps --document-private-items --locked")
            .env("RUSTDOCFLAGS", "-D warnings")
            .run(root)
    }),
    step("build", "programs that tests start are built", |root, _| {
        Tool::new("cargo build --workspace --bins --locked").run(root)
    }),
    step("nextest", "the tests pass", |root, _| {
        Tool::new("cargo nextest run --workspace --no-fail-fast --locked").errors(Errors::Joined).run(root)
    }),
    slow("conformance", "the protocol's own suite passes", |root, _| conformance::everything(root)),
    step("doctest", "the examples in the documentation pass", |root, _| {
        Tool::new("cargo test --workspace --doc --locked").errors(Errors::Joined).run(root)
    }),
    slow("counts", "the hot paths take as many instructions as were accepted", |root, _| {
        counts::run(root, &[])
    }),
    slow("fuzz", "what bash starts had been read, for half a minute", |root, _| fuzz::run(root, &[])),
];

/// Two programs are built by build scripts and belong to no crate that cargo would format.
const BESIDE: &str = "crates/os/warden/main.rs crates/testkit/still/main.rs";

fn fmt(root: &Root, _: &Flags) -> Done {
    Tool::new("cargo fmt --all --check").run(root)?;
    Tool::new(&format!("rustfmt --check --edition 2024 {BESIDE}")).run(root)
}

/// The warden is built by a build script, which no lint of cargo's reaches. Its own folder keeps the variable from
/// building everything anew whenever somebody calls cargo without it.
fn clippy(root: &Root, _: &Flags) -> Done {
    Tool::new("cargo clippy --workspace --all-targets --locked -- -D warnings").run(root)?;
    Tool::new("cargo check --quiet --package runward-os --target-dir target/warden --locked")
        .env("RUNWARD_DENY_WARNINGS", "1")
        .run(root)
}

/// The advisory database is a git repository elsewhere, so it is asked only where it can be fetched: when the flag
/// says so, or on the machines of the host that keeps it.
fn deny(root: &Root, flags: &Flags) -> Done {
    let reachable = flags.advisories || std::env::var_os("GITHUB_ACTIONS").is_some();
    let advisories = if reachable { "advisories " } else { "" };
    Tool::new(&format!("cargo deny --locked check {advisories}bans licenses sources"))
        .errors(Errors::Joined)
        .run(root)
}
