//! Keys to flags, positionals to arguments, `env` to variables. May not know which program reads them.

use crate::front::{Front, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Keys that the system handles: variables, hooks, and the size of the context window. `env` is not among them, because
/// only its object form is ours.
const SYSTEM_KEYS: &[&str] = &["args", "pre", "before", "post", "after", "context_window"];

/// The flag of a key: one letter gets one dash, more get two, and a key with dashes is one already.
pub(super) fn to_flag(key: &str) -> String {
    match key {
        _ if key.starts_with('-') => key.to_owned(),
        _ if key.chars().count() == 1 => format!("-{key}"),
        _ => format!("--{key}"),
    }
}

/// The number of a positional key: 1 for `$1`.
fn position(key: &str) -> Option<usize> {
    let digits = key.strip_prefix('$')?;
    // A number that is none of ours, like `$+1`, would be read by `parse` alone.
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// Flags from front matter, in its order: each key becomes a flag, each value its argument.
///
/// `true` is the flag alone; `false`, null and an empty list are nothing; a list repeats the flag. Never flags: the
/// system's keys, `$1`, `$name`, `env` as an object, and the names that templates use (`template_vars`).
pub fn build_args_from_frontmatter(frontmatter: &Front, template_vars: &BTreeSet<String>) -> Vec<String> {
    let mut args = Vec::new();
    for (key, value) in frontmatter.iter() {
        if SYSTEM_KEYS.contains(&key) || key.starts_with('$') || template_vars.contains(key) {
            continue;
        }
        match value {
            Value::Map(_) if key == "env" => {}
            Value::Null | Value::Bool(false) => {}
            Value::Bool(true) => args.push(to_flag(key)),
            Value::List(items) => {
                items.iter().for_each(|item| args.extend([to_flag(key), item.to_string()]));
            }
            Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                args.extend([to_flag(key), value.to_string()]);
            }
        }
    }
    args
}

/// Which positionals are passed as the value of a flag: `$1: prompt` is 1 with `prompt`. Only texts count.
pub fn extract_positional_mappings(frontmatter: &Front) -> BTreeMap<usize, String> {
    let mapping = |(key, value): (&str, &Value)| Some((position(key)?, value.as_text()?.to_owned()));
    frontmatter.iter().filter_map(mapping).collect()
}

/// Variables of the environment, from the object form of `env`, in its order. Values become texts; nothing is an empty
/// one.
pub fn extract_env_vars(frontmatter: &Front) -> Vec<(String, String)> {
    frontmatter.get("env").and_then(Value::as_map).map(variables).unwrap_or_default()
}

/// Names with their values as texts.
pub(super) fn variables(front: &Front) -> Vec<(String, String)> {
    let text = |value: &Value| if *value == Value::Null { String::new() } else { value.to_string() };
    front.iter().map(|(name, value)| (name.to_owned(), text(value))).collect()
}

/// Arguments with the positionals after them, in order: one that is mapped comes with its flag, the others raw.
pub fn apply_positional_args(
    base_args: &[String],
    positionals: &[String],
    mappings: &BTreeMap<usize, String>,
) -> Vec<String> {
    let mut args = base_args.to_vec();
    for (index, value) in positionals.iter().enumerate() {
        args.extend(mappings.get(&(index + 1)).map(|flag| to_flag(flag)));
        args.push(value.clone());
    }
    args
}
