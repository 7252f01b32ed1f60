//! A command's sandbox, readable: where it may write, what it may connect to, what it cannot read, by which
//! layers, and where that was set. May not decide any of it.

use super::draft::row;
use runward::config::Settings;
use runward::core::render::{command_line, word};
use runward::core::sandbox::SandboxPlan;
use runward::{Draft, Layer, Mode, Network};
use serde::Serialize;
use std::path::PathBuf;

/// The sandbox of a draft, as `explain --json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct WallsView<'a> {
    /// The layers, as every receipt names them.
    #[serde(rename = "sandbox")]
    layers: &'a [String],
    #[serde(rename = "sandbox_mode")]
    mode: Mode,
    #[serde(rename = "sandbox_mode_from")]
    mode_from: String,
    #[serde(rename = "sandbox_network")]
    network: String,
    #[serde(rename = "sandbox_network_from")]
    network_from: String,
    #[serde(rename = "sandbox_hosts", skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<HostView>,
    #[serde(rename = "sandbox_writable")]
    writable: Vec<String>,
    #[serde(rename = "sandbox_protected")]
    protected: Vec<String>,
    #[serde(rename = "sandbox_deny_read")]
    deny_read: Vec<String>,
}

/// A host that a command may connect to.
#[derive(Debug, Serialize)]
struct HostView {
    entry: String,
    from: String,
}

/// Every host, and who listed it.
fn hosts(now: &Network, said: &Network, from: &dyn Fn(bool) -> String) -> Vec<HostView> {
    let Network::Hosts(list) = now else { return Vec::new() };
    let is_said = |entry: &String| matches!(said, Network::Hosts(said) if said.texts().contains(entry));
    list.texts().into_iter().map(|entry| HostView { from: from(is_said(&entry)), entry }).collect()
}

impl<'a> WallsView<'a> {
    /// The view of the sandbox of a draft made under these settings.
    pub(super) fn of(draft: &'a Draft, settings: &Settings) -> Self {
        let walls: &SandboxPlan = draft.sandbox();
        let said = settings.sandbox(Vec::new());
        let from = |key: &str, as_said: bool| match settings.get(key) {
            Some(setting) if as_said => setting.origin.to_string(),
            _ => "as asked".to_owned(),
        };
        Self {
            layers: draft.sandbox_layers(),
            mode: walls.mode(),
            mode_from: from("sandbox.mode", walls.mode() == said.mode),
            network: walls.network().name(),
            network_from: from("sandbox.network", *walls.network() == said.network),
            hosts: hosts(walls.network(), &said.network, &|as_said| from("sandbox.network", as_said)),
            writable: words(walls.writable()),
            protected: words(walls.protected()),
            deny_read: words(walls.deny_read()),
        }
    }

    /// The same for people.
    pub(super) fn rows(&self, out: &mut String) {
        if self.mode == Mode::Off {
            return row(out, "sandbox", "none");
        }
        row(out, "sandbox", &format!("{} ({})", self.mode.name(), self.mode_from));
        row(out, "", &format!("kept by {}", self.layers.join(", ")));
        match self.hosts.as_slice() {
            [] => row(out, "", &format!("network {} ({})", self.network, self.network_from)),
            hosts => {
                row(out, "", "network of its own; can connect to these alone:");
                hosts.iter().for_each(|host| row(out, "", &format!("  {} ({})", host.entry, host.from)));
            }
        }
        row(out, "", &format!("can write {}", self.writable_words()));
        if !self.protected.is_empty() {
            row(out, "", &format!("cannot change {}", command_line(&self.protected)));
        }
        if !self.deny_read.is_empty() {
            row(out, "", &format!("cannot read {}", command_line(&self.deny_read)));
        }
    }

    /// A temporary folder of its own needs a mount namespace of its own.
    fn writable_words(&self) -> String {
        let named = (!self.writable.is_empty()).then(|| command_line(&self.writable));
        let own = self.layers.iter().any(|layer| layer == Layer::Namespaces.name());
        let own = own.then(|| "/tmp and /dev/shm of its own".to_owned());
        let all: Vec<String> = named.into_iter().chain(own).collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
    }
}

fn words(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| word(path.as_os_str())).collect()
}
