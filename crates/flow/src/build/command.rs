//! A whole command from its ingredients. May not start it.

use super::args::{
    apply_positional_args, build_args_from_frontmatter, extract_env_vars, extract_positional_mappings,
};
use crate::front::Front;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A command, ready to be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BuiltCommand {
    /// The program.
    pub executable: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that are laid over the environment, in order.
    pub env: Vec<(String, String)>,
    /// The directory it works in.
    pub cwd: PathBuf,
}

/// What the configuration says about commands: for each name the keys that hold where front matter says nothing.
pub type CommandDefaults = BTreeMap<String, Front>;

/// What a command is built from, besides its name.
#[derive(Debug, Clone, Copy)]
pub struct Ingredients<'a> {
    /// The file's front matter.
    pub frontmatter: &'a Front,
    /// The prompt: the first positional.
    pub body: &'a str,
    /// Further positionals, from the command line.
    pub positional_args: &'a [String],
    /// Names that templates use: never flags.
    pub template_vars: &'a BTreeSet<String>,
    /// Defaults of commands.
    pub config: &'a CommandDefaults,
    /// The directory to work in.
    pub cwd: &'a Path,
}

impl Ingredients<'_> {
    /// The front matter over the defaults of this command.
    fn merged(&self, command: &str) -> Front {
        match self.config.get(command) {
            Some(defaults) => self.frontmatter.merge_under(defaults),
            None => self.frontmatter.clone(),
        }
    }
}

/// Builds a whole command: flags, then the body and further positionals, each mapped to a flag or raw.
///
/// ```
/// use runward_flow::build::{Ingredients, build_command};
/// let flow = runward_flow::front::read("a.md", "---\nmodel: opus\n$1: prompt\n---\nDo it")?;
/// let spec = build_command("claude", &Ingredients {
///     frontmatter: &flow.front,
///     body: &flow.body,
///     positional_args: &[],
///     template_vars: &Default::default(),
///     config: &Default::default(),
///     cwd: ".".as_ref(),
/// });
/// assert_eq!(spec.args, ["--model", "opus", "--prompt", "Do it"]);
/// # Ok::<(), runward_flow::FlowError>(())
/// ```
pub fn build_command(command: &str, from: &Ingredients<'_>) -> BuiltCommand {
    let mappings = extract_positional_mappings(&from.merged(command));
    let positionals: Vec<String> =
        [from.body.to_owned()].into_iter().chain(from.positional_args.iter().cloned()).collect();
    let base = build_command_base(command, from);
    BuiltCommand { args: apply_positional_args(&base.args, &positionals, &mappings), ..base }
}

/// Builds a command without its positionals, for whoever places them otherwise.
pub fn build_command_base(command: &str, from: &Ingredients<'_>) -> BuiltCommand {
    let merged = from.merged(command);
    BuiltCommand {
        executable: command.to_owned(),
        args: build_args_from_frontmatter(&merged, from.template_vars),
        env: extract_env_vars(&merged),
        cwd: from.cwd.to_owned(),
    }
}
