//! Markdown agents for clients: each file of the operator's folders a prompt, and a tool where it says so.
//!
//! Files are read again for each request, so the list is always current. An agent's commands, its own and those
//! before it, are asked for by a program through this door under the name of the agent's tool: the operator chose the
//! folder, which opens that tool and nothing else. What a client gives is data for templates, never a setting, an option or
//! a file's name. May not read a file: `runward-flow` does.
//! Read first: [`Flows`], then [`ready`].

mod limit;
mod parameters;
mod prompt;
mod ready;
mod tool;

pub(crate) use prompt::{get, prompts};
pub(crate) use tool::{call, definition};

use crate::tools;
use runward_engine::HostFacts;
use runward_engine::config::Settings;
use runward_flow::choose;
use runward_flow::run::{Broken, Catalogue, Exposed, Lost, Published, Shelves};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Why an agent's tool is open.
pub(crate) const OPENED: &str = "the operator chose to offer the agents of this folder";

/// The agents that a server offers.
pub struct Flows {
    shelves: Shelves,
    /// How the operator is told something.
    voice: Box<dyn Fn(&str) + Send + Sync>,
    last: Mutex<Last>,
}

/// What was found the last time.
#[derive(Default)]
struct Last {
    agents: Option<Vec<Published>>,
    told: BTreeSet<String>,
}

/// The result of reading again.
pub(crate) struct AgentsReading {
    pub(crate) agents: Vec<Published>,
    /// Sentences about files that are broken now and were not before.
    pub(crate) news: Vec<String>,
    /// Whether there are other agents than before.
    pub(crate) changed: bool,
}

impl std::fmt::Debug for Flows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flows").field("folders", &self.shelves.folders).finish_non_exhaustive()
    }
}

impl Flows {
    /// Offers the agents of these folders. What the operator should know goes to the voice.
    pub fn new(
        folders: Vec<PathBuf>,
        settings: Settings,
        facts: &HostFacts,
        voice: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let variable = facts.env_var(choose::VARIABLE).and_then(|value| value.to_str());
        let variable = variable.filter(|name| !name.is_empty()).map(str::to_owned);
        let shelves = Shelves { folders, variable, settings, reserved: tools::names().collect() };
        Self { shelves, voice: Box::new(voice), last: Mutex::default() }
    }

    /// Reads everything again. Each problem is reported to the operator once.
    pub(crate) fn read(&self) -> AgentsReading {
        let Catalogue { agents, broken } = self.shelves.read();
        let mut last = self.last();
        let changed = last.agents.as_ref().is_some_and(|before| *before != agents);
        last.agents = Some(agents.clone());
        let sentences: BTreeSet<String> = broken.iter().map(sentence).collect();
        let news: Vec<String> = sentences.difference(&last.told).cloned().collect();
        // A file that was fixed and breaks again is reported again.
        last.told = sentences;
        drop(last);
        news.iter().for_each(|sentence| (self.voice)(sentence));
        AgentsReading { agents, news, changed }
    }

    /// The problems that were reported.
    pub(crate) fn troubles(&self) -> Vec<String> {
        self.last().told.iter().cloned().collect()
    }

    /// A panic elsewhere leaves it whole: every change is a single step.
    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an agent is a tool.
pub(crate) fn is_tool(agent: &Published) -> bool {
    agent.exposed == Exposed::Tool
}

fn sentence(broken: &Broken) -> String {
    let line = broken.error.mark().map(|mark| format!(" (line {})", mark.line)).unwrap_or_default();
    let how = match broken.lost {
        Lost::All => "is left out",
        Lost::Tool => "is a prompt only, and no tool",
    };
    format!("`{}` {how}: {}{line}", broken.path.display(), broken.error)
}
