//! Levels: a name for what an agent may do, for people who do not want to write rules.
//!
//! A level is no more than settings: presets, a sandbox, and what the sandbox counts for. May not allow outside a sandbox
//! what the presets it names do not.

use runward::core::network::HostList;
use runward::core::policy::SandboxLeave;
use runward::{Layer, Mode, Network, SandboxWish};

/// What an agent may do, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Look at files and history.
    Look,
    /// Build and test besides.
    Build,
    /// Anything that no rule asks about or denies, inside a sandbox with the workspace to write in and the hosts that
    /// what lies in it needs.
    Work,
}

impl Level {
    pub(crate) const ALL: [Self; 3] = [Self::Look, Self::Build, Self::Work];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Build => "build",
            Self::Work => "work",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The presets that it stands for.
    pub(crate) fn presets(self) -> &'static [&'static str] {
        match self {
            Self::Look => &["readonly"],
            Self::Build | Self::Work => &["readonly", "build"],
        }
    }

    /// What the sandbox counts for.
    pub(crate) fn sandboxed(self) -> SandboxLeave {
        match self {
            Self::Look | Self::Build => SandboxLeave::None,
            Self::Work => SandboxLeave::Given,
        }
    }

    /// What it wishes of the sandbox, with the hosts that the folder needs; none where the owner lists them already.
    pub(crate) fn sandbox(self, hosts: Option<HostList>) -> SandboxWish {
        match self {
            Self::Look | Self::Build => SandboxWish::default(),
            Self::Work => SandboxWish {
                mode: Some(Mode::WorkspaceWrite),
                // Without a host to connect to there is no need of a list.
                network: hosts
                    .map(|list| if list.entries().is_empty() { Network::Off } else { Network::Hosts(list) }),
                layers: Layer::ALL.to_vec(),
                ..SandboxWish::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_its_name_and_allows_no_less_than_the_one_before() {
        for (less, more) in Level::ALL.iter().zip(&Level::ALL[1..]) {
            assert!(less.presets().iter().all(|preset| more.presets().contains(preset)));
        }
        assert!(Level::ALL.iter().all(|level| Level::named(level.name()) == Some(*level)));
        assert_eq!(Level::named("all"), None);
    }

    #[test]
    fn work_wishes_every_layer_and_no_host_but_those_of_the_folder() {
        let list = HostList::parse(&["a.example".to_owned()]).unwrap();
        let wish = Level::Work.sandbox(Some(list.clone()));
        assert_eq!((wish.network, wish.layers.len()), (Some(Network::Hosts(list)), Layer::ALL.len()));
        assert_eq!(Level::Work.sandbox(Some(HostList::default())).network, Some(Network::Off));
        assert_eq!(Level::Work.sandbox(None).network, None);
        assert!(Level::Build.sandbox(Some(HostList::default())).is_empty());
    }
}
