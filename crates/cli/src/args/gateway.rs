//! What can be typed about child servers: serving them as one, finding them, agreeing to them.

use super::{FormatArgs, PresetArgs};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};
use runward_mcp::gateway::import::CLIENTS;
use std::net::SocketAddr;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  runward gateway
  runward gateway --config servers.json
  runward gateway --config servers.json --strict --log-file gateway.log
  RUNWARD_TOKEN=… runward gateway --http 127.0.0.1:8080
  runward gateway import
  runward gateway consent .mcp.json

The file is what clients keep: `{\"mcpServers\": {KEY: {\"command\": …, \"args\": […], \"env\": {…}}}}`,
or with a `url`. Tools are offered as KEY__tool. A list that `--config` names is started as it stands
the first time; what changes in it later needs a yes. `--config` names the list of servers here; name
Runward's own configuration with RUNWARD_CONFIG.

SIGHUP reads the file again: only servers that changed are started anew.";

pub(super) const USAGE: &str = "runward gateway [OPTIONS]\n       runward gateway <COMMAND>";

/// Child servers: to serve them, or what else there is to do about them.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct GatewayArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<GatewayVerb>,
    #[command(flatten)]
    pub(crate) serve: GatewayServeArgs,
}

/// Which child servers to serve, and how.
#[derive(Debug, Args)]
pub(crate) struct GatewayServeArgs {
    #[command(flatten)]
    pub(crate) presets: PresetArgs,
    /// The list of servers [default: servers.json beside your own configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Serve streamable HTTP on this address instead of stdio
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<SocketAddr>,
    /// Let other machines reach the address
    #[arg(long, requires = "http")]
    pub(crate) allow_remote: bool,
    /// What stands between a server's key and the name of its tool: letters, digits, `_`, `-`
    #[arg(long, value_name = "TEXT", default_value = "__", allow_hyphen_values = true)]
    pub(crate) separator: String,
    /// End unless every server starts
    #[arg(long)]
    pub(crate) strict: bool,
    /// Ask about the servers of the list that `--config` names the first time, too
    #[arg(long, requires = "config")]
    pub(crate) ask: bool,
    /// Tell every message that passes
    #[arg(long)]
    pub(crate) debug: bool,
    /// Write our own words to this file instead of stderr
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log_file: Option<PathBuf>,
    /// What we call ourselves to clients
    #[arg(long, value_name = "NAME", default_value = "runward")]
    pub(crate) name: String,
}

/// What else there is to do about child servers.
#[derive(Debug, Subcommand)]
pub(crate) enum GatewayVerb {
    /// Find the servers of installed clients, and write them to one list
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArgs),
    /// Agree to the servers of a project's file before they are started
    #[command(after_help = CONSENT_EXAMPLES)]
    Consent(ConsentArgs),
}

const IMPORT_EXAMPLES: &str = "Examples:
  runward gateway import
  runward gateway import --dry-run
  runward gateway import --from cursor --from codex --out servers.json
  runward gateway import --json

Looked at are the files of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Gemini CLI,
Codex and Cline, and `.mcp.json`, `.cursor/mcp.json` and `.vscode/mcp.json` here, whose servers are
taken with `--project` only. What the list has already stays as it is. The same server of several
clients is taken once; another one of the same key gets the client's name behind it. Runward itself
is left out. Values of variables are written to the list, which only you may read, and never shown.";

const CONSENT_EXAMPLES: &str = "Examples:
  runward gateway consent .mcp.json
  runward gateway consent .mcp.json --list
  runward gateway consent .mcp.json --yes
  runward gateway consent .mcp.json --withdraw github

A yes is for one exact command: program, arguments, variables and folder. Any change asks again.";

/// What to import, and where to.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Look at this client's files only; may be repeated
    #[arg(long, value_name = "CLIENT", value_parser = client_names())]
    pub(crate) from: Vec<String>,
    /// Take the servers of this folder's own files too; read them first, they came with it
    #[arg(long)]
    pub(crate) project: bool,
    /// Write to this file [default: servers.json beside your own configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file instead of adding to it
    #[arg(long)]
    pub(crate) force: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Which servers to agree to.
#[derive(Debug, Args)]
pub(crate) struct ConsentArgs {
    /// The project's list of servers
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Agree to every server of the file
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show which servers were agreed to, and ask nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) list: bool,
    /// Take the agreement to this server back; may be repeated
    #[arg(long, value_name = "KEY", conflicts_with_all = ["yes", "list"])]
    pub(crate) withdraw: Vec<String>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn client_names() -> PossibleValuesParser {
    PossibleValuesParser::new(CLIENTS.iter().map(|client| client.id))
}
