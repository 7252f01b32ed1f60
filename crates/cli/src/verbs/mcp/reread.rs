//! The configuration, read again while the server runs: new rules take the place of the old ones, broken ones do not.
//!
//! Only `[policy]` takes effect; what else changed is told, because it waits for the next start. Variables of the
//! environment are those that the server was started with: nobody can change them from outside. May not end anything:
//! what runs goes on under the leave that it has.

use super::opened;
use crate::house::{self, House};
use crate::output::{Failure, tell};
use crate::verbs::gateway::Servers;
use runward::config::{Settings, VARIABLES};
use runward_mcp::gateway::Gateway;
use runward_mcp::{Desk, News, Offer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the configuration again for one server.
pub(super) struct Rereader<'a> {
    pub(super) house: &'a House,
    pub(super) file: Option<&'a Path>,
    pub(super) offer: Offer,
    pub(super) workspace: PathBuf,
    pub(super) desk: Arc<Desk>,
    /// The gateway, and the list that its children stand in.
    pub(super) joined: Option<(Arc<Gateway>, Servers)>,
}

impl Rereader<'_> {
    /// Reads it again, and tells the operator and every client what came of it.
    pub(super) fn reread(&self) {
        self.reread_rules();
        if let Some((gateway, servers)) = &self.joined {
            match servers.read_again(&self.house.facts) {
                Ok(roster) => {
                    gateway.change(roster);
                    self.say(
                        News::Change,
                        "the list of servers was read again; those that changed start anew",
                    );
                }
                Err(failure) => {
                    let why = sentence(&failure);
                    self.say(
                        News::Trouble,
                        &format!("the list of servers is broken, and the old one holds: {why}"),
                    );
                }
            }
        }
    }

    fn reread_rules(&self) {
        match house::read(self.file, &self.house.facts) {
            Ok(settings) => {
                self.desk.set_policy(opened(self.house.policy(&settings), &self.offer, &self.workspace));
                self.say(News::Change, "the configuration was read again; its rules hold from now on");
                self.remarks(&settings).iter().for_each(|sentence| tell(sentence));
            }
            Err(failure) => {
                self.desk.reread_flows();
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
        self.desk.announce(news, sentence);
    }

    /// What the operator may have meant to change and did not.
    fn remarks(&self, new: &Settings) -> Vec<String> {
        let mut all = Vec::new();
        for (variable, key) in VARIABLES {
            if self.house.facts.env_var(variable).is_some() {
                all.push(format!("`{key}` is still what `{variable}` said when the server started"));
            }
        }
        let begun = &self.house.settings;
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
            all.push(format!("changed, and in force only after a new start: `{}`", names.join("`, `")));
        }
        all
    }
}

fn sentence(failure: &Failure) -> String {
    match failure {
        Failure::Told(view) | Failure::Marked(view, _) => format!("{} [{}]", view.message, view.code),
        Failure::ReaderGone | Failure::Left => "nobody reads our output".to_owned(),
    }
}
