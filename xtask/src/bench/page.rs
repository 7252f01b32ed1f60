//! The part of `docs/performance.md` that is written by code, between its two marks.
//!
//! May not touch what people wrote around it.

use super::amount::{amount, flat, points, spread, target, times};
use super::document::{Document, Machine};
use super::measured::{Bound, MeasuredRow};
use super::section;
use crate::docs::table::table;
use std::fmt::Write;

const BEGIN: &str = "<!-- measured: written by `cargo xtask bench --write` -->\n";
const END: &str = "<!-- end of what is measured -->\n";

const PEERS: &str = "![Other servers and Runward, pair by pair](performance-peers.svg)\n\n";

/// What stands between the marks before anything was measured.
#[cfg(test)]
pub(crate) const NOTHING: &str =
    "Nothing is kept here yet. `cargo xtask bench --write` measures, and fills this in.\n";

/// The page with a new part between its marks. Nothing, if a mark is missing.
pub(crate) fn renew(page: &str, part: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{part}\n{END}{after}"))
}

/// Everything between the marks.
pub(crate) fn part(document: &Document) -> String {
    let mut text = lead(document);
    for name in document.sections() {
        let rows: Vec<_> = document.rows.iter().filter(|row| row.section == name).collect();
        if !rows.is_empty() {
            let picture = if name == "peers" { PEERS } else { "" };
            let _ = write!(text, "\n### {name}: {}\n\n{picture}{}", section::about(name), numbers(&rows));
        }
    }
    if !document.curves.is_empty() {
        text.push_str("\n### Curves\n\n");
        text.push_str(&curves(document));
    }
    if !document.absent.is_empty() {
        let rows = document.absent.iter().map(|one| [one.what.clone(), one.absent.clone()]);
        let _ = write!(text, "\n### Not measured\n\n{}", table(["what", "why"], rows));
    }
    text
}

fn lead(document: &Document) -> String {
    let Document { when, runward, passed, missed, absent, .. } = document;
    let built: Vec<_> = document.profile.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let mut text = format!(
        "Runward {runward}, built with {}, on {}, {when}.\n",
        built.join(", "),
        words(&document.machine)
    );
    let _ = write!(text, "Targets met: {passed}. Missed: {}. Not measured: {}.", missed.len(), absent.len());
    text.push_str(" The same as numbers: [performance.json](performance.json).\n");
    if !missed.is_empty() {
        text.push_str("\nMissed:\n\n");
        text.extend(missed.iter().map(|name| format!("- {}\n", plain(name))));
    }
    text
}

/// A machine in words.
pub(crate) fn words(machine: &Machine) -> String {
    let Machine { cores, model, kernel, memory_bytes } = machine;
    let gibibytes = memory_bytes.div_ceil(1 << 30);
    format!("{cores} cores ({model}), {gibibytes} GiB, {kernel}")
}

fn numbers(rows: &[&MeasuredRow]) -> String {
    let cells = rows.iter().map(|row| {
        [
            plain(&row.what),
            row.baseline.map_or_else(String::new, |value| amount(value, &row.unit)),
            amount(row.product, &row.unit),
            row.ratio.map_or_else(String::new, times),
            spread(row),
            target(row),
            word(row.bound, row.pass).to_owned(),
        ]
    });
    table(["what", "baseline", "Runward", "ratio", "spread", "target", ""], cells)
}

fn curves(document: &Document) -> String {
    let cells = document.curves.iter().map(|curve| {
        let verdict = word(curve.bound, curve.pass).to_owned();
        [format!("{}: {}", curve.section, plain(&curve.what)), points(curve), flat(curve), verdict]
    });
    table(["what", "points", "target", ""], cells)
}

/// A name that no reader of the page takes for HTML.
fn plain(name: &str) -> String {
    name.trim().replace('<', "&lt;")
}

/// The verdict; what has no target has none.
pub(crate) fn word(bound: Bound, pass: bool) -> &'static str {
    match (bound, pass) {
        (Bound::None, _) => "",
        (_, true) => "pass",
        (_, false) => "**missed**",
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_written_anew() {
        let page = format!("# T\n\nby hand\n\n{BEGIN}\nold\n\n{END}\nmore\n");
        let renewed = renew(&page, "new\n").unwrap();
        assert_eq!(renewed, page.replace("old\n", "new\n"));
        assert_eq!(renew(&renewed, "new\n"), Some(renewed));
        assert_eq!(renew("# T\n", "new\n"), None);
        assert_eq!(renew(&format!("{END}{BEGIN}"), "new\n"), None);
    }

    #[test]
    fn the_part_names_the_machine_the_misses_and_what_is_absent() {
        let text = part(&sample::document());
        assert!(text.contains("on 2 cores (A & B <1>), 8 GiB, 6.1.0, 2026-01-02T03:04:05Z"), "{text}");
        assert!(text.contains("- capture: 1 GiB through window and spool\n"), "{text}");
        assert!(text.contains("| a sandboxed program | there is no sandbox layer yet |"), "{text}");
        let row =
            "| static program, one at a time | 101 µs | 230 µs | 2.27 × | 2.21 … 2.39 | ≤ 2.5 × | pass |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| ≤ 1.2 × | **missed** |"), "{text}");
        assert!(text.contains("| a line typed & answered &lt;at once>, to know |"), "{text}");
    }
}
