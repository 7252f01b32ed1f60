//! `runward resolve NAME…`: which file a program's name resolves to, and why.

use super::VerbResult;
use crate::args::ResolveArgs;
use crate::output::{OutputFormat, emit, note, print};
use crate::setup::Setup;
use runward::core::render::word;
use runward::core::resolve::{Because, ResolvedCommand, resolve, resolve_command};
use runward::{CommandSpec, ErrorView, HostFacts, host};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// The result for one name.
#[derive(Debug, Serialize)]
struct Resolved {
    name: String,
    path: Option<String>,
    real_path: Option<String>,
    because: Option<String>,
    error: Option<ErrorView>,
}

pub(super) fn run(args: &ResolveArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let all: Vec<Resolved> = args.names.iter().map(|name| look_up(name, &setup, args.verbose)).collect();
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => {
            for resolved in &all {
                resolved.tell()?;
            }
        }
        structured => emit(&all, structured)?,
    }
    Ok(all
        .iter()
        .filter_map(|resolved| resolved.error.as_ref())
        .map(|e| i32::from(e.code.exit()))
        .max()
        .unwrap_or(0))
}

fn look_up(name: &OsStr, setup: &Setup, verbose: bool) -> Resolved {
    if verbose {
        announce(name, &setup.facts);
    }
    let spec = CommandSpec::exec(name);
    match resolve(&spec, &setup.facts, &setup.settings.defaults(), &host::Disk) {
        Ok(command) => Resolved {
            name: word(name),
            path: Some(word(command.program().as_os_str())),
            real_path: Some(word(command.real_program().as_os_str())),
            because: Some(because(&command)),
            error: None,
        },
        Err(error) => Resolved {
            name: word(name),
            path: None,
            real_path: None,
            because: None,
            error: Some(ErrorView::of(&error)),
        },
    }
}

fn because(command: &ResolvedCommand) -> String {
    match command.because().of("program") {
        Some(Because::Host(how)) => how.clone(),
        _ => "a path, as given".to_owned(),
    }
}

/// Reports that a name was resolved to our node, or to a program beside it.
pub(super) fn announce(name: &OsStr, facts: &HostFacts) {
    let Some(name) = name.to_str() else { return };
    let resolved = resolve_command(name, facts, &host::Disk);
    if resolved != name {
        note(&format!("[INFO] Resolved '{name}' to '{resolved}'"));
    }
}

impl Resolved {
    fn tell(&self) -> Result<(), crate::output::VerbFailure> {
        match (&self.path, &self.error) {
            (Some(path), _) => {
                let real = self.real_path.as_ref().filter(|real| *real != path);
                let real = real.map(|real| format!(", which is {real}")).unwrap_or_default();
                print(&format!(
                    "{}: {path} ({}{real})",
                    self.name,
                    self.because.as_deref().unwrap_or_default()
                ))
            }
            (None, Some(error)) => {
                crate::output::tell(&format!("{} [{}]", error.message, error.code));
                error.hint.iter().for_each(|hint| note(&format!("hint: {hint}")));
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}
