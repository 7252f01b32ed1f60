//! The one integration test of this crate: hosts are made up, nothing is started.

mod allowlist;
mod cwd_roots;
mod detours;
mod digest;
mod everyday;
mod forgotten;
mod git;
mod host;
mod leave;
mod naming;
mod policy;
mod redirects;
// Only Linux has a sandbox, and a plan of one has paths as Unix joins them.
#[cfg(unix)]
mod sandbox;
mod scenario;
mod scenarios;
mod ui;
mod unseen;

use runward_core::facts;
use runward_core::policy::PolicyGround;

/// What a made-up host is judged on.
fn ground(host: &host::MadeUpHost) -> PolicyGround<'_> {
    PolicyGround { facts: host.facts(), look: host, contained: false }
}
