//! `runward flows`: the markdown agents that can be run by their name. May not expand or run any of them.

use super::VerbResult;
use super::run::{AgentFolders, command_variable};
use crate::args::FlowsArgs;
use crate::output::{OutputFormat, emit, print};
use crate::setup::Setup;
use runward::core::render::one_line;
use runward::{Coded, ErrorView};
use runward_flow::FlowError;
use runward_flow::inputs::{Input, InputKind, Need};
use runward_flow::lookup::folders;
use runward_flow::run::{Listed, list};
use serde::Serialize;
use serde_json::Value as Json;
use std::path::Path;

/// One agent, as `--json` shows it.
#[derive(Debug, Serialize)]
struct FlowView {
    name: String,
    path: String,
    command: Option<String>,
    description: Option<String>,
    inputs: Vec<InputView>,
    error: Option<BrokenAgentView>,
}

/// What is wrong with a file, and where.
#[derive(Debug, Serialize)]
struct BrokenAgentView {
    #[serde(flatten)]
    view: ErrorView,
    place: Option<String>,
}

/// An input of an agent.
#[derive(Debug, Serialize)]
struct InputView {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    required: bool,
    description: Option<String>,
    default: Option<Json>,
    /// What is allowed, in words.
    allowed: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<String>,
}

pub(super) fn run(args: &FlowsArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let variable = command_variable(&setup.facts);
    let (all, looked) = AgentFolders::of(&setup.facts)
        .with(|places| (list(places, variable, &setup.settings), folders(places)));
    let all: Vec<FlowView> = all.into_iter().map(FlowView::of).collect();
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain if all.is_empty() => {
            let looked: Vec<String> =
                looked.iter().map(|folder| one_line(&folder.display().to_string())).collect();
            print(&format!("no markdown agents here, nor in {}", looked.join(", ")))?;
        }
        OutputFormat::Plain => print(&table(&all))?,
        structured => emit(&all, structured)?,
    }
    Ok(0)
}

impl FlowView {
    fn of(listed: Listed) -> Self {
        let Listed { name, path, about } = listed;
        match about {
            Ok(about) => Self {
                name,
                path,
                command: Some(about.command),
                description: about.description,
                inputs: about.inputs.iter().map(InputView::of).collect(),
                error: None,
            },
            Err(error) => Self {
                name,
                path,
                command: None,
                description: None,
                inputs: Vec::new(),
                error: Some(BrokenAgentView::of(&error)),
            },
        }
    }

    /// The text beside the name, and in the lines below it.
    fn words(&self) -> (String, Vec<String>) {
        match &self.error {
            Some(broken) => {
                let place = broken.place.as_deref().unwrap_or(&self.path);
                let BrokenAgentView { view: ErrorView { message, code, hint }, .. } = broken;
                let below = hint.iter().map(|hint| format!("hint: {hint}"));
                (format!("broken: {place}: {message} [{code}]"), below.collect())
            }
            None => (
                self.description.clone().unwrap_or_default(),
                self.inputs.iter().map(InputView::words).collect(),
            ),
        }
    }
}

impl BrokenAgentView {
    fn of(error: &FlowError) -> Self {
        let view = ErrorView { code: error.code(), message: error.to_string(), hint: Coded::hint(error) };
        Self { view, place: error.mark().map(runward_flow::Mark::place) }
    }
}

impl InputView {
    fn of(input: &Input) -> Self {
        let (kind, options) = match &input.kind {
            InputKind::Text => ("text", Vec::new()),
            InputKind::Select { options } => ("select", options.clone()),
            InputKind::Number { .. } => ("number", Vec::new()),
            InputKind::Confirm => ("confirm", Vec::new()),
            InputKind::Password => ("password", Vec::new()),
        };
        // The default of a password is one.
        let default = input.default.as_ref().filter(|_| input.kind != InputKind::Password);
        Self {
            name: input.name.clone(),
            kind,
            required: input.need == Need::Required && input.default.is_none(),
            description: input.description.clone(),
            default: default.map(runward_flow::front::Value::to_json),
            allowed: input.allowed(),
            options,
        }
    }

    fn words(&self) -> String {
        let need = match (&self.default, self.required) {
            (Some(default), _) => format!(", {default} unless said"),
            (None, true) => String::new(),
            (None, false) => ", may be left out".to_owned(),
        };
        let about = self.description.as_ref().map(|words| format!(": {words}")).unwrap_or_default();
        let allowed = if self.kind == "password" { "a password" } else { &self.allowed };
        format!("--{} {allowed}{need}{about}", self.name)
    }
}

fn table(all: &[FlowView]) -> String {
    let command = |one: &FlowView| one_line(one.command.as_deref().unwrap_or("-"));
    let name = |one: &FlowView| one_line(&one.name);
    let widest =
        |of: &dyn Fn(&FlowView) -> String| all.iter().map(|one| of(one).chars().count()).max().unwrap_or(0);
    let (names, commands) = (widest(&name), widest(&command));
    let mut lines = Vec::new();
    for one in all {
        let (beside, below) = one.words();
        let line = format!("{:<names$}  {:<commands$}  {}", name(one), command(one), one_line(&beside));
        lines.push(line.trim_end().to_owned());
        lines.extend(below.iter().map(|line| format!("    {}", one_line(line))));
    }
    lines.join("\n")
}
