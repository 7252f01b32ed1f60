//! The page of limits, from their defaults.

use super::table::{table, top};
use runward_core::render;
use runward_core::spec::Limits;
use runward_engine::config;
use std::time::Duration;

const LEAD: &str = "Every limit has a name, a default and a line in the receipt. \
A limit that is off is not kept unless the configuration or the caller sets it.";

const OF_FLOWS: &str = "## Markdown agents\n\n\
These bound what one file does, not one command, so no receipt names them. \
[The configuration](configuration.md) sets them, and a project can only lower them.\n\n";

const OF_ENGINE: &str = "## All commands together\n\n\
These bound one process and all commands that it runs, so no receipt has a line for them; a command that had to wait, \
or had its output cut by one of them, says so in a note. [The configuration](configuration.md) sets them.\n\n";

/// Keys of the configuration that bound all commands together, with what keeps each.
const ENGINE_LIMITS: [(&str, &str); 5] = [
    (
        "limits.running",
        "the engine: a further one waits for its turn, in order, for as long as it may run itself",
    ),
    ("limits.waiting", "the engine: a further one fails at once"),
    (
        "limits.disk_wait_ms",
        "a thread that looks and a thread that writes, neither of which anybody else waits for",
    ),
    (
        "limits.spool_total_bytes",
        "the spool, by counting what is written: the oldest that is over goes first",
    ),
    ("journal.write_timeout_ms", "the journal"),
];

/// Keys of the configuration that bound a markdown agent, with what keeps each.
const FLOW_LIMITS: [(&str, &str); 1] =
    [("flows.commands_at_once", "the runner: a further one waits until one has ended")];

const OF_CHILDREN: &str = "## Child servers\n\n\
These bound what one child server of the gateway may do to it. [The gateway](gateway.md#bounds) has further ones, \
which are fixed.\n\n";

/// Keys of the configuration that bound a child server, with what keeps each.
const CHILD_LIMITS: [(&str, &str); 1] =
    [("gateway.message_bytes", "the gateway: the call is answered with `gateway.bad-answer`")];

const OF_SERVERS: &str = "## Servers\n\n\
These bound what one server has under way for its clients, so no receipt names them. \
[The configuration](configuration.md) sets them, and a project cannot.\n\n";

/// Keys of the configuration that bound a server, with what keeps each.
const SERVER_LIMITS: [(&str, &str); 6] = [
    ("mcp.requests", "the wire (stdio): further ones wait, and what cancels or answers them is heard"),
    ("mcp.request_bytes", "the wire, and the door of HTTP: the rest is read past and not kept"),
    ("mcp.answers_bytes", "the wire (stdio): a client that does not read is not read"),
    ("mcp.connections", "the door of HTTP: the one that was idle for longest is closed"),
    ("mcp.header_timeout_ms", "the door of HTTP: the connection is closed"),
    ("mcp.body_timeout_ms", "the door of HTTP: the request is answered with 408"),
];

/// The whole page.
pub(crate) fn page() -> String {
    let rows = rows(&Limits::default()).map(|(name, default, about, keeper)| {
        [format!("`{name}`"), default, about.to_owned(), keeper.to_owned()]
    });
    let heads = ["limit", "default", "what it bounds", "what keeps it"];
    let source = "`crates/core/src/spec/limits.rs` and `crates/engine/src/config/table.rs`";
    let further = [
        (OF_ENGINE, &ENGINE_LIMITS[..]),
        (OF_FLOWS, &FLOW_LIMITS[..]),
        (OF_CHILDREN, &CHILD_LIMITS[..]),
        (OF_SERVERS, &SERVER_LIMITS[..]),
    ];
    let further = further.map(|(lead, limits)| format!("\n{lead}{}", table(heads, rows_of(limits))));
    top("Limits", source, LEAD) + &table(heads, rows) + &further.concat()
}

fn rows_of(limits: &[(&str, &str)]) -> impl Iterator<Item = [String; 4]> {
    let known = |(name, keeper): &(&str, &str)| Some((config::key(name)?, (*keeper).to_owned()));
    limits.iter().filter_map(known).map(|(key, keeper)| {
        let default = if key.built_in.is_empty() { "by the host" } else { key.built_in };
        [format!("`{}`", key.name), default.to_owned(), key.doc.to_owned(), keeper]
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
        (
            "wall",
            maybe(*wall, time),
            "wall-clock time; none for what is typed at a terminal, unless it is set",
            CLOCK,
        ),
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
        assert!(page.contains("| `limits.running` | by the host |"), "{page}");
    }
}
