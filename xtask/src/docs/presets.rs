//! The page of presets, from their tables.

use super::table::{table, top};
use runward_core::policy::{Entry, PRESETS, Preset};

const LEAD: &str = "A preset is a table of programs with the options that each may be given. An option that is not in \
the table is refused in every spelling, and so is an abbreviation of one that is. What a preset does not do: it says \
nothing about which files are read, which is the sandbox's business, and nothing about programs that it does not name.";

/// The whole page.
pub(crate) fn page() -> String {
    let source = "`crates/core/presets`";
    PRESETS.iter().fold(top("Presets", source, LEAD), |page, preset| page + &one(preset))
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

fn row(entry: Entry) -> [String; 5] {
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
    fn the_page_says_that_build_runs_the_projects_code() {
        assert!(page().contains("run the project's own code"));
    }
}
