//! Which command a file is for. May not look whether it exists.

use crate::FlowError;
use crate::front::{Front, Value};
use runward_engine::Code;
use std::path::Path;

/// The variable of the environment that names a command.
pub const VARIABLE: &str = "RUNWARD_COMMAND";

/// Everybody who may name the command, the strongest first.
#[derive(Debug, Clone, Copy)]
pub struct Says<'a> {
    /// `--command` or `-c`.
    pub flag: Option<&'a str>,
    /// `RUNWARD_COMMAND`.
    pub variable: Option<&'a str>,
    /// The file's name or address; its folders do not count.
    pub file: &'a str,
    /// The front matter, with its `engine`.
    pub front: &'a Front,
    /// `engine` of the configuration.
    pub configured: Option<&'a str>,
}

/// Who named the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChosenBy {
    /// `--command` or `-c`.
    Flag,
    /// `RUNWARD_COMMAND`.
    Variable,
    /// The file's name.
    FileName,
    /// `engine` in the front matter.
    FrontMatter,
    /// `engine` in the configuration.
    Configuration,
    /// Nobody: the file is expanded, and nothing is run with it.
    Nobody,
}

impl ChosenBy {
    /// Who it was, in words.
    pub fn name(self) -> &'static str {
        match self {
            ChosenBy::Flag => "--command",
            ChosenBy::Variable => VARIABLE,
            ChosenBy::FileName => "file name",
            ChosenBy::FrontMatter => "front matter",
            ChosenBy::Configuration => "configuration",
            ChosenBy::Nobody => "nobody",
        }
    }
}

/// The command of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The command.
    pub command: String,
    /// Who named it.
    pub by: ChosenBy,
}

impl Choice {
    /// No command: for a file that is only expanded.
    pub(crate) fn none() -> Self {
        Self { command: String::new(), by: ChosenBy::Nobody }
    }

    /// The command, if somebody named one.
    pub fn named(&self) -> Option<&str> {
        (self.by != ChosenBy::Nobody).then_some(&self.command)
    }
}

/// The command, or none where nobody names one: then a file without front matter is a document, and any other file is
/// [`no_command`].
pub fn choose(says: &Says<'_>) -> Result<Option<Choice>, FlowError> {
    if says.flag.is_some_and(|flag| flag.trim().is_empty()) {
        return Err(FlowError::new(Code::FlowBadArgument, "`--command` names nothing")
            .hint("Name a command: `--command claude`."));
    }
    let engine = engine(says.front)?;
    let named = [
        (says.flag, ChosenBy::Flag),
        (says.variable.filter(|name| !name.trim().is_empty()), ChosenBy::Variable),
        (command_in_name(says.file), ChosenBy::FileName),
        (engine, ChosenBy::FrontMatter),
        (says.configured.filter(|name| !name.trim().is_empty()), ChosenBy::Configuration),
    ];
    let first = named.into_iter().find_map(|(name, by)| Some((name?, by)));
    Ok(first.map(|(name, by)| Choice { command: name.trim().to_owned(), by }))
}

fn engine(front: &Front) -> Result<Option<&str>, FlowError> {
    match front.get("engine") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(name)) if !name.trim().is_empty() => Ok(Some(name)),
        Some(other) => {
            let what = format!("`engine` is {}, not the name of a command", other.kind());
            Err(front.wrong("engine", what).hint("Name a command: `engine: claude`."))
        }
    }
}

/// Nobody said which command a file is for.
pub fn no_command() -> FlowError {
    let message = "No command specified. Use --command flag, or name your file like 'task.claude.md'";
    let hint = "Add `engine: claude` to the front matter or to the configuration.";
    FlowError::new(Code::FlowNoCommand, message).hint(hint)
}

/// The command in a file's name: `claude` in `task.claude.md`. Letters keep their case.
pub fn command_in_name(file: &str) -> Option<&str> {
    // The first part is the file's own name, and `i` says how to run, not what.
    let last = parts(file)?.split('.').skip(1).filter(|part| *part != INTERACTIVE).last();
    last.filter(|part| !part.is_empty())
}

/// The part of a name that asks for an interactive run.
const INTERACTIVE: &str = "i";

/// Whether a file's name asks for an interactive run: `task.i.claude.md`.
pub fn is_interactive_name(file: &str) -> bool {
    parts(file).is_some_and(|parts| parts.split('.').skip(1).any(|part| part == INTERACTIVE))
}

/// Whether front matter asks for an interactive run, with `_interactive` or `_i`.
pub fn is_interactive_front(front: &Front) -> bool {
    // The key alone asks for it too, as a bare flag would.
    let asks = |key: &str| front.get(key).is_some_and(|value| !matches!(value, Value::Bool(false)));
    asks("_interactive") || asks("_i")
}

/// The name without folders and without `.md`.
fn parts(file: &str) -> Option<&str> {
    let name = Path::new(file).file_name()?.to_str()?;
    let stem = name.len().checked_sub(3).filter(|at| name.is_char_boundary(*at))?;
    name[stem..].eq_ignore_ascii_case(".md").then_some(&name[..stem])
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::Coded;

    #[test]
    fn the_last_part_of_a_name_is_the_command() {
        let cases = [
            ("task.claude.md", Some("claude")),
            ("a/b.c/task.Gemini.md", Some("Gemini")),
            ("a.b.codex.md", Some("codex")),
            ("task.i.claude.md", Some("claude")),
            ("task.claude.i.md", Some("claude")),
            ("task.i.md", None),
            ("task.md", None),
            ("claude.md", None),
            (".claude.md", Some("claude")),
            ("claude.claude.md", Some("claude")),
            ("x.cursor-agent.MD", Some("cursor-agent")),
            ("folder.claude.md/task.md", None),
            ("task..md", None),
            ("task.claude.txt", None),
            ("task.claude", None),
            ("é", None),
            ("", None),
            ("https://example.com/a/task.codex.md", Some("codex")),
        ];
        for (file, command) in cases {
            assert_eq!(command_in_name(file), command, "{file}");
        }
    }

    #[test]
    fn a_name_may_ask_for_an_interactive_run() {
        let names = ["task.i.claude.md", "a/task.claude.i.md", "task.i.md"];
        assert!(names.iter().all(|name| is_interactive_name(name)));
        let others = ["task.claude.md", "i.claude.md", "task.it.claude.md", "d.i.x/task.md"];
        assert!(!others.iter().any(|name| is_interactive_name(name)));
    }

    #[test]
    fn front_matter_may_ask_for_an_interactive_run() {
        let asks = |key: &str, value: Value| is_interactive_front(&[(key, value)].into_iter().collect());
        assert!(asks("_i", Value::Bool(true)) && asks("_interactive", Value::Null));
        assert!(!asks("_i", Value::Bool(false)) && !asks("i", Value::Bool(true)));
    }

    #[test]
    fn the_strongest_word_counts() {
        let front: Front = [("engine", Value::text("e"))].into_iter().collect();
        let mut says = Says {
            flag: Some("f"),
            variable: Some("v"),
            file: "t.n.md",
            front: &front,
            configured: Some("c"),
        };
        let chosen = |says: &Says<'_>| {
            choose(says).unwrap().map(|choice| format!("{} {}", choice.command, choice.by.name()))
        };
        assert_eq!(chosen(&says).as_deref(), Some("f --command"));
        says.flag = None;
        assert_eq!(chosen(&says).as_deref(), Some("v RUNWARD_COMMAND"));
        says.variable = Some("");
        assert_eq!(chosen(&says).as_deref(), Some("n file name"));
        says.file = "t.md";
        assert_eq!(chosen(&says).as_deref(), Some("e front matter"));
        let none = Front::default();
        says.front = &none;
        assert_eq!(chosen(&says).as_deref(), Some("c configuration"));
        says.configured = None;
        assert_eq!(chosen(&says), None);
    }

    #[test]
    fn a_command_that_is_no_name_is_refused() {
        let front: Front = [("engine", Value::List(Vec::new()))].into_iter().collect();
        let says = Says { flag: None, variable: None, file: "t.md", front: &front, configured: None };
        assert_eq!(choose(&says).unwrap_err().to_string(), "`engine` is a list, not the name of a command");
        let error = choose(&Says { flag: Some(" "), ..says }).unwrap_err();
        assert_eq!(error.code(), Code::FlowBadArgument);
    }

    #[test]
    fn without_a_command_the_published_sentence_is_said() {
        let error = no_command();
        assert_eq!(error.code(), Code::FlowNoCommand);
        assert_eq!(
            error.to_string(),
            "No command specified. Use --command flag, or name your file like 'task.claude.md'"
        );
    }
}
