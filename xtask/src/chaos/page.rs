//! The part of `docs/reliability.md` that is written by code, between its two marks; the table on the terminal.
//!
//! May not touch what people wrote around it.

use super::battery::Battery;
use super::tally::Tally;
use crate::docs::table::table;
use std::fmt::Write;

/// Where it stands.
pub(crate) const PATH: &str = "docs/reliability.md";

const BEGIN: &str = "<!-- played: written by `cargo xtask chaos --write` -->\n";
const END: &str = "<!-- end of what was played -->\n";

/// What was played, in order.
pub(crate) type Played = Vec<(&'static Battery, Tally)>;

/// The page with a new part between its marks. Nothing, if a mark is missing.
pub(crate) fn renew(page: &str, part: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{part}\n{END}{after}"))
}

/// Everything between the marks.
pub(crate) fn part(played: &Played, machine: &str) -> String {
    let cells = played.iter().map(|(battery, tally)| {
        let case = format!("**{}**: {}", battery.name, battery.about);
        let [rounds, lost, left, hung, wrong] = numbers(tally);
        [case, rounds, lost, left, hung, wrong]
    });
    let mut text = format!("{machine}\n\n");
    text.push_str(&table(["case", "rounds", "lost", "left", "hung", "wrong"], cells));
    let found: Vec<_> = played.iter().filter(|(_, tally)| !tally.is_clean()).collect();
    if !found.is_empty() {
        text.push_str("\nWhat was found:\n\n");
    }
    for (battery, tally) in found {
        let _ =
            writeln!(text, "- {}: {}", battery.name, plain(tally.found.first().map_or("", String::as_str)));
    }
    text
}

/// One line of the table on the terminal.
pub(crate) fn line(name: &str, tally: &Tally) -> String {
    let [rounds, lost, left, hung, wrong] = numbers(tally);
    format!("{name:<16} {rounds:>7} {lost:>6} {left:>6} {hung:>6} {wrong:>6}")
}

/// The line above them.
pub(crate) fn heading() -> String {
    format!("{:<16} {:>7} {:>6} {:>6} {:>6} {:>6}", "case", "rounds", "lost", "left", "hung", "wrong")
}

fn numbers(tally: &Tally) -> [String; 5] {
    [tally.rounds, tally.lost, tally.left, tally.hung, tally.wrong].map(|number| number.to_string())
}

/// Words that no reader of the page takes for HTML, and not too many of them.
fn plain(words: &str) -> String {
    words.chars().take(300).collect::<String>().replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::super::battery::BATTERIES;
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_written_anew() {
        let page = format!("# T\n\nby hand\n\n{BEGIN}\nold\n\n{END}\nmore\n");
        assert_eq!(renew(&page, "new\n").unwrap(), page.replace("old\n", "new\n"));
        assert_eq!(renew("# T\n", "new\n"), None);
    }

    #[test]
    fn every_case_has_a_row_and_what_was_found_is_told() {
        let mut tally = Tally { rounds: 3, ..Tally::default() };
        let clean = (&BATTERIES[0], tally.clone());
        tally.hung("a <call>");
        let text = part(&vec![clean, (&BATTERIES[1], tally)], "On a machine.");
        assert!(text.contains("| **kills**: ") && text.contains(" | 3 | 0 | 0 | 0 | 0 |"), "{text}");
        assert!(text.contains(" | 3 | 0 | 0 | 1 | 0 |"), "{text}");
        assert!(text.contains("- journal-taken: hung 1: a &lt;call>"), "{text}");
    }
}
