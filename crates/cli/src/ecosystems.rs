//! Which hosts the work in a folder needs: the code hosts of its repository's remotes, and the first of them where a package
//! manager's file lies in it.
//!
//! Names at the top of the folder and the remotes choose among hosts that are in this table, and never add one: what a
//! project says about itself opens no way to a host of its choice. Package registries are not in it: which one is used is a
//! setting of the user's own tools, often a mirror, and the owner lists it. May not connect to any.

use runward::core::network::HostList;
use std::path::Path;

/// A place where repositories are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeHost {
    /// What it is called in the address of a remote.
    pub(crate) name: &'static str,
    /// Its entries.
    pub(crate) hosts: &'static [&'static str],
}

/// Names at the top of a project whose package manager fetches from code hosts, too. One that begins with `*` is an ending.
const MARKS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "deno.json",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "*.csproj",
    "mix.exs",
];

/// Those that are known. Packages are fetched from the first, too. The documentation shows the same table, with sources.
pub(crate) const CODE_HOSTS: &[CodeHost] = &[
    CodeHost {
        name: "github.com",
        hosts: &[
            "github.com:22,443",
            "codeload.github.com:443",
            "raw.githubusercontent.com:443",
            "objects.githubusercontent.com:443",
            "release-assets.githubusercontent.com:443",
        ],
    },
    CodeHost { name: "gitlab.com", hosts: &["gitlab.com:22,443"] },
    CodeHost { name: "bitbucket.org", hosts: &["bitbucket.org:22,443"] },
    CodeHost { name: "codeberg.org", hosts: &["codeberg.org:22,443"] },
];

/// What was found in a folder, and the hosts that come of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FolderHosts {
    /// The names of the kinds and code hosts, in the order of the tables.
    pub(crate) names: Vec<&'static str>,
    /// Their hosts.
    pub(crate) list: HostList,
}

impl FolderHosts {
    /// The hosts for this folder. Where nothing is known there are none: a list without entries is a network without hosts.
    pub(crate) fn of(folder: &Path) -> Self {
        // A folder that cannot be read has nothing that is known.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let fetches = MARKS.iter().any(|mark| lies_among(mark, &names));
        let remotes = remotes(folder);
        let code = CODE_HOSTS.iter().enumerate();
        let chosen =
            |at: usize, host: &CodeHost| (at == 0 && fetches) || remotes.iter().any(|it| it == host.name);
        let all: Vec<&CodeHost> = code.filter(|(at, host)| chosen(*at, host)).map(|(_, host)| host).collect();
        let hosts: Vec<String> =
            all.iter().flat_map(|one| one.hosts.iter()).map(|host| (*host).to_owned()).collect();
        // The tables hold entries that can be read, which a test shows.
        let list = HostList::parse(&hosts).unwrap_or_default();
        Self { names: all.iter().map(|one| one.name).collect(), list }
    }
}

fn lies_among(mark: &str, names: &[String]) -> bool {
    match mark.strip_prefix('*') {
        Some(ending) => names.iter().any(|name| name.ends_with(ending) && name.len() > ending.len()),
        None => names.iter().any(|name| name == mark),
    }
}

/// The hosts of the repository's remotes, in small letters.
fn remotes(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(".git/config")).unwrap_or_default();
    let urls =
        text.lines().filter_map(|line| line.trim().strip_prefix("url")?.trim_start().strip_prefix('='));
    urls.filter_map(|url| host_of(url.trim())).collect()
}

/// The host of `https://HOST/…`, `ssh://git@HOST:22/…` or `git@HOST:…`.
fn host_of(url: &str) -> Option<String> {
    let authority = match url.split_once("://") {
        Some((_, rest)) => rest.split('/').next()?,
        // `git@HOST:path`: a colon before the first slash.
        None => url.split('/').next()?.split_once(':')?.0,
    };
    // A name and a password may stand before it, and a port behind it.
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let host = place.split(':').next()?;
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::core::network::{ConnectionTarget, HostName};

    fn folder(files: &[(&str, &str)]) -> FolderHosts {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        FolderHosts::of(folder.path())
    }

    fn admits(found: &FolderHosts, host: &str, port: u16) -> bool {
        found.list.admits(&ConnectionTarget::Name(HostName::parse(host).unwrap()), port).is_some()
    }

    #[test]
    fn every_entry_can_be_read_and_is_one_host_with_its_ports() {
        for one in CODE_HOSTS {
            let hosts: Vec<String> = one.hosts.iter().map(|host| (*host).to_owned()).collect();
            let list = HostList::parse(&hosts).unwrap();
            assert_eq!(list.texts(), hosts, "{}: each in its one spelling", one.name);
            assert!(
                !list.texts().iter().any(|text| text.contains('*')),
                "{}: no host is meant by a star",
                one.name
            );
        }
    }

    #[test]
    fn the_documentation_has_every_row() {
        let page = include_str!("../../../docs/living-in-the-sandbox.md");
        for one in CODE_HOSTS {
            let hosts: Vec<String> = one.hosts.iter().map(|host| format!("`{host}`")).collect();
            let row = format!("| {} | {} | [source](https://", one.name, hosts.join(", "));
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn what_lies_in_a_folder_chooses_its_hosts() {
        let rust = folder(&[("Cargo.toml", "")]);
        assert_eq!(rust.names, ["github.com"]);
        assert!(admits(&rust, "github.com", 22) && admits(&rust, "codeload.github.com", 443));
        assert!(!admits(&rust, "github.com", 80) && !admits(&rust, "gitlab.com", 443));
        assert_eq!(folder(&[("package.json", ""), ("App.csproj", "")]).names, ["github.com"]);
        assert_eq!(folder(&[("notes.md", ""), (".csproj", "")]), FolderHosts::default());
        assert_eq!(FolderHosts::of(Path::new("/nonexistent")), FolderHosts::default());
    }

    #[test]
    fn a_remote_chooses_a_known_host_and_adds_none() {
        let config = "[remote \"origin\"]\n\turl = git@gitlab.com:a/b.git\n[remote \"x\"]\n\turl=https://evil.example/a\n\
                      [remote \"y\"]\n\turl = https://u:p@codeberg.org/a\n[remote \"z\"]\n\turl = /srv/x.git\n";
        let found = folder(&[(".git/config", config)]);
        assert_eq!(found.names, ["gitlab.com", "codeberg.org"]);
        assert!(!admits(&found, "evil.example", 443) && !admits(&found, "github.com", 443));
    }

    #[test]
    fn the_host_of_a_remote_is_read_from_every_form() {
        for url in [
            "https://gitlab.com/a/b",
            "ssh://git@GitLab.com:22/a",
            "git@gitlab.com:a/b.git",
            "git://gitlab.com/a",
        ] {
            assert_eq!(host_of(url).as_deref(), Some("gitlab.com"), "{url}");
        }
        assert_eq!(host_of("/srv/x.git"), None);
        assert_ne!(host_of("https://gitlab.com@evil.example/").as_deref(), Some("gitlab.com"));
    }
}
