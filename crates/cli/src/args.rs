//! The command-line arguments (clap). May not do anything: verbs, the manual and the completions read them alike.

mod config;
mod flows;
mod gateway;
mod hook;
mod init;
mod log;
mod policy;
mod presets;
mod quick;
mod run;
mod sandbox;
mod sessions;

pub(crate) use config::{ConfigArgs, ConfigShowArgs, ConfigVerb};
pub(crate) use flows::FlowsArgs;
pub(crate) use gateway::{ConsentArgs, GatewayArgs, GatewayServeArgs, GatewayVerb, ImportArgs};
pub(crate) use hook::{HookArgs, HookInstallArgs, HookMode, HookTestArgs, HookVerb};
pub(crate) use init::{InitArgs, level_names};
pub(crate) use log::{LogArgs, ReplayArgs};
pub(crate) use policy::{CallerKind, CheckArgs, PolicyArgs, PolicyVerb};
pub(crate) use presets::{PresetArgs, preset_names};
pub(crate) use quick::read;
pub(crate) use run::{RunArgs, spelled_out};
pub(crate) use sandbox::SandboxArgs;
pub(crate) use sessions::{
    ApprovalsArgs, ApproveArgs, AttachArgs, DeclineArgs, KillArgs, LogsArgs, PsArgs, WaitArgs,
};

use crate::amount::{bytes_of, count_of, size_of, time_of, typed_time_of};
use crate::level::Level;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use runward::Wish;
use runward_mcp::Profile;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Run commands for AI agents: checked against your policy, limited, fully cleaned up, logged.
#[derive(Debug, Parser)]
#[command(
    name = "runward",
    version,
    disable_help_subcommand = true,
    after_help = "Examples:
  runward exec -- cargo test            run a program; no shell reads it
  runward exec --shell 'ls | wc -l'     run a script
  runward code python -c 'print(42)'    run a snippet
  runward run review.claude.md src/     run a markdown agent
  runward explain -- rm -rf build       show what would happen, start nothing
  runward mcp                           serve tools to an agent
  runward doctor                        show what this host can do
  runward --version --verbose           show what this program is

Exit status: the command's own; 124 at its time limit, 125 for a failure of
runward itself, 126 refused or not executable, 127 not found, 128+n when
signal n ended it."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) everywhere: EverywhereArgs,
    /// What to do
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

// What every verb takes.
#[derive(Debug, Args)]
pub(crate) struct EverywhereArgs {
    /// Read the configuration from this file
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run one command: checked, limited, fully cleaned up, logged
    #[command(after_help = EXEC_EXAMPLES, override_usage = EXEC_USAGE)]
    Exec(ExecArgs),
    /// Run a snippet of code by its language
    #[command(after_help = CODE_EXAMPLES)]
    Code(CodeArgs),
    /// Run a markdown agent: its front matter becomes flags, its body the prompt
    #[command(after_help = run::EXAMPLES, override_usage = run::USAGE)]
    Run(RunArgs),
    /// List the markdown agents that can be run by their name
    #[command(after_help = flows::EXAMPLES)]
    Flows(FlowsArgs),
    /// Show what `exec`, `code` or `run` would do, and start nothing
    #[command(after_help = EXPLAIN_EXAMPLES, override_usage = EXPLAIN_USAGE)]
    Explain(Box<ExplainArgs>),
    /// Show which file a program's name resolves to, and why
    #[command(after_help = "Examples:\n  runward resolve git\n  runward resolve node npm npx --json")]
    Resolve(ResolveArgs),
    /// Show what this host can do, and how to fix what is missing
    #[command(after_help = "Examples:\n  runward doctor\n  runward doctor --json")]
    Doctor(FormatArgs),
    /// Put Runward into the lists of installed clients, with rules that suit this folder, and try it
    #[command(after_help = init::EXAMPLES, visible_aliases = ["setup", "install"])]
    Init(Box<InitArgs>),
    /// Serve tools to an agent over the Model Context Protocol
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Serve the tools of other MCP servers as one, and restart the servers that fail
    #[command(after_help = gateway::EXAMPLES, override_usage = gateway::USAGE)]
    Gateway(GatewayArgs),
    /// Judge the commands of a client's own shell tool, as its hook
    #[command(after_help = hook::EXAMPLES, override_usage = hook::USAGE)]
    Hook(HookArgs),
    /// Show the configuration
    #[command(after_help = config::EXAMPLES, args_conflicts_with_subcommands = true)]
    Config(ConfigArgs),
    /// Show the rules in force, check command lines against them, and test their examples
    #[command(after_help = policy::EXAMPLES, args_conflicts_with_subcommands = true)]
    Policy(PolicyArgs),
    /// Show which commands were run: who asked, which rule allowed it, how it ended
    #[command(after_help = log::EXAMPLES)]
    Log(Box<LogArgs>),
    /// Run a recorded command again, after showing its plan and asking
    #[command(after_help = log::REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Show the sessions of running servers
    #[command(after_help = "Examples:\n  runward ps\n  runward ps --json")]
    Ps(PsArgs),
    /// Print a session's output
    #[command(after_help = "Examples:\n  runward logs 01a1e1a5\n  runward logs -f dev-server")]
    Logs(LogsArgs),
    /// Attach to a session's terminal
    #[command(
        after_help = "Examples:\n  runward attach dev-server\n\nYou see its output and type its input. Ctrl-] detaches; the session goes on."
    )]
    Attach(AttachArgs),
    /// Wait for a session to end, and exit with its code
    #[command(after_help = "Examples:\n  runward wait 01a1e1a5 && echo done")]
    Wait(WaitArgs),
    /// End a session and every process it started
    #[command(after_help = "Examples:\n  runward kill dev-server\n  runward kill --signal SIGINT 01a1e1a5")]
    Kill(KillArgs),
    /// Show the commands that wait for approval
    #[command(after_help = APPROVALS_EXAMPLES)]
    Approvals(ApprovalsArgs),
    /// Approve a command that waits
    #[command(
        after_help = "Examples:\n  runward approve 5f0c9a1e\n  runward approve --always 5f0c9a1e\n\nThe approval is for exactly the command shown. `--always` writes a rule for\nit to your own configuration."
    )]
    Approve(ApproveArgs),
    /// Refuse a command that waits
    #[command(after_help = "Examples:\n  runward decline 5f0c9a1e")]
    Decline(DeclineArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  runward completions bash > ~/.local/share/bash-completion/completions/runward\n  runward completions fish > ~/.config/fish/completions/runward.fish"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Write the manual, one page per verb
    #[command(after_help = "Examples:\n  runward man ~/.local/share/man/man1")]
    Man {
        /// The folder to write to
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Print help, for all or for one verb
    #[command(after_help = "Examples:\n  runward help\n  runward help exec\n  runward help policy check")]
    Help {
        /// The verb
        #[arg(value_name = "VERB")]
        verb: Vec<String>,
    },
    /// Print the version
    #[command(after_help = "Examples:\n  runward version")]
    Version,
    /// Print the reference page of the command line
    #[command(hide = true)]
    HelpMarkdown,
}

const EXEC_USAGE: &str =
    "runward exec [OPTIONS] -- PROGRAM [ARGS]...\n       runward exec [OPTIONS] --shell TEXT";

const EXPLAIN_USAGE: &str = "runward explain [OPTIONS] -- PROGRAM [ARGS]...\n       runward explain [OPTIONS] --shell TEXT\n       runward explain code LANG [OPTIONS] [-c CODE | FILE | -]\n       runward explain run [OPTIONS] FILE [ARGS]...";

const EXEC_EXAMPLES: &str = "Examples:
  runward exec -- cargo test
  runward exec --shell 'ls | wc -l'
  runward exec --timeout 2m --memory 1GiB -- make -j4
  runward exec --cwd web --env CI=1 -- npm test
  runward exec --stdin - -- sort < words.txt
  runward exec --sandbox workspace-write --network off -- make test
  runward exec --json -- git status

Exit status: the command's own; 124 at its time limit, 125 for a failure of
runward itself, 126 refused or not executable, 127 not found, 128+n when
signal n ended it.";

const EXPLAIN_EXAMPLES: &str = "Examples:
  runward explain -- rm -rf build
  runward explain --timeout 2m --shell 'make && make install'
  runward explain --json -- npx eslint .
  runward explain --sandbox read-only -- make
  runward explain code python -c 'print(6 * 7)'
  runward explain run review.claude.md src/";

const MCP_EXAMPLES: &str = "Examples:
  runward mcp
  runward mcp --level build
  runward mcp --profile all --workspace ~/project
  runward mcp --tools execute_command
  runward mcp --flows ./flows
  RUNWARD_TOKEN=… runward mcp --http 127.0.0.1:8080

Over stdio, standard output carries the protocol only; Runward's own messages go to stderr. When
the client closes standard input, every command that runs for it is stopped. Over HTTP the address
is http://ADDR/mcp, and each request must carry the token: that of RUNWARD_TOKEN, or one that is
made and printed once.

SIGHUP reads the configuration files and the folders of agents again; running commands go on. A
broken configuration is reported, and the rules from before stay in force.";

/// What to serve, and to whom.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) presets: PresetArgs,
    /// Allow what this level stands for: `look` is the preset readonly, `build` is readonly and build, `work` is the
    /// same in a sandbox: the workspace to write in, the code hosts of what lies in it, answers masked, no variables
    /// that look secret; it needs every layer of the sandbox
    #[arg(long, value_name = "LEVEL", value_parser = level_names())]
    pub(crate) level: Option<Level>,
    /// Offer the tools of this profile
    #[arg(long, value_name = "PROFILE", default_value = "terminal", value_parser = profile_names())]
    pub(crate) profile: String,
    /// Offer these tools instead, by name
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "profile")]
    pub(crate) tools: Vec<String>,
    /// Offer the markdown agents of this folder too: as prompts, and with `expose: tool` as tools; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) flows: Vec<PathBuf>,
    /// Join the child servers of this list too, as `runward gateway` does
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) servers: Option<PathBuf>,
    /// Text between a child server's key and the name of its tool
    #[arg(long, value_name = "TEXT", default_value = "__", allow_hyphen_values = true, requires = "servers")]
    pub(crate) separator: String,
    /// Exit if a child server does not start
    #[arg(long, requires = "servers")]
    pub(crate) strict: bool,
    /// Ask for approval of the child servers the first time, too
    #[arg(long, requires = "servers")]
    pub(crate) ask: bool,
    /// Serve streamable HTTP on this address instead of stdio
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<SocketAddr>,
    /// Accept connections from other machines
    #[arg(long, requires = "http")]
    pub(crate) allow_remote: bool,
    /// The folder that workspace-bound tools may not leave [default: the current one]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) workspace: Option<PathBuf>,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

fn profile_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Profile::ALL.iter().map(|(name, _)| *name))
}

const APPROVALS_EXAMPLES: &str = "Examples:
  runward approvals
  runward approvals --watch
  runward approvals --json

Answer with `runward approve ID` or `runward decline ID`. A command without an answer in time
(`policy.ask_timeout_ms`) is refused.";

const CODE_EXAMPLES: &str = "Examples:
  runward code python -c 'print(6 * 7)'
  runward code js script.js
  echo 'echo $((6 * 7))' | runward code bash -
  runward code python --version 3.12 --timeout 2m -c 'import sys; print(sys.version)'
  runward code bash --json -c 'ls | wc -l'

Languages: bash (sh), javascript (js, node), python (py, python3), and every `[languages.NAME]` of
the configuration. The code is passed to the interpreter unchanged; with `--json` the result is one
object: success, exit_code, stdout, stderr, error.

Exit status: the code's own; 124 at its time limit, 125 for a failure of runward itself,
126 refused, 127 no such interpreter, 128+n when signal n ended it.";

/// A command, and how to print its result.
#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    pub(crate) command: CommandArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Print only the command's own output, and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Tell more: to which node a name was resolved, which variables are set
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Run what a client's hook was allowed, once: the ticket that it was given
    #[arg(
        long,
        value_name = "TICKET",
        hide = true,
        requires = "shell",
        conflicts_with_all = ["cwd", "env", "stdin", "presets", "program"]
    )]
    pub(crate) ticket: Option<String>,
    /// Run it only if this preset allows it, as for a program that asks; may be repeated
    #[arg(long = "preset", value_name = "NAME", value_parser = preset_names())]
    pub(crate) presets: Vec<String>,
    // Last, because their headings hold for whatever follows.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What to explain: a command, or what another verb would do.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct ExplainArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<ExplainVerb>,
    #[command(flatten)]
    pub(crate) exec: ExecArgs,
}

/// The verbs that can be explained by name; `exec` needs none.
#[derive(Debug, Subcommand)]
pub(crate) enum ExplainVerb {
    /// Show what `exec` would do
    #[command(after_help = "Examples:\n  runward explain exec -- rm -rf build")]
    Exec(ExecArgs),
    /// Show what `code` would do
    #[command(
        after_help = "Examples:\n  runward explain code python -c 'print(6 * 7)'\n  runward explain code js --version 22 --json script.js"
    )]
    Code(CodeArgs),
    /// Show what `run` would do, and where each value came from
    #[command(
        after_help = "Examples:\n  runward explain run review.claude.md src/\n  runward explain run review.claude.md --json\n\nHooks, steps, inline commands and fences are named, not run. Standard input is not read.",
        override_usage = "runward explain run [OPTIONS] FILE [ARGS]..."
    )]
    Run(RunArgs),
}

/// A snippet, as typed.
#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    /// The language
    #[arg(value_name = "LANG")]
    pub(crate) lang: String,
    /// A file with the code, or `-` for standard input [default: -]
    #[arg(value_name = "FILE|-", conflicts_with = "code", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// The code itself
    #[arg(short = 'c', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// Use this version of the interpreter: `3`, `3.12`, `v22`
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Run it in this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// Stop it after this time: `500ms`, `90s`, `10m`, up to `24h`; `0` is no limit [default: 30s, none at a terminal]
    #[arg(long, value_name = "TIME", value_parser = typed_time_of("limits.timeout_ms"))]
    pub(crate) timeout: Option<Wish<Duration>>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Print only the code's own output, and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Tell more: to which node a name was resolved, which variables are set
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// A command, as typed.
#[derive(Debug, Args)]
pub(crate) struct CommandArgs {
    /// Run this text in the host's shell
    #[arg(long, value_name = "TEXT")]
    pub(crate) shell: Option<OsString>,
    /// Run it in this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// Set an environment variable; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) env: Vec<(String, String)>,
    /// Its standard input: a file, or `-` for runward's own [default: empty]
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    pub(crate) stdin: Option<PathBuf>,
    /// The program and its arguments, passed on unchanged
    #[arg(
        last = true,
        value_name = "PROGRAM ARGS",
        required_unless_present = "shell",
        conflicts_with = "shell",
        value_hint = ValueHint::CommandWithArguments
    )]
    pub(crate) program: Vec<OsString>,
}

/// Limits, as typed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Stop it after this time: `500ms`, `90s`, `10m`, up to `24h`; `0` is no limit [default: 30s, none at a terminal]
    #[arg(long, value_name = "TIME", value_parser = typed_time_of("limits.timeout_ms"))]
    pub(crate) timeout: Option<Wish<Duration>>,
    /// Stop it when it has had no output for this time
    #[arg(long, value_name = "TIME", value_parser = typed_time_of("limits.idle_timeout_ms"))]
    pub(crate) idle_timeout: Option<Wish<Duration>>,
    /// Stop it when its output reaches this size: `4096`, `64k`, `1.5MiB`
    #[arg(long, value_name = "BYTES", value_parser = bytes_of("limits.output_bytes"))]
    pub(crate) output_limit: Option<Wish<u64>>,
    /// Keep this much of each output stream for `--json` and `--yaml` [default: 1MiB]
    #[arg(long, value_name = "BYTES", value_parser = size_of("limits.keep_bytes"))]
    pub(crate) max_output: Option<u64>,
    /// Memory it may use
    #[arg(long, value_name = "BYTES", value_parser = bytes_of("limits.memory_bytes"))]
    pub(crate) memory: Option<Wish<u64>>,
    /// Processor time each of its processes may use
    #[arg(long, value_name = "TIME", value_parser = time_of("limits.cpu_ms"))]
    pub(crate) cpu: Option<Wish<Duration>>,
    /// Processes it may have at once
    #[arg(long, value_name = "COUNT", value_parser = count_of("limits.processes"))]
    pub(crate) processes: Option<Wish<u64>>,
    /// Files each of its processes may have open at once
    #[arg(long, value_name = "COUNT", value_parser = count_of("limits.open_files"))]
    pub(crate) open_files: Option<Wish<u64>>,
    /// Size of the largest file it may write
    #[arg(long, value_name = "BYTES", value_parser = bytes_of("limits.file_size_bytes"))]
    pub(crate) file_size: Option<Wish<u64>>,
}

/// How the result is printed.
#[derive(Debug, Args)]
pub(crate) struct FormatArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print one YAML document
    #[arg(long, conflicts_with = "json")]
    pub(crate) yaml: bool,
}

/// Names to resolve.
#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// Names of programs
    #[arg(required = true, value_name = "NAME", value_hint = ValueHint::CommandName)]
    pub(crate) names: Vec<OsString>,
    /// Tell, too, to which node a name was resolved
    #[arg(long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it like `NAME=VALUE`".to_owned()),
    }
}
