//! The filter for commands, and finding them newest first, so that a few are found without reading all.

use super::{COLUMNS, JournalReader, ReadError, RecordedCommand, found};
use crate::journal::record::Millis;
use crate::journal::store::seek;
use crate::journal::summary::RecordState;
use regex::Regex;
use rusqlite::ToSql;
use std::ops::Range;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeFilter {
    /// It did not do what was asked: a code other than 0, not started, interrupted.
    Failed,
    /// It may not run.
    Denied,
}

/// The filter for commands. An empty field matches all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Asked for at this moment or later.
    pub since: Option<Millis>,
    /// Asked for before this moment.
    pub until: Option<Millis>,
    /// Through this door.
    pub door: Option<String>,
    /// The program's name, without its folder, or the name with its subcommand: `git push`.
    pub program: Option<String>,
    /// With any of these outcomes.
    pub outcomes: Vec<OutcomeFilter>,
    /// With a command line that matches.
    pub grep: Option<Regex>,
    /// At most so many, the newest.
    pub limit: Option<usize>,
}

impl Filter {
    /// The conditions, and their values in order.
    pub(super) fn conditions(&self, part: Range<i64>) -> (String, Vec<Box<dyn ToSql>>) {
        let mut all = vec![
            ("seq >= ?".to_owned(), Box::new(part.start) as Box<dyn ToSql>),
            ("seq < ?".to_owned(), Box::new(part.end)),
        ];
        let mut add = |text: &str, value: Box<dyn ToSql>| all.push((text.to_owned(), value));
        if let Some(since) = self.since {
            add("at >= ?", Box::new(since.cast_signed()));
        }
        if let Some(until) = self.until {
            add("at < ?", Box::new(until.cast_signed()));
        }
        if let Some(door) = &self.door {
            add("door = ?", Box::new(door.clone()));
        }
        if let Some(program) = &self.program {
            add(NAMED, Box::new(program.clone()));
        }
        let (mut texts, values): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let outcomes: Vec<&str> = self.outcomes.iter().map(|outcome| outcome.condition()).collect();
        if !outcomes.is_empty() {
            texts.push(format!("({})", outcomes.join(" OR ")));
        }
        (texts.join(" AND "), values)
    }
}

impl Filter {
    /// Whether a command matches, but for the limit.
    pub fn wants(&self, found: &RecordedCommand) -> bool {
        let summary = &found.summary;
        let outcome = |outcome: &OutcomeFilter| outcome.holds(summary.state, summary.code);
        self.since.is_none_or(|since| summary.at >= since)
            && self.until.is_none_or(|until| summary.at < until)
            && self.door.as_ref().is_none_or(|door| *door == summary.door)
            && self.program.as_ref().is_none_or(|program| names(&summary.program, program))
            && (self.outcomes.is_empty() || self.outcomes.iter().any(outcome))
            && self.grep.as_ref().is_none_or(|grep| grep.is_match(&summary.line))
    }
}

/// Whether a program is among the names of a command. Each stands at the beginning or behind a comma, and may be
/// followed by its subcommand.
const NAMED: &str = "instr(', ' || replace(program, ',', ' ,') || ' ', ', ' || ? || ' ') > 0";

fn names(all: &str, program: &str) -> bool {
    format!(", {} ", all.replace(',', " ,")).contains(&format!(", {program} "))
}

impl OutcomeFilter {
    fn holds(self, state: RecordState, code: Option<i64>) -> bool {
        match self {
            OutcomeFilter::Failed => match state {
                RecordState::Ended => code != Some(0),
                RecordState::Failed | RecordState::Interrupted => true,
                RecordState::Running | RecordState::Refused | RecordState::Judged => false,
            },
            OutcomeFilter::Denied => state == RecordState::Refused,
        }
    }

    fn condition(self) -> &'static str {
        match self {
            OutcomeFilter::Failed => "(state = 1 AND code IS NOT 0) OR state IN (3, 4)",
            OutcomeFilter::Denied => "state = 2",
        }
    }
}

impl JournalReader {
    /// The commands that match, oldest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<RecordedCommand>, ReadError> {
        let (limit, mut all) = (filter.limit.unwrap_or(usize::MAX), Vec::new());
        self.newest_first(filter, |row| {
            all.push(found(row)?);
            Ok(all.len() < limit)
        })?;
        all.reverse();
        Ok(all.into_iter().map(|found| self.alive(found)).collect())
    }

    /// Visits the commands that match, newest first, until it is told to stop.
    pub(super) fn newest_first(
        &self,
        filter: &Filter,
        mut told: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<(), ReadError> {
        let all = self.from(filter)?..i64::MAX;
        if let Some(grep) = &filter.grep {
            return self.matching(filter, grep, all, told);
        }
        let (conditions, values) = filter.conditions(all);
        let text = format!("SELECT {COLUMNS} FROM commands WHERE {conditions} ORDER BY seq DESC");
        let mut all = self.connection.prepare(&text)?;
        let mut rows = all.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            if !told(row)? {
                break;
            }
        }
        Ok(())
    }

    /// The record to begin at.
    fn from(&self, filter: &Filter) -> Result<i64, ReadError> {
        Ok(filter.since.map_or(Ok(0), |since| seek::moment(&self.connection, since))?)
    }
}
