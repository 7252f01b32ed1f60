//! Reload: the configuration is read again while the server runs. New rules replace the old ones; broken ones do not.
//!
//! Only `[policy]` takes effect; other changes are reported, because they need a restart. Variables of the environment
//! are those that the server was started with: they cannot be changed from outside. May not end anything:
//! running commands go on under the permit that they have.

use super::opened;
use crate::output::{VerbFailure, tell};
use crate::setup::Setup;
use crate::verbs::gateway::Servers;
use runward::config::{Settings, VARIABLES};
use runward_mcp::gateway::Gateway;
use runward_mcp::{News, Offer, ServerState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the configuration again for one server.
pub(super) struct Rereader<'a> {
    pub(super) setup: &'a Setup,
    pub(super) file: Option<&'a Path>,
    pub(super) offer: Offer,
    pub(super) workspace: PathBuf,
    pub(super) server: Arc<ServerState>,
    /// The gateway, and the list that its children stand in.
    pub(super) joined: Option<(Arc<Gateway>, Servers)>,
}

impl Rereader<'_> {
    /// Reads it again, and reports the result to the operator and every client.
    pub(super) fn reread(&self) {
        self.reread_rules();
        if let Some((gateway, servers)) = &self.joined {
            match servers.read_again(&self.setup.facts) {
                Ok(roster) => {
                    gateway.change(roster);
                    self.say(
                        News::Change,
                        "the list of servers was read again; those that changed are restarted",
                    );
                }
                Err(failure) => {
                    let why = sentence(&failure);
                    self.say(
                        News::Trouble,
                        &format!("the list of servers is broken, and the old one stays in force: {why}"),
                    );
                }
            }
        }
    }

    fn reread_rules(&self) {
        match self.setup.read_again(self.file) {
            Ok(settings) => {
                self.server.set_policy(opened(settings.policy(), &self.offer, &self.workspace));
                self.say(News::Change, "the configuration was read again; its rules hold from now on");
                self.remarks(&settings).iter().for_each(|sentence| tell(sentence));
            }
            Err(failure) => {
                self.server.reread_flows();
                let why = sentence(&failure);
                self.say(
                    News::Trouble,
                    &format!("the configuration is broken, and the rules from before still hold: {why}"),
                );
            }
        }
    }

    fn say(&self, news: News, sentence: &str) {
        tell(sentence);
        self.server.announce(news, sentence);
    }

    /// Values that the operator may have meant to change and did not.
    fn remarks(&self, new: &Settings) -> Vec<String> {
        let mut all = Vec::new();
        for (variable, key) in VARIABLES {
            if self.setup.facts.env_var(variable).is_some() {
                all.push(format!("`{key}` is still what `{variable}` said when the server started"));
            }
        }
        let begun = &self.setup.settings;
        let waits = |name: &str| !name.starts_with("policy.") || name == "policy.ask_timeout_ms";
        let changed = new.iter().zip(begun.iter()).filter(|(new, old)| new.value != old.value);
        let mut names: Vec<&str> = changed.map(|(new, _)| new.key.name).filter(|name| waits(name)).collect();
        if new.configured_languages() != begun.configured_languages() {
            names.push("languages");
        }
        if new.configured_commands() != begun.configured_commands() {
            names.push("commands");
        }
        if !names.is_empty() {
            all.push(format!("changed, and in force only after a restart: `{}`", names.join("`, `")));
        }
        all
    }
}

fn sentence(failure: &VerbFailure) -> String {
    match failure {
        VerbFailure::Told(view) | VerbFailure::Marked(view, _) => format!("{} [{}]", view.message, view.code),
        VerbFailure::ReaderGone | VerbFailure::Left => "the reader of standard output is gone".to_owned(),
    }
}
