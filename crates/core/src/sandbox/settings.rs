//! The sandbox settings: what the operator sets, and what a project or a command may wish.
//!
//! May not join the two: see `tighten.rs`.

use crate::network::{HostList, PrivateHosts};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where a command may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// There is no sandbox.
    #[default]
    Off,
    /// In the workspace, in further folders that are named, and in a temporary folder of its own.
    WorkspaceWrite,
    /// In a temporary folder of its own.
    ReadOnly,
}

impl Mode {
    /// Every mode, the laxest first.
    pub const ALL: [Mode; 3] = [Mode::Off, Mode::WorkspaceWrite, Mode::ReadOnly];

    /// The stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Off => "off",
            Mode::WorkspaceWrite => "workspace-write",
            Mode::ReadOnly => "read-only",
        }
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The network that a command may use.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// All of it.
    #[default]
    On,
    /// These hosts only.
    Hosts(HostList),
    /// None.
    Off,
}

impl Network {
    /// The stable spelling: `on`, `off`, or the hosts.
    pub fn name(&self) -> String {
        match self {
            Network::On => "on".to_owned(),
            Network::Hosts(hosts) if hosts.entries().is_empty() => "no host".to_owned(),
            Network::Hosts(hosts) => hosts.texts().join(", "),
            Network::Off => "off".to_owned(),
        }
    }
}

/// One means by which a sandbox is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Namespaces: a view of files, users and the network of its own.
    Namespaces,
    /// Landlock: the kernel's rules about files, which no child process can take off.
    Landlock,
    /// Seccomp: the kernel's rules about system calls.
    Seccomp,
}

impl Layer {
    /// Every layer, the strongest first.
    pub const ALL: [Layer; 3] = [Layer::Namespaces, Layer::Landlock, Layer::Seccomp];

    /// The stable spelling in receipts and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Namespaces => "namespaces",
            Layer::Landlock => "landlock",
            Layer::Seccomp => "seccomp",
        }
    }

    /// The layer of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// What the operator sets. Folders and files are absolute, or meant from where Runward was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SandboxSettings {
    /// Where commands may write.
    pub mode: Mode,
    /// The network that they may use.
    pub network: Network,
    /// Of the hosts that they may use, those that may have private addresses.
    pub network_private: PrivateHosts,
    /// The layers that are put on. Each of them must be there; to list fewer is to accept the weaker sandbox.
    pub layers: Vec<Layer>,
    /// Folders beside the workspace that may be written in [`Mode::WorkspaceWrite`].
    #[serde(serialize_with = "crate::os_text::paths")]
    pub writable: Vec<PathBuf>,
    /// Files and folders that cannot be read.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub deny_read: Vec<PathBuf>,
    /// Runward's own files and folders, which stay as they are even inside a folder that may be written, and even if
    /// they do not exist yet.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub protected: Vec<PathBuf>,
}

impl Default for SandboxSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
            network: Network::On,
            network_private: PrivateHosts::default(),
            layers: Layer::ALL.to_vec(),
            writable: Vec::new(),
            deny_read: Vec::new(),
            protected: Vec::new(),
        }
    }
}

impl SandboxSettings {
    /// Whether nothing is asked of a sandbox.
    pub fn is_off(&self) -> bool {
        self.mode == Mode::Off && self.network == Network::On && self.deny_read.is_empty()
    }
}

/// What a project or one command wishes. It can only make a sandbox tighter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SandboxWish {
    /// A stricter mode.
    pub mode: Option<Mode>,
    /// Less network.
    pub network: Option<Network>,
    /// Further layers.
    pub layers: Vec<Layer>,
    /// Of the further folders that may be written, only these or parts of them.
    #[serde(serialize_with = "crate::os_text::maybe_paths")]
    pub writable: Option<Vec<PathBuf>>,
    /// Further files and folders that cannot be read.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub deny_read: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_off_and_would_take_every_layer() {
        insta::assert_debug_snapshot!(SandboxSettings::default());
    }

    #[test]
    fn modes_and_layers_are_found_by_their_names() {
        for mode in Mode::ALL {
            assert_eq!(Mode::named(mode.name()), Some(mode));
            assert_eq!(serde_json::to_value(mode).unwrap(), mode.name());
        }
        for layer in Layer::ALL {
            assert_eq!(Layer::named(layer.name()), Some(layer));
            assert_eq!(serde_json::to_value(layer).unwrap(), layer.name());
        }
        assert_eq!((Mode::named("on"), Layer::named("bwrap")), (None, None));
    }
}
