//! The channels: what can be made of one binary, and what is made of everything that lies in the folder.

use super::bundle::{self, Bundle};
use super::folder::PackageFolder;
use super::{archive, deb, mcpb, npm, registry, sbom, texts, wheel};
use crate::root::RepositoryRoot;

/// A file with its name.
pub(crate) type NamedFile = (String, Vec<u8>);

/// What a channel is made of.
pub(crate) enum Maker {
    /// Of one binary and what goes with it.
    Binary(fn(&RepositoryRoot, &Bundle) -> Result<Vec<NamedFile>, String>),
    /// Of the packages for every system that lie in the folder.
    Folder(fn(&RepositoryRoot, &PackageFolder) -> Result<Vec<NamedFile>, String>),
}

/// One channel.
pub(crate) struct Channel {
    /// As `--only` takes it.
    pub(crate) name: &'static str,
    /// How it is made.
    pub(crate) maker: Maker,
}

impl std::fmt::Debug for Channel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Every channel. Those that are made of the folder come last, when what they name is there.
pub(crate) const CHANNELS: &[Channel] = &[
    Channel { name: "binary", maker: Maker::Binary(bundle::bare) },
    Channel { name: "archive", maker: Maker::Binary(archive::make) },
    Channel { name: "npm", maker: Maker::Binary(npm::make) },
    Channel { name: "wheel", maker: Maker::Binary(wheel::make) },
    Channel { name: "deb", maker: Maker::Binary(deb::make) },
    Channel { name: "mcpb", maker: Maker::Binary(mcpb::make) },
    Channel { name: "proof", maker: Maker::Binary(sbom::make) },
    Channel { name: "registry", maker: Maker::Folder(registry::make) },
    Channel { name: "texts", maker: Maker::Folder(texts::make) },
];
