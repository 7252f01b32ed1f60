//! Which commands are wanted, and finding them newest first, so that a few are found without looking at all.

use super::{COLUMNS, Found, ReadError, Reader, found};
use crate::journal::record::Millis;
use crate::journal::store::seek;
use crate::journal::summary::State;
use regex::Regex;
use rusqlite::ToSql;
use std::ops::Range;

/// How a command came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did not do what was asked: a code other than 0, not started, interrupted.
    Failed,
    /// It may not run.
    Denied,
}

/// Which commands are wanted. What is not said is not asked.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Asked for at this moment or later.
    pub since: Option<Millis>,
    /// Asked for before this moment.
    pub until: Option<Millis>,
    /// Through this door.
    pub door: Option<String>,
    /// The program's name, without its folder, or the name with what it is told to do: `git push`.
    pub program: Option<String>,
    /// With any of these outcomes.
    pub outcomes: Vec<Outcome>,
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
    /// Whether a command is wanted, but for how many are.
    pub fn wants(&self, found: &Found) -> bool {
        let summary = &found.summary;
        let outcome = |outcome: &Outcome| outcome.holds(summary.state, summary.code);
        self.since.is_none_or(|since| summary.at >= since)
            && self.until.is_none_or(|until| summary.at < until)
            && self.door.as_ref().is_none_or(|door| *door == summary.door)
            && self.program.as_ref().is_none_or(|program| names(&summary.program, program))
            && (self.outcomes.is_empty() || self.outcomes.iter().any(outcome))
            && self.grep.as_ref().is_none_or(|grep| grep.is_match(&summary.line))
    }
}

/// Whether a program is among those that a command goes by. Each stands at the beginning or behind a comma, and may be
/// followed by what it is told to do.
const NAMED: &str = "instr(', ' || replace(program, ',', ' ,') || ' ', ', ' || ? || ' ') > 0";

fn names(all: &str, program: &str) -> bool {
    format!(", {} ", all.replace(',', " ,")).contains(&format!(", {program} "))
}

impl Outcome {
    fn holds(self, state: State, code: Option<i64>) -> bool {
        match self {
            Outcome::Failed => match state {
                State::Ended => code != Some(0),
                State::Failed | State::Interrupted => true,
                State::Running | State::Refused => false,
            },
            Outcome::Denied => state == State::Refused,
        }
    }

    fn condition(self) -> &'static str {
        match self {
            Outcome::Failed => "(state = 1 AND code IS NOT 0) OR state IN (3, 4)",
            Outcome::Denied => "state = 2",
        }
    }
}

impl Reader {
    /// The commands that are wanted, oldest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Found>, ReadError> {
        let (limit, mut all) = (filter.limit.unwrap_or(usize::MAX), Vec::new());
        self.newest_first(filter, |row| {
            all.push(found(row)?);
            Ok(all.len() < limit)
        })?;
        all.reverse();
        Ok(all.into_iter().map(|found| self.alive(found)).collect())
    }

    /// Looks at the wanted commands, newest first, for as long as it is told to go on.
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

    /// Where in the journal to begin to look.
    fn from(&self, filter: &Filter) -> Result<i64, ReadError> {
        Ok(filter.since.map_or(Ok(0), |since| seek::moment(&self.connection, since))?)
    }
}
