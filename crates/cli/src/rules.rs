//! The rules in force, in words: what agents may run, and where that was set. May not judge anything.

use runward::Policy;
use runward::config::{ConfigValue, Settings};
use serde::Serialize;

/// The keys that say what may run, in the order in which they are told.
const KEYS: &[(&str, &str)] = &[
    ("only", "policy.allowed_commands"),
    ("presets", "policy.presets"),
    ("allow", "policy.allow"),
    ("ask", "policy.ask"),
    ("deny", "policy.deny"),
];

/// One rule, or one list of them.
#[derive(Debug, Serialize)]
pub(crate) struct RuleInForce {
    kind: &'static str,
    says: String,
    origin: String,
}

/// All of them.
#[derive(Debug, Serialize)]
pub(crate) struct RulesInForce {
    rules: Vec<RuleInForce>,
    /// What holds for what a person types.
    typed: String,
    /// Where shell text may write.
    redirect: String,
    sandbox: String,
    /// Whether anything could let an agent run a command.
    opens: bool,
}

impl RulesInForce {
    /// The rules of these settings, with presets that were typed.
    pub(crate) fn of(settings: &Settings, policy: &Policy) -> Self {
        let mut rules: Vec<RuleInForce> =
            KEYS.iter().filter_map(|(kind, key)| listed(settings, kind, key)).collect();
        let configured: Vec<&str> = match settings.get("policy.presets").map(|setting| &setting.value) {
            Some(ConfigValue::List(names)) => names.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let typed: Vec<&str> =
            policy.presets.iter().map(String::as_str).filter(|name| !configured.contains(name)).collect();
        if !typed.is_empty() {
            rules.push(RuleInForce {
                kind: "presets",
                says: typed.join(", "),
                origin: "--preset".to_owned(),
            });
        }
        rules.extend(settings.configured_rules().map(|setting| RuleInForce {
            kind: "rule",
            says: format!(
                "{} by `{}`: {}",
                setting.rule.decision.name(),
                setting.rule.name,
                setting.rule.because
            ),
            origin: setting.origin.to_string(),
        }));
        let word = |key: &str| settings.get(key).map(|setting| setting.value.to_string()).unwrap_or_default();
        Self {
            rules,
            typed: word("policy.typed"),
            redirect: word("policy.redirect"),
            sandbox: word("sandbox.mode"),
            opens: policy.opens("execute_command"),
        }
    }

    /// Whether anything could let an agent run a command.
    pub(crate) fn opens(&self) -> bool {
        self.opens
    }

    /// In one line, without a full stop.
    pub(crate) fn sentence(&self) -> String {
        if self.rules.is_empty() {
            return "none, so every command of an agent is refused. See runward init".to_owned();
        }
        let own = self.rules.iter().filter(|rule| rule.kind == "rule").count();
        let lists = self.rules.iter().filter(|rule| rule.kind != "rule");
        let mut parts: Vec<String> = lists.map(|rule| format!("{} {}", rule.kind, rule.says)).collect();
        match own {
            0 => {}
            1 => parts.push("1 rule of your own".to_owned()),
            more => parts.push(format!("{more} rules of your own")),
        }
        parts.join("; ")
    }

    /// As a table.
    pub(crate) fn text(&self) -> String {
        let mut lines: Vec<String> = self
            .rules
            .iter()
            .map(|rule| format!("{:<10}{} ({})", rule.kind, rule.says, rule.origin))
            .collect();
        lines.push(format!("{:<10}{}", "typed", self.typed.trim_matches('"')));
        lines.push(format!("{:<10}{}", "redirect", self.redirect.trim_matches('"')));
        lines.push(format!("{:<10}{}", "sandbox", self.sandbox.trim_matches('"')));
        lines.push(String::new());
        lines.push(self.last_line().to_owned());
        lines.join("\n")
    }

    fn last_line(&self) -> &'static str {
        if self.opens {
            "Agents may run what these allow, and nothing else. To try one: runward policy check 'git status'"
        } else {
            "No rules are set, so agents may run nothing. To allow reading and building: runward init"
        }
    }
}

/// A list, if anybody set it.
fn listed(settings: &Settings, kind: &'static str, key: &str) -> Option<RuleInForce> {
    let setting = settings.get(key)?;
    let ConfigValue::List(names) = &setting.value else { return None };
    let says = match (key, names.is_empty()) {
        ("policy.allowed_commands", true) => "nothing".to_owned(),
        (_, true) => return None,
        (_, false) => names.join(", "),
    };
    Some(RuleInForce { kind, says, origin: setting.origin.to_string() })
}
