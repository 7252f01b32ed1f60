//! What well-known agents need to run without a person: flags, subcommands, and how they take a prompt. May not know
//! the file.
//!
//! A table: what a program needs is a row, not code. A program that is not in it gets nothing added.

use crate::FlowError;
use crate::build::{Prompt, extract_positional_mappings};
use crate::front::{Front, Value};
use runward_engine::Code;
use std::path::Path;

/// A value in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fixed {
    True,
    Text(&'static str),
}

impl Fixed {
    fn value(self) -> Value {
        match self {
            Fixed::True => Value::Bool(true),
            Fixed::Text(text) => Value::text(text),
        }
    }
}

/// How a program takes a prompt besides as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// Without a prompt among its arguments it reads one from its standard input.
    ReadsPrompt,
    /// It does not.
    Ignored,
}

/// How a program is told a text that belongs to its own prompt. Flags have their dashes: no name in a template is theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptChannel {
    /// As the value of this flag.
    Flag(&'static str),
    /// As this key of its configuration, with `--config KEY=VALUE`.
    Config(&'static str),
    /// In a file that this key of its configuration names.
    FileInConfig(&'static str),
    /// In a file that this variable of the environment names.
    FileInVariable(&'static str),
}

/// What keeps a program from what lies around: instructions, skills, servers, extensions, sessions.
#[derive(Debug, Clone, Copy)]
pub struct Isolation {
    /// Flags that do.
    always: &'static [(&'static str, Fixed)],
    /// Flags that do where it prints; elsewhere it does not know them.
    printing: &'static [(&'static str, Fixed)],
    /// What `--config` says for it.
    pub config: &'static [&'static str],
    /// What it does not reach.
    left: Option<&'static str>,
    /// What it does not reach where the program has the terminal.
    left_interactive: Option<&'static str>,
}

impl Adapter {
    /// What nothing is known about.
    const NOTHING: Self = Self {
        name: "",
        print: &[],
        solitary: &[],
        interactive: &[],
        variadic: &[],
        stdin: Stdin::ReadsPrompt,
        own_prompt: None,
        own_prompt_more: None,
        isolation: None,
    };
}

impl Isolation {
    const NOTHING: Self =
        Self { always: &[], printing: &[], config: &[], left: None, left_interactive: None };

    /// The flags for a run.
    pub fn flags(&self, interactive: bool) -> impl Iterator<Item = (&'static str, Value)> {
        let printing = if interactive { &[][..] } else { self.printing };
        self.always.iter().chain(printing).map(|(flag, fixed)| (*flag, fixed.value()))
    }

    /// What it does not reach in a run.
    pub fn left(&self, interactive: bool) -> Option<&'static str> {
        if interactive { self.left_interactive.or(self.left) } else { self.left }
    }
}

/// What one program needs.
#[derive(Debug)]
pub struct Adapter {
    /// The program's name.
    pub name: &'static str,
    /// Keys that hold where nobody says anything: they make it print its answer and end.
    print: &'static [(&'static str, Fixed)],
    /// Keys that would keep it from talking to a person, taken out for an interactive run.
    solitary: &'static [&'static str],
    /// Keys that an interactive run has instead.
    interactive: &'static [(&'static str, Fixed)],
    /// Flags that take any number of words.
    pub variadic: &'static [&'static str],
    /// How it takes a prompt that is no argument, when it prints.
    pub stdin: Stdin,
    /// How its own prompt is replaced.
    pub own_prompt: Option<PromptChannel>,
    /// How its own prompt is added to.
    pub own_prompt_more: Option<PromptChannel>,
    /// How it is kept from what lies around.
    pub isolation: Option<Isolation>,
}

const PRINT: &[(&str, Fixed)] = &[("print", Fixed::True)];
const PRINT_KEYS: &[&str] = &["print", "p"];

/// Every program that is known.
pub const ADAPTERS: &[Adapter] = &[
    Adapter {
        name: "claude",
        print: PRINT,
        solitary: PRINT_KEYS,
        variadic: &[
            "allowed-tools",
            "allowedTools",
            "disallowed-tools",
            "disallowedTools",
            "tools",
            "add-dir",
            "betas",
            "mcp-config",
            "plugin-dir",
        ],
        own_prompt: Some(PromptChannel::Flag("--system-prompt")),
        own_prompt_more: Some(PromptChannel::Flag("--append-system-prompt")),
        isolation: Some(Isolation {
            // Not `--bare`: with that, people who have logged in would not be.
            always: &[("--safe-mode", Fixed::True)],
            printing: &[("--no-session-persistence", Fixed::True)],
            left_interactive: Some("the record of its session"),
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
    Adapter {
        name: "codex",
        print: &[("_subcommand", Fixed::Text("exec"))],
        own_prompt: Some(PromptChannel::FileInConfig("model_instructions_file")),
        own_prompt_more: Some(PromptChannel::Config("developer_instructions")),
        isolation: Some(Isolation {
            printing: &[("--ignore-user-config", Fixed::True), ("--ephemeral", Fixed::True)],
            config: &["project_doc_max_bytes=0"],
            left_interactive: Some("its own configuration and the record of its session"),
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
    Adapter {
        name: "copilot",
        print: &[("$1", Fixed::Text("prompt"))],
        interactive: &[("$1", Fixed::Text("interactive"))],
        stdin: Stdin::Ignored,
        isolation: Some(Isolation {
            always: &[("--no-custom-instructions", Fixed::True), ("--disable-builtin-mcps", Fixed::True)],
            left: Some("the servers of its own configuration"),
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
    Adapter {
        name: "gemini",
        interactive: &[("$1", Fixed::Text("prompt-interactive"))],
        own_prompt: Some(PromptChannel::FileInVariable("GEMINI_SYSTEM_MD")),
        isolation: Some(Isolation {
            // The first is a word that it knows, the second a name that no server has.
            always: &[
                ("--extensions", Fixed::Text("none")),
                ("--allowed-mcp-server-names", Fixed::Text("none")),
            ],
            left: Some("`GEMINI.md` files and its own settings"),
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
    Adapter {
        name: "opencode",
        print: &[("_subcommand", Fixed::Text("run"))],
        // Without its subcommand, its first word is a folder.
        interactive: &[("$1", Fixed::Text("prompt"))],
        isolation: Some(Isolation {
            always: &[("--pure", Fixed::True)],
            left: Some("`AGENTS.md` files and its own configuration"),
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
    Adapter {
        name: "cursor-agent",
        print: &[("print", Fixed::True), ("output-format", Fixed::Text("text"))],
        solitary: &["print", "p", "output-format"],
        stdin: Stdin::Ignored,
        ..Adapter::NOTHING
    },
    Adapter { name: "droid", print: &[("_subcommand", Fixed::Text("exec"))], ..Adapter::NOTHING },
    Adapter {
        name: "pi",
        print: PRINT,
        solitary: PRINT_KEYS,
        own_prompt: Some(PromptChannel::Flag("--system-prompt")),
        own_prompt_more: Some(PromptChannel::Flag("--append-system-prompt")),
        isolation: Some(Isolation {
            always: &[
                ("--no-extensions", Fixed::True),
                ("--no-skills", Fixed::True),
                ("--no-prompt-templates", Fixed::True),
                ("--no-context-files", Fixed::True),
                ("--no-session", Fixed::True),
            ],
            ..Isolation::NOTHING
        }),
        ..Adapter::NOTHING
    },
];

/// What is known about a command; none for a program that is not. Folders and `.exe` do not count.
pub fn adapter(command: &str) -> Option<&'static Adapter> {
    let name = Path::new(command).file_name()?.to_str()?;
    let name = [".exe", ".cmd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    ADAPTERS.iter().find(|adapter| adapter.name == name)
}

impl Adapter {
    /// Keys that hold where nobody says anything.
    pub fn defaults(&self) -> Front {
        self.print.iter().map(|(key, fixed)| (*key, fixed.value())).collect()
    }

    /// Changes merged front matter for an interactive run. A subcommand that somebody chose stays.
    pub fn make_interactive(&self, front: &mut Front) {
        for key in self.solitary {
            front.remove(key);
        }
        for (key, fixed) in self.print {
            if front.get(key) == Some(&fixed.value()) {
                front.remove(key);
            }
        }
        for (key, fixed) in self.interactive {
            if !front.has(key) {
                front.set(*key, fixed.value());
            }
        }
    }
}

/// The largest argument on Linux: 128 KiB with the byte that ends it.
pub const LARGEST_ARGUMENT: usize = 128 * 1024 - 1;

/// How a prompt reaches a program that prints: as an argument where it can be one, else on standard input where the
/// program reads it there. A prompt that begins with a dash would be read as an option, so it counts as one that
/// cannot be an argument where there is another way, unless `$1` gives it a flag of its own.
pub fn passing(
    adapter: Option<&Adapter>,
    front: &Front,
    prompt: &str,
    largest: usize,
) -> Result<Prompt, FlowError> {
    let reads = adapter.is_some_and(|adapter| adapter.stdin == Stdin::ReadsPrompt);
    let mapped = extract_positional_mappings(front).contains_key(&1);
    let too_large = prompt.len() > largest;
    match (too_large, reads) {
        (_, true) if too_large || (prompt.starts_with('-') && !mapped) => Ok(Prompt::Stdin),
        (true, _) => {
            let message =
                format!("the prompt has {} bytes, and one argument may have {largest}", prompt.len());
            let hint = "Import less, or use a program that reads its prompt from standard input.";
            Err(FlowError::new(Code::FlowPromptTooLarge, message).hint(hint))
        }
        (false, _) => Ok(Prompt::Argument),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::Coded;

    fn front(entries: &[(&str, Value)]) -> Front {
        entries.iter().cloned().collect()
    }

    /// Defaults, then what an interactive run has of them.
    fn shown(adapter: &Adapter) -> String {
        let line = |front: &Front| {
            front.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ")
        };
        let mut merged = adapter.defaults();
        adapter.make_interactive(&mut merged);
        format!("{} | {} | {}", adapter.name, line(&adapter.defaults()), line(&merged))
    }

    #[test]
    fn every_program_gets_what_is_published_and_no_more() {
        let all: Vec<String> = ADAPTERS.iter().map(shown).collect();
        assert_eq!(
            all,
            [
                "claude | print: true | ",
                "codex | _subcommand: exec | ",
                "copilot | $1: prompt | $1: interactive",
                "gemini |  | $1: prompt-interactive",
                "opencode | _subcommand: run | $1: prompt",
                "cursor-agent | print: true, output-format: text | ",
                "droid | _subcommand: exec | ",
                "pi | print: true | ",
            ]
        );
    }

    #[test]
    fn a_program_is_known_by_its_name() {
        assert_eq!(adapter("/usr/local/bin/claude").map(|adapter| adapter.name), Some("claude"));
        assert_eq!(adapter("codex.exe").map(|adapter| adapter.name), Some("codex"));
        assert!(["Claude", "claude-x", "echo", ""].iter().all(|command| adapter(command).is_none()));
    }

    #[test]
    fn an_interactive_run_keeps_what_was_chosen() {
        let mut merged = front(&[("_subcommand", Value::text("resume")), ("model", Value::text("m"))]);
        let before = merged.clone();
        adapter("codex").unwrap().make_interactive(&mut merged);
        assert_eq!(merged, before);
        let mut merged = front(&[("p", Value::Bool(true)), ("verbose", Value::Bool(true))]);
        adapter("claude").unwrap().make_interactive(&mut merged);
        assert_eq!(merged, front(&[("verbose", Value::Bool(true))]));
    }

    #[test]
    fn a_prompt_too_large_for_an_argument_goes_another_way_or_nowhere() {
        let large = "x".repeat(LARGEST_ARGUMENT + 1);
        let way = |command: &str, prompt: &str| {
            passing(adapter(command), &Front::default(), prompt, LARGEST_ARGUMENT)
        };
        assert_eq!(way("claude", &large), Ok(Prompt::Stdin));
        assert_eq!(way("claude", &large[1..]), Ok(Prompt::Argument));
        assert_eq!(way("echo", &large[1..]), Ok(Prompt::Argument));
        let error = way("echo", &large).unwrap_err();
        assert_eq!(error.code(), Code::FlowPromptTooLarge);
        assert_eq!(error.to_string(), "the prompt has 131072 bytes, and one argument may have 131071");
    }

    #[test]
    fn a_prompt_that_looks_like_an_option_is_not_given_as_one() {
        let way = |command: &str, front: &Front| passing(adapter(command), front, "--yolo", 100).unwrap();
        let mapped = front(&[("$1", Value::text("prompt"))]);
        assert_eq!(way("claude", &Front::default()), Prompt::Stdin);
        assert_eq!(way("claude", &mapped), Prompt::Argument);
        assert_eq!(
            way("echo", &Front::default()),
            Prompt::Argument,
            "an unknown program gets what it always gets"
        );
    }
}
