//! The table of keys: the one list that reading, showing, documenting and tightening go by.

use super::key::{ConfigKey, Project, Range, ValueKind};

/// Ten minutes: no limit on time is longer.
const LONGEST_MS: u64 = 600_000;

/// One pebibyte: more than any host holds.
const VAST: u64 = 1 << 50;

const fn number(least: u64, most: u64) -> ValueKind {
    ValueKind::Number(Range { least, most })
}

macro_rules! keys {
    ($($name:literal $kind:expr, $built_in:literal, $project:ident, $doc:literal;)*) => {
        /// Every key there is, in the order in which they are shown.
        pub const KEYS: &[ConfigKey] = &[
            $(ConfigKey { name: $name, kind: $kind, built_in: $built_in, project: Project::$project, doc: $doc },)*
        ];
    };
}

keys! {
    "limits.timeout_ms" number(1, LONGEST_MS), "30000", Lower, "wall-clock time after which a command is stopped";
    "limits.idle_timeout_ms" number(1, LONGEST_MS), "", Lower, "time without output after which a command is stopped";
    "limits.output_bytes" number(1, VAST), "", Lower, "bytes of output, both streams together, after which a command is stopped";
    "limits.kill_grace_ms" number(0, 60_000), "500", Lower, "time between asking a command to end and killing it";
    "limits.drain_ms" number(0, 60_000), "100", Lower, "how long output is read after the command ended";
    "limits.memory_bytes" number(1, VAST), "", Lower, "memory a command may use";
    "limits.cpu_ms" number(1, 86_400_000), "", Lower, "processor time a process may use";
    "limits.processes" number(1, 4_194_304), "", Lower, "processes a command may have at once";
    "limits.open_files" number(3, 1_048_576), "", Lower, "files a process may have open at once";
    "limits.file_size_bytes" number(1, VAST), "", Lower, "size of the largest file a command may write";
    "limits.keep_bytes" number(2, 1 << 30), "1048576", Lower, "bytes of each stream kept in memory for the answer";
    "limits.spool_bytes" number(0, VAST), "67108864", Lower, "bytes of each command's output written to disk";
    "limits.spool_total_bytes" number(0, VAST), "1073741824", Lower, "bytes that all output on disk may take together";
    "limits.running" number(1, 65_536), "", Never, "commands that run at one time, further ones wait for their turn; without it (open files - 32) / 8, at the most 128 for each processor. Sessions and child servers have limits of their own";
    "limits.waiting" number(0, 65_536), "1024", Never, "commands that wait for their turn at one time, each for as long as it may run; one more is refused (`engine.busy`)";
    "limits.disk_wait_ms" number(1, 60_000), "5000", Never, "how long a command waits for a disk that does not answer: when its files are looked at (then it fails, `resolve.unresponsive`), and when its output is written to the spool (then the spool ends there)";
    "limits.containment" ValueKind::Word(&["auto", "pid-namespace", "cgroup", "subreaper", "job", "process-group"]), "auto", Never, "how a command's processes are held together";
    "journal.enabled" ValueKind::Flag, "true", Never, "whether commands are recorded; `RUNWARD_JOURNAL=off` switches it off too";
    "journal.required" ValueKind::Flag, "false", Tighten, "whether a command that cannot be recorded is refused; then nothing switches the journal off";
    "journal.write_timeout_ms" number(1, 60_000), "500", Never, "how long a command waits for its first record";
    "journal.output" ValueKind::Flag, "true", Never, "whether a command's output is kept with its record, masked, up to 1 MiB of each stream";
    "journal.keep_days" number(1, 36_500), "90", Never, "days after which records are dropped";
    "journal.keep_bytes" number(1 << 20, VAST), "1073741824", Never, "bytes that the journal may take; the oldest records are dropped first";
    "redact.patterns" ValueKind::Patterns, "[]", Grow, "regular expressions: what they match is masked in journal, logs and progress";
    "answer.max_chars" number(200, 200_000), "24000", Lower, "characters of one answer to a model, both streams together; what does not fit is counted, and can be read by its address";
    "answer.digest" ValueKind::Word(&["auto", "off"]), "auto", Set, "whether lines that are known to be harmless (passed tests, progress) are left out of long answers and counted";
    "answer.digest_from" number(0, 200_000), "4000", Set, "characters of a stream from which on it is digested";
    "answer.mask" ValueKind::Flag, "true", Tighten, "whether secrets are masked in answers to agents, too; a person at a terminal sees everything";
    "answer.plain" ValueKind::Flag, "true", Set, "whether answers are without escape sequences, and a line that was overwritten is shown as it stood at its end";
    "answer.structured" ValueKind::Word(&["same", "none"]), "same", Set, "whether answers carry the keys of their text as structured content";
    "answer.yield_ms" number(0, LONGEST_MS), "50000", Lower, "after how long `execute_command` answers for a command that still runs, which then goes on as a session; 0 is never";
    "telemetry.otlp" ValueKind::Collector, "", Never, "address of an OpenTelemetry collector that receives every command as a span: `http://HOST[:PORT]`, OTLP over HTTP";
    "env.base" ValueKind::Word(&["inherit", "clean"]), "inherit", Stricter, "the environment that a command's own is built from";
    "env.allow" ValueKind::List, "[]", Shrink, "with a clean base: further names that are passed on";
    "env.drop" ValueKind::List, "[]", Grow, "names that are never passed on";
    "policy.typed" ValueKind::Word(&["allow", "ask", "deny"]), "allow", Stricter, "what holds for a command that a person typed, or that stands in a file that they run or name";
    "policy.allow" ValueKind::List, "[]", Shrink, "programs that may run, by name or absolute path; \"*\" is every program";
    "policy.ask" ValueKind::List, "[]", Grow, "programs that run only when a person agrees, by name or absolute path";
    "policy.deny" ValueKind::List, "[]", Grow, "programs that may not run, by name or absolute path";
    "policy.presets" ValueKind::Choice(&["readonly", "build"]), "[]", Shrink, "presets that allow: tables of programs with the options that they may be given";
    "policy.ask_timeout_ms" number(1, 3_600_000), "120000", Lower, "how long to wait for a person's answer";
    "policy.redirect" ValueKind::Word(&["any", "workspace", "none"]), "none", Stricter, "where shell text may write by redirection";
    "policy.sandboxed" ValueKind::Word(&["allow", "rules"]), "rules", Stricter, "what may run inside the sandbox where no rule speaks: everything, as long as all three layers are in force and the network is off or a list; or nothing, because the rules decide alone";
    "policy.carried" ValueKind::Word(&["job", "named"]), "job", Stricter, "what the bare name of a program that runs code allows: the program with its job (`npm` is `npm run build`), or nothing but what is named with it";
    "policy.interactive" ValueKind::List, "[]", Shrink, "programs that may have a terminal or open input although a caller can then run anything through them; \"*\" is every program";
    "policy.allowed_commands" ValueKind::List, "", Shrink, "the only commands that may run, for every door (ALLOWED_COMMANDS); \"*\" is all, an entry of several words is a beginning";
    "policy.allowed_cwd_roots" ValueKind::List, "", Never, "folders that a caller may choose to work in (ALLOWED_CWD_ROOTS); none is any";
    "sandbox.mode" ValueKind::Word(&["off", "workspace-write", "read-only"]), "off", Stricter, "where a running command may write: everywhere, in the workspace, or nowhere but in a temporary folder of its own";
    "sandbox.network" ValueKind::Network, "on", Stricter, "which hosts a running command may connect to: all, none, or those of a list (`HOST`, `HOST:22,443`, `*.HOST`, `10.0.0.5:5432`, `localhost:5432`), which needs the layer `namespaces`";
    "sandbox.network_private" ValueKind::HostNames, "[]", Shrink, "of the listed hosts, those whose names may lead to private addresses; without this a name that does is refused";
    "sandbox.layers" ValueKind::Choice(&["namespaces", "landlock", "seccomp"]), "[\"namespaces\", \"landlock\", \"seccomp\"]", Grow, "the layers that enforce the sandbox; each must be available, and listing fewer accepts a weaker sandbox";
    "sandbox.writable" ValueKind::Paths, "[]", Shrink, "with `workspace-write`: folders beside the workspace that may be written";
    "sandbox.deny_read" ValueKind::Paths, "[]", Grow, "files and folders that a running command cannot read";
    "engine" ValueKind::Name, "", Set, "the command of markdown agents that name none themselves";
    "flows.allow_hosts" ValueKind::List, "[]", Never, "hosts that markdown agents may import from, `*.example.com` for all below one; none is any";
    "flows.block_hosts" ValueKind::List, "[]", Grow, "hosts that markdown agents may not import from, nor from any below them";
    "flows.commands_at_once" number(1, 100), "10", Lower, "commands inside the text of one markdown agent that run at the same time";
    "gateway.message_bytes" number(1 << 16, 1 << 30), "16777216", Lower, "bytes of the longest message of a child server; an answer that is longer is an error for its call";
    "mcp.requests" number(1, 10_000), "128", Never, "requests of one client that are worked on at the same time; 64 more wait, and then no further one is read";
    "mcp.request_bytes" number(1024, 1 << 30), "16777216", Never, "bytes of one request to the server; a larger one is answered with an error";
    "mcp.answers_bytes" number(1024, 1 << 30), "8388608", Never, "bytes of answers that wait for a client to read them before nothing more of it is read";
    "mcp.connections" number(1, 65_536), "256", Never, "connections over HTTP at the same time, and never more than a quarter of the files that the server may have open; the one that was idle for longest makes room";
    "mcp.header_timeout_ms" number(1, LONGEST_MS), "30000", Never, "how long the head of a request over HTTP may take, and how long a connection may be idle";
    "mcp.body_timeout_ms" number(1, LONGEST_MS), "60000", Never, "how long the body of a request over HTTP may take";
    "hook.ask" ValueKind::Word(&["client", "runward"]), "client", Never, "who puts the question of a rule that asks, for a command that a client's hook hands in: the client, where it has a question that holds (`claude-code`, `cursor`, `copilot`), or `runward approvals`; for every other client always the latter";
    "hook.ask_wait_ms" number(1, LONGEST_MS), "50000", Lower, "how long a hook waits for the answer in `runward approvals`; then the command is refused. The client must wait longer";
    "hook.on_failure" ValueKind::Word(&["client", "deny"]), "deny", Stricter, "what becomes of a command that a hook could not judge: refused, or left to the client";
    "hook.on_bypass" ValueKind::Word(&["tell", "deny"]), "deny", Stricter, "what becomes of further commands of a client that ran one in another way than its hook said: told and judged, or refused";
    "runtimes.node.path" ValueKind::Path, "", Never, "the node that `node`, `npm` and `npx` mean";
}

/// The key of that name.
pub fn key(name: &str) -> Option<&'static ConfigKey> {
    KEYS.iter().find(|key| key.name == name)
}

/// Whether this is the name of a table that holds keys.
pub(super) fn is_table(name: &str) -> bool {
    tables().any(|table| table == name)
}

fn tables() -> impl Iterator<Item = &'static str> {
    let of_keys = KEYS.iter().flat_map(|key| key.name.match_indices('.').map(|(dot, _)| &key.name[..dot]));
    of_keys.chain([super::languages::TABLE, super::commands::TABLE])
}

/// The known key or table with the name most like this one, if one is like it at all.
pub fn nearest(name: &str) -> Option<&'static str> {
    let last = |name: &str| name.rsplit('.').next().map(str::to_owned).unwrap_or_default();
    let near = |known: &&str| {
        // A key in the wrong table is a common slip, so the last word alone counts too, a little less.
        let alone = strsim::jaro_winkler(&last(known), &last(name)) - 0.05;
        strsim::jaro_winkler(known, name).max(alone)
    };
    let known = tables().chain(KEYS.iter().map(|key| key.name));
    known.max_by(|a, b| near(a).total_cmp(&near(b))).filter(|best| near(best) > 0.85)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigValue;
    use runward_core::facts::Containment;

    #[test]
    fn every_built_in_value_is_one_the_key_takes() {
        for key in KEYS {
            match (key.kind, key.default_value()) {
                (_, ConfigValue::Unset) => assert_eq!(key.built_in, "", "{}", key.name),
                (ValueKind::Number(range), ConfigValue::Number(number)) => {
                    assert!(range.holds(number), "{}", key.name);
                }
                (ValueKind::Flag, ConfigValue::Bool(_)) => assert!(["true", "false"].contains(&key.built_in)),
                (ValueKind::Word(words), ConfigValue::Word(word)) => assert!(words.contains(&word.as_str())),
                (ValueKind::Choice(known), ConfigValue::List(words)) => {
                    assert!(words.iter().all(|word| known.contains(&word.as_str())), "{}", key.name);
                    assert_eq!(format!("{words:?}"), key.built_in);
                }
                (
                    ValueKind::List | ValueKind::Patterns | ValueKind::Paths | ValueKind::HostNames,
                    ConfigValue::List(words),
                ) => {
                    assert!(words.is_empty() && key.built_in == "[]");
                }
                (ValueKind::Network, ConfigValue::Word(word)) => {
                    assert!(["on", "off"].contains(&word.as_str()));
                }
                (kind, value) => panic!("{}: {kind:?} and {value:?}", key.name),
            }
        }
    }

    #[test]
    fn every_way_to_hold_a_tree_together_can_be_named() {
        use Containment as C;
        let Some(ValueKind::Word(words)) = key("limits.containment").map(|key| key.kind) else { panic!() };
        for way in [C::PidNamespace, C::Cgroup, C::Subreaper, C::Job, C::ProcessGroup] {
            assert!(words.contains(&way.name()), "{}", way.name());
        }
    }

    #[test]
    fn every_mode_and_layer_of_the_sandbox_can_be_named_the_laxest_mode_first() {
        use runward_core::sandbox::{Layer, Mode};
        let Some(ValueKind::Word(modes)) = key("sandbox.mode").map(|key| key.kind) else { panic!() };
        assert_eq!(modes, Mode::ALL.map(Mode::name));
        let Some(ValueKind::Choice(layers)) = key("sandbox.layers").map(|key| key.kind) else { panic!() };
        assert_eq!(layers, Layer::ALL.map(Layer::name));
    }

    #[test]
    fn every_preset_can_be_named() {
        let Some(ValueKind::Choice(words)) = key("policy.presets").map(|key| key.kind) else { panic!() };
        let presets: Vec<&str> = runward_core::policy::PRESETS.iter().map(|preset| preset.name).collect();
        assert_eq!(words, presets);
    }

    #[test]
    fn a_slip_finds_its_key() {
        assert_eq!(nearest("limits.timout_ms"), Some("limits.timeout_ms"));
        assert_eq!(nearest("limit.memory_bytes"), Some("limits.memory_bytes"));
        assert_eq!(nearest("timeout_ms"), Some("limits.timeout_ms"));
        assert_eq!(nearest("limts"), Some("limits"));
        assert_eq!(nearest("zzz"), None);
    }

    #[test]
    fn the_table_is_the_published_one() {
        let table: String = KEYS
            .iter()
            .map(|key| format!("{} = {} ({:?}; {:?})\n", key.name, key.built_in, key.kind, key.project))
            .collect();
        insta::assert_snapshot!(table);
    }
}
