//! `runward log`: which commands were run, who asked, which rule allowed it, how it ended.
//!
//! Reads the journal and shows it. May not change it, nor start anything.

mod follow;
mod one;
pub(super) mod replay;
mod stats;
mod table;

use super::VerbResult;
use crate::args::LogArgs;
use crate::moment::moment;
use crate::output::{OutputFormat, VerbFailure, emit, print, tell, unwritten, yaml};
use crate::setup::Setup;
use runward::journal::read::OutcomeFilter;
use runward::journal::{Filter, JournalReader, Millis, RecordedCommand};
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Rows of a table without `-n`.
const USUAL: usize = 50;

pub(super) fn run(args: &LogArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    if args.set_aside {
        return set_aside(&setup);
    }
    let Some(reader) = setup.reader()? else { return nothing_yet(args) };
    let format = OutputFormat::of(&args.format);
    if let Some(id) = &args.id {
        return one::show(&reader, id, args);
    }
    if args.verify {
        return verify(&reader, format);
    }
    if args.export {
        return export(&reader);
    }
    let filter = filter(args, now())?;
    if args.stats {
        return stats::show(&reader.stats(&filter)?, format);
    }
    if args.follow {
        return follow::follow(&reader, &filter, format);
    }
    let all = reader.list(&filter)?;
    if format == OutputFormat::Plain {
        table::print(&all, now())?;
        if filter.limit == Some(all.len()) && args.limit.is_none() {
            tell(&format!("the newest {USUAL} are shown; `-n 0` shows all"));
        }
        return Ok(0);
    }
    objects(&reader, &all, format)
}

fn nothing_yet(args: &LogArgs) -> VerbResult {
    if let Some(id) = &args.id {
        return Err(runward::journal::ReadError::Unknown { id: id.clone() }.into());
    }
    if OutputFormat::of(&args.format) == OutputFormat::Plain && !args.export {
        print("no commands are recorded yet")?;
    }
    Ok(0)
}

/// Keeps the journal under another name and begins a new one.
fn set_aside(setup: &Setup) -> VerbResult {
    let none = || runward::Error::NoJournal { why: "there is no home to put it in".to_owned() };
    let folder = setup.journal_folder().ok_or_else(none)?;
    let aside = runward::journal::set_aside(&folder)
        .map_err(|error| VerbFailure::host("the journal could not be set aside", &error))?;
    let aside = runward::core::render::word(aside.as_os_str());
    print(&format!("the journal was set aside in `{aside}`, and a new one is begun"))?;
    Ok(0)
}

/// Milliseconds since 1970.
fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn filter(args: &LogArgs, now: Millis) -> Result<Filter, VerbFailure> {
    let at = |text: &Option<String>| {
        let read = |text: &String| {
            moment(text, now)
                .map_err(|message| VerbFailure::bad_value(message, "Write a time and its unit, or a date."))
        };
        text.as_ref().map(read).transpose()
    };
    let grep = |text: &String| {
        regex::Regex::new(text).map_err(|error| {
            let last = error.to_string().lines().last().unwrap_or_default().trim().to_owned();
            VerbFailure::bad_value(
                format!("`{text}` is no regular expression: {last}"),
                "Escape special characters with `\\`.",
            )
        })
    };
    let outcomes = [(args.failed, OutcomeFilter::Failed), (args.denied, OutcomeFilter::Denied)];
    let usual = (OutputFormat::of(&args.format) == OutputFormat::Plain && !args.stats).then_some(USUAL);
    Ok(Filter {
        since: at(&args.since)?,
        until: at(&args.until)?,
        door: args.door.clone(),
        program: args.program.clone(),
        outcomes: outcomes.into_iter().filter(|(asked, _)| *asked).map(|(_, outcome)| outcome).collect(),
        grep: args.grep.as_ref().map(grep).transpose()?,
        limit: args.limit.map_or(usual, |limit| (limit > 0).then_some(limit)),
    })
}

/// One object per command: as JSON one per line, as YAML one document each.
fn objects(reader: &JournalReader, all: &[RecordedCommand], format: OutputFormat) -> VerbResult {
    let mut out = std::io::stdout().lock();
    for found in all {
        let whole = reader.whole(found)?;
        line(&mut out, &whole, format)?;
    }
    out.flush().map_err(|error| unwritten(&error))?;
    Ok(0)
}

fn line(out: &mut impl Write, object: &impl Serialize, format: OutputFormat) -> Result<(), VerbFailure> {
    let text = match format {
        OutputFormat::Yaml => yaml(object).map(|text| format!("---\n{}", text.trim_end())).ok(),
        _ => serde_json::to_string(object).ok(),
    };
    writeln!(out, "{}", text.unwrap_or_default()).map_err(|error| unwritten(&error))
}

fn verify(reader: &JournalReader, format: OutputFormat) -> VerbResult {
    let verified = reader.verify()?;
    if format != OutputFormat::Plain {
        emit(&verified, format)?;
        return Ok(0);
    }
    let mut text = match verified.records {
        0 => "the journal is whole, and empty".to_owned(),
        count => {
            format!("the journal is whole: {count} records, from {} to {}", verified.first, verified.last)
        }
    };
    for (count, what) in [
        (verified.sealed, "older records were dropped in order"),
        (verified.missed, "records could not be written, and are missing"),
        (verified.interrupted, "commands were interrupted"),
    ] {
        if count > 0 {
            text.push_str(&format!("\n{count} {what}"));
        }
    }
    if let Some(last) = verified.older {
        text.push_str(&format!(
            "\nrecords up to {last} were written by older rules, which do not cover what is kept of the output"
        ));
    }
    if let Some(folder) = &verified.set_aside {
        text.push_str(&format!("\nan earlier journal was set aside, in `{folder}`"));
    }
    print(&text)?;
    Ok(0)
}

fn export(reader: &JournalReader) -> VerbResult {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut written = Ok(());
    reader.each(|seq, body, hash| {
        if written.is_ok() {
            let hash = runward::core::render::hex(hash);
            // The text stays as it is, byte for byte: the hash is of it.
            let text = json!({"seq": seq, "hash": hash}).to_string();
            written = writeln!(out, "{},\"record\":{body}}}", text.trim_end_matches('}'));
        }
    })?;
    written.and_then(|()| out.flush()).map_err(|error| unwritten(&error))?;
    Ok(0)
}
