//! The arguments of `gateway`: serving child servers as one, importing them, approving them.

use super::{FormatArgs, PresetArgs};
use crate::clients::CLIENTS;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueHint};
use std::net::SocketAddr;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  runward gateway
  runward gateway --config servers.json
  runward gateway --config servers.json --strict --log-file gateway.log
  RUNWARD_TOKEN=… runward gateway --http 127.0.0.1:8080
  runward gateway import
  runward gateway consent .mcp.json

The file is that of MCP clients: `{\"mcpServers\": {KEY: {\"command\": …, \"args\": […], \"env\": {…}}}}`,
or with a `url`. Tools are offered as KEY__tool. The servers of a list that `--config` names are
started without a question the first time; a later change needs your approval. `--config` names the
list of servers here; name Runward's own configuration with RUNWARD_CONFIG.

SIGHUP reads the file again: only servers that changed are restarted.";

pub(super) const USAGE: &str = "runward gateway [OPTIONS]\n       runward gateway <COMMAND>";

/// Child servers: serve them, or one of the further verbs.
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
    /// Accept connections from other machines
    #[arg(long, requires = "http")]
    pub(crate) allow_remote: bool,
    /// Text between a server's key and the name of its tool: letters, digits, `_`, `-`
    #[arg(long, value_name = "TEXT", default_value = "__", allow_hyphen_values = true)]
    pub(crate) separator: String,
    /// Exit if a server does not start
    #[arg(long)]
    pub(crate) strict: bool,
    /// Offer `find_tool` and `call_tool` instead of listing every tool of every server
    #[arg(long)]
    pub(crate) search: bool,
    /// Ask for approval of the servers that `--config` lists the first time, too
    #[arg(long, requires = "config")]
    pub(crate) ask: bool,
    /// Log every message
    #[arg(long)]
    pub(crate) debug: bool,
    /// Write the log to this file instead of stderr
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) log_file: Option<PathBuf>,
    /// The server name that clients see
    #[arg(long, value_name = "NAME", default_value = "runward")]
    pub(crate) name: String,
}

/// The further verbs of `gateway`.
#[derive(Debug, Subcommand)]
pub(crate) enum GatewayVerb {
    /// Find the servers of installed clients, and write them to one list
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArgs),
    /// Approve the servers of a project's file before they are started
    #[command(after_help = CONSENT_EXAMPLES)]
    Consent(ConsentArgs),
}

const IMPORT_EXAMPLES: &str = "Examples:
  runward gateway import
  runward gateway import --dry-run
  runward gateway import --from cursor --from codex --out servers.json
  runward gateway import --json

Reads the files of the clients that `--from` names; with `--project` also theirs in this folder,
such as `.mcp.json`, `.cursor/mcp.json` and `.vscode/mcp.json`.
Servers that the list already has stay unchanged. The same server of several clients is imported
once; a different one with the same key gets the client's name as a suffix. Runward itself is left
out. Values of variables are written to the list, which only you may read, and never shown.";

const CONSENT_EXAMPLES: &str = "Examples:
  runward gateway consent .mcp.json
  runward gateway consent .mcp.json --list
  runward gateway consent .mcp.json --yes
  runward gateway consent .mcp.json --withdraw github

An approval is for one exact command: program, arguments, variables and folder. Any change asks
again.";

/// What to import, and where to.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Read this client's files only; may be repeated
    #[arg(long, value_name = "CLIENT", value_parser = client_names())]
    pub(crate) from: Vec<String>,
    /// Import the servers of this folder's own files too; read those files first
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

/// Which servers to approve.
#[derive(Debug, Args)]
pub(crate) struct ConsentArgs {
    /// The project's list of servers
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Approve every server of the file
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show which servers are approved, and ask nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) list: bool,
    /// Withdraw the approval of this server; may be repeated
    #[arg(long, value_name = "KEY", conflicts_with_all = ["yes", "list"])]
    pub(crate) withdraw: Vec<String>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

fn client_names() -> PossibleValuesParser {
    let readable = CLIENTS.iter().filter(|client| client.form.is_shared());
    PossibleValuesParser::new(readable.map(|client| client.id))
}
