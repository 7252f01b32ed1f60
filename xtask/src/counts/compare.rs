//! Numbers that are kept beside numbers of now.
//!
//! May not count anything.

use serde_json::{Value, json};

/// How far a number may be from the one that is kept, in hundredths of a percent.
///
/// What [`crate::counts`] names as left comes to two percent at most; a change elsewhere may move what the compiler
/// joins, which was seen to come to five. What a change adds to a hot path by accident (one more copy of a text, one
/// more allocation for each word, a second reading) is more.
pub(crate) const TOLERANCE: u64 = 1000;

/// Scenarios and their numbers, in order.
pub(crate) type Counts = Vec<(String, u64)>;

/// One scenario: what is kept of it, and what it takes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountRow {
    scenario: String,
    kept: Option<u64>,
    now: Option<u64>,
}

/// Puts together what belongs together: what is counted now, in that order, then what is counted no more.
pub(crate) fn compare(kept: &Counts, now: &Counts) -> Vec<CountRow> {
    let find =
        |list: &Counts, name: &str| list.iter().find(|(other, _)| other == name).map(|(_, count)| *count);
    let gone = kept.iter().filter(|(name, _)| find(now, name).is_none());
    let names = now.iter().chain(gone).map(|(name, _)| name);
    names
        .map(|name| CountRow { scenario: name.clone(), kept: find(kept, name), now: find(now, name) })
        .collect()
}

/// A sentence for each row that is not as it should be.
pub(crate) fn complaints(rows: &[CountRow]) -> Vec<String> {
    rows.iter().filter_map(CountRow::complaint).collect()
}

impl CountRow {
    /// By how much it is more than what is kept, in hundredths of a percent.
    fn difference(&self) -> Option<i64> {
        let (kept, now) = (i64::try_from(self.kept?).ok()?, i64::try_from(self.now?).ok()?);
        Some((now - kept) * 10_000 / kept.max(1))
    }

    fn complaint(&self) -> Option<String> {
        const ACCEPT: &str = "`cargo xtask counts --accept`";
        let name = &self.scenario;
        let (Some(kept), Some(now), Some(difference)) = (self.kept, self.now, self.difference()) else {
            let what = if self.now.is_some() { "has no number that is kept" } else { "is counted no more" };
            return Some(format!("`{name}` {what}: bring the file up to date with {ACCEPT}"));
        };
        if difference.unsigned_abs() <= TOLERANCE {
            return None;
        }
        let (by, kept, now) = (percent(difference.abs()), grouped(kept), grouped(now));
        Some(if difference > 0 {
            format!(
                "`{name}` takes {now} instructions, {by} more than the {kept} that are kept: make it cheaper, or \
                 run {ACCEPT} if this is what you want"
            )
        } else {
            format!(
                "`{name}` takes {now} instructions, {by} less than the {kept} that are kept: run {ACCEPT}, or the \
                 gain may be lost again without a word"
            )
        })
    }

    /// The row for a program.
    pub(crate) fn json(&self) -> Value {
        let CountRow { scenario, kept, now } = self;
        json!({
            "scenario": scenario,
            "kept": kept,
            "now": now,
            "difference_percent": self.difference().map(|difference| difference as f64 / 100.0),
            "ok": self.complaint().is_none(),
        })
    }
}

/// The rows for a person.
pub(crate) fn table(rows: &[CountRow]) -> String {
    let shown = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), grouped);
    let line = |name: &str, kept: &str, now: &str, difference: &str| {
        format!("{name:<18} {kept:>14} {now:>14} {difference:>12}\n")
    };
    let mut text = line("scenario", "kept", "now", "difference");
    for row in rows {
        let difference = row.difference().map_or_else(|| "-".to_owned(), signed);
        text.push_str(&line(&row.scenario, &shown(row.kept), &shown(row.now), &difference));
    }
    text
}

fn signed(difference: i64) -> String {
    let sign = if difference < 0 { "-" } else { "+" };
    format!("{sign}{}", percent(difference.abs()))
}

fn percent(hundredths: i64) -> String {
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(list: &[(&str, u64)]) -> Counts {
        list.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    fn complaint(kept: u64, now: u64) -> Option<String> {
        complaints(&compare(&counts(&[("window", kept)]), &counts(&[("window", now)]))).pop()
    }

    #[test]
    fn a_little_more_or_less_is_nothing_to_tell() {
        for now in [9_000, 9_999, 10_000, 10_001, 11_000] {
            assert_eq!(complaint(10_000, now), None, "{now}");
        }
    }

    #[test]
    fn more_is_a_failure_that_names_both_numbers_and_what_to_do() {
        assert_eq!(
            complaint(1_000_000, 1_181_200).unwrap(),
            "`window` takes 1 181 200 instructions, 18.12 % more than the 1 000 000 that are kept: make it cheaper, \
             or run `cargo xtask counts --accept` if this is what you want"
        );
    }

    #[test]
    fn less_is_to_be_kept_as_well() {
        let sentence = complaint(10_000, 8_999).unwrap();
        assert!(sentence.contains("8 999") && sentence.contains("10.01 % less"), "{sentence}");
        assert!(sentence.contains("cargo xtask counts --accept"), "{sentence}");
    }

    #[test]
    fn what_is_new_and_what_is_gone_are_named() {
        let rows = compare(&counts(&[("old", 5), ("both", 5)]), &counts(&[("both", 5), ("new", 7)]));
        let told = complaints(&rows);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("`new` has no number that is kept"), "{told:?}");
        assert!(told[1].starts_with("`old` is counted no more"), "{told:?}");
    }

    #[test]
    fn a_table_for_people_and_objects_for_programs() {
        let rows =
            compare(&counts(&[("a", 2000), ("b", 100)]), &counts(&[("a", 1999), ("b", 200), ("c", 3)]));
        let text = table(&rows);
        let cells: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect())
            .collect();
        assert_eq!(cells[0], ["scenario", "kept", "now", "difference"]);
        assert_eq!(cells[1], ["a", "2 000", "1 999", "-0.05 %"]);
        assert_eq!(cells[3], ["c", "-", "3", "-"]);
        assert_eq!(
            rows[1].json(),
            json!({ "scenario": "b", "kept": 100, "now": 200, "difference_percent": 100.0, "ok": false })
        );
    }
}
