//! What a runner does before the builder builds: takes its own keys out, trims the body, puts subcommands first and
//! keeps variadic flags from swallowing the prompt. May not add anything that nobody asked for.

use super::args::{
    apply_positional_args, build_args_from_frontmatter, extract_positional_mappings, variables,
};
use super::command::{BuiltCommand, CommandDefaults, Ingredients, build_command, build_command_base};
use super::refuse::check;
use crate::FlowError;
use crate::front::{Front, Value};
use crate::keys::is_foreign;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Keys of the runner that are not the command's.
const OURS: &[&str] = &["engine", "description", "expose"];

/// How the prompt reaches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prompt {
    /// As an argument.
    #[default]
    Argument,
    /// On its standard input: no argument.
    Stdin,
}

/// Front matter and body, ready for the builder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The keys that are left for flags and mappings.
    pub front: Front,
    /// Words before all flags.
    pub subcommand: Vec<String>,
    /// Variables of the environment: `env` as an object, and `_env` over it.
    pub env: Vec<(String, String)>,
    /// The trimmed body, if there is anything in it.
    pub prompt: Option<String>,
}

/// What else a command is built from.
#[derive(Debug, Clone, Copy)]
pub struct Placing<'a> {
    /// Positionals after the prompt.
    pub positionals: &'a [String],
    /// Flags of this program that take any number of words: they are written `--flag=value`, because they would
    /// swallow the prompt.
    pub variadic: &'a [&'a str],
    /// How the prompt reaches the program.
    pub way: Prompt,
    /// The directory to work in.
    pub cwd: &'a Path,
}

/// Takes out what is the runner's and the names that templates use, after everything has been merged and filled in. What cannot become a flag is an
/// error that names its key.
pub fn prepare(merged: &Front, body: &str, template_vars: &BTreeSet<String>) -> Result<Prepared, FlowError> {
    check(merged, template_vars)?;
    let mut front = Front::default();
    for (key, value) in merged.iter() {
        if !OURS.contains(&key) && !is_foreign(key) && !key.starts_with('_') && !template_vars.contains(key) {
            front.set(key, value.clone());
        }
    }
    let prepared = Prepared {
        subcommand: merged.get("_subcommand").map_or(Ok(Vec::new()), |value| words(merged, value))?,
        env: environment(merged),
        prompt: None,
        front,
    };
    Ok(prepared.with_prompt(body))
}

impl Prepared {
    /// The same with this body, of which blank lines around it are not the prompt.
    #[must_use]
    pub fn with_prompt(self, body: &str) -> Self {
        let body = body.trim();
        Self { prompt: (!body.is_empty()).then(|| body.to_owned()), ..self }
    }

    /// The command: subcommand, flags, prompt, further positionals.
    pub fn build(&self, command: &str, with: &Placing<'_>) -> BuiltCommand {
        let from = Ingredients {
            frontmatter: &self.front,
            body: self.prompt.as_deref().unwrap_or_default(),
            positional_args: with.positionals,
            // The names that templates use are out already, and the defaults are merged.
            template_vars: &BTreeSet::new(),
            config: &CommandDefaults::new(),
            cwd: with.cwd,
        };
        let built = match (&self.prompt, with.way) {
            (Some(_), Prompt::Argument) => build_command(command, &from),
            _ => self.without_prompt(build_command_base(command, &from), with.positionals),
        };
        let flags = self.one_word_each(&built.args, with.variadic);
        let args = self.subcommand.iter().cloned().chain(flags).collect();
        BuiltCommand { args, env: self.env.clone(), ..built }
    }

    /// Further positionals are numbered from 2, whether or not there is a prompt before them.
    fn without_prompt(&self, built: BuiltCommand, rest: &[String]) -> BuiltCommand {
        let mappings = extract_positional_mappings(&self.front).into_iter();
        let shifted: BTreeMap<usize, String> = mappings
            .filter(|(position, _)| *position > 1)
            .map(|(position, flag)| (position - 1, flag))
            .collect();
        BuiltCommand { args: apply_positional_args(&built.args, rest, &shifted), ..built }
    }

    /// The same arguments, a variadic flag and its word being one: `--flag=word`.
    fn one_word_each(&self, args: &[String], variadic: &[&str]) -> Vec<String> {
        let (mut out, mut rest) = (Vec::new(), args);
        for (key, value) in self.front.iter() {
            let one: Front = [(key, value.clone())].into_iter().collect();
            let own = build_args_from_frontmatter(&one, &BTreeSet::new()).len();
            let (flags, after) = rest.split_at(own.min(rest.len()));
            rest = after;
            // `true` is a flag alone; everything else comes in pairs.
            if variadic.contains(&key.trim_start_matches('-')) && value.as_bool().is_none() {
                out.extend(flags.chunks(2).map(|pair| pair.join("=")));
            } else {
                out.extend_from_slice(flags);
            }
        }
        out.extend_from_slice(rest);
        out
    }
}

/// The words of `_subcommand`: one text, or a list of them.
fn words(merged: &Front, value: &Value) -> Result<Vec<String>, FlowError> {
    let word = |value: &Value| match value {
        Value::Text(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.clone()),
        _ => None,
    };
    let said = match value {
        value if value.is_empty() => Some(Vec::new()),
        Value::List(items) => items.iter().map(word).collect(),
        one => word(one).map(|word| vec![word]),
    };
    said.ok_or_else(|| {
        let what = format!("`_subcommand` is `{value}`, which is not a word or a list of words");
        merged.wrong("_subcommand", what).hint("Write `_subcommand: exec` or `_subcommand: [mcp, list]`.")
    })
}

/// The variables of `env`, and those of `_env` over them. As anything but an object, `env` is a flag and `_env` a
/// template variable.
fn environment(merged: &Front) -> Vec<(String, String)> {
    let of = |key: &str| merged.get(key).and_then(Value::as_map).cloned().unwrap_or_default();
    variables(&of("_env").merge_under(&of("env")))
}
