//! The options of the sandbox. May not say what is enforced: the configuration and the host do.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use runward::core::network::{HostList, HostListError};
use runward::{Mode, Network, SandboxWish};

/// A sandbox, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Sandbox (tightens what the configuration says)")]
pub(crate) struct SandboxArgs {
    /// `workspace-write`: it writes in the workspace and its own /tmp only; `read-only`: in its own /tmp only; `off`:
    /// anywhere
    #[arg(long, value_name = "MODE", value_parser = mode())]
    pub(crate) sandbox: Option<Mode>,
    /// `off`: no connection to other machines or to services of this one; `HOST,HOST:22,*.HOST`: to these alone, and to no
    /// other than the configuration lists; needs a sandbox
    #[arg(long, value_name = "WORD|HOSTS", value_parser = network)]
    pub(crate) network: Option<Network>,
}

impl SandboxArgs {
    /// The sandbox that is wished for.
    pub(crate) fn wish(&self) -> SandboxWish {
        SandboxWish { mode: self.sandbox, network: self.network.clone(), ..SandboxWish::default() }
    }
}

/// In the order in which the help tells what they do.
fn mode() -> impl TypedValueParser<Value = Mode> {
    let names = [Mode::WorkspaceWrite, Mode::ReadOnly, Mode::Off].map(Mode::name);
    // The names are those of modes, so each of them is found.
    PossibleValuesParser::new(names).map(|name| Mode::named(&name).unwrap_or_default())
}

fn network(word: &str) -> Result<Network, HostListError> {
    match word {
        "on" => Ok(Network::On),
        "off" => Ok(Network::Off),
        hosts => HostList::parse_word(hosts).map(Network::Hosts),
    }
}
