//! A program with everything about it settled that needs no expansion: its command, its keys, its inputs.
//!
//! May not look at the world: the configuration and the environment come as arguments.

use super::program::AgentFile;
use super::timeout;
use crate::FlowError;
use crate::adapters::{Adapter, adapter};
use crate::cascade::{Cascade, Origin};
use crate::choose::{self, Choice, Says};
use crate::front::{Front, Value};
use crate::imports::hosts::Hosts;
use crate::inputs::{self, Input};
use crate::translated::{Listener, Translated};
use crate::words::{OwnOptions, Switch};
use runward_engine::Wish;
use runward_engine::config::Settings;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a file turned out to be.
#[derive(Debug)]
pub enum SettledFile {
    /// A markdown agent.
    Agent(Box<Agent>),
    /// A document: nobody says which command it is for, and it has no front matter.
    Document(String),
}

/// A markdown agent whose command and keys are settled.
#[derive(Debug)]
pub struct Agent {
    /// The file.
    pub program: AgentFile,
    /// The command, and who named it.
    pub choice: Choice,
    /// Its keys, with where each came from.
    pub cascade: Cascade,
    /// What it wants to be told.
    pub inputs: Vec<Input>,
    /// Whether the program gets the terminal.
    pub interactive: bool,
    /// Hosts that it may import from.
    pub hosts: Hosts,
    /// Commands inside it that run at the same time, at the most.
    pub(super) at_once: usize,
    /// What the configuration says about how long it may take.
    pub(super) wall: Wish<Duration>,
    /// What its program is told beside the prompt; known when the settings of the command line are.
    pub(super) translated: Translated,
    /// What is known about the command.
    pub adapter: Option<&'static Adapter>,
}

impl Agent {
    /// Settles what can be settled without expanding anything.
    pub fn settle(
        program: AgentFile,
        ours: &OwnOptions,
        variable: Option<&str>,
        settings: &Settings,
    ) -> Result<SettledFile, FlowError> {
        match chosen(&program, ours, variable, settings)? {
            None if program.flow.has_front => Err(choose::no_command()),
            choice => Self::of(program, choice, ours, settings),
        }
    }

    /// The same for a file that is only expanded: one with front matter needs no command then.
    pub(super) fn settle_prompt(
        program: AgentFile,
        variable: Option<&str>,
        settings: &Settings,
    ) -> Result<SettledFile, FlowError> {
        let ours = OwnOptions::default();
        let choice = chosen(&program, &ours, variable, settings)?;
        let choice = choice.or_else(|| program.flow.has_front.then(Choice::none));
        Self::of(program, choice, &ours, settings)
    }

    fn of(
        program: AgentFile,
        choice: Option<Choice>,
        ours: &OwnOptions,
        settings: &Settings,
    ) -> Result<SettledFile, FlowError> {
        let Some(choice) = choice else { return Ok(SettledFile::Document(program.flow.body)) };
        let flow = &program.flow;
        let adapter = adapter(&choice.command);
        let cascade = layers(flow, &choice.command, adapter, settings);
        let interactive = ours.has(Switch::Interactive)
            || choose::is_interactive_name(&flow.file)
            || choose::is_interactive_front(cascade.front());
        let inputs = inputs::read(&flow.front)?;
        let wall = timeout::configured(settings);
        let (allow, block) = settings.flow_hosts();
        let hosts = Hosts { allow, block };
        let (at_once, translated) = (settings.flow_commands_at_once(), Translated::default());
        let agent = Agent {
            program,
            choice,
            cascade,
            inputs,
            interactive,
            hosts,
            at_once,
            wall,
            translated,
            adapter,
        };
        Ok(SettledFile::Agent(Box::new(agent)))
    }

    /// The keys in force, with what an interactive run changes.
    pub fn front(&self) -> Front {
        let mut front = self.cascade.front().clone();
        if let (true, Some(adapter)) = (self.interactive, self.adapter) {
            adapter.make_interactive(&mut front);
        }
        self.translated.lay(&mut front, self.listener());
        front
    }

    /// The keys in force for a program that prints, whatever the agent itself does.
    pub(super) fn front_of_step(&self) -> Front {
        let mut front = self.cascade.front().clone();
        self.translated.lay(&mut front, Listener { interactive: false, ..self.listener() });
        front
    }

    fn listener(&self) -> Listener {
        Listener { adapter: self.adapter, interactive: self.interactive }
    }

    /// Settles what the program is told beside the prompt, now that every key is in force. What it leaves undone comes
    /// back.
    pub(super) fn translate(&mut self) -> Result<Option<String>, FlowError> {
        let Some(command) = self.choice.named() else { return Ok(None) };
        let whom = self.listener();
        self.translated = Translated::of(self.cascade.front(), command, whom)?;
        Ok(self.translated.remark(whom))
    }

    /// Where hooks, commands and the agent itself run: where Runward was called, unless `_cwd` says otherwise.
    pub fn cwd(&self, called: &Path, home: Option<&Path>) -> PathBuf {
        let said = self.cascade.front().get("_cwd").and_then(Value::as_text).filter(|text| !text.is_empty());
        match (said, home) {
            (Some("~"), Some(home)) => home.to_owned(),
            (Some(text), Some(home)) if text.starts_with("~/") => home.join(&text[2..]),
            (Some(text), _) => called.join(text),
            (None, _) => called.to_owned(),
        }
    }
}

fn chosen(
    program: &AgentFile,
    ours: &OwnOptions,
    variable: Option<&str>,
    settings: &Settings,
) -> Result<Option<Choice>, FlowError> {
    choose::choose(&Says {
        flag: ours.command.as_deref(),
        variable,
        file: &program.flow.file,
        front: &program.flow.front,
        configured: settings.engine().map(|(name, _)| name),
    })
}

fn layers(
    flow: &crate::front::Flow,
    command: &str,
    adapter: Option<&'static Adapter>,
    settings: &Settings,
) -> Cascade {
    let mut cascade = Cascade::default();
    if let Some(adapter) = adapter {
        cascade.lay(&adapter.defaults(), &Origin::BuiltIn);
    }
    cascade.lay_settings(settings, command);
    cascade.lay_front_matter(&flow.file, &flow.front);
    cascade
}
