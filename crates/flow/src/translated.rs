//! Keys that each program is told in its own way: its own prompt replaced or added to, and what lies around kept from it.
//!
//! What a program has no way for is an error: a file that runs without its system prompt is another file. May not write the
//! file that some programs read their prompt from.

use crate::FlowError;
use crate::adapters::{Adapter, LARGEST_ARGUMENT, PromptChannel};
use crate::front::{Front, Value};
use crate::inputs::is_yes;
use crate::keys::{APPEND_SYSTEM_PROMPT, ISOLATED, SYSTEM_PROMPT};
use crate::words::plain;
use runward_engine::Code;

/// What a file says about its program beside the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Translated {
    replaced: Option<String>,
    added: Option<String>,
    isolated: bool,
    /// Where the text that takes the place of the program's own prompt lies, for a program that reads it from a file.
    pub(crate) file: Option<String>,
}

/// Whom the keys are for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listener {
    /// What is known about the program.
    pub(crate) adapter: Option<&'static Adapter>,
    /// Whether it gets the terminal.
    pub(crate) interactive: bool,
}

impl Translated {
    /// Reads the keys, which must be in force by now. Everything that is wrong with them is one error.
    pub(crate) fn of(front: &Front, command: &str, whom: Listener) -> Result<Self, FlowError> {
        let mut problems = Vec::new();
        let mut said = |key: &'static str| {
            let mut found = spelled(front, key);
            let first = found.next()?;
            problems.extend(found.map(|other| {
                front
                    .wrong(other, format!("`{other}` and `{first}` are one key, and both are there"))
                    .hint("Keep one of them.")
            }));
            let is_said = |value: &&Value| **value != Value::Null && value.as_list() != Some(&[]);
            let value = front.get(first).filter(is_said)?;
            Some((first, value))
        };
        let texts = [SYSTEM_PROMPT, APPEND_SYSTEM_PROMPT].map(|key| said(key).map(|said| (key, said)));
        let isolated = said(ISOLATED);
        let [replaced, added] = texts.map(|text| {
            let (key, (spelled, value)) = text?;
            let known = usable(key, value).and_then(|text| has_way(key, &text, command, whom).map(|()| text));
            known.map_err(|what| problems.push(what.at(front.mark_of(spelled).cloned()))).ok()
        });
        let isolated = isolated.is_some_and(|(spelled, value)| {
            let known = yes(value).and_then(|yes| has_walls(yes, command, whom).map(|()| yes));
            known.map_err(|what| problems.push(what.at(front.mark_of(spelled).cloned()))).unwrap_or(false)
        });
        let new = Self { replaced, added, isolated, file: None };
        problems.extend(new.said_twice(front, whom));
        FlowError::all("with what the program is told beside its prompt", problems).map(|()| new)
    }

    /// The text that has to lie in a file before the program starts.
    pub(crate) fn text_for_file(&self, adapter: Option<&Adapter>) -> Option<&str> {
        let way = adapter?.own_prompt?;
        matches!(way, PromptChannel::FileInConfig(_) | PromptChannel::FileInVariable(_))
            .then_some(self.replaced.as_deref())?
    }

    /// Lays flags that say the same to this program over what the file says.
    pub(crate) fn lay(&self, front: &mut Front, whom: Listener) {
        let Some(adapter) = whom.adapter else { return };
        for (way, text) in self.ways(adapter) {
            match way {
                PromptChannel::Flag(flag) => front.set(flag, Value::text(text)),
                PromptChannel::Config(key) => configure(front, key, text),
                PromptChannel::FileInConfig(key) => {
                    configure(front, key, self.file.as_deref().unwrap_or(NO_FILE));
                }
                PromptChannel::FileInVariable(_) => {}
            }
        }
        if let Some(walls) = adapter.isolation.filter(|_| self.isolated) {
            for (flag, value) in walls.flags(whom.interactive) {
                // A file may open one of them again.
                if !front.has(flag) && !front.has(bare(flag)) {
                    front.set(flag, value);
                }
            }
            walls.config.iter().for_each(|setting| add(front, (*setting).to_owned()));
        }
    }

    /// The variable that says the same to this program.
    pub(crate) fn variable(&self, adapter: Option<&Adapter>) -> Option<(String, String)> {
        let PromptChannel::FileInVariable(name) = adapter?.own_prompt? else { return None };
        self.replaced.as_ref()?;
        Some((name.to_owned(), self.file.clone().unwrap_or_else(|| NO_FILE.to_owned())))
    }

    /// What the program cannot be kept from.
    pub(crate) fn remark(&self, whom: Listener) -> Option<String> {
        let adapter = whom.adapter?;
        let left = adapter.isolation.filter(|_| self.isolated)?.left(whom.interactive)?;
        Some(format!("`{ISOLATED}` does not reach {left}: `{}` has no option for that", adapter.name))
    }

    /// The ways in which the texts are told.
    fn ways<'a>(&'a self, adapter: &Adapter) -> impl Iterator<Item = (PromptChannel, &'a str)> {
        let replaced = adapter.own_prompt.zip(self.replaced.as_deref());
        let added = adapter.own_prompt_more.zip(self.added.as_deref());
        replaced.into_iter().chain(added)
    }

    /// The same said in the program's own words: nobody could tell which of them is meant.
    fn said_twice(&self, front: &Front, whom: Listener) -> Vec<FlowError> {
        let Some(adapter) = whom.adapter else { return Vec::new() };
        let twice = |(way, _): (PromptChannel, &str)| {
            let (key, what) = match way {
                PromptChannel::Flag(flag) => {
                    let key = [flag, bare(flag)].into_iter().find(|key| front.has(key))?;
                    (key, format!("`{key}` and `_{}`", bare(flag)))
                }
                PromptChannel::FileInVariable(name) => {
                    let held =
                        |key: &&str| front.get(key).and_then(Value::as_map).is_some_and(|map| map.has(name));
                    let key = ["_env", "env"].into_iter().find(held)?;
                    (key, format!("`{name}` in `{key}` and `{SYSTEM_PROMPT}`"))
                }
                _ => return None,
            };
            let what = format!("{what} say the same to `{}`, and both are there", adapter.name);
            Some(front.wrong(key, what).hint("Keep one of them."))
        };
        self.ways(adapter).filter_map(twice).collect()
    }
}

/// Stands where a rehearsal writes no file.
const NO_FILE: &str = "[a file with the system prompt]";

/// What is wrong with a key, before its place is known.
fn odd(what: String, hint: String) -> FlowError {
    FlowError::new(Code::FlowBadFrontMatter, what).hint(hint)
}

/// The keys of the front matter that are this one: dash and underscore are equal.
fn spelled<'a>(front: &'a Front, key: &'static str) -> impl Iterator<Item = &'a str> {
    front.iter().map(|(held, _)| held).filter(move |held| plain(held) == plain(key))
}

/// A flag as a key without dashes.
fn bare(flag: &str) -> &str {
    flag.trim_start_matches('-')
}

/// The text of a value: one, or for what is added several, with an empty line between them.
fn usable(key: &str, value: &Value) -> Result<String, FlowError> {
    let text = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        _ => None,
    };
    let texts: Option<Vec<String>> = match value {
        Value::List(items) if key == APPEND_SYSTEM_PROMPT => items.iter().map(text).collect(),
        one => text(one).map(|text| vec![text]),
    };
    texts.map(|texts| texts.join("\n\n")).ok_or_else(|| {
        let or = if key == APPEND_SYSTEM_PROMPT { " or a list of texts" } else { "" };
        let what = format!("`{key}` is {}, not a text{or}", value.kind());
        odd(what, format!("Write `{key}: TEXT`, or several lines with `|`."))
    })
}

fn yes(value: &Value) -> Result<bool, FlowError> {
    let word = if value.is_scalar() { is_yes(value.to_string().trim()) } else { None };
    word.ok_or_else(|| {
        let said = if value.is_scalar() { format!("`{value}`") } else { value.kind().to_owned() };
        let what = format!("`{ISOLATED}` is {said}, but it takes true or false");
        odd(what, format!("Write `{ISOLATED}: true`, or leave it out."))
    })
}

/// Whether the program can be told this text.
fn has_way(key: &str, text: &str, command: &str, whom: Listener) -> Result<(), FlowError> {
    let way = whom.adapter.and_then(|adapter| match key {
        SYSTEM_PROMPT => adapter.own_prompt,
        _ => adapter.own_prompt_more,
    });
    match way {
        Some(PromptChannel::Flag(_) | PromptChannel::Config(_)) if text.len() > LARGEST_ARGUMENT => {
            let what =
                format!("`{key}` has {} bytes, and one argument may have {LARGEST_ARGUMENT}", text.len());
            let hint = "Shorten it, or put most of it into the prompt.";
            Err(FlowError::new(Code::FlowPromptTooLarge, what).hint(hint))
        }
        Some(_) => Ok(()),
        None => {
            let does = if key == SYSTEM_PROMPT { "replace" } else { "add to" };
            let what = format!(
                "`{key}` cannot be told to `{command}`: no option of it is known to {does} its own prompt"
            );
            Err(odd(what, format!("Put the text into the prompt, or use one of {}.", known(key))))
        }
    }
}

fn has_walls(yes: bool, command: &str, whom: Listener) -> Result<(), FlowError> {
    if !yes || whom.adapter.is_some_and(|adapter| adapter.isolation.is_some()) {
        return Ok(());
    }
    let what = format!(
        "`{ISOLATED}` cannot be told to `{command}`: no option of it is known to keep it from what lies around"
    );
    Err(odd(what, format!("Leave it out, or use one of {}.", known(ISOLATED))))
}

/// The programs that a key can be told to.
fn known(key: &str) -> String {
    let can = |adapter: &&Adapter| match key {
        SYSTEM_PROMPT => adapter.own_prompt.is_some(),
        APPEND_SYSTEM_PROMPT => adapter.own_prompt_more.is_some(),
        _ => adapter.isolation.is_some(),
    };
    let names = crate::adapters::ADAPTERS.iter().filter(can).map(|adapter| format!("`{}`", adapter.name));
    names.collect::<Vec<_>>().join(", ")
}

/// Adds `--config KEY="TEXT"`, as TOML: what is not quoted would be read as a number, a date or a truth where it looks
/// like one.
fn configure(front: &mut Front, key: &str, text: &str) {
    add(front, format!("{key}={}", quoted(text)));
}

/// A text of TOML. JSON spells it the same, but for one character.
fn quoted(text: &str) -> String {
    Value::text(text).to_json().to_string().replace('\u{7f}', "\\u007f")
}

/// The flag, and no name that a template could read.
const CONFIG: &str = "--config";

/// Adds one more `--config`.
fn add(front: &mut Front, setting: String) {
    let mut all = match front.get(CONFIG) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::List(items)) => items.clone(),
        Some(one) => vec![one.clone()],
    };
    all.push(Value::Text(setting));
    front.set(CONFIG, Value::List(all));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_quoted_text_is_that_text_in_toml(text in "(?s).{0,20}|[0-9tf.:-]{1,10}|[\u{0}-\u{7f}]{0,10}") {
            let read: toml::Table = toml::from_str(&format!("key={}", quoted(&text))).unwrap();
            prop_assert_eq!(read["key"].as_str(), Some(text.as_str()));
        }
    }
}
