//! The page of everything that is known about single programs: presets, and the tables beside them.

use super::table::{table, top};
use runward_core::policy::{PRESETS, Preset, PresetEntry};
use std::fmt::Write;

const LEAD: &str = "A preset is a table of programs with the options that each may be given. An option that is not in \
the table is refused in every spelling, and so is an abbreviation of one that is. What a preset does not do: it says \
nothing about which files are read, which is the sandbox's business, and nothing about programs that it does not name.";

/// The whole page.
pub(crate) fn page() -> String {
    let source = "`crates/core/presets`";
    let presets = PRESETS.iter().fold(top("Presets", source, LEAD), |page, preset| page + &one(preset));
    TABLES.iter().fold(presets + OTHERS, |page, (name, text)| page + &known(name, text))
}

const OTHERS: &str = "## What is known about other programs\n\nThe tables below allow nothing. They say which commands start \
others or carry code of their own, so that the policy judges what really runs, and which are nothing to type into.\n\n";

/// The tables beside the presets, in the same form.
const TABLES: &[(&str, &str)] = &[
    ("wrappers", include_str!("../../../crates/core/presets/wrappers.table")),
    ("opaque", include_str!("../../../crates/core/presets/opaque.table")),
    ("languages", include_str!("../../../crates/core/presets/languages.table")),
    ("scripts", include_str!("../../../crates/core/presets/scripts.table")),
    ("told", include_str!("../../../crates/core/presets/told.table")),
    ("runners", include_str!("../../../crates/core/presets/runners.table")),
    ("orders", include_str!("../../../crates/core/presets/orders.table")),
    ("queries", include_str!("../../../crates/core/presets/queries.table")),
    ("prompts", include_str!("../../../crates/core/presets/prompts.table")),
];

/// One of those tables: its first sentence, and a row for each program.
fn known(name: &str, text: &str) -> String {
    let about = text.lines().next().unwrap_or_default().trim_start_matches('#').trim();
    let mut rows: Vec<[String; 2]> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(names) => rows.push([format!("`{}`", names.replace('|', "` `")), String::new()]),
            None => {
                let (key, words) = line.split_once(':').unwrap_or((line, ""));
                let Some([_, cell]) = rows.last_mut() else { continue };
                let words: Vec<_> = words.split_whitespace().map(|word| word.replace('|', ", ")).collect();
                let gap = if cell.is_empty() { "" } else { "; " };
                let _ = write!(cell, "{gap}{key}: {}", said(key, &words));
            }
        }
    }
    format!("### `{name}`\n\n{about}\n\n{}\n", table(["program", "what is known"], rows.into_iter()))
}

/// Options as code, sentences as they are.
fn said(key: &str, words: &[String]) -> String {
    let prose =
        ["why", "does", "by", "before", "alone", "words", "order", "script", "pager", "numbers", "starts"];
    if prose.contains(&key) || words.is_empty() {
        words.join(" ")
    } else {
        format!("`{}`", words.join("` `"))
    }
}

fn one(preset: &Preset) -> String {
    let heads = ["program", "options", "options with a value", "operands", "what else holds"];
    let rows = preset.entries().into_iter().map(row);
    let asks = match preset.asks() {
        [] => String::new(),
        asks => format!(
            "Every program without subcommands may be asked about itself, with `{}` alone.\n\n",
            asks.join("` or `")
        ),
    };
    format!("## `{}`\n\n{}\n\n{asks}{}\n", preset.name, preset.about, table(heads, rows))
}

fn row(entry: PresetEntry) -> [String; 5] {
    [
        format!("`{}`", entry.names),
        listed(&entry.flags),
        listed(&entry.values),
        entry.operands,
        entry.notes.join("; "),
    ]
}

fn listed(options: &[String]) -> String {
    if options.is_empty() { "none".to_owned() } else { format!("`{}`", options.join("` `")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_row() {
        let page = page();
        for name in ["ls", "git log", "sort", "cargo build, b"] {
            assert!(
                page.contains(&format!("| `{name}` |")) || page.contains(&format!("| `{name}, ")),
                "{name}"
            );
        }
    }

    #[test]
    fn every_table_has_its_programs() {
        let page = page();
        for row in
            ["| `timeout` `gtimeout` | before: number; flags: `-v, --verbose`", "| `sort` `gsort` | runs:"]
        {
            assert!(page.contains(row), "{row}");
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/core/presets");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let tables = files.filter(|name| name.to_string_lossy().ends_with(".table")).count();
        assert_eq!(tables, TABLES.len());
    }

    #[test]
    fn the_page_says_that_build_runs_the_projects_code() {
        assert!(page().contains("run the project's own code"));
    }
}
