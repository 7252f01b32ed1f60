//! Where the programs of the clients are: below `target/clients`, where `cargo xtask install` puts them.

use std::fmt;
use std::path::{Path, PathBuf};

/// A client that can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentKind {
    /// Claude Code, which speaks Messages.
    Claude,
    /// Codex, which speaks Responses.
    Codex,
    /// Gemini CLI, which speaks `generateContent`.
    Gemini,
    /// OpenCode, here with a provider that speaks Chat Completions.
    OpenCode,
}

impl AgentKind {
    /// Every client.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode];

    /// Whether they were installed; a test that needs one fails where they were not.
    pub fn are_installed() -> bool {
        installed().is_some()
    }

    /// The words that start it. The programs themselves are started, not the scripts that npm puts before them:
    /// whoever kills a script does not kill the client.
    pub fn program(self) -> Vec<PathBuf> {
        let packages = packages();
        match self {
            Self::Claude => vec![find(&packages.join("@anthropic-ai"), "claude-code-", "claude")],
            Self::Codex => {
                let native = find(&packages.join("@openai"), "codex-", "vendor");
                vec![find(&native, "", "bin/codex")]
            }
            Self::Gemini => vec![
                crate::python().with_file_name("node"),
                packages.join("@google/gemini-cli/bundle/gemini.js"),
            ],
            Self::OpenCode => vec![find(&packages, "opencode-", "bin/opencode")],
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, to)
    }
}

fn packages() -> PathBuf {
    installed().expect("the clients are not there: run `cargo xtask install`")
}

fn installed() -> Option<PathBuf> {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folders = test.ancestors().map(|folder| folder.join("clients/node_modules"));
    folders.filter(|folder| folder.is_dir()).last()
}

/// A file in a package that is made for this machine: npm leaves the others out. Of several the shortest name is the
/// general one.
fn find(folder: &Path, begins: &str, file: &str) -> PathBuf {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of_package = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(begins) && path.join(file).exists()
    };
    let found =
        entries.map(|entry| entry.path()).filter(of_package).min_by_key(|path| path.as_os_str().len());
    let found = found.unwrap_or_else(|| {
        panic!("there is no `{begins}*/{file}` in `{}`: run `cargo xtask install`", folder.display())
    });
    found.join(file)
}
