//! `runward ps`: every session of every server, as a table that fits.

use super::{Done, all_servers};
use crate::args::PsArgs;
use crate::output::{Format, emit, print};
use runward::control::{Ask, Call, Heard, Listed};
use runward::core::render::{bytes, duration};
use std::time::Duration;

pub(super) async fn show(args: &PsArgs) -> Done {
    let mut all = Vec::new();
    for server in all_servers().await? {
        // A server that ends while it is asked has no sessions any more.
        if let Ok(mut call) = Call::make(&server, &Ask::List).await
            && let Ok(Heard::Sessions(sessions)) = call.hear().await
        {
            all.extend(sessions);
        }
    }
    match Format::of(&args.format) {
        Format::Plain => print(&table(&all, runward::host::terminal_width().unwrap_or(120)))?,
        structured => emit(&all, structured)?,
    }
    Ok(0)
}

const HEADS: [&str; 6] = ["ID", "STATE", "AGE", "OUTPUT", "PID", "COMMAND"];

fn table(sessions: &[Listed], width: u16) -> String {
    if sessions.is_empty() {
        return "no sessions".to_owned();
    }
    let rows: Vec<[String; 6]> =
        std::iter::once(HEADS.map(str::to_owned)).chain(sessions.iter().map(row)).collect();
    let widths: Vec<usize> =
        (0..5).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let before: String =
            row[..5].iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        let room = usize::from(width).saturating_sub(before.chars().count()).max(10);
        format!("{before}{}", shortened(&row[5], room))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn row(session: &Listed) -> [String; 6] {
    let state = match session.exit_code {
        Some(code) => format!("exited {code}"),
        None => session.state.clone(),
    };
    let command = session.command.replace(['\n', '\t', '\r'], " ");
    let command = session.name.as_ref().map_or_else(|| command.clone(), |name| format!("[{name}] {command}"));
    [
        session.id.clone(),
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

    fn listed(command: &str, exit_code: Option<i32>) -> Listed {
        Listed {
            id: "01a1".to_owned(),
            name: None,
            command: command.to_owned(),
            pid: 7,
            state: "running".to_owned(),
            age_ms: 65_000,
            exit_code,
            bytes: 2048,
            server: 1,
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
    fn nothing_is_said_in_words() {
        assert_eq!(table(&[], 80), "no sessions");
    }
}
