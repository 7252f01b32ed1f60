//! `runward log -f`: each command as it ends, until the reader of our output is gone.

use super::{VerbResult, line, now, table};
use crate::output::{OutputFormat, VerbFailure, unwritten};
use runward::core::render::letters_of_ids;
use runward::journal::{Filter, JournalReader, RecordState, RecordedCommand};
use std::collections::HashSet;
use std::io::Write;
use std::time::Duration;

/// How often the journal is polled. Other processes write it, and send no notice.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Ids that a short one must differ from.
const REMEMBERED: usize = 1000;

/// Commands that are shown before anything new comes.
const BEFORE: usize = 10;

pub(super) fn follow(reader: &JournalReader, filter: &Filter, format: OutputFormat) -> VerbResult {
    let mut seen = reader.newest()?;
    let limit = Some(filter.limit.unwrap_or(BEFORE).min(BEFORE));
    let before = reader.list(&Filter { limit, ..filter.clone() })?;
    let mut shown: HashSet<u64> = HashSet::new();
    let mut ids: Vec<String> = Vec::new();
    for found in before.iter().filter(|found| found.summary.state != RecordState::Running) {
        shown.insert(found.seq);
        ids.push(found.summary.run.clone());
        show(reader, found, letters_of_ids(&ids), format)?;
    }
    loop {
        let newest = reader.newest()?;
        if newest > seen {
            for found in reader.since_record(seen)? {
                let over = found.summary.state != RecordState::Running && !shown.contains(&found.seq);
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

fn show(
    reader: &JournalReader,
    found: &RecordedCommand,
    letters: usize,
    format: OutputFormat,
) -> Result<(), VerbFailure> {
    if format != OutputFormat::Plain {
        let mut out = std::io::stdout().lock();
        line(&mut out, &reader.whole(found)?, format)?;
        return out.flush().map_err(|error| unwritten(&error));
    }
    let width = usize::from(runward::host::terminal_width().unwrap_or(120));
    let mut out = anstream::stdout().lock();
    let text = table::more(found, letters, now(), width);
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| unwritten(&error))
}
