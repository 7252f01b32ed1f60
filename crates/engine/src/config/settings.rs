//! Every value in force, and the one way a project file may change it: tighter.

use super::key::{ConfigKey, Project, ValueKind};
use super::read::ConfigEntry;
use super::sandbox;
use super::{CommandSetting, ConfigProblem, ConfigValue, KEYS, LanguageSetting, RuleSetting, ValueOrigin};
use serde::Serialize;

/// One value in force.
#[derive(Debug, Clone, Serialize)]
pub struct ConfigSetting {
    /// Its key.
    #[serde(skip)]
    pub key: &'static ConfigKey,
    /// The value.
    pub value: ConfigValue,
    /// Where it came from.
    pub origin: ValueOrigin,
}

/// Every value in force, in the order of [`KEYS`].
#[derive(Debug, Clone)]
pub struct Settings {
    all: Vec<ConfigSetting>,
    languages: Vec<LanguageSetting>,
    commands: Vec<CommandSetting>,
    rules: Vec<RuleSetting>,
}

impl Settings {
    /// What holds without any file.
    pub fn built_in() -> Self {
        let of = |key: &'static ConfigKey| ConfigSetting {
            key,
            value: key.default_value(),
            origin: ValueOrigin::BuiltIn,
        };
        let all = KEYS.iter().map(of).collect();
        Self { all, languages: Vec::new(), commands: Vec::new(), rules: Vec::new() }
    }

    /// The same settings, with the host's own number where none is set: how many commands run at one time.
    #[must_use]
    pub fn on_this_host(mut self) -> Self {
        let most = crate::session::running_on_this_host() as u64;
        let running = self.all.iter_mut().find(|setting| setting.key.name == "limits.running");
        if let Some(setting) = running.filter(|setting| setting.value == ConfigValue::Unset) {
            setting.value = ConfigValue::Number(most);
        }
        self
    }

    /// Every setting.
    pub fn iter(&self) -> impl Iterator<Item = &ConfigSetting> {
        self.all.iter()
    }

    /// The setting of one key.
    pub fn get(&self, name: &str) -> Option<&ConfigSetting> {
        self.all.iter().find(|setting| setting.key.name == name)
    }

    /// The languages that a file describes.
    pub fn configured_languages(&self) -> &[LanguageSetting] {
        &self.languages
    }

    pub(super) fn add_languages(&mut self, languages: Vec<LanguageSetting>) {
        self.languages.extend(languages);
    }

    /// Defaults of commands for markdown agents; each key of each command once.
    pub fn configured_commands(&self) -> &[CommandSetting] {
        &self.commands
    }

    /// The command of markdown agents that name none themselves, and its origin.
    pub fn engine(&self) -> Option<(&str, &ValueOrigin)> {
        let setting = self.get("engine")?;
        if let ConfigValue::Word(name) = &setting.value { Some((name, &setting.origin)) } else { None }
    }

    /// A later file takes precedence, key by key; a key keeps its position.
    pub(super) fn add_commands(&mut self, commands: Vec<CommandSetting>) {
        for new in commands {
            let same = |held: &&mut CommandSetting| held.command == new.command && held.key == new.key;
            match self.commands.iter_mut().find(same) {
                Some(held) => *held = new,
                None => self.commands.push(new),
            }
        }
    }

    /// The rules that files describe, in order.
    pub fn configured_rules(&self) -> impl Iterator<Item = &RuleSetting> {
        self.rules.iter()
    }

    pub(super) fn add_rules(&mut self, rules: Vec<RuleSetting>) {
        self.rules.extend(rules);
    }

    /// Applies the owner's file.
    pub(super) fn replace(&mut self, entry: ConfigEntry) {
        if let Some(setting) = self.of(entry.key) {
            setting.value = entry.value;
            setting.origin = entry.origin;
        }
    }

    /// Adds presets of the command line to those of the owner's file.
    pub(super) fn join_presets(&mut self, presets: &[String]) {
        let setting = self.all.iter_mut().find(|setting| setting.key.name == "policy.presets");
        let Some(ConfigSetting { value: ConfigValue::List(held), origin, .. }) = setting else { return };
        for preset in presets {
            if !held.contains(preset) {
                held.push(preset.clone());
                *origin = ValueOrigin::CommandLine;
            }
        }
    }

    /// Lets run inside the sandbox what no rule speaks about, because the command line says so.
    pub(super) fn give_leave_in_sandbox(&mut self) {
        let setting = self.all.iter_mut().find(|setting| setting.key.name == "policy.sandboxed");
        if let Some(setting) = setting {
            setting.value = ConfigValue::Word("allow".to_owned());
            setting.origin = ValueOrigin::CommandLine;
        }
    }

    /// Applies the project's file; what would loosen anything is a problem.
    pub(super) fn tighten(&mut self, entry: ConfigEntry, problems: &mut Vec<ConfigProblem>) {
        let Some(setting) = self.of(entry.key) else { return };
        if let Some(what) = loosening(setting, &entry.value) {
            let (file, line) = place(entry.origin);
            return problems.push(ConfigProblem { file, line, what });
        }
        if let (Project::Grow, ConfigValue::List(old), ConfigValue::List(new)) =
            (entry.key.project, &mut setting.value, &entry.value)
        {
            let added: Vec<_> = new.iter().filter(|word| !old.contains(word)).cloned().collect();
            if added.is_empty() {
                return;
            }
            old.extend(added);
            setting.origin = match std::mem::replace(&mut setting.origin, ValueOrigin::BuiltIn) {
                ValueOrigin::BuiltIn => entry.origin,
                owner => ValueOrigin::Both(Box::new(owner), Box::new(entry.origin)),
            };
            return;
        }
        setting.value = entry.value;
        setting.origin = entry.origin;
    }

    fn of(&mut self, key: &'static ConfigKey) -> Option<&mut ConfigSetting> {
        self.all.iter_mut().find(|setting| setting.key.name == key.name)
    }
}

fn place(origin: ValueOrigin) -> (String, Option<usize>) {
    match origin {
        ValueOrigin::File { file, line } => (file, Some(line)),
        other => (other.to_string(), None),
    }
}

/// Why a project's value would loosen the one in force, if it would.
fn loosening(held: &ConfigSetting, new: &ConfigValue) -> Option<String> {
    let name = held.key.name;
    let may_only = |what: &str| {
        Some(format!(
            "`{name}` = {new} would loosen {} ({}); a project file may only {what}",
            held.value, held.origin
        ))
    };
    match (held.key.project, held.key.kind, &held.value, new) {
        (Project::Never, ..) => Some(format!("`{name}` may not be set by a project file")),
        (Project::Lower, _, ConfigValue::Number(old), ConfigValue::Number(new)) if new > old => {
            may_only("lower it")
        }
        (Project::Shrink, _, ConfigValue::List(old), ConfigValue::List(new)) if !is_part(new, old) => {
            may_only("take entries out")
        }
        // Without a list some doors are closed that a list would open.
        (Project::Shrink, _, ConfigValue::Unset, _) => may_only("take entries out"),
        (Project::Stricter, ValueKind::Word(words), ConfigValue::Word(old), ConfigValue::Word(new)) => {
            let rank = |word: &String| words.iter().position(|known| known == word);
            if rank(new) < rank(old) { may_only("choose a stricter one") } else { None }
        }
        (Project::Stricter, ValueKind::Network, ConfigValue::List(old), ConfigValue::List(new)) => {
            sandbox::beyond(old, new)
                .and_then(|entry| may_only(&format!("take hosts out, and `{entry}` is not in it")))
        }
        (Project::Stricter, ValueKind::Network, old, new) if !sandbox::is_smaller(old, new) => {
            may_only("choose a smaller one")
        }
        (Project::Tighten, _, ConfigValue::Bool(true), ConfigValue::Bool(false)) => may_only("switch it on"),
        _ => None,
    }
}

fn is_part(new: &[String], old: &[String]) -> bool {
    old.iter().any(|word| word == "*") || new.iter().all(|word| old.contains(word))
}
