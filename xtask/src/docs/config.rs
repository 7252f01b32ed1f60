//! The page of the configuration, from the table of keys.

use super::table::{table, top};
use runward::config::{KEYS, Key, Kind, Project};

const LEAD: &str = "`runward.toml` is read from `--config FILE`, else `$RUNWARD_CONFIG`, else \
`$XDG_CONFIG_HOME/runward/runward.toml`. A project file, `.runward.toml` at the top of the git checkout, may only \
tighten what holds. Unknown keys, wrong types and values out of range refuse to start, all told at once. \
`runward config show --origin` prints every value with where it came from.";

/// The whole page.
pub(crate) fn page() -> String {
    let rows = KEYS.iter().map(|key| {
        [
            format!("`{}`", key.name),
            values(key),
            default(key),
            project(key.project).to_owned(),
            key.doc.to_owned(),
        ]
    });
    let heads = ["key", "value", "default", "a project file may", "what it is"];
    top("Configuration", "`crates/engine/src/config/table.rs`", LEAD) + &table(heads, rows)
}

fn values(key: &Key) -> String {
    match key.kind {
        Kind::Number(range) => format!("{} to {}", range.least, range.most),
        Kind::Word(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", "),
        kind => kind.expected().to_owned(),
    }
}

fn default(key: &Key) -> String {
    if key.built_in.is_empty() { "none".to_owned() } else { format!("`{}`", key.built_in) }
}

fn project(may: Project) -> &'static str {
    match may {
        Project::Lower => "lower it",
        Project::Shrink => "take entries out",
        Project::Grow => "add entries",
        Project::Stricter => "choose a stricter word",
        Project::Never => "not change it",
    }
}
