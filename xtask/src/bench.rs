//! `cargo xtask bench`: how much the road costs, as ratios to the least that could be done.
//!
//! May not be a test: machines differ, ratios within one run much less. The measuring itself is in
//! `crates/engine/benches/road`.

use crate::Done;
use crate::process::Tool;
use crate::root::Root;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "measure ratios [spawn|capture|kill] [--json] [--rounds N]";

/// `cargo xtask bench`.
pub(crate) fn run(root: &Root, flags: &[String]) -> Done {
    Tool::new("cargo build --quiet --release --package testkit --bins --locked").run(root)?;
    let line = format!("cargo bench --quiet --package runward --bench road --locked -- {}", flags.join(" "));
    Tool::new(&line).run(root)
}
