//! The checks themselves, in the order in which they fail fastest.

use super::flags::CheckFlags;
use crate::needed::StepNeeds;
use crate::process::{ChildTool, Errors};
use crate::root::RepositoryRoot;
use crate::{ChoreResult, chaos, conformance, counts, dist, docs, fuzz, install, library, tidy};

/// One check.
pub(crate) struct CheckStep {
    /// Its name, as `--only` takes it.
    pub(crate) name: &'static str,
    /// What it makes sure of.
    pub(crate) about: &'static str,
    /// Whether `--fast` leaves it out.
    pub(crate) slow: bool,
    /// The check.
    pub(crate) run: fn(&RepositoryRoot, &CheckFlags) -> ChoreResult,
}

const fn step(
    name: &'static str,
    about: &'static str,
    run: fn(&RepositoryRoot, &CheckFlags) -> ChoreResult,
) -> CheckStep {
    CheckStep { name, about, slow: false, run }
}

const fn slow(
    name: &'static str,
    about: &'static str,
    run: fn(&RepositoryRoot, &CheckFlags) -> ChoreResult,
) -> CheckStep {
    CheckStep { name, about, slow: true, run }
}

/// Every check, in order.
pub(crate) const STEPS: &[CheckStep] = &[
    step("install", "what the checks need is here", |root, flags| {
        match (flags.only.as_deref(), flags.fast) {
            (Some("install"), _) | (None, false) => install::everything(root),
            _ => install::needed(root, &StepNeeds::of(&flags.steps())),
        }
    }),
    step("fmt", "one format", fmt),
    step("clippy", "no lint speaks", clippy),
    step("tidy", "the house rules hold", |root, _| tidy::run(root, &[])),
    slow("deny", "dependencies are the kind we take", deny),
    slow("docs", "generated pages match the code", |root, _| docs::run(root, &["--check".to_owned()])),
    slow("rustdoc", "every link in the documentation leads somewhere", |root, _| {
        ChildTool::new("cargo doc --workspace --no-deps --document-private-items --locked")
            .env("RUSTDOCFLAGS", "-D warnings")
            .run(root)
    }),
    slow("features", "every feature of the library builds alone", |root, _| library::each_builds(root)),
    slow("api", "the library's public names are the accepted ones", |root, _| library::api::run(root, &[])),
    step("build", "programs that tests start are built", |root, _| {
        ChildTool::new("cargo build --workspace --bins --locked").run(root)
    }),
    step("nextest", "the tests pass", |root, _| {
        ChildTool::new("cargo nextest run --workspace --no-fail-fast --locked")
            .errors(Errors::Joined)
            .run(root)
    }),
    slow("conformance", "the protocol's own suite passes", |root, _| conformance::everything(root)),
    step("doctest", "the examples in the documentation pass", |root, _| {
        ChildTool::new("cargo test --workspace --doc --locked").errors(Errors::Joined).run(root)
    }),
    slow("packages", "every package is made twice alike, and used", |root, _| dist::trial(root)),
    slow("chaos", "faults, load and bad input lose, leave and hang nothing", |root, _| chaos::part(root)),
    slow("counts", "the hot paths take as many instructions as were accepted", |root, _| {
        counts::run(root, &[])
    }),
    slow("fuzz", "what bash starts had been read, for half a minute", |root, _| fuzz::run(root, &[])),
];

/// Two programs are built by build scripts and belong to no crate that cargo would format.
const BESIDE: &str = "crates/os/warden/main.rs crates/testkit/still/main.rs";

fn fmt(root: &RepositoryRoot, _: &CheckFlags) -> ChoreResult {
    ChildTool::new("cargo fmt --all --check").run(root)?;
    ChildTool::new(&format!("rustfmt --check --edition 2024 {BESIDE}")).run(root)
}

/// The warden is built by a build script, which no lint of cargo's reaches. Its own folder keeps the variable from
/// building everything anew whenever cargo is called without it.
fn clippy(root: &RepositoryRoot, _: &CheckFlags) -> ChoreResult {
    ChildTool::new("cargo clippy --workspace --all-targets --locked -- -D warnings").run(root)?;
    ChildTool::new("cargo check --quiet --package runward-os --target-dir target/warden --locked")
        .env("RUNWARD_DENY_WARNINGS", "1")
        .run(root)
}

/// The advisory database is a git repository elsewhere, so it is asked only where it can be fetched: when the flag
/// says so, or on the machines of the host that keeps it.
fn deny(root: &RepositoryRoot, flags: &CheckFlags) -> ChoreResult {
    let reachable = flags.advisories || std::env::var_os("GITHUB_ACTIONS").is_some();
    let advisories = if reachable { "advisories " } else { "" };
    ChildTool::new(&format!("cargo deny --locked check {advisories}bans licenses sources"))
        .errors(Errors::Joined)
        .run(root)
}
