//! The clients with a hook: their names, and what each can be told. May not read an event.

use clap::ValueEnum;

/// A client with a shell tool of its own and a hook before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookClient {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// OpenCode, through a plugin
    #[value(name = "opencode")]
    OpenCode,
    /// Cursor
    Cursor,
    /// GitHub Copilot CLI
    Copilot,
    /// Cline
    Cline,
}

impl HookClient {
    /// All of them.
    pub(crate) const ALL: [HookClient; 7] = [
        HookClient::ClaudeCode,
        HookClient::Codex,
        HookClient::Gemini,
        HookClient::OpenCode,
        HookClient::Cursor,
        HookClient::Copilot,
        HookClient::Cline,
    ];

    /// Its name in options, rules and records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            HookClient::ClaudeCode => "claude-code",
            HookClient::Codex => "codex",
            HookClient::Gemini => "gemini",
            HookClient::OpenCode => "opencode",
            HookClient::Cursor => "cursor",
            HookClient::Copilot => "copilot",
            HookClient::Cline => "cline",
        }
    }

    /// Its name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            HookClient::ClaudeCode => "Claude Code",
            HookClient::Codex => "Codex",
            HookClient::Gemini => "Gemini CLI",
            HookClient::OpenCode => "OpenCode",
            HookClient::Cursor => "Cursor",
            HookClient::Copilot => "Copilot CLI",
            HookClient::Cline => "Cline",
        }
    }

    /// Whether it has a question of its own that holds. Codex runs what a hook wants asked, and Gemini ends the turn.
    pub(crate) fn asks(self) -> bool {
        matches!(self, HookClient::ClaudeCode | HookClient::Cursor | HookClient::Copilot)
    }

    /// Whether it takes another text for the command from its hook.
    pub(crate) fn rewrites(self) -> bool {
        !matches!(self, HookClient::Cursor | HookClient::Cline)
    }

    /// Whether it reads standard output and error apart and shows them as one text: lines keep their order only where one
    /// pipe carries both.
    pub(crate) fn joins_streams(self) -> bool {
        self == HookClient::Codex
    }

    /// Names of its tools that run a command.
    pub(super) fn shells(self) -> &'static [&'static str] {
        match self {
            HookClient::ClaudeCode => &["Bash", "PowerShell", "Monitor"],
            HookClient::Codex => &[
                "Bash",
                "shell",
                "shell_command",
                "local_shell",
                "container.exec",
                "exec_command",
                "unified_exec",
            ],
            HookClient::Gemini => &["run_shell_command"],
            HookClient::OpenCode => &["bash"],
            HookClient::Cursor => &["Shell"],
            HookClient::Copilot => &["bash", "powershell", "shell"],
            HookClient::Cline => &["execute_command"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_typed_by_the_name_that_rules_and_records_have() {
        for client in HookClient::ALL {
            assert_eq!(HookClient::from_str(client.name(), false), Ok(client));
        }
    }
}
