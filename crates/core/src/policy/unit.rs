//! Every command that could run because of one request: the one that was asked for, or all that a script holds, and
//! whatever those start in turn.
//!
//! May not judge anything, and may not look at the host.

use super::reading::{self, Assignment, Dialect, Redirect};
use super::wrappers::{StartedCommand, through};
use super::{Opaque, Word};
use crate::spec::Program;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// How deep commands may start commands: bounds the recursion.
const DEEPEST: usize = 8;

/// How many commands one request may come to.
const MOST: usize = 1000;

/// How a command is given to its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandForm {
    /// As separate words that no shell reads again.
    Argv,
    /// As part of a text that a shell reads, and that is never rewritten.
    Text,
}

/// One command that could run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its words, the name first. The name is always known.
    pub words: Vec<Word>,
    /// What starts it, outermost first; nothing where it is asked for itself.
    pub via: Vec<String>,
    /// How it is given to its program.
    pub form: CommandForm,
    /// Whether what starts it does so in another folder.
    pub moved: bool,
}

impl Unit {
    /// The name, as it was written.
    pub fn name(&self) -> &OsStr {
        self.words.first().and_then(Word::exact).unwrap_or_default()
    }

    /// Whether the last part of its name is this.
    pub(super) fn goes_by(&self, name: &str) -> bool {
        self.name().to_str().is_some_and(|own| own.rsplit(['/', '\\']).next() == Some(name))
    }

    /// Whether it is a builtin that moves the shell to another folder.
    pub(super) fn changes_folder(&self) -> bool {
        matches!(self.name().to_str(), Some("cd" | "pushd" | "popd" | "chdir"))
    }

    /// The command for people.
    pub fn shown(&self) -> String {
        let words: Vec<String> = self.words.iter().map(word_shown).collect();
        crate::render::one_short_line(&words.join(" "))
    }
}

fn word_shown(word: &Word) -> String {
    match word {
        Word::Known(text) => crate::render::command_line([text]),
        Word::Open { start, .. } => format!("{}…", crate::render::one_line(start)),
    }
}

/// Everything that one request could do, as far as its words say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    /// Every command, in the order of the text; what a command starts comes after it.
    pub units: Vec<Unit>,
    /// Variables that are set for some of them.
    pub assigns: Vec<Assignment>,
    /// Files that are read and written by redirection.
    pub redirects: Vec<Redirect>,
    /// Variables that a shell evaluates, which have to be numbers where the environment has them.
    pub worked_out: Vec<String>,
    /// Whether a command may run more than once, or later than where it stands: in a loop, a function or a trap.
    pub repeats: bool,
}

impl Scene {
    /// Every command of a request. `shell` is what would read a script.
    pub fn of(asked: &Program, shell: &Path) -> Result<Self, Opaque> {
        let mut scene = Self::default();
        match asked {
            Program::Exec { name, args } => {
                let words = [name].into_iter().chain(args).map(Word::known).collect();
                scene.unfold(Unit { words, via: Vec::new(), form: CommandForm::Argv, moved: false })?;
            }
            Program::Shell { script, .. } => {
                let text = script.to_str().ok_or_else(|| Opaque::because("the text is not Unicode"))?;
                scene.text(text, Dialect::of(shell), &[], false)?;
            }
        }
        Ok(scene)
    }

    /// Every command of a script for bash.
    pub fn of_text(text: &str) -> Result<Self, Opaque> {
        let mut scene = Self::default();
        scene.text(text, Dialect::Bash, &[], false)?;
        Ok(scene)
    }

    fn text(&mut self, text: &str, dialect: Dialect, via: &[String], moved: bool) -> Result<(), Opaque> {
        let reading = reading::read(text, dialect)?;
        self.assigns.extend(reading.assigns);
        self.redirects.extend(reading.redirects);
        self.repeats |= reading.repeats;
        if let Some(name) = reading.worked_out.first().filter(|_| !via.is_empty()) {
            let why = format!("a sum evaluates what `{name}` holds, which may come from the text around it");
            return Err(
                Opaque::because(why).instead(format!("Set `{name}` to a number in the inner text first."))
            );
        }
        self.worked_out.extend(reading.worked_out);
        for command in reading.commands {
            self.assigns.extend(command.assigns);
            self.redirects.extend(command.redirects);
            self.unfold(Unit { words: command.words, via: via.to_vec(), form: CommandForm::Text, moved })?;
        }
        Ok(())
    }

    fn unfold(&mut self, unit: Unit) -> Result<(), Opaque> {
        let started = through(&unit.words)?;
        let (form, mut via) = (unit.form, unit.via.clone());
        let moved = unit.moved || moves(&unit);
        via.push(crate::render::word(unit.name()));
        self.units.push(unit);
        if self.units.len() > MOST {
            return Err(Opaque::because(format!("it comes to more than {MOST} commands")));
        }
        if !started.is_empty() && via.len() > DEEPEST {
            return Err(Opaque::because(format!("commands start commands more than {DEEPEST} deep")));
        }
        for inner in started {
            match inner {
                StartedCommand::Words(words) => self.unfold(Unit { words, via: via.clone(), form, moved })?,
                StartedCommand::Script { shell, text } => {
                    self.text(&text, Dialect::of(Path::new(&shell)), &via, moved)?;
                }
            }
        }
        Ok(())
    }
}

/// Programs that start others in another folder, and the options that say so; where there are none, always.
const MOVES: &[(&str, &[&str])] = &[
    ("find", &["-execdir", "-okdir"]),
    ("gfind", &["-execdir", "-okdir"]),
    ("env", &["-C", "--chdir"]),
    ("genv", &["-C", "--chdir"]),
    ("sudo", &["-D", "--chdir", "-i", "--login"]),
    ("doas", &[]),
    ("unshare", &["-w", "--wd", "-R", "--root"]),
    ("nsenter", &[]),
    ("chroot", &[]),
    ("su", &[]),
    ("runuser", &[]),
];

/// Whether a command starts others in a folder that is not its own, or may.
fn moves(unit: &Unit) -> bool {
    let says = |word: &Word, option: &str| {
        let Some(text) = word.text() else { return word.may_be_option() };
        match option.strip_prefix("--") {
            Some(_) => text.len() > 2 && option.starts_with(text.split('=').next().unwrap_or(text)),
            None if option.len() == 2 => {
                text.starts_with('-') && !text.starts_with("--") && text.contains(&option[1..])
            }
            None => text == option,
        }
    };
    MOVES.iter().filter(|(name, _)| unit.goes_by(name)).any(|(_, options)| {
        options.is_empty() || unit.words.iter().skip(1).any(|word| options.iter().any(|one| says(word, one)))
    })
}
