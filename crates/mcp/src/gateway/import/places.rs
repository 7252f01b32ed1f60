//! Where clients keep their lists of servers.
//!
//! A table by client and system: the facts of the host are an argument. May not look whether a file is there.

use runward_engine::HostFacts;
use runward_engine::core::facts::System;
use std::path::{Path, PathBuf};

/// A program that keeps a list of servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportedClient {
    /// Its name on the command line, and the suffix of a key that is taken.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// JSON, perhaps with comments.
    Json,
    /// TOML with `[mcp_servers.KEY]`.
    Toml,
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOwner {
    /// The user's own.
    User,
    /// It came with the folder.
    Project,
}

/// A file that may hold servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSource {
    /// The program that reads it.
    pub client: ImportedClient,
    /// Where it would be.
    pub path: PathBuf,
    /// How it is written.
    pub format: FileFormat,
    /// Its owner.
    pub owner: FileOwner,
}

/// Where a path begins.
#[derive(Debug, Clone, Copy)]
enum PathBase {
    /// The home folder.
    Home,
    /// The folder that this variable names, or this one at home.
    Named(&'static str, &'static str),
    /// The user's configuration folder: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    Settings,
    /// `~/.config` where there is one, `%APPDATA%` elsewhere; some programs keep to it on macOS, too.
    Config,
    /// The current folder.
    Here,
}

const CLAUDE_DESKTOP: ImportedClient = ImportedClient { id: "claude-desktop", name: "Claude Desktop" };
const CLAUDE_CODE: ImportedClient = ImportedClient { id: "claude-code", name: "Claude Code" };
const CURSOR: ImportedClient = ImportedClient { id: "cursor", name: "Cursor" };
const VS_CODE: ImportedClient = ImportedClient { id: "vscode", name: "VS Code" };
const WINDSURF: ImportedClient = ImportedClient { id: "windsurf", name: "Windsurf" };
const ZED: ImportedClient = ImportedClient { id: "zed", name: "Zed" };
const GEMINI: ImportedClient = ImportedClient { id: "gemini", name: "Gemini CLI" };
const CODEX: ImportedClient = ImportedClient { id: "codex", name: "Codex" };
const CLINE: ImportedClient = ImportedClient { id: "cline", name: "Cline" };

/// Every client that is known.
pub const CLIENTS: &[ImportedClient] =
    &[CLAUDE_DESKTOP, CLAUDE_CODE, CURSOR, VS_CODE, WINDSURF, ZED, GEMINI, CODEX, CLINE];

/// Files in the order in which their servers are taken. The user's own come first.
const FILES: &[(ImportedClient, PathBase, &str)] = &[
    (CLAUDE_DESKTOP, PathBase::Settings, "Claude/claude_desktop_config.json"),
    (CLAUDE_CODE, PathBase::Named("CLAUDE_CONFIG_DIR", ""), ".claude.json"),
    (CURSOR, PathBase::Home, ".cursor/mcp.json"),
    (VS_CODE, PathBase::Settings, "Code/User/mcp.json"),
    (VS_CODE, PathBase::Settings, "Code/User/settings.json"),
    (VS_CODE, PathBase::Settings, "Code - Insiders/User/mcp.json"),
    (WINDSURF, PathBase::Home, ".codeium/windsurf/mcp_config.json"),
    (ZED, PathBase::Config, "zed/settings.json"),
    (GEMINI, PathBase::Home, ".gemini/settings.json"),
    (CODEX, PathBase::Named("CODEX_HOME", ".codex"), "config.toml"),
    (
        CLINE,
        PathBase::Settings,
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ),
    (CLAUDE_CODE, PathBase::Here, ".mcp.json"),
    (CURSOR, PathBase::Here, ".cursor/mcp.json"),
    (VS_CODE, PathBase::Here, ".vscode/mcp.json"),
];

/// Every file that may hold servers on this host. Each path is there once.
pub fn sources(facts: &HostFacts) -> Vec<ImportSource> {
    let mut all: Vec<ImportSource> = Vec::new();
    for (client, base, path) in FILES {
        let Some(folder) = folder(*base, facts) else { continue };
        let path = path.split('/').fold(folder, |path, part| path.join(part));
        if all.iter().all(|source| source.path != path) {
            let is_toml = path.extension().is_some_and(|ending| ending == "toml");
            let format = if is_toml { FileFormat::Toml } else { FileFormat::Json };
            let owner = if matches!(base, PathBase::Here) { FileOwner::Project } else { FileOwner::User };
            all.push(ImportSource { client: *client, path, format, owner });
        }
    }
    all
}

fn folder(base: PathBase, facts: &HostFacts) -> Option<PathBuf> {
    let home = facts.home.as_deref();
    match (base, facts.system) {
        (PathBase::Here, _) => Some(facts.cwd.clone()),
        (PathBase::Home, _) => home.map(Path::to_owned),
        (PathBase::Named(variable, usual), _) => absolute(variable, facts)
            .or_else(|| Some(if usual.is_empty() { home?.to_owned() } else { home?.join(usual) })),
        (_, System::Windows) => absolute("APPDATA", facts),
        (PathBase::Settings, System::MacOs) => Some(home?.join("Library").join("Application Support")),
        // A program that keeps to `~/.config` on macOS does not ask for the variable there.
        (PathBase::Config, System::MacOs) => Some(home?.join(".config")),
        _ => absolute("XDG_CONFIG_HOME", facts).or_else(|| Some(home?.join(".config"))),
    }
}

fn absolute(variable: &str, facts: &HostFacts) -> Option<PathBuf> {
    let path = facts.env_var(variable).filter(|value| !value.is_empty()).map(PathBuf::from)?;
    facts.naming.is_absolute(&path).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::core::facts::{Abilities, Naming};

    fn facts(system: System, home: &str, env: &[(&str, &str)]) -> HostFacts {
        let windows = system == System::Windows;
        HostFacts {
            system,
            cwd: "/p".into(),
            home: Some(home.into()),
            env: env.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            naming: if windows { Naming::windows(None) } else { Naming::unix() },
            shell: None,
            node: None,
            abilities: Abilities::default(),
        }
    }

    fn paths(client: &str, facts: &HostFacts) -> Vec<String> {
        let of_client = sources(facts).into_iter().filter(|source| source.client.id == client);
        of_client.map(|source| source.path.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn each_system_has_its_own_places() {
        let linux = facts(System::Linux, "/home/ann", &[]);
        let mac = facts(System::MacOs, "/Users/ann", &[("XDG_CONFIG_HOME", "/x")]);
        let windows = facts(System::Windows, "C:/Users/ann", &[("AppData", "C:/Users/ann/Roaming")]);
        let desktop = |facts| paths("claude-desktop", facts).concat();
        assert_eq!(desktop(&linux), "/home/ann/.config/Claude/claude_desktop_config.json");
        assert_eq!(desktop(&mac), "/Users/ann/Library/Application Support/Claude/claude_desktop_config.json");
        assert_eq!(desktop(&windows), "C:/Users/ann/Roaming/Claude/claude_desktop_config.json");
        assert_eq!(paths("zed", &linux), ["/home/ann/.config/zed/settings.json"]);
        assert_eq!(paths("zed", &mac), ["/Users/ann/.config/zed/settings.json"]);
        assert_eq!(paths("zed", &windows), ["C:/Users/ann/Roaming/zed/settings.json"]);
        assert_eq!(paths("codex", &windows), ["C:/Users/ann/.codex/config.toml"]);
        assert_eq!(paths("windsurf", &mac), ["/Users/ann/.codeium/windsurf/mcp_config.json"]);
        assert_eq!(paths("vscode", &mac)[0], "/Users/ann/Library/Application Support/Code/User/mcp.json");
    }

    #[test]
    fn the_variable_of_the_user_counts_where_it_is_absolute() {
        let moved = facts(System::Linux, "/home/ann", &[("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(paths("zed", &moved), ["/x/zed/settings.json"]);
        let relative = facts(System::Linux, "/home/ann", &[("XDG_CONFIG_HOME", "x")]);
        assert_eq!(paths("zed", &relative), ["/home/ann/.config/zed/settings.json"]);
    }

    #[test]
    fn a_client_that_keeps_its_files_elsewhere_is_found_there() {
        let moved = facts(System::Linux, "/home/ann", &[("CODEX_HOME", "/c"), ("CLAUDE_CONFIG_DIR", "/d")]);
        assert_eq!(paths("codex", &moved), ["/c/config.toml"]);
        assert_eq!(paths("claude-code", &moved)[0], "/d/.claude.json");
    }

    #[test]
    fn files_that_came_with_the_folder_are_told_apart_and_none_is_there_twice() {
        let all = sources(&facts(System::Linux, "/home/ann", &[]));
        let here: Vec<_> = all.iter().filter(|source| source.owner == FileOwner::Project).collect();
        assert_eq!(here.len(), 3);
        assert!(here.iter().all(|source| source.path.starts_with("/p")));
        assert_eq!(paths("cursor", &facts(System::Linux, "/p", &[])), ["/p/.cursor/mcp.json"]);
    }

    #[test]
    fn without_a_home_only_the_folder_is_left() {
        let mut nowhere = facts(System::Linux, "", &[]);
        nowhere.home = None;
        assert!(sources(&nowhere).iter().all(|source| source.owner == FileOwner::Project));
    }

    #[test]
    fn every_client_has_a_file() {
        let all = sources(&facts(System::Linux, "/home/ann", &[]));
        assert!(CLIENTS.iter().all(|client| all.iter().any(|source| source.client == *client)));
    }
}
