//! `runward ps`: every session of every server, as a table that fits.

use super::{VerbResult, all_sessions};
use crate::args::PsArgs;
use crate::output::{OutputFormat, emit, print};
use runward::control::ListedSession;
use runward::core::render::{bytes, duration, letters_of_ids, short_id};
use std::time::Duration;

pub(super) async fn show(args: &PsArgs) -> VerbResult {
    let all: Vec<ListedSession> = all_sessions().await?.into_iter().map(|(_, listed)| listed).collect();
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => print(&table(&all, runward::host::terminal_width().unwrap_or(120)))?,
        structured => emit(&all, structured)?,
    }
    Ok(0)
}

const HEADS: [&str; 6] = ["ID", "STATE", "AGE", "OUTPUT", "PID", "COMMAND"];
const CHILD_HEADS: [&str; 9] =
    ["SERVER", "STATE", "PID", "MEMORY", "RESTARTS", "CALLS", "P50", "P99", "COMMAND"];

/// Sessions, then child servers, each in a table of its own.
fn table(all: &[ListedSession], width: u16) -> String {
    let (children, sessions): (Vec<&ListedSession>, Vec<&ListedSession>) =
        all.iter().partition(|it| it.child.is_some());
    let letters = letters_of_ids(sessions.iter().map(|session| &session.id));
    let rows = sessions.iter().map(|session| row(session, letters));
    let tables = [
        (!sessions.is_empty()).then(|| aligned(HEADS, rows, width)),
        (!children.is_empty())
            .then(|| aligned(CHILD_HEADS, children.iter().map(|child| child_row(child)), width)),
    ];
    let tables: Vec<String> = tables.into_iter().flatten().collect();
    if tables.is_empty() { "no sessions".to_owned() } else { tables.join("\n\n") }
}

/// Rows under their heads. The last column takes what is left of the width.
fn aligned<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>, width: u16) -> String {
    let rows: Vec<[String; N]> = std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
    let last = N - 1;
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..last).map(widest).collect();
    let lines = rows.iter().map(|row| {
        let before: String =
            row[..last].iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        let room = usize::from(width).saturating_sub(before.chars().count()).max(10);
        format!("{before}{}", shortened(&row[last], room))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn child_row(listed: &ListedSession) -> [String; 9] {
    let nothing = || "-".to_owned();
    let child = listed.child.as_deref();
    let time = |micros: Option<u64>| match micros {
        None => nothing(),
        Some(micros @ 0..1000) => format!("{micros}µs"),
        Some(micros @ 1000..10_000) => format!("{:.1}ms", micros as f64 / 1000.0),
        Some(micros) => duration(Duration::from_micros(micros)),
    };
    let why = child.and_then(|child| child.why.as_ref());
    [
        listed.id.clone(),
        listed.state.clone(),
        if listed.pid == 0 { nothing() } else { listed.pid.to_string() },
        child.and_then(|child| child.memory).map_or_else(nothing, bytes),
        child.map_or_else(nothing, |child| child.restarts.to_string()),
        child.map_or_else(nothing, |child| child.calls.to_string()),
        time(child.and_then(|child| child.p50_us)),
        time(child.and_then(|child| child.p99_us)),
        why.map_or_else(|| listed.command.clone(), |why| format!("{} ({why})", listed.command)),
    ]
}

fn row(session: &ListedSession, letters: usize) -> [String; 6] {
    let state = match session.exit_code {
        Some(code) => format!("exited {code}"),
        None => session.state.clone(),
    };
    let command = session.command.replace(['\n', '\t', '\r'], " ");
    let command = session.name.as_ref().map_or_else(|| command.clone(), |name| format!("[{name}] {command}"));
    [
        short_id(&session.id, letters).to_owned(),
        state,
        duration(Duration::from_millis(session.age_ms)),
        bytes(session.bytes),
        session.pid.to_string(),
        command,
    ]
}

fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::control::ListedChild;

    fn listed(command: &str, exit_code: Option<i32>) -> ListedSession {
        ListedSession {
            id: "01a1".to_owned(),
            name: None,
            command: command.to_owned(),
            pid: 7,
            state: "running".to_owned(),
            age_ms: 65_000,
            exit_code,
            bytes: 2048,
            server: 1,
            child: None,
        }
    }

    #[test]
    fn a_table_fits_its_terminal() {
        let all = [listed("sleep 300", None), listed(&"x".repeat(100), Some(3))];
        let shown = table(&all, 60);
        assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
        assert!(shown.contains("exited 3") && shown.contains("1m05s") && shown.ends_with('…'), "{shown}");
    }

    #[test]
    fn child_servers_have_a_table_of_their_own() {
        let told = ListedChild {
            memory: Some(3 << 20),
            restarts: 2,
            calls: 40,
            p50_us: Some(700),
            p99_us: Some(2500),
            why: None,
        };
        let child =
            ListedSession { id: "github".to_owned(), child: Some(Box::new(told)), ..listed("npx gh", None) };
        let shown = table(&[listed("sleep 300", None), child], 120);
        assert!(shown.contains("\n\nSERVER"), "{shown}");
        let line = shown.lines().last().unwrap();
        for part in ["github", "3 MiB", "40", "700µs", "2.5ms", "npx gh"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }

    #[test]
    fn nothing_is_said_in_words() {
        assert_eq!(table(&[], 80), "no sessions");
    }
}
