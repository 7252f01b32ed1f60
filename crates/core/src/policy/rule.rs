//! The rules there are: what a person types, lists of programs, of commands and of folders, and tools that
//! the operator opened.

use super::spelling::{Sureness, goes_by, lies_at};
use super::{AllowedCommands, CwdRoots, Decision};
use crate::facts::{HostFacts, Look, Naming};
use crate::resolve::ResolvedCommand;
use crate::spec::Program;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The rules of one engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// What holds for a command that a person typed themselves.
    pub typed: Decision,
    /// Why everything is allowed, if it is.
    pub allow_everything: Option<String>,
    /// Programs that may run, by name or absolute path.
    pub allow: Vec<String>,
    /// Programs that may not run, by name or absolute path.
    pub deny: Vec<String>,
    /// The only commands that may run, whoever asks; `None` where there is no such list.
    pub commands: Option<AllowedCommands>,
    /// The folders that a caller may choose to work in.
    pub cwd_roots: CwdRoots,
    /// Tools that the operator opened by choosing to offer them, each with why. A list of commands, where there is
    /// one, governs them all the same.
    pub granted: BTreeMap<String, String>,
}

impl Default for Policy {
    /// What a person types may run; nothing else may.
    fn default() -> Self {
        Self {
            typed: Decision::Allow,
            allow_everything: None,
            allow: Vec::new(),
            deny: Vec::new(),
            commands: None,
            cwd_roots: CwdRoots::default(),
            granted: BTreeMap::new(),
        }
    }
}

impl Policy {
    /// Everything may run, and this is why.
    pub fn allow_everything(because: impl Into<String>) -> Self {
        Self { allow_everything: Some(because.into()), ..Self::default() }
    }

    /// These programs may run, by name or absolute path.
    pub fn allow_programs<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self { allow: names.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Only these commands may run: a comma-separated list, as in `ALLOWED_COMMANDS`.
    pub fn allow_commands(list: &str) -> Self {
        Self { commands: Some(AllowedCommands::read(list)), ..Self::default() }
    }

    /// The operator opened this tool, and this is why.
    #[must_use]
    pub fn grant(mut self, tool: impl Into<String>, because: impl Into<String>) -> Self {
        self.granted.insert(tool.into(), because.into());
        self
    }

    /// Whether there is anything at all that a tool might be allowed to run.
    pub fn opens(&self, tool: &str) -> bool {
        match &self.commands {
            Some(commands) => !commands.is_empty(),
            None => {
                self.granted.contains_key(tool) || self.allow_everything.is_some() || !self.allow.is_empty()
            }
        }
    }

    /// The same rules with every folder they name found on this host.
    #[must_use]
    pub fn found(self, facts: &HostFacts, look: &dyn Look) -> Self {
        Self { cwd_roots: self.cwd_roots.found(facts, look), ..self }
    }
}

/// What rules are compared with. A script is opaque: it may be any program, and is none for certain.
#[derive(Debug)]
pub struct Subject<'a> {
    opaque: bool,
    path: &'a Path,
    real: &'a Path,
    naming: &'a Naming,
}

impl<'a> Subject<'a> {
    /// What rules see of a command, on a host that spells names like this.
    pub fn of(command: &'a ResolvedCommand, naming: &'a Naming) -> Self {
        let opaque = matches!(command.asked(), Program::Shell { .. });
        Self { opaque, path: command.program(), real: command.real_program(), naming }
    }

    /// Whether it certainly is the program that an entry names.
    ///
    /// A bare name stands for the program that was found under that name; a path stands for that file.
    pub fn is(&self, entry: &str) -> bool {
        let sure = Sureness::Certain;
        !self.opaque
            && if self.naming.has_separator(OsStr::new(entry)) {
                self.is_file(entry, sure)
            } else {
                goes_by(self.path, entry, self.naming, sure)
            }
    }

    /// Whether it could be the program that an entry names.
    pub fn may_be(&self, entry: &str) -> bool {
        // Refusing is done on every name that the file goes by: a link must not be a way around.
        let named = |file: &Path| goes_by(file, entry, self.naming, Sureness::Possible);
        self.opaque || named(self.path) || named(self.real) || self.is_file(entry, Sureness::Possible)
    }

    fn is_file(&self, entry: &str, sureness: Sureness) -> bool {
        [self.path, self.real].iter().any(|file| lies_at(file, entry, self.naming, sureness))
    }
}
