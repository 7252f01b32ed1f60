//! The page of the configuration, from the table of keys.

use super::table::{table, top};
use runward_engine::config::{ConfigKey, KEYS, Project, ValueKind};

const LEAD: &str = "`runward.toml` is read from `--config FILE`, else `$RUNWARD_CONFIG`, else \
`$XDG_CONFIG_HOME/runward/runward.toml`. A project file, `.runward.toml` at the top of the git checkout, may only \
tighten what holds, and so may one in the folder where Runward is called, which comes after it. Unknown keys, wrong types and values out of range refuse to start, all told at once. \
`runward config show --origin` prints every value with where it came from.";

const LANGUAGES: &str = "
## Variables

`ALLOWED_COMMANDS` and `ALLOWED_CWD_ROOTS` say what `policy.allowed_commands` and `policy.allowed_cwd_roots` would, \
as lists with commas between, and come after the owner's file. A list of commands, even an empty one, governs every \
door once it is there. Every command in a text, and whatever a command starts (`env`, `sudo`, `bash -c`, `find -exec`), \
must be on it; a text that cannot be understood completely is refused unless the list holds `*`. \
[More](policy.md#where-rules-come-from).

## Reading it again

`runward mcp` reads its files again on `SIGHUP`: the owner's and the project's. The new `[policy]` holds for every \
command from then on; what runs goes on. Keys of other tables wait for the next start, and a line on stderr names those \
that changed. A broken file changes nothing: the rules from before still hold, and stderr and every connected client \
are told why. The environment of a running process cannot be changed, so a variable keeps the value it had at the \
start. Rules that are to change while the server runs belong in a file, with the variable unset.

## Languages

`[languages.NAME]` adds a language for `runward code`, or changes a known one. A project file may not.

```toml
[languages.ruby]
command = \"ruby\"     # a name, or an absolute path
args = [\"-e\"]        # what comes before the code
aliases = [\"rb\"]     # other names for it
```

## Commands of markdown agents

`[commands.NAME]` says what a command is given where a markdown agent's front matter says nothing, key by key: true, \
false, a number, a text or a list of them. `env` may also be a table: variables for the command. It is one key: the file \
that counts more replaces it whole. A project file may set these keys too, and counts more than the owner's: the command \
that results is judged like every other, and what no caller may set (`LD_PRELOAD`, `BASH_ENV`, …) it cannot set either.

```toml
engine = \"claude\"          # for files that name no command

[commands.claude]
model = \"sonnet\"
verbose = true
add-dir = [\"./src\"]
env = { NODE_ENV = \"test\" }
```
";

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
    top("Configuration", "`crates/engine/src/config/table.rs`", LEAD) + &table(heads, rows) + LANGUAGES
}

fn values(key: &ConfigKey) -> String {
    match key.kind {
        ValueKind::Number(range) => format!("{} to {}", range.least, range.most),
        ValueKind::Word(words) => {
            words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
        }
        kind => kind.expected().to_owned(),
    }
}

fn default(key: &ConfigKey) -> String {
    if key.built_in.is_empty() { "none".to_owned() } else { format!("`{}`", key.built_in) }
}

fn project(may: Project) -> &'static str {
    match may {
        Project::Lower => "lower it",
        Project::Shrink => "take entries out",
        Project::Grow => "add entries",
        Project::Stricter => "choose a stricter word",
        Project::Tighten => "switch it on",
        Project::Set => "set it",
        Project::Never => "not change it",
    }
}
