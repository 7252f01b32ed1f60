//! The table of clients: one row each.
//!
//! The facts of the host are an argument. May not look whether a file is there.

use super::text::FileSyntax;
use runward::HostFacts;
use runward::core::facts::System;
use std::path::{Path, PathBuf};

/// A program that keeps a list of MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownClient {
    /// Its name on the command line.
    pub(crate) id: &'static str,
    /// Its name for people.
    pub(crate) name: &'static str,
    /// The user's own file.
    user: UserPlace,
    /// What shows that the client is here, beside the file; without one, the folder of the file does.
    sign: Option<&'static str>,
    /// The file that a project brings along, if the client reads one.
    project: Option<&'static str>,
    /// Names of its program.
    pub(crate) programs: &'static [&'static str],
    /// The words of an entry.
    pub(crate) form: EntryForm,
    /// Whether the client starts from a desktop, where `PATH` is short.
    pub(crate) desktop: bool,
    /// Whether it asks before it starts what a project's file names.
    pub(crate) consent: ConsentNeed,
}

/// Whether a client asks a person about a project's servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConsentNeed {
    /// It asks, or wants them to be switched on.
    Asks,
    /// Nothing is known about that.
    Unknown,
}

/// Where a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct UserPlace(PlaceBase, &'static str);

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlaceBase {
    /// The home folder.
    Home,
    /// The home folder, or the folder that this variable names.
    Named(&'static str, &'static str),
    /// `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    Settings,
    /// `~/.config` also on macOS; `%APPDATA%`.
    Config,
    /// `~/.config` on every system.
    DotConfig,
}

/// The words of an entry, which differ by client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryForm {
    /// `mcpServers`: `command`, `args`.
    Plain,
    /// The same with `"type": "stdio"`.
    Typed,
    /// The same under `servers`.
    Servers,
    /// `"type": "local"` and `"tools": ["*"]`.
    Copilot,
    /// `context_servers` with `"source": "custom"`.
    Zed,
    /// `mcp`, with program and arguments in one list.
    Opencode,
    /// The same as plain, under `amp.mcpServers`.
    Amp,
    /// A table of TOML.
    Codex,
    /// `extensions` of YAML.
    Goose,
    /// A list of YAML.
    Continue,
}

impl EntryForm {
    /// The key of the list, at the top of the file.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Plain | Self::Typed | Self::Copilot | Self::Continue => "mcpServers",
            Self::Servers => "servers",
            Self::Zed => "context_servers",
            Self::Opencode => "mcp",
            Self::Amp => "amp.mcpServers",
            Self::Codex => "mcp_servers",
            Self::Goose => "extensions",
        }
    }

    /// Whether entries are in words that several clients share, so that another's server can be read from them.
    pub(crate) fn is_shared(self) -> bool {
        matches!(self, Self::Plain | Self::Typed | Self::Servers | Self::Zed | Self::Codex)
    }

    /// How the file is written.
    pub(crate) fn syntax(self) -> FileSyntax {
        match self {
            Self::Codex => FileSyntax::Toml,
            Self::Goose => FileSyntax::YamlMap,
            Self::Continue => FileSyntax::YamlList,
            _ => FileSyntax::Json,
        }
    }
}

/// A file of a client on this host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientFile {
    pub(crate) client: KnownClient,
    /// Where it is, or would be.
    pub(crate) path: PathBuf,
    /// A file or folder that shows that the client is here.
    pub(crate) sign: PathBuf,
}

const fn row(id: &'static str, name: &'static str, base: PlaceBase, file: &'static str) -> KnownClient {
    KnownClient {
        id,
        name,
        user: UserPlace(base, file),
        sign: None,
        project: None,
        programs: &[],
        form: EntryForm::Plain,
        desktop: false,
        consent: ConsentNeed::Unknown,
    }
}

impl KnownClient {
    const fn sign(self, sign: &'static str) -> Self {
        Self { sign: Some(sign), ..self }
    }
    const fn project(self, file: &'static str) -> Self {
        Self { project: Some(file), ..self }
    }
    const fn asks(self) -> Self {
        Self { consent: ConsentNeed::Asks, ..self }
    }
    const fn programs(self, programs: &'static [&'static str]) -> Self {
        Self { programs, ..self }
    }
    const fn form(self, form: EntryForm) -> Self {
        Self { form, ..self }
    }
    const fn desktop(self) -> Self {
        Self { desktop: true, ..self }
    }
}

const HOME: PlaceBase = PlaceBase::Home;
const SETTINGS: PlaceBase = PlaceBase::Settings;
const CLINE: &str = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
const ROO: &str = "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";

/// Every client that is known.
pub(crate) const CLIENTS: &[KnownClient] = &[
    row("claude-code", "Claude Code", PlaceBase::Named("CLAUDE_CONFIG_DIR", ""), ".claude.json")
        .sign(".claude")
        .project(".mcp.json")
        .asks()
        .programs(&["claude"])
        .form(EntryForm::Typed),
    row("claude-desktop", "Claude Desktop", SETTINGS, "Claude/claude_desktop_config.json").desktop(),
    row("cursor", "Cursor", HOME, ".cursor/mcp.json")
        .project(".cursor/mcp.json")
        .asks()
        .programs(&["cursor", "cursor-agent"])
        .desktop(),
    row("vscode", "VS Code", SETTINGS, "Code/User/mcp.json")
        .project(".vscode/mcp.json")
        .asks()
        .programs(&["code"])
        .form(EntryForm::Servers)
        .desktop(),
    row("vscode-insiders", "VS Code Insiders", SETTINGS, "Code - Insiders/User/mcp.json")
        .programs(&["code-insiders"])
        .form(EntryForm::Servers)
        .desktop(),
    row("vscodium", "VSCodium", SETTINGS, "VSCodium/User/mcp.json")
        .programs(&["codium"])
        .form(EntryForm::Servers)
        .desktop(),
    row("copilot", "GitHub Copilot CLI", HOME, ".copilot/mcp-config.json")
        .programs(&["copilot"])
        .form(EntryForm::Copilot),
    row("codex", "Codex", PlaceBase::Named("CODEX_HOME", ".codex"), "config.toml")
        .project(".codex/config.toml")
        .asks()
        .programs(&["codex"])
        .form(EntryForm::Codex),
    row("gemini", "Gemini CLI", HOME, ".gemini/settings.json")
        .sign(".gemini/oauth_creds.json")
        .project(".gemini/settings.json")
        .asks()
        .programs(&["gemini"]),
    row("qwen", "Qwen Code", HOME, ".qwen/settings.json").project(".qwen/settings.json").programs(&["qwen"]),
    row("antigravity", "Antigravity", HOME, ".gemini/antigravity/mcp_config.json")
        .programs(&["antigravity"])
        .desktop(),
    row("windsurf", "Windsurf", HOME, ".codeium/windsurf/mcp_config.json").programs(&["windsurf"]).desktop(),
    row("zed", "Zed", PlaceBase::Config, "zed/settings.json")
        .project(".zed/settings.json")
        .asks()
        .programs(&["zed", "zeditor"])
        .form(EntryForm::Zed)
        .desktop(),
    row("opencode", "opencode", PlaceBase::DotConfig, "opencode/opencode.json")
        .project("opencode.json")
        .programs(&["opencode"])
        .form(EntryForm::Opencode),
    row("goose", "goose", PlaceBase::Config, "goose/config.yaml").programs(&["goose"]).form(EntryForm::Goose),
    row("cline", "Cline", SETTINGS, CLINE).desktop(),
    row("cline-cli", "Cline CLI", HOME, ".cline/data/settings/cline_mcp_settings.json").programs(&["cline"]),
    row("roo", "Roo Code", SETTINGS, ROO).project(".roo/mcp.json").desktop(),
    row("kiro", "Kiro", HOME, ".kiro/settings/mcp.json")
        .sign(".kiro")
        .project(".kiro/settings/mcp.json")
        .programs(&["kiro", "kiro-cli"])
        .desktop(),
    row("warp", "Warp", HOME, ".warp/.mcp.json")
        .project(".warp/.mcp.json")
        .programs(&["warp-terminal"])
        .desktop(),
    row("lm-studio", "LM Studio", HOME, ".lmstudio/mcp.json").programs(&["lms"]).desktop(),
    row("droid", "Factory droid", HOME, ".factory/mcp.json")
        .project(".factory/mcp.json")
        .programs(&["droid"]),
    row("amp", "Amp", PlaceBase::Config, "amp/settings.json")
        .project(".amp/settings.json")
        .asks()
        .programs(&["amp"])
        .form(EntryForm::Amp),
    row("junie", "JetBrains Junie", HOME, ".junie/mcp/mcp.json")
        .sign(".junie")
        .project(".junie/mcp/mcp.json")
        .programs(&["junie"])
        .desktop(),
    row("continue", "Continue", HOME, ".continue/config.yaml").programs(&["cn"]).form(EntryForm::Continue),
];

impl KnownClient {
    /// The user's own file on this host; none without a home to look for it in.
    pub(crate) fn user_file(self, facts: &HostFacts) -> Option<ClientFile> {
        let UserPlace(base, file) = self.user;
        let file = match (self.form, facts.system) {
            (EntryForm::Goose, System::Windows) => "Block/goose/config/config.yaml",
            _ => file,
        };
        let folder = folder(base, facts)?;
        let path = joined(&folder, file);
        let sign = match self.sign {
            Some(sign) => joined(&folder, sign),
            None => path.parent().map_or_else(|| folder.clone(), Path::to_owned),
        };
        Some(ClientFile { client: self, path, sign })
    }

    /// The file of the project in this folder, if the client reads one.
    pub(crate) fn project_file(self, folder: &Path) -> Option<ClientFile> {
        let path = joined(folder, self.project?);
        let sign = match path.parent() {
            // A file at the top of the project is in a folder that is always there.
            Some(parent) if parent != folder => parent.to_owned(),
            _ => path.clone(),
        };
        Some(ClientFile { client: self, path, sign })
    }
}

fn joined(folder: &Path, file: &str) -> PathBuf {
    file.split('/').fold(folder.to_owned(), |path, part| path.join(part))
}

fn folder(base: PlaceBase, facts: &HostFacts) -> Option<PathBuf> {
    let home = facts.home.as_deref().filter(|home| home.is_absolute());
    match (base, facts.system) {
        (PlaceBase::Home, _) => home.map(Path::to_owned),
        (PlaceBase::Named(variable, folder), _) => absolute(variable, facts)
            .or_else(|| Some(if folder.is_empty() { home?.to_owned() } else { home?.join(folder) })),
        (PlaceBase::DotConfig, System::Windows) => Some(home?.join(".config")),
        (PlaceBase::Settings | PlaceBase::Config, System::Windows) => absolute("APPDATA", facts),
        (PlaceBase::Settings, System::MacOs) => Some(home?.join("Library").join("Application Support")),
        (PlaceBase::Config, System::MacOs) => Some(home?.join(".config")),
        _ => absolute("XDG_CONFIG_HOME", facts).or_else(|| Some(home?.join(".config"))),
    }
}

fn absolute(variable: &str, facts: &HostFacts) -> Option<PathBuf> {
    facts.env_var(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::core::facts::{Abilities, Naming};

    fn facts(system: System, env: &[(&str, &str)]) -> HostFacts {
        HostFacts {
            system,
            cwd: "/p".into(),
            home: Some("/h".into()),
            env: env.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            naming: Naming::unix(),
            shell: None,
            node: None,
            abilities: Abilities::default(),
        }
    }

    fn path(id: &str, facts: &HostFacts) -> String {
        let client = CLIENTS.iter().find(|client| client.id == id).unwrap();
        client.user_file(facts).unwrap().path.display().to_string()
    }

    #[test]
    fn every_client_has_a_name_and_a_file_of_its_own() {
        let host = facts(System::Linux, &[]);
        let mut paths: Vec<String> = CLIENTS.iter().map(|client| path(client.id, &host)).collect();
        paths.sort();
        paths.dedup();
        assert!(CLIENTS.len() >= 18);
        assert_eq!(paths.len(), CLIENTS.len());
    }

    #[test]
    fn a_variable_of_the_client_counts_where_it_is_absolute() {
        let moved = facts(System::Linux, &[("CODEX_HOME", "/c"), ("CLAUDE_CONFIG_DIR", "/d")]);
        assert_eq!(path("codex", &moved), "/c/config.toml");
        assert_eq!(path("claude-code", &moved), "/d/.claude.json");
        let relative = facts(System::Linux, &[("CODEX_HOME", "c")]);
        assert_eq!(path("codex", &relative), "/h/.codex/config.toml");
        assert_eq!(path("claude-code", &relative), "/h/.claude.json");
    }

    #[test]
    fn each_system_has_its_own_places() {
        let mac = facts(System::MacOs, &[("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(path("vscode", &mac), "/h/Library/Application Support/Code/User/mcp.json");
        assert_eq!(path("zed", &mac), "/h/.config/zed/settings.json");
        let desktop = "Claude/claude_desktop_config.json";
        assert_eq!(path("claude-desktop", &mac), format!("/h/Library/Application Support/{desktop}"));
        let windows = facts(System::Windows, &[("APPDATA", "/r")]);
        assert_eq!(path("goose", &windows), "/r/Block/goose/config/config.yaml");
        assert_eq!(path("opencode", &windows), "/h/.config/opencode/opencode.json");
        let linux = facts(System::Linux, &[("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(path("goose", &linux), "/x/goose/config.yaml");
        assert_eq!(path("claude-desktop", &facts(System::Linux, &[])), format!("/h/.config/{desktop}"));
    }
}
