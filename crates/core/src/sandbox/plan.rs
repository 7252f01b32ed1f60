//! The plan of a sandbox around one command: what it may read and write, and which layers keep that.
//!
//! May not weaken anything: what the listed layers or this host cannot keep is an error.

use super::guards::{ProtectedPaths, hidden};
use super::own_network::{MOST_LITERALS, literals};
use super::{
    ForbiddenName, HiddenPath, Layer, Mode, Network, PathGuard, SandboxError, SandboxSettings, Worktrees,
};
use crate::facts::{Browse, HostFacts, Look};
use crate::network::{HostList, PrivateHosts};
use serde::Serialize;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The sandbox around one command. Every path is canonical and was there when it was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SandboxPlan {
    pub(super) mode: Mode,
    pub(super) network: Network,
    pub(super) layers: Vec<Layer>,
    /// The list of hosts, if it is one that is kept.
    #[serde(skip)]
    pub(super) hosts: Option<KeptHosts>,
    #[serde(skip)]
    names: Vec<String>,
    /// The folders that are the command's business. They are seen even where everything around them is hidden.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) workspace: Vec<PathBuf>,
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) writable: Vec<PathBuf>,
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) deny_read: Vec<PathBuf>,
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) protected: Vec<PathBuf>,
    /// What lies at the top of all files, but for the devices: that, and what is below it, can be read.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) readable: Vec<PathBuf>,
    /// Files that were made for the command to read.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub(super) shown: Vec<PathBuf>,
    /// What keeps the protected paths.
    pub(super) kept: ProtectedPaths,
    /// What cannot be reached: denied paths, and the sockets of services that do anything for any client.
    pub(super) hidden: Vec<HiddenPath>,
}

/// A list of hosts that is kept around one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptHosts {
    /// What may be talked to.
    pub list: HostList,
    /// Which of those may have private addresses.
    pub private: PrivateHosts,
    /// The addresses and ports that it has by their numbers.
    pub literals: Vec<SocketAddr>,
}

/// Where a command will run, and what is true there.
pub struct SandboxGround<'a> {
    /// The host.
    pub facts: &'a HostFacts,
    /// Its files.
    pub look: &'a dyn Browse,
    /// The layers that this host has.
    pub layers: &'a [Layer],
    /// The folders that are the command's business, canonical.
    pub workspace: Vec<PathBuf>,
    /// Where it will run, canonical.
    pub cwd: &'a Path,
    /// Files that were made for it to read.
    pub shown: &'a [PathBuf],
}

/// Draws the plan of a sandbox.
pub fn plan(settings: &SandboxSettings, place: &SandboxGround<'_>) -> Result<SandboxPlan, SandboxError> {
    if settings.mode == Mode::Off {
        return without(settings);
    }
    let layers = layers(settings, place)?;
    let workspace = outermost(place.workspace.clone());
    let writable = match settings.mode {
        Mode::WorkspaceWrite => {
            outermost(workspace.iter().cloned().chain(real(&settings.writable, place)).collect())
        }
        _ => Vec::new(),
    };
    if writable.iter().any(|root| root.parent().is_none()) {
        return Err(SandboxError::WholeRoot);
    }
    let deny_read = outermost(real(&settings.deny_read, place).collect());
    let apart = layers.contains(&Layer::Namespaces);
    let own = inside(&settings.protected, &writable, place);
    if let (false, Some(first)) = (apart, own.first()) {
        let what = format!("what must not change in a writable folder, `{}`,", first.display());
        return Err(SandboxError::Weak { what, needs: vec![Layer::Namespaces] });
    }
    let kept = if apart { ProtectedPaths::of(&own, &writable, place) } else { ProtectedPaths::default() };
    Ok(SandboxPlan {
        mode: settings.mode,
        network: settings.network.clone(),
        hosts: hosts(settings)?,
        names: layers.iter().map(|layer| layer.name().to_owned()).collect(),
        workspace,
        writable,
        hidden: if apart { hidden(&deny_read, &settings.network, place.look) } else { Vec::new() },
        deny_read,
        readable: if layers.contains(&Layer::Landlock) { readable(place.look) } else { Vec::new() },
        shown: real(place.shown, place).collect(),
        protected: kept.named(),
        kept,
        layers,
    })
}

fn without(settings: &SandboxSettings) -> Result<SandboxPlan, SandboxError> {
    match settings.network {
        Network::On => {}
        Network::Hosts(_) => return Err(SandboxError::Off { what: "a list of hosts" }),
        Network::Off => return Err(SandboxError::Off { what: "a network that is off" }),
    }
    if settings.deny_read.is_empty() {
        Ok(SandboxPlan::default())
    } else {
        Err(SandboxError::Off { what: "what cannot be read" })
    }
}

/// The layers to put on, if they are there and keep what is asked for.
fn layers(settings: &SandboxSettings, place: &SandboxGround<'_>) -> Result<Vec<Layer>, SandboxError> {
    let listed = |layer: &Layer| settings.layers.contains(layer);
    let layers: Vec<Layer> = Layer::ALL.into_iter().filter(listed).collect();
    let missing: Vec<Layer> = layers.iter().copied().filter(|layer| !place.layers.contains(layer)).collect();
    if !missing.is_empty() {
        return Err(SandboxError::MissingLayers { missing });
    }
    let kept = |what: String, needs: &[Layer]| {
        if needs.iter().any(|need| layers.contains(need)) {
            return Ok(());
        }
        Err(SandboxError::Weak { what, needs: needs.to_vec() })
    };
    kept(format!("the mode `{}`", settings.mode.name()), &[Layer::Namespaces, Layer::Landlock])?;
    match settings.network {
        Network::On => {}
        Network::Hosts(_) => kept("a list of hosts".to_owned(), &[Layer::Namespaces])?,
        Network::Off => kept("a network that is off".to_owned(), &[Layer::Namespaces, Layer::Seccomp])?,
    }
    if !settings.deny_read.is_empty() {
        kept("what cannot be read".to_owned(), &[Layer::Namespaces])?;
    }
    Ok(layers)
}

/// The list of hosts, with what is made of it.
fn hosts(settings: &SandboxSettings) -> Result<Option<KeptHosts>, SandboxError> {
    let Network::Hosts(list) = &settings.network else { return Ok(None) };
    let literals = literals(list).ok_or(SandboxError::ManyAddresses { most: MOST_LITERALS })?;
    Ok(Some(KeptHosts { list: list.clone(), private: settings.network_private.clone(), literals }))
}

/// The paths with every link followed. What does not exist can be neither written nor read.
fn real<'a>(paths: &'a [PathBuf], place: &'a SandboxGround<'_>) -> impl Iterator<Item = PathBuf> + 'a {
    let facts = place.facts;
    paths.iter().filter_map(move |path| place.look.real_path(&facts.naming.join(&facts.cwd, path)))
}

/// Without what lies in another of them.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    let all = paths.clone();
    paths.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
    paths
}

/// Those of the paths that lie in one of the folders, themselves or what they lead to. Links above them are followed.
fn inside(paths: &[PathBuf], folders: &[PathBuf], place: &SandboxGround<'_>) -> Vec<PathBuf> {
    let (facts, look) = (place.facts, place.look);
    let lies = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
    let entry = |path: &PathBuf| {
        let path = facts.naming.join(&facts.cwd, path);
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => as_far_as_it_exists(parent, look).join(name),
            _ => path,
        }
    };
    let leads = |path: &PathBuf| lies(path) || look.real_path(path).is_some_and(|real| lies(&real));
    paths.iter().map(entry).filter(leads).collect()
}

fn as_far_as_it_exists(path: &Path, look: &dyn Look) -> PathBuf {
    match (look.real_path(path), path.parent(), path.file_name()) {
        (Some(real), _, _) => real,
        (None, Some(parent), Some(name)) => as_far_as_it_exists(parent, look).join(name),
        (None, _, _) => path.to_owned(),
    }
}

/// What lies at the top of all files, but for the devices.
fn readable(look: &dyn Browse) -> Vec<PathBuf> {
    let root = Path::new("/");
    let mut paths: Vec<_> = look.list(root).into_iter().map(|name| root.join(name)).collect();
    paths.retain(|path| path != Path::new("/dev"));
    paths.sort();
    paths
}

impl SandboxPlan {
    /// The least plan for which every means of these layers is needed: to find out whether they are there.
    pub fn trial(layers: Vec<Layer>) -> Self {
        Self {
            mode: Mode::ReadOnly,
            network: Network::Off,
            layers,
            hidden: vec![HiddenPath { path: "/tmp".into(), folder: true }],
            ..Self::default()
        }
    }
    /// Whether there is no sandbox.
    pub fn is_off(&self) -> bool {
        self.mode == Mode::Off
    }
    /// Whether every layer is in force and the network is off or a list, so that a command needs no rule of its own.
    pub fn contains_all(&self) -> bool {
        let layers = Layer::ALL.iter().all(|layer| self.layers.contains(layer));
        !self.is_off() && layers && self.network != Network::On
    }
    /// Where the command may write.
    pub fn mode(&self) -> Mode {
        self.mode
    }
    /// Whom it may talk to.
    pub fn network(&self) -> &Network {
        &self.network
    }
    /// Whether the command has a network of its own, in which there is nothing but its own loopback and the listed hosts.
    pub fn has_own_network(&self) -> bool {
        self.network != Network::On && self.has(Layer::Namespaces)
    }
    /// The list of hosts that it may talk to, where that is a list.
    pub fn hosts(&self) -> Option<&KeptHosts> {
        self.hosts.as_ref()
    }
    /// The layers that are put on.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }
    /// Whether this layer is put on.
    pub fn has(&self, layer: Layer) -> bool {
        self.layers.contains(&layer)
    }
    /// The names of the layers that are put on.
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// The folders that may be written, beside temporary ones of the command's own.
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
    }
    /// What cannot be read.
    pub fn deny_read(&self) -> &[PathBuf] {
        &self.deny_read
    }
    /// What exists and keeps the protected paths.
    pub fn guards(&self) -> &[PathGuard] {
        &self.kept.guards
    }
    /// Names that must not appear.
    pub fn forbidden(&self) -> &[ForbiddenName] {
        &self.kept.forbidden
    }
    /// Folders of git that are repositories and must be afterwards.
    pub fn lasting(&self) -> &[PathBuf] {
        &self.kept.repositories.lasting
    }
    /// The work trees that repositories have beside their first. More may come, if they lead back to their repository.
    pub fn worktrees(&self) -> &[Worktrees] {
        &self.kept.repositories.worktrees
    }
    /// Of the folders in which there was no repository, those in which there seems to be one now.
    pub fn made_repositories(&self, look: &dyn Browse) -> Vec<PathBuf> {
        let whole = |folder: &Path| {
            let parts = ["objects", "refs"].iter().all(|name| look.may_enter(&folder.join(name)));
            parts && look.kind(&folder.join("HEAD")).is_some()
        };
        let made = |folder: &&PathBuf| look.kind(&folder.join(".git")).is_some() || whole(folder);
        self.kept.repositories.without.iter().filter(made).cloned().collect()
    }
    /// What cannot be reached: what cannot be read, and services that do anything for any client.
    pub fn hidden(&self) -> &[HiddenPath] {
        &self.hidden
    }
    /// What stays as it is inside the folders that may be written, even if it does not exist.
    pub fn protected(&self) -> &[PathBuf] {
        &self.protected
    }
}
