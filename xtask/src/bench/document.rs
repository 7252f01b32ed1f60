//! The result of a run as one document: what is printed, kept, and drawn from.
//!
//! May not measure.

use super::measured::{CurveRow, MeasuredLine, MeasuredRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that a run found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Document {
    /// RFC 3339, in UTC.
    pub(crate) when: String,
    pub(crate) machine: Machine,
    /// The version that was measured.
    pub(crate) runward: String,
    /// How it was built.
    pub(crate) profile: BTreeMap<String, String>,
    pub(crate) rows: Vec<MeasuredRow>,
    pub(crate) curves: Vec<CurveRow>,
    /// What has a target and was not measured.
    pub(crate) absent: Vec<Absent>,
    /// How many targets are met.
    pub(crate) passed: usize,
    /// Which are not.
    pub(crate) missed: Vec<String>,
}

/// Where it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) model: String,
    pub(crate) kernel: String,
    pub(crate) memory_bytes: u64,
}

/// What was not measured, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Absent {
    pub(crate) what: String,
    pub(crate) absent: String,
}

impl Absent {
    pub(crate) fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), absent: why.into() }
    }
}

impl Document {
    /// One that holds nothing yet.
    pub(crate) fn new(when: &str, machine: Machine) -> Self {
        Self {
            when: when.to_owned(),
            machine,
            runward: env!("CARGO_PKG_VERSION").to_owned(),
            profile: BTreeMap::new(),
            rows: Vec::new(),
            curves: Vec::new(),
            absent: Vec::new(),
            passed: 0,
            missed: Vec::new(),
        }
    }

    /// Takes one more result.
    pub(crate) fn add(&mut self, measured: MeasuredLine) {
        match measured.rounded() {
            MeasuredLine::Row(row) => self.rows.push(row),
            MeasuredLine::Curve(curve) => self.curves.push(curve),
        }
    }

    /// Counts the targets that are met, and names the others. What is absent is neither.
    pub(crate) fn judge(&mut self) {
        let rows = self.rows.iter().map(|row| (&row.section, &row.what, row.target, row.missed()));
        let curves =
            self.curves.iter().map(|curve| (&curve.section, &curve.what, curve.target, curve.missed()));
        let targets: Vec<_> = rows.chain(curves).filter(|(_, _, target, _)| target.is_some()).collect();
        let name = |section: &str, what: &str| format!("{section}: {}", what.trim());
        let missed = targets.iter().filter(|(.., missed)| *missed);
        self.missed = missed.map(|(section, what, ..)| name(section, what)).collect();
        self.passed = targets.len() - self.missed.len();
    }

    /// The names of the sections in it, in the order of the rows and then of the curves.
    pub(crate) fn sections(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let rows = self.rows.iter().map(|row| row.section.as_str());
        for name in rows.chain(self.curves.iter().map(|curve| curve.section.as_str())) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The whole as text, one result to a line so that a change can be read.
    pub(crate) fn json(&self) -> Result<String, String> {
        let parts = [
            one("when", &self.when),
            one("machine", &self.machine),
            one("runward", &self.runward),
            one("profile", &self.profile),
            many("rows", &self.rows),
            many("curves", &self.curves),
            many("absent", &self.absent),
            one("passed", &self.passed),
            many("missed", &self.missed),
        ];
        let lines: Result<Vec<String>, serde_json::Error> = parts.into_iter().collect();
        let lines = lines.map_err(|error| format!("the result cannot be written: {error}"))?;
        Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
    }

    /// A document that was kept.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut document: Self =
            serde_json::from_str(text).map_err(|error| format!("this is no result of a bench: {error}"))?;
        let rows = std::mem::take(&mut document.rows).into_iter().map(MeasuredLine::Row);
        let curves = std::mem::take(&mut document.curves).into_iter().map(MeasuredLine::Curve);
        rows.chain(curves).for_each(|measured| document.add(measured));
        Ok(document)
    }
}

fn one(name: &str, value: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("  \"{name}\": {}", serde_json::to_string(value)?))
}

fn many<T: Serialize>(name: &str, values: &[T]) -> serde_json::Result<String> {
    let lines: serde_json::Result<Vec<String>> =
        values.iter().map(|value| Ok(format!("\n    {}", serde_json::to_string(value)?))).collect();
    Ok(format!("  \"{name}\": [{}\n  ]", lines?.join(",")))
}

/// The sentence about missed targets, if there are any.
pub(crate) fn verdict(document: &Document) -> Result<(), String> {
    match document.missed.as_slice() {
        [] => Ok(()),
        [one] => Err(format!("one target is missed: {one}")),
        many => Err(format!("{} targets are missed: {}", many.len(), many.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    /// Numbers that a reader of JSON in a hurry takes for their neighbours.
    #[test]
    fn what_is_read_again_is_what_was_written() {
        let mut document = sample::document();
        let rows = document.rows.clone();
        for awkward in [9_491.842_999_999_999, 10.555_505_352_914_015, 1.0 / 3.0, 5e-324, 1e22] {
            let row = MeasuredRow { product: awkward, spread: [awkward, awkward / 3.0], ..rows[0].clone() };
            document.add(MeasuredLine::Row(row));
        }
        let text = document.json().unwrap();
        assert_eq!(Document::read(&text).unwrap().json().unwrap(), text);
    }

    #[test]
    fn targets_that_are_missed_are_named_and_what_has_none_is_not_counted() {
        let document = sample::document();
        assert_eq!(
            document.missed,
            [
                "capture: 1 GiB through window and spool",
                "sessions: 60 idle sessions: steward and wardens wake up",
                "scale: time to read one session, while so many others print without end",
            ]
        );
        let without = 1 + 2;
        assert_eq!(document.passed, sample::LINES.lines().count() - 3 - without);
        assert!(verdict(&document).unwrap_err().starts_with("3 targets are missed: capture: "));
    }

    #[test]
    fn what_is_absent_is_not_counted_as_passed() {
        let mut document = sample::document();
        let passed = document.passed;
        document.absent.push(Absent::new("more", "it is not there"));
        document.judge();
        assert_eq!(document.passed, passed);
    }

    #[test]
    fn a_document_that_was_kept_is_the_same_document() {
        let document = sample::document();
        let text = document.json().unwrap();
        let line = sample::LINES.lines().next().unwrap();
        assert!(text.contains(&format!("\n    {line},\n")), "{text}");
        assert_eq!(Document::read(&text), Ok(document));
        assert!(Document::read("{}").is_err());
    }

    #[test]
    fn without_a_miss_there_is_nothing_to_say() {
        let mut document = sample::document();
        document.rows.retain(|row| row.pass);
        document.curves.retain(|curve| curve.pass);
        document.judge();
        assert_eq!(verdict(&document), Ok(()));
        assert_eq!(document.sections(), ["spawn", "policy", "mcp", "sessions", "scale", "curves"]);
    }
}
