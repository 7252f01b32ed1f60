//! Every value in force, and the one way a project file may change it: tighter.

use super::key::{Key, Kind, Project};
use super::read::Entry;
use super::sandbox;
use super::{CommandSetting, KEYS, LanguageSetting, Origin, Problem, RuleSetting, Value};
use serde::Serialize;

/// One value in force.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    /// Its key.
    #[serde(skip)]
    pub key: &'static Key,
    /// The value.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// Every value in force, in the order of [`KEYS`].
#[derive(Debug, Clone)]
pub struct Settings {
    all: Vec<Setting>,
    languages: Vec<LanguageSetting>,
    commands: Vec<CommandSetting>,
    rules: Vec<RuleSetting>,
}

impl Settings {
    /// What holds without any file.
    pub fn built_in() -> Self {
        let of = |key: &'static Key| Setting { key, value: key.default_value(), origin: Origin::BuiltIn };
        let all = KEYS.iter().map(of).collect();
        Self { all, languages: Vec::new(), commands: Vec::new(), rules: Vec::new() }
    }

    /// Every setting.
    pub fn iter(&self) -> impl Iterator<Item = &Setting> {
        self.all.iter()
    }

    /// The setting of one key.
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.all.iter().find(|setting| setting.key.name == name)
    }

    /// The languages that a file describes.
    pub fn configured_languages(&self) -> &[LanguageSetting] {
        &self.languages
    }

    pub(super) fn add_languages(&mut self, languages: Vec<LanguageSetting>) {
        self.languages.extend(languages);
    }

    /// What commands are given where a markdown agent says nothing; each key of each command once.
    pub fn configured_commands(&self) -> &[CommandSetting] {
        &self.commands
    }

    /// The command of markdown agents that name none themselves, and where it was said.
    pub fn engine(&self) -> Option<(&str, &Origin)> {
        let setting = self.get("engine")?;
        if let Value::Word(name) = &setting.value { Some((name, &setting.origin)) } else { None }
    }

    /// A later file counts more, key by key; a key keeps its place.
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

    /// The owner's file says so.
    pub(super) fn replace(&mut self, entry: Entry) {
        if let Some(setting) = self.of(entry.key) {
            setting.value = entry.value;
            setting.origin = entry.origin;
        }
    }

    /// The project's file says so; what would loosen anything is a problem.
    pub(super) fn tighten(&mut self, entry: Entry, problems: &mut Vec<Problem>) {
        let Some(setting) = self.of(entry.key) else { return };
        if let Some(what) = loosening(setting, &entry.value) {
            let (file, line) = place(entry.origin);
            return problems.push(Problem { file, line, what });
        }
        if let (Project::Grow, Value::List(old), Value::List(new)) =
            (entry.key.project, &mut setting.value, &entry.value)
        {
            let added: Vec<_> = new.iter().filter(|word| !old.contains(word)).cloned().collect();
            if added.is_empty() {
                return;
            }
            old.extend(added);
            setting.origin = match std::mem::replace(&mut setting.origin, Origin::BuiltIn) {
                Origin::BuiltIn => entry.origin,
                owner => Origin::Both(Box::new(owner), Box::new(entry.origin)),
            };
            return;
        }
        setting.value = entry.value;
        setting.origin = entry.origin;
    }

    fn of(&mut self, key: &'static Key) -> Option<&mut Setting> {
        self.all.iter_mut().find(|setting| setting.key.name == key.name)
    }
}

fn place(origin: Origin) -> (String, Option<usize>) {
    match origin {
        Origin::File { file, line } => (file, Some(line)),
        other => (other.to_string(), None),
    }
}

/// Why a project's value would loosen what holds, if it would.
fn loosening(held: &Setting, new: &Value) -> Option<String> {
    let name = held.key.name;
    let may_only = |what: &str| {
        Some(format!(
            "`{name}` = {new} would loosen {} ({}); a project file may only {what}",
            held.value, held.origin
        ))
    };
    match (held.key.project, held.key.kind, &held.value, new) {
        (Project::Never, ..) => Some(format!("`{name}` may not be set by a project file")),
        (Project::Lower, _, Value::Number(old), Value::Number(new)) if new > old => may_only("lower it"),
        (Project::Shrink, _, Value::List(old), Value::List(new)) if !is_part(new, old) => {
            may_only("take entries out")
        }
        // Without a list some doors are shut that a list would open.
        (Project::Shrink, _, Value::Unset, _) => may_only("take entries out"),
        (Project::Stricter, Kind::Word(words), Value::Word(old), Value::Word(new)) => {
            let rank = |word: &String| words.iter().position(|known| known == word);
            if rank(new) < rank(old) { may_only("choose a stricter one") } else { None }
        }
        (Project::Stricter, Kind::Network, old, new) if !sandbox::is_smaller(old, new) => {
            may_only("choose a smaller one")
        }
        (Project::Tighten, _, Value::Bool(true), Value::Bool(false)) => may_only("switch it on"),
        _ => None,
    }
}

fn is_part(new: &[String], old: &[String]) -> bool {
    old.iter().any(|word| word == "*") || new.iter().all(|word| old.contains(word))
}
