//! The client's own rules about commands, which are lost where it sees another text than the one that was asked for: found
//! in its files, and said as rules of ours.
//!
//! A rule of ours must be at least as strict as the client's; one that cannot be said so cannot be taken over, and then
//! nothing may be wrapped. May not change a file.

mod claude;
mod codex;
mod gemini;
mod opencode;
mod pattern;

use super::{HookClient, TicketDesk};
use runward::HostFacts;
use runward::core::policy::Rule;
use runward::core::render::one_short_line;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where a client's rules may be.
#[derive(Debug, Clone)]
pub(crate) struct RulePlaces {
    home: Option<PathBuf>,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
    config: Option<PathBuf>,
    folder: PathBuf,
}

/// One rule of a client that asks or denies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientRule {
    /// As the client has it.
    pub(crate) written: String,
    /// The same in our words; nothing where it cannot be said.
    pub(crate) rule: Option<Rule>,
}

/// The rules of a client that ours say, too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TakenOver {
    rules: Vec<String>,
}

impl RulePlaces {
    /// The places for a command in this folder.
    pub(crate) fn of(facts: &HostFacts, folder: &Path) -> Self {
        let named = |name: &str| facts.env_var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = facts.home.clone();
        let below = |name: &str| home.as_ref().map(|home| home.join(name));
        Self {
            claude: named("CLAUDE_CONFIG_DIR").or_else(|| below(".claude")),
            codex: named("CODEX_HOME").or_else(|| below(".codex")),
            config: named("XDG_CONFIG_HOME").or_else(|| below(".config")),
            home,
            folder: folder.to_owned(),
        }
    }

    /// A name in the folder of the command, and in every folder around it.
    fn around(&self, name: &str) -> Vec<PathBuf> {
        self.folder.ancestors().map(|folder| folder.join(name)).collect()
    }
}

impl TakenOver {
    /// These rules.
    pub(crate) fn of(rules: &[ClientRule]) -> Self {
        Self { rules: rules.iter().map(|rule| rule.written.clone()).collect() }
    }

    /// What was kept of this client.
    pub(crate) fn kept(desk: &TicketDesk, client: HookClient) -> Option<Self> {
        desk.kept_of(client, "rules")
    }
}

/// The rules of a client that ask or deny. Files that cannot be read are a reason not to wrap.
pub(crate) fn rules_of(client: HookClient, places: &RulePlaces) -> Result<Vec<ClientRule>, String> {
    let mut rules = match client {
        HookClient::ClaudeCode => claude::rules(places)?,
        HookClient::Codex => codex::rules(places)?,
        HookClient::Gemini => gemini::rules(places)?,
        HookClient::OpenCode => opencode::rules(places)?,
        HookClient::Cursor | HookClient::Copilot | HookClient::Cline => Vec::new(),
    };
    let mut seen = Vec::new();
    rules.retain(|rule| {
        !seen.contains(&rule.written) && {
            seen.push(rule.written.clone());
            true
        }
    });
    Ok(rules)
}

/// Why nothing may be wrapped now: rules of the client that would be lost.
pub(crate) fn lost_by_wrapping(
    client: HookClient,
    places: &RulePlaces,
    taken: Option<&TakenOver>,
) -> Option<String> {
    let rules = match rules_of(client, places) {
        Ok(rules) => rules,
        Err(why) => return Some(why),
    };
    let is_lost = |rule: &&ClientRule| !taken.is_some_and(|taken| taken.rules.contains(&rule.written));
    let lost: Vec<&ClientRule> = rules.iter().filter(is_lost).collect();
    (!lost.is_empty())
        .then(|| format!("{} would stop working: {}", counted(client, lost.len()), listed(&lost)))
}

/// So many rules of a client, in words.
pub(crate) fn counted(client: HookClient, count: usize) -> String {
    let rules = if count == 1 { "rule" } else { "rules" };
    format!("{count} {rules} of {}", client.title())
}

/// Some rules, as their client has them.
pub(crate) fn listed(rules: &[&ClientRule]) -> String {
    const MOST: usize = 5;
    let mut shown: Vec<String> = rules.iter().take(MOST).map(|rule| one_short_line(&rule.written)).collect();
    if rules.len() > MOST {
        shown.push(format!("and {} more", rules.len() - MOST));
    }
    shown.join("; ")
}

/// The text of a file; nothing where there is none.
fn text(path: &Path) -> Result<Option<String>, String> {
    use std::io::ErrorKind as E;
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), E::NotFound | E::NotADirectory) => Ok(None),
        Err(error) => Err(format!("`{}` cannot be read: {error}", path.display())),
    }
}

/// The JSON in a file; nothing where there is no file.
fn json(path: &Path) -> Result<Option<serde_json::Value>, String> {
    let Some(text) = text(path)?.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    let plain = super::install::json_text::without_comments(&text);
    let read = serde_json::from_str(&plain);
    read.map(Some).map_err(|error| format!("`{}` is not JSON: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::Decision;
    use std::fs;

    pub(super) fn place() -> (tempfile::TempDir, RulePlaces) {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("project/src");
        fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| Some(home.path().join(name));
        let places = RulePlaces {
            home: Some(home.path().to_owned()),
            claude: at(".claude"),
            codex: at(".codex"),
            config: at(".config"),
            folder,
        };
        (home, places)
    }

    pub(super) fn write(home: &tempfile::TempDir, name: &str, text: &str) {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn said(rules: &[ClientRule]) -> Vec<String> {
        let one = |rule: &ClientRule| match &rule.rule {
            None => format!("{}: cannot be said", rule.written),
            Some(said) => {
                let words: Vec<String> = said.words.iter().map(|place| place.join("|")).collect();
                let word = match said.decision {
                    Decision::Ask => "ask",
                    Decision::Deny => "deny",
                    Decision::Allow => "allow",
                };
                format!("{}: {word} {:?} {words:?} {:?}", rule.written, said.programs, said.extent)
            }
        };
        rules.iter().map(one).collect()
    }

    #[test]
    fn claude_is_read_in_every_file_and_what_cannot_be_said_is_known() {
        let (home, places) = place();
        write(
            &home,
            ".claude/settings.json",
            r#"{"permissions": {"deny": ["Bash(curl *)", "Read(./.env)", "Bash(git push:*)"], "ask": ["Bash(npm publish)"], "allow": ["Bash(ls:*)"]}}"#,
        );
        write(
            &home,
            "project/.claude/settings.local.json",
            r#"{"permissions": {"deny": ["Bash(rm*)", "Bash", "Bash(curl *)"]}}"#,
        );
        let rules = rules_of(HookClient::ClaudeCode, &places).unwrap();
        assert_eq!(
            said(&rules),
            [
                "deny Bash(curl *): deny [\"curl\"] [] Beginning",
                "deny Bash(git push:*): deny [\"git\"] [\"push\"] Beginning",
                "ask Bash(npm publish): ask [\"npm\"] [\"publish\"] Whole",
                "deny Bash(rm*): cannot be said",
                "deny Bash: deny [\"*\"] [] Beginning",
            ]
        );
        write(&home, "project/.claude/settings.json", "{");
        assert!(rules_of(HookClient::ClaudeCode, &places).unwrap_err().contains("is not JSON"));
    }

    #[test]
    fn codex_rules_are_read_as_far_as_they_are_lists() {
        let (home, places) = place();
        write(
            &home,
            ".codex/rules/default.rules",
            "# mine\nprefix_rule(\n    pattern = [\"curl\"],\n    decision = \"forbidden\",\n    justification = \"no (net)\",\n)\nprefix_rule(pattern=['git', ['push', 'fetch']], decision='prompt', match=[\"git push\"])\nprefix_rule(pattern=[\"ls\"], decision=\"allow\")\n",
        );
        let rules = rules_of(HookClient::Codex, &places).unwrap();
        assert_eq!(
            said(&rules),
            [
                "forbidden curl: deny [\"curl\"] [] Beginning",
                "prompt git push|fetch: ask [\"git\"] [\"push|fetch\"] Beginning",
            ]
        );
        write(&home, "project/.codex/rules/x.rules", "def f():\n  pass\n");
        assert!(rules_of(HookClient::Codex, &places).unwrap_err().contains("x.rules"));
    }

    #[test]
    fn gemini_and_opencode_have_rules_too() {
        let (home, places) = place();
        write(
            &home,
            ".gemini/settings.json",
            r#"{"tools": {"exclude": ["run_shell_command(git push)", "run_shell_command(rm -rf)", "web_fetch"]}}"#,
        );
        let rules = rules_of(HookClient::Gemini, &places).unwrap();
        assert_eq!(
            said(&rules),
            [
                "exclude run_shell_command(git push): deny [\"git\"] [\"push\"] Beginning",
                "exclude run_shell_command(rm -rf): cannot be said",
            ]
        );
        write(
            &home,
            ".config/opencode/opencode.json",
            r#"{"permission": {"bash": {"*": "ask", "git *": "allow", "rm *": "deny"}}}"#,
        );
        let rules = rules_of(HookClient::OpenCode, &places).unwrap();
        assert_eq!(said(&rules), ["ask *: cannot be said", "deny rm *: deny [\"rm\"] [] Beginning"]);
        write(&home, ".gemini/policies/mine.toml", "x = 1");
        assert!(rules_of(HookClient::Gemini, &places).is_err());
    }

    #[test]
    fn what_was_not_taken_over_would_be_lost() {
        let (home, places) = place();
        let lost = |taken: Option<&TakenOver>| lost_by_wrapping(HookClient::ClaudeCode, &places, taken);
        assert_eq!(lost(None), None);
        write(&home, ".claude/settings.json", r#"{"permissions": {"deny": ["Bash(curl *)"]}}"#);
        let told = lost(None).unwrap();
        assert_eq!(told, "1 rule of Claude Code would stop working: deny Bash(curl *)");
        let taken = TakenOver::of(&rules_of(HookClient::ClaudeCode, &places).unwrap());
        assert_eq!(lost(Some(&taken)), None);
        write(
            &home,
            ".claude/settings.json",
            r#"{"permissions": {"deny": ["Bash(curl *)", "Bash(wget *)"]}}"#,
        );
        assert!(lost(Some(&taken)).unwrap().contains("wget"));
    }
}
