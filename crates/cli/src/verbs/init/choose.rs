//! Which clients, which rules, and the entry that comes of them.
//!
//! May not read the text of a file.

use super::binary::RunwardBinary;
use super::folder;
use super::plan::{self, Wanted};
use super::record::InitRecord;
use crate::args::InitArgs;
use crate::clients::{CLIENTS, ClientFile, KnownClient, RunwardEntry};
use crate::level::Level;
use crate::output::VerbFailure;
use runward::HostFacts;
use runward::core::facts::{FileKind, Look};
use runward::core::resolve::find_program;
use runward::host::Disk;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The rules that an entry will have, and why.
#[derive(Debug)]
pub(super) struct ChosenRules {
    pub(super) level: Option<Level>,
    pub(super) presets: Vec<String>,
    pub(super) allow: Option<String>,
    /// What the level was taken from, where nobody named one.
    pub(super) marks: Option<Vec<String>>,
    /// The folder that the agent works in.
    pub(super) folder: PathBuf,
}

impl ChosenRules {
    pub(super) fn of(args: &InitArgs, facts: &HostFacts) -> Result<Self, VerbFailure> {
        let folder = match &args.workspace {
            None => facts.cwd.clone(),
            Some(asked) => directory(asked, facts).ok_or_else(|| {
                let message = format!("the workspace `{}` is not a directory", asked.display());
                VerbFailure::bad_value(message, "Name a directory that exists with `--workspace`.")
            })?,
        };
        if args.allow.as_ref().is_some_and(|list| list.split(',').all(|name| name.trim().is_empty())) {
            return Err(VerbFailure::bad_value(
                "`--allow` names no command".to_owned(),
                "Name commands, separated by commas: `--allow git,ls`.",
            ));
        }
        let is_said = args.level.is_some() || !args.presets.is_empty() || args.allow.is_some();
        let marks = (!is_said).then(|| folder::marks(&folder));
        let level = args.level.or_else(|| marks.as_deref().map(folder::level));
        Ok(Self { level, presets: args.presets.clone(), allow: args.allow.clone(), marks, folder })
    }

    /// The presets that hold.
    pub(super) fn all_presets(&self) -> Vec<&str> {
        let from_level = self.level.iter().flat_map(|level| level.presets().iter().copied());
        from_level.chain(self.presets.iter().map(String::as_str)).collect()
    }

    /// What a client will start.
    pub(super) fn entry(
        &self,
        args: &InitArgs,
        binary: Option<&RunwardBinary>,
        config: Option<&Path>,
        facts: &HostFacts,
    ) -> Result<RunwardEntry, VerbFailure> {
        let command = binary.map_or(Ok("runward".to_owned()), |binary| text(&binary.path))?;
        let mut words = vec!["mcp".to_owned()];
        words.extend(self.level.iter().flat_map(|level| ["--level".to_owned(), level.name().to_owned()]));
        words.extend(self.presets.iter().flat_map(|preset| ["--preset".to_owned(), preset.clone()]));
        if args.workspace.is_some() {
            words.extend(["--workspace".to_owned(), text(&self.folder)?]);
        }
        if let Some(config) = config {
            words.extend(["--config".to_owned(), text(&facts.naming.join(&facts.cwd, config))?]);
        }
        let allowed = self.allow.iter().map(|list| ("ALLOWED_COMMANDS".to_owned(), list.clone()));
        Ok(RunwardEntry { command, args: words, env: allowed.collect::<BTreeMap<_, _>>() })
    }
}

fn text(path: &Path) -> Result<String, VerbFailure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let message =
            format!("the path `{}` is not UTF-8, so it cannot be written to a list", path.display());
        VerbFailure::bad_value(message, "Use a path whose name is UTF-8.")
    })
}

fn directory(asked: &Path, facts: &HostFacts) -> Option<PathBuf> {
    let real = Disk.real_path(&facts.naming.join(&facts.cwd, asked));
    real.filter(|path| Disk.kind(path) == Some(FileKind::Directory))
}

/// The files to look at, in the order of the table.
pub(super) fn files(args: &InitArgs, facts: &HostFacts) -> Result<Vec<ClientFile>, VerbFailure> {
    let is_named = |client: &&KnownClient| args.clients().any(|id| id == client.id);
    let found: Vec<ClientFile> = if args.names_clients() {
        let mut all = Vec::new();
        for client in CLIENTS.iter().filter(is_named) {
            all.push(place(*client, args, facts).ok_or_else(|| homeless(*client, args))?);
        }
        all
    } else {
        // To take out, every file that is there is looked at, whatever became of the client.
        let wanted = |file: &ClientFile| args.all || args.remove || is_here(file, facts);
        CLIENTS.iter().filter_map(|client| place(*client, args, facts)).filter(wanted).collect()
    };
    Ok(found)
}

fn place(client: KnownClient, args: &InitArgs, facts: &HostFacts) -> Option<ClientFile> {
    if args.project { client.project_file(&facts.cwd) } else { client.user_file(facts) }
}

fn homeless(client: KnownClient, args: &InitArgs) -> VerbFailure {
    if args.project {
        let message = format!("{} reads no file of a project", client.name);
        return VerbFailure::bad_value(message, "Leave `--project` out, or name another client.");
    }
    let message = format!("there is no home to look for the file of {} in", client.name);
    VerbFailure::bad_value(message, "Set HOME (on Windows, APPDATA).")
}

/// Whether a client is on this host: a file or folder of its, or its program.
fn is_here(file: &ClientFile, facts: &HostFacts) -> bool {
    let has = |file: &ClientFile| file.path.exists() || file.sign.exists();
    let client = file.client;
    // A project's files are for those who use the client, and for those who have its folder here already.
    has(file) || client.user_file(facts).is_some_and(|own| has(&own)) || has_program(client, facts)
}

fn has_program(client: KnownClient, facts: &HostFacts) -> bool {
    let path = facts.env_var("PATH").unwrap_or_default();
    client.programs.iter().any(|name| find_program(OsStr::new(name), path, facts, &Disk).is_some())
}

/// How Runward stands in a client that is here: for the doctor.
#[derive(Debug)]
pub(in crate::verbs) struct ClientStanding {
    pub(in crate::verbs) client: KnownClient,
    pub(in crate::verbs) path: PathBuf,
    /// The entry; none where there is none, and a sentence where the file cannot be read.
    pub(in crate::verbs) entry: Result<Option<RunwardEntry>, String>,
}

/// How Runward stands in every client that is here.
pub(in crate::verbs) fn standing(facts: &HostFacts) -> Vec<ClientStanding> {
    let files =
        CLIENTS.iter().filter_map(|client| client.user_file(facts)).filter(|file| is_here(file, facts));
    files
        .map(|file| {
            let file = plan::with_spelling(file);
            let form = file.client.form;
            let planned = plan::PlannedFile::of(file.clone(), &Wanted::Nothing(None), &InitRecord::default());
            let entry = match planned.step {
                plan::PlannedStep::Left(why) => Err(why),
                _ => Ok(own_entry(form, planned.old.as_deref().unwrap_or_default())),
            };
            ClientStanding { client: file.client, path: file.path, entry }
        })
        .collect()
}

fn own_entry(form: crate::clients::EntryForm, text: &str) -> Option<RunwardEntry> {
    let value = form.syntax().value(text).ok()?;
    let entries = form.syntax().entries(&value, form.list());
    entries.iter().filter_map(|(_, entry)| RunwardEntry::of(form, entry)).find(RunwardEntry::is_runward)
}
