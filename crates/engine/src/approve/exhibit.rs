//! What a person is shown of a draft before they answer: nothing in it can hide or pretend to be something else.
//!
//! May not leave anything out because it is long: what is not shown cannot be approved.

use super::Matter;
use runward_core::output::escaped;
use runward_core::policy::{Judged, MOST_NAMED, ProgramIdentity, gist, gist_line};
use runward_core::render::{command_line, one_line, word};
use runward_core::spec::{Program, StdinSpec};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What is shown of one draft. Every text is one line, with invisible characters escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exhibit {
    /// The command, as a person would type it.
    pub command: String,
    /// The same with everything that is not ASCII escaped, where there is any: characters can look like others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spelled: Option<String>,
    /// What it runs, in a few words, where that can be known: `git push`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gist: Option<String>,
    /// Each command in a text or behind a wrapper, with the file that it resolves to; or why that cannot be known.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub runs: Vec<String>,
    /// The file that would be executed; for a text, the shell that reads it.
    pub program: String,
    /// Its standard input, if it has any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<String>,
    /// Where it would run.
    pub cwd: String,
    /// The layers of the sandbox around it.
    pub sandbox: Vec<String>,
    /// Why a person is asked.
    pub because: String,
    /// The door it came through.
    pub door: String,
    /// The caller's own name for itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub caller: Option<String>,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// The file that "always" would write a rule to; none where "always" is not possible.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub always: Option<String>,
}

impl Exhibit {
    /// What is shown of this matter.
    pub fn of(matter: &Matter<'_>) -> Self {
        let command = matter.draft.command();
        let caller = matter.draft.caller();
        let line = match command.asked() {
            Program::Exec { name, args } => command_line(std::iter::once(name).chain(args)),
            Program::Shell { script, .. } => unmistakable(&word(script)),
        };
        Self {
            spelled: (!line.is_ascii()).then(|| line.chars().map(ascii).collect()),
            command: line,
            gist: Some(gist_line(&gist(command.asked(), Some(command.program()))))
                .filter(|line| !line.is_empty()),
            runs: runs(matter),
            program: one_line(&word(command.program().as_os_str())),
            input: input(command.stdin()),
            cwd: one_line(&word(command.cwd().as_os_str())),
            sandbox: matter.draft.sandbox_layers().iter().map(|layer| one_line(layer)).collect(),
            because: one_line(matter.because),
            door: caller.door.name().to_owned(),
            caller: caller.name.as_deref().map(one_line),
            tool: caller.tool.as_deref().map(one_line),
            always: matter.lasting.map(|lasting| one_line(&lasting.place)),
        }
    }

    /// The same for people, one fact in a line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut row = |name: &str, value: &str| {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{name:<8} {value}");
        };
        row("command", &self.command);
        if let Some(spelled) = &self.spelled {
            row("spelled", spelled);
        }
        match self.runs.split_first() {
            None => row("program", &self.program),
            Some((first, more)) => {
                row("runs", first);
                more.iter().for_each(|one| row("", one));
                row("started", &self.program);
            }
        }
        row("cwd", &self.cwd);
        if let Some(input) = &self.input {
            row("input", input);
        }
        row("sandbox", &if self.sandbox.is_empty() { "none".to_owned() } else { self.sandbox.join(", ") });
        row("asked by", &self.asker());
        row("why", &self.because);
        out.truncate(out.trim_end().len());
        out
    }

    fn asker(&self) -> String {
        let name = self.caller.as_deref().unwrap_or("an unnamed caller");
        match &self.tool {
            Some(tool) => format!("{name}, through {} ({tool})", self.door),
            None => format!("{name}, through {}", self.door),
        }
    }
}

/// The commands that the judge read, where there is more to say than the program.
fn runs(matter: &Matter<'_>) -> Vec<String> {
    let ruling = matter.draft.ruling();
    let is_text = matches!(matter.draft.command().asked(), Program::Shell { .. });
    if let Some(why) = ruling.opaque() {
        return vec![format!("what cannot be known in advance: {}", one_line(why))];
    }
    let all = ruling.commands();
    if all.len() < 2 && !is_text {
        return Vec::new();
    }
    let file = |one: &Judged| match &one.program {
        ProgramIdentity::File { path, .. } => {
            format!("{} ({})", one.command, one_line(&word(path.as_os_str())))
        }
        _ => one.command.clone(),
    };
    let mut shown: Vec<String> = all.iter().take(MOST_NAMED).map(file).collect();
    if all.len() > MOST_NAMED {
        shown.push(format!("and {} more", all.len() - MOST_NAMED));
    }
    shown
}

fn input(stdin: &StdinSpec) -> Option<String> {
    match stdin {
        StdinSpec::Null => None,
        StdinSpec::Open => Some("what is typed later".to_owned()),
        StdinSpec::Bytes(bytes) => Some(unmistakable(
            std::str::from_utf8(bytes).map_or_else(|_| escaped(bytes), str::to_owned).as_str(),
        )),
    }
}

/// Text as it is where it hides nothing; otherwise quoted, so that a line break and a written `\\n` differ.
fn unmistakable(text: &str) -> String {
    if one_line(text) == text { text.to_owned() } else { command_line([text]) }
}

fn ascii(c: char) -> String {
    if c.is_ascii() { c.to_string() } else { format!("\\u{{{:x}}}", u32::from(c)) }
}
