//! The rules, one to a file. Each looks at the checked tree and names its breaches.
//!
//! A new rule is a file with its own tests, and one line in [`RULES`].

mod attributes;
mod codes;
mod edges;
mod headers;
mod hints;
mod homonyms;
mod lengths;
mod lossy;
mod map;
mod names;
mod places;
mod platform;
mod promises;
mod published;
mod sizes;
mod unfinished;
mod unsafety;

use super::breach::Breach;
use super::house::CheckedTree;

/// Every rule, in no order that matters.
pub(crate) const RULES: &[fn(&CheckedTree) -> Vec<Breach>] = &[
    attributes::rule,
    codes::rule,
    edges::rule,
    headers::rule,
    hints::rule,
    homonyms::rule,
    lengths::rule,
    lossy::rule,
    map::rule,
    names::rule,
    places::rule,
    platform::rule,
    promises::rule,
    published::rule,
    sizes::rule,
    unfinished::rule,
    unsafety::rule,
];

/// Breaches as `path:line`, for the tests of rules.
#[cfg(test)]
fn spots(breaches: &[Breach]) -> Vec<String> {
    breaches.iter().map(|breach| format!("{}:{}", breach.path, breach.line)).collect()
}
