//! `runward log -f`: each command as it ends, until nobody reads any more.

use super::{Done, line, now, table};
use crate::output::{Failure, Format};
use runward::core::render::letters_of_ids;
use runward::journal::{Filter, Found, Reader, State};
use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

/// How often the journal is looked at. Others write it, and nobody tells us when.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Ids that a new one must not look like.
const REMEMBERED: usize = 1000;

/// Commands that are shown before anything new comes.
const BEFORE: usize = 10;

pub(super) fn follow(reader: &Reader, filter: &Filter, format: Format) -> Done {
    let mut seen = reader.newest()?;
    let limit = Some(filter.limit.unwrap_or(BEFORE).min(BEFORE));
    let before = reader.list(&Filter { limit, ..filter.clone() })?;
    let mut shown: HashSet<u64> = HashSet::new();
    let mut ids: Vec<String> = Vec::new();
    for found in before.iter().filter(|found| found.summary.state != State::Running) {
        shown.insert(found.seq);
        ids.push(found.summary.run.clone());
        show(reader, found, letters_of_ids(&ids), format)?;
    }
    loop {
        let newest = reader.newest()?;
        if newest > seen {
            for found in reader.since_record(seen)? {
                let over = found.summary.state != State::Running && !shown.contains(&found.seq);
                if over && filter.wants(&found) {
                    shown.insert(found.seq);
                    // Older ones have scrolled away.
                    ids.drain(..ids.len().saturating_sub(REMEMBERED));
                    ids.push(found.summary.run.clone());
                    show(reader, &found, letters_of_ids(&ids), format)?;
                }
            }
            seen = newest;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn show(reader: &Reader, found: &Found, letters: usize, format: Format) -> Result<(), Failure> {
    if format != Format::Plain {
        let mut out = std::io::stdout().lock();
        line(&mut out, &reader.whole(found)?, format)?;
        return out.flush().map_err(|_| Failure::ReaderGone);
    }
    let width = usize::from(runward::host::terminal_width().unwrap_or(120));
    let mut out = anstream::stdout().lock();
    let text = table::more(found, letters, now(), width);
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|_| Failure::ReaderGone)
}
