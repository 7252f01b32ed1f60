//! Sandbox settings and a wish, joined: of both the stricter.
//!
//! May not make anything laxer, whatever is wished.

use super::{Layer, Mode, Network, SandboxSettings, SandboxWish};
use std::path::PathBuf;

impl SandboxSettings {
    /// These settings, tightened by a wish: the stricter mode, the smaller network, every layer of both, fewer folders
    /// to write, more that cannot be read.
    #[must_use]
    pub fn tightened_by(&self, wish: &SandboxWish) -> Self {
        Self {
            mode: wish.mode.map_or(self.mode, |wished| stricter(self.mode, wished)),
            network: wish
                .network
                .as_ref()
                .map_or_else(|| self.network.clone(), |it| smaller(&self.network, it)),
            network_private: self.network_private.clone(),
            layers: Layer::ALL
                .into_iter()
                .filter(|layer| self.layers.contains(layer) || wish.layers.contains(layer))
                .collect(),
            writable: wish
                .writable
                .as_ref()
                .map_or_else(|| self.writable.clone(), |it| shared(&self.writable, it)),
            deny_read: both(&self.deny_read, &wish.deny_read),
            protected: self.protected.clone(),
        }
    }
}

impl SandboxWish {
    /// Whether nothing is wished.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn stricter(one: Mode, other: Mode) -> Mode {
    let rank = |mode: Mode| Mode::ALL.into_iter().position(|it| it == mode);
    if rank(other) > rank(one) { other } else { one }
}

fn smaller(one: &Network, other: &Network) -> Network {
    match (one, other) {
        (Network::Off, _) | (_, Network::Off) => Network::Off,
        (Network::On, it) | (it, Network::On) => it.clone(),
        (Network::Hosts(one), Network::Hosts(other)) => Network::Hosts(one.shared_with(other)),
    }
}

/// Those of the first list that lie in a folder of the other. What is wished inside one of them is not taken at its word:
/// a name may be a link that leads out of it.
fn shared(one: &[PathBuf], other: &[PathBuf]) -> Vec<PathBuf> {
    one.iter().filter(|folder| other.iter().any(|wished| folder.starts_with(wished))).cloned().collect()
}

fn both(one: &[PathBuf], other: &[PathBuf]) -> Vec<PathBuf> {
    let new = other.iter().filter(|path| !one.contains(path));
    one.iter().chain(new).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{HostList, PrivateHosts};

    fn with_mode(mode: Mode) -> SandboxSettings {
        SandboxSettings { mode, ..SandboxSettings::default() }
    }

    fn paths(all: &[&str]) -> Vec<PathBuf> {
        all.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn a_wish_for_nothing_changes_nothing() {
        let settings = SandboxSettings {
            mode: Mode::WorkspaceWrite,
            network: Network::Off,
            network_private: PrivateHosts::parse(&["a.example".to_owned()]).unwrap(),
            layers: vec![Layer::Seccomp],
            writable: paths(&["/a"]),
            deny_read: paths(&["/b"]),
            protected: paths(&["/c"]),
        };
        assert_eq!(settings.tightened_by(&SandboxWish::default()), settings);
        assert!(SandboxWish::default().is_empty());
    }

    #[test]
    fn the_stricter_mode_wins_whoever_says_it() {
        for set in Mode::ALL {
            for wished in Mode::ALL {
                let wish = SandboxWish { mode: Some(wished), ..SandboxWish::default() };
                let now = with_mode(set).tightened_by(&wish).mode;
                let expected = match (set, wished) {
                    (Mode::ReadOnly, _) | (_, Mode::ReadOnly) => Mode::ReadOnly,
                    (Mode::WorkspaceWrite, _) | (_, Mode::WorkspaceWrite) => Mode::WorkspaceWrite,
                    _ => Mode::Off,
                };
                assert_eq!(now, expected, "{set:?} {wished:?}");
            }
        }
    }

    #[test]
    fn a_network_that_is_off_stays_off_and_lists_only_shrink() {
        let hosts = |all: &[&str]| {
            let all: Vec<String> = all.iter().map(|it| (*it).to_owned()).collect();
            Network::Hosts(HostList::parse(&all).unwrap())
        };
        let join = |set: Network, wished: Network| {
            let settings = SandboxSettings { network: set, ..SandboxSettings::default() };
            settings.tightened_by(&SandboxWish { network: Some(wished), ..SandboxWish::default() }).network
        };
        assert_eq!(join(Network::Off, Network::On), Network::Off);
        assert_eq!(join(Network::On, Network::Off), Network::Off);
        assert_eq!(join(hosts(&["a"]), Network::On), hosts(&["a"]));
        assert_eq!(join(hosts(&["a", "b"]), hosts(&["b", "c"])), hosts(&["b"]));
        assert_eq!(
            join(hosts(&["*.a.example:443"]), hosts(&["b.a.example", "c"])),
            hosts(&["b.a.example:443"])
        );
        assert_eq!(join(hosts(&[]), hosts(&["a"])), hosts(&[]));
    }

    #[test]
    fn layers_and_denied_reads_only_grow() {
        let settings = SandboxSettings {
            layers: vec![Layer::Seccomp],
            deny_read: paths(&["/a"]),
            ..SandboxSettings::default()
        };
        let wish = SandboxWish {
            layers: vec![Layer::Namespaces],
            deny_read: paths(&["/b", "/a"]),
            ..SandboxWish::default()
        };
        let now = settings.tightened_by(&wish);
        assert_eq!(now.layers, [Layer::Namespaces, Layer::Seccomp]);
        assert_eq!(now.deny_read, paths(&["/a", "/b"]));
    }

    #[test]
    fn folders_to_write_only_shrink() {
        let settings = SandboxSettings { writable: paths(&["/a", "/b/c"]), ..SandboxSettings::default() };
        let now = |wished: &[&str]| {
            let wish = SandboxWish { writable: Some(paths(wished)), ..SandboxWish::default() };
            settings.tightened_by(&wish).writable
        };
        assert_eq!(now(&[]), paths(&[]));
        assert_eq!(now(&["/a", "/b", "/other"]), paths(&["/a", "/b/c"]));
        assert_eq!(now(&["/a/x", "/a/../etc", "/ab"]), paths(&[]), "any of them may lead out of /a");
        assert_eq!(now(&["/"]), paths(&["/a", "/b/c"]));
    }
}
