//! What can be typed about child servers: serving them as one, finding them, agreeing to them.

use clap::{Args, ValueHint};
use std::net::SocketAddr;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "Examples:
  runward gateway
  runward gateway --config servers.json
  runward gateway --config servers.json --strict --log-file gateway.log
  RUNWARD_TOKEN=… runward gateway --http 127.0.0.1:8080

The file is what clients keep: `{\"mcpServers\": {KEY: {\"command\": …, \"args\": […], \"env\": {…}}}}`,
or with a `url`. Tools are offered as KEY__tool. A server of a project's file is started only after
somebody agreed to its very command. `--config` names the list of servers here; name Runward's own
configuration with RUNWARD_CONFIG.

SIGHUP reads the file again: only servers that changed are started anew.";

/// Child servers: to serve them, or what else there is to do about them.
#[derive(Debug, Args)]
pub(crate) struct GatewayArgs {
    #[command(flatten)]
    pub(crate) serve: GatewayServeArgs,
}

/// Which child servers to serve, and how.
#[derive(Debug, Args)]
pub(crate) struct GatewayServeArgs {
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
