//! The page of limits, from their defaults.

use super::table::{table, top};
use runward::config;
use runward_core::render;
use runward_core::spec::Limits;
use std::time::Duration;

const LEAD: &str = "Every limit has a name, a default and a line in the receipt. \
A limit that is off is not kept unless the configuration or the caller sets it.";

const OF_FLOWS: &str = "## Markdown agents\n\n\
These bound what one file does, not one command, so no receipt names them. \
[The configuration](configuration.md) sets them, and a project can only lower them.\n\n";

/// Keys of the configuration that bound a markdown agent, with what keeps each.
const FLOW_LIMITS: [(&str, &str); 1] =
    [("flows.commands_at_once", "the runner: a further one waits until one has ended")];

/// The whole page.
pub(crate) fn page() -> String {
    let rows = rows(&Limits::default()).map(|(name, default, about, keeper)| {
        [format!("`{name}`"), default, about.to_owned(), keeper.to_owned()]
    });
    let heads = ["limit", "default", "what it bounds", "what keeps it"];
    let source = "`crates/core/src/spec/limits.rs` and `crates/engine/src/config/table.rs`";
    top("Limits", source, LEAD) + &table(heads, rows) + "\n" + OF_FLOWS + &table(heads, flow_rows())
}

fn flow_rows() -> impl Iterator<Item = [String; 4]> {
    let known = |(name, keeper)| Some((config::key(name)?, keeper));
    FLOW_LIMITS.into_iter().filter_map(known).map(|(key, keeper): (&config::Key, &str)| {
        [format!("`{}`", key.name), key.built_in.to_owned(), key.doc.to_owned(), keeper.to_owned()]
    })
}

type LimitRow = (&'static str, String, &'static str, &'static str);

const CLOCK: &str = "the life of the command, by the engine's clock";
const COUNT: &str = "the life of the command, by counting bytes";
const GROUP: &str = "a cgroup where one is delegated, an rlimit otherwise";
const RLIMIT: &str = "an rlimit";

/// Taken apart field by field, so that a limit without a row does not compile.
fn rows(limits: &Limits) -> [LimitRow; 12] {
    let Limits {
        wall,
        idle,
        output,
        memory,
        cpu,
        processes,
        open_files,
        file_size,
        keep,
        spool,
        kill_grace,
        drain,
    } = limits;
    [
        ("wall", maybe(*wall, time), "wall-clock time", CLOCK),
        ("idle", maybe(*idle, time), "time without a byte of output", CLOCK),
        ("output", maybe(*output, render::bytes), "bytes printed, both streams together", COUNT),
        ("memory", maybe(*memory, render::bytes), "bytes of memory", GROUP),
        ("cpu", maybe(*cpu, time), "processor time", RLIMIT),
        ("processes", maybe(*processes, |n| n.to_string()), "processes at one time", GROUP),
        ("open_files", maybe(*open_files, |n| n.to_string()), "open files of one process", RLIMIT),
        ("file_size", maybe(*file_size, render::bytes), "bytes in one file", RLIMIT),
        (
            "keep",
            render::bytes(*keep),
            "bytes of each stream kept for the answer",
            "the window: head and tail",
        ),
        ("spool", render::bytes(*spool), "bytes of output written to the spool", "the spool"),
        ("kill_grace", time(*kill_grace), "time to end after being asked to", "the ladder"),
        ("drain", time(*drain), "time that output is read after the end", "the life of the command"),
    ]
}

fn time(time: Duration) -> String {
    render::duration(time)
}

fn maybe<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "off".to_owned(), show)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_off_says_so() {
        let page = page();
        assert!(page.contains("| `idle` | off |"), "{page}");
        assert!(page.contains("| `wall` | 30s |"), "{page}");
        assert!(page.contains("| `spool` | 64 MiB |"), "{page}");
        assert!(page.contains("| `flows.commands_at_once` | 10 |"), "{page}");
    }
}
