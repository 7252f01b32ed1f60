//! Resolving: every value a command needs is looked up, and where each came from is noted.
//!
//! A spec and the facts of this host become a [`ResolvedCommand`]: which file, which arguments, where, with
//! which environment, under which limits. May not know policy or sandbox, and starts nothing.
//! Read first: [`resolve`].

mod absent;
mod chosen;
mod cwd;
mod discover;
mod env;
mod error;
mod installer;
mod interpreter;
mod nearest;
mod node;
#[cfg(test)]
mod node_tests;
mod program;
mod provenance;
mod shell;
mod usual;
mod version;

#[cfg(test)]
#[path = "../../tests/all/host.rs"]
mod host;

pub(crate) use absent::resolve_absent;
pub use discover::{NodeHints, NodeSearch, SkippedNode, discover_node, search_node};
pub use env::EnvRules;
pub use error::ResolveError;
pub use interpreter::{FoundInterpreter, resolve_interpreter};
pub use nearest::nearest;
pub use node::{FoundNode, resolution_log_line, resolve_command};
pub use program::find_program;
pub(crate) use program::spelled;
pub use provenance::{Because, Provenance};

#[cfg(test)]
use crate::facts;
use crate::facts::{Browse, FileStamp, FolderStamp, HostFacts};
use crate::spec::{CommandSpec, Limits, Program, StdinSpec, Streams, Terminal};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the configuration says where a spec says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Defaults {
    /// Limits in force unless a caller wishes otherwise.
    pub limits: Limits,
    /// What the environment starts from and what never gets in.
    pub env: EnvRules,
}

/// A command with nothing left unsaid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResolvedCommand {
    /// The file that will be executed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub(crate) program: PathBuf,
    /// What tells the file from one that may take its place before it is executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stamp: Option<FileStamp>,
    /// The same file with every link followed: its identity.
    #[serde(serialize_with = "crate::os_text::path")]
    pub(crate) real_program: PathBuf,
    /// What the program is told, its own name first.
    #[serde(serialize_with = "crate::os_text::many")]
    pub(crate) argv: Vec<OsString>,
    /// The command as asked.
    pub(crate) asked: Program,
    /// Where, with every link followed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub(crate) cwd: PathBuf,
    /// What tells the folder from one that may take its place before anything starts in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) folder: Option<FolderStamp>,
    /// Where the caller wanted it, in the caller's words.
    #[serde(serialize_with = "crate::os_text::maybe_path", skip_serializing_if = "Option::is_none")]
    pub(crate) asked_cwd: Option<PathBuf>,
    /// The whole environment.
    #[serde(serialize_with = "crate::os_text::map")]
    pub(crate) env: BTreeMap<OsString, OsString>,
    pub(crate) stdin: StdinSpec,
    pub(crate) streams: Streams,
    pub(crate) terminal: Terminal,
    pub(crate) limits: Limits,
    pub(crate) purpose: Option<String>,
    /// Whether the caller chose where programs are found.
    pub(crate) sets_path: bool,
    /// Whether the caller chose anything of the environment, all of which stands above.
    #[serde(skip)]
    pub(crate) sets_env: bool,
    pub(crate) because: Provenance,
}

impl ResolvedCommand {
    /// The file that will be executed.
    pub fn program(&self) -> &Path {
        &self.program
    }
    /// What told the file from others when it was found.
    pub fn stamp(&self) -> Option<FileStamp> {
        self.stamp
    }
    /// The file with every link followed.
    pub fn real_program(&self) -> &Path {
        &self.real_program
    }
    /// What the program is told, its own name first.
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }
    /// What was asked for.
    pub fn asked(&self) -> &Program {
        &self.asked
    }
    /// The working directory.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }
    /// What told the working directory from others when it was found.
    pub fn folder(&self) -> Option<FolderStamp> {
        self.folder
    }
    /// The working directory in the caller's words, if the caller chose one.
    pub fn asked_cwd(&self) -> Option<&Path> {
        self.asked_cwd.as_deref()
    }
    /// The whole environment.
    pub fn env(&self) -> &BTreeMap<OsString, OsString> {
        &self.env
    }
    /// What it reads.
    pub fn stdin(&self) -> &StdinSpec {
        &self.stdin
    }
    /// Whether the output streams are kept apart.
    pub fn streams(&self) -> Streams {
        self.streams
    }
    /// Pipes or a terminal.
    pub fn terminal(&self) -> Terminal {
        self.terminal
    }
    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
    /// Why; shown to people, never interpreted.
    pub fn purpose(&self) -> Option<&str> {
        self.purpose.as_deref()
    }
    /// Whether the caller chose where programs are found.
    pub fn sets_path(&self) -> bool {
        self.sets_path
    }
    /// Whether the caller chose anything of the environment.
    pub fn sets_env(&self) -> bool {
        self.sets_env
    }
    /// Where each value came from.
    pub fn because(&self) -> &Provenance {
        &self.because
    }
}

/// Makes a spec say everything, or says what is missing.
///
/// Folders are listed only where a program was not found, to name the nearest ones.
pub fn resolve(
    spec: &CommandSpec,
    facts: &HostFacts,
    defaults: &Defaults,
    browse: &dyn Browse,
) -> Result<ResolvedCommand, ResolveError> {
    spec.check()?;
    let mut because = Provenance::default();
    let cwd = cwd::resolve(spec.cwd.as_deref(), facts, browse, &mut because)?;
    let mut env = env::resolve(&spec.env, facts, &defaults.env, &mut because);
    env::point_pwd(&mut env, &cwd);
    let ground = program::SearchGround { facts, cwd: &cwd, browse };
    let (program, argv) = match &spec.program {
        Program::Exec { name, args } => {
            let found = program::resolve(name, &ground, &mut env, &mut because)?;
            let mut argv = Vec::with_capacity(args.len() + 1);
            argv.push(found.argv0);
            argv.extend(args.iter().cloned());
            (found.path, argv)
        }
        Program::Shell { script, shell } => shell::resolve(script, shell, &ground, &mut env, &mut because)?,
    };
    let limits = defaults.limits.with(&spec.limits);
    because.limits(&spec.limits);
    Ok(ResolvedCommand {
        stamp: browse.stamp(&program),
        folder: browse.stamp(&cwd).and_then(FileStamp::of_folder),
        real_program: browse.real_path(&program).unwrap_or_else(|| program.clone()),
        program,
        argv,
        asked: spec.program.clone(),
        cwd,
        asked_cwd: spec.cwd.clone(),
        env,
        stdin: spec.stdin.clone(),
        streams: spec.streams,
        terminal: spec.terminal,
        limits,
        purpose: spec.purpose.clone(),
        sets_env: spec.env != crate::spec::EnvSpec::default(),
        sets_path: spec.env.set.keys().any(|name| facts.naming.same_variable(name, "PATH".as_ref())),
        because,
    })
}
