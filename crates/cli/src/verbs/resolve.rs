//! `runward resolve NAME…`: which file a name means, and why.

use super::Done;
use crate::args::ResolveArgs;
use crate::house::House;
use crate::output::{Format, emit, note, print};
use runward::core::render::word;
use runward::core::resolve::{Because, ResolvedCommand, resolve, resolve_command};
use runward::{CommandSpec, ErrorView, HostFacts, host};
use serde::Serialize;
use std::ffi::OsStr;
use std::path::Path;

/// What one name came to.
#[derive(Debug, Serialize)]
struct Resolved {
    name: String,
    path: Option<String>,
    real_path: Option<String>,
    because: Option<String>,
    error: Option<ErrorView>,
}

pub(super) fn run(args: &ResolveArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let all: Vec<Resolved> = args.names.iter().map(|name| look_up(name, &house)).collect();
    match Format::of(&args.format) {
        Format::Plain => {
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

fn look_up(name: &OsStr, house: &House) -> Resolved {
    announce(name, &house.facts);
    let spec = CommandSpec::exec(name);
    match resolve(&spec, &house.facts, &house.settings.defaults(), &host::Disk) {
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

/// Says that a name was taken to mean our node, or what stands beside it.
pub(super) fn announce(name: &OsStr, facts: &HostFacts) {
    let Some(name) = name.to_str() else { return };
    let resolved = resolve_command(name, facts, &host::Disk);
    if resolved != name {
        note(&format!("[INFO] Resolved '{name}' to '{resolved}'"));
    }
}

impl Resolved {
    fn tell(&self) -> Result<(), crate::output::Failure> {
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
