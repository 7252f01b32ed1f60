//! Configuration: texts of `runward.toml` in, settings out, each value with where it came from.
//!
//! May not read a file, the environment or the home folder: the caller passes texts and their names.
//! A configuration with a problem yields no settings at all, and never means "allow".
//!
//! ```
//! use runward_engine::config::{ConfigSource, Sources, load};
//!
//! let user = |text: &str| ConfigSource { file: "runward.toml".to_owned(), text: text.to_owned() };
//! let sources = Sources { user: Some(user("[policy]\nallow = [\"git\"]\n")), ..Sources::default() };
//! let settings = load(&sources).unwrap();
//! assert_eq!(settings.get("policy.allow").unwrap().origin.to_string(), "runward.toml:2");
//!
//! // A mistake yields no settings, and names its place.
//! let sources = Sources { user: Some(user("[policy]\nalow = [\"git\"]\n")), ..Sources::default() };
//! assert!(load(&sources).unwrap_err().to_string().contains("runward.toml:2"));
//! ```
//!
//! Read first: [`load`], then [`KEYS`].

mod answering;
mod commands;
mod hooking;
#[cfg(feature = "journal")]
mod journaling;
mod key;
mod languages;
mod lower;
mod problem;
mod read;
mod record;
mod rules;
mod sandbox;
mod serving;
mod settings;
mod table;
mod value;

pub use crate::rule_text::{rule_table, with_rules};
pub use answering::AnswerSettings;
pub use commands::CommandSetting;
pub use hooking::{HookAsker, HookSettings, OnBypass, OnHookFailure};
pub use key::{ConfigKey, Project, Range, ValueKind};
pub use languages::LanguageSetting;
pub use problem::{ConfigError, ConfigProblem};
pub use rules::RuleSetting;
pub use serving::ServerBounds;
pub use settings::{ConfigSetting, Settings};
pub use table::{KEYS, key, nearest};
pub use value::{ConfigValue, ValueOrigin};

use runward_core::policy::SandboxLeave;
use std::path::PathBuf;

/// A file's name, as people know it, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigSource {
    /// The name in problems and origins.
    pub file: String,
    /// What it says.
    pub text: String,
}

/// The files there are, in the order in which they are laid over the built-in values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The owner's own file: may say anything that is in range.
    pub user: Option<ConfigSource>,
    /// Variables of the environment that say something: they come after the owner's file.
    pub variables: Vec<ConfigVariable>,
    /// Presets that the operator names on the command line, besides those of the file. A project may take them away.
    pub presets: Vec<String>,
    /// Whether the operator gives leave on the command line for what runs inside the sandbox. A project may take it away.
    pub sandboxed: SandboxLeave,
    /// The project's file: may only tighten.
    pub project: Option<ConfigSource>,
    /// The file of the folder inside the project where Runward was called: comes after the project's, and may only
    /// tighten too.
    pub here: Option<ConfigSource>,
    /// What `~` means in paths.
    pub home: Option<PathBuf>,
}

/// A variable of the environment and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigVariable {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub text: String,
}

/// The variables that set a key, each with its key. Their texts are lists with commas between, or `on` and
/// `off`.
pub const VARIABLES: &[(&str, &str)] = &[
    ("ALLOWED_COMMANDS", "policy.allowed_commands"),
    ("ALLOWED_CWD_ROOTS", "policy.allowed_cwd_roots"),
    ("RUNWARD_JOURNAL", "journal.enabled"),
];

/// Lays the files over the built-in values, or reports everything that is wrong with them.
pub fn load(sources: &Sources) -> Result<Settings, ConfigError> {
    let mut problems = Vec::new();
    let mut settings = Settings::built_in();
    if let Some(user) = &sources.user {
        let said = read::read(user, sources.home.as_deref(), &mut problems);
        said.entries.into_iter().for_each(|entry| settings.replace(entry));
        settings.add_languages(said.languages);
        settings.add_commands(said.commands);
        settings.add_rules(said.rules);
    }
    for variable in &sources.variables {
        read::variable(variable, &mut problems).into_iter().for_each(|entry| settings.replace(entry));
    }
    settings.join_presets(&sources.presets);
    if sources.sandboxed == SandboxLeave::Given {
        settings.give_leave_in_sandbox();
    }
    for project in [&sources.project, &sources.here].into_iter().flatten() {
        let said = read::read(project, sources.home.as_deref(), &mut problems);
        problems.extend(said.languages.iter().map(languages::not_a_projects_business));
        problems.extend(said.rules.iter().filter_map(rules::loosens));
        settings.add_rules(said.rules);
        settings.add_commands(said.commands);
        for entry in said.entries {
            settings.tighten(entry, &mut problems);
        }
    }
    if problems.is_empty() { Ok(settings) } else { Err(ConfigError::of(problems)) }
}

#[cfg(test)]
mod tests;
