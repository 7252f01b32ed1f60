//! `runward gateway import`: the servers of installed clients, written to one list.
//!
//! Reads and writes files. May not decide which server is taken, nor show what may be a secret.

use super::Servers;
use super::import_view::ImportView;
use crate::args::ImportArgs;
use crate::clients::text::FileSyntax;
use crate::clients::{CLIENTS, KnownClient};
use crate::output::{OutputFormat, VerbFailure, emit, print};
use crate::verbs::VerbResult;
use crate::{places, private, remember, setup};
use runward::core::render::word;
use runward::{Code, ErrorView, HostFacts};
use runward_mcp::gateway::config::written::{self, WrittenServer};
use runward_mcp::gateway::config::{BadConfig, Server};
use runward_mcp::gateway::import::{self, FoundServer, ImportConsent, Merge};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A file that may hold servers.
pub(super) struct ImportSource {
    /// The program that reads it.
    pub(super) client: KnownClient,
    /// Where it would be.
    pub(super) path: PathBuf,
    /// Whether it may be taken: one that came with the folder only when that is asked for.
    leave: ImportConsent,
}

/// A file that is there.
pub(super) struct ImportedFile {
    pub(super) source: ImportSource,
    /// Its servers, or why they could not be read.
    pub(super) servers: Result<Vec<WrittenServer>, String>,
}

pub(super) fn run(args: &ImportArgs) -> VerbResult {
    let facts = setup::facts()?;
    let out = Servers::file(args.out.as_deref(), &facts, "--out")?;
    let sources = sources(args, &facts);
    let searched: Vec<String> = sources.iter().map(|source| word(source.path.as_os_str())).collect();
    let looked: Vec<ImportedFile> = sources.into_iter().filter_map(|source| look(source, &out)).collect();
    let _held = if args.dry_run {
        None
    } else {
        places::state_folder(&facts).map(|folder| hold(&folder)).transpose()?
    };
    let merged = merge(args, &out, &looked)?;
    if let (Some(text), false) = (&merged.text, args.dry_run) {
        private::replace(&out, text)
            .map_err(|error| VerbFailure::host("the list of servers could not be written", &error))?;
    }
    let view = ImportView::of(&looked, &merged, &out, args.dry_run).after_looking_at(searched);
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => print(&view.text())?,
        structured => emit(&view, structured)?,
    }
    Ok(0)
}

/// Every file that may hold servers on this host, the user's own first. Each path is there once.
fn sources(args: &ImportArgs, facts: &HostFacts) -> Vec<ImportSource> {
    let wanted = |client: &&KnownClient| {
        client.form.is_shared() && (args.from.is_empty() || args.from.iter().any(|id| id == client.id))
    };
    let clients: Vec<KnownClient> = CLIENTS.iter().filter(wanted).copied().collect();
    let own = clients.iter().filter_map(|client| client.user_file(facts)).flat_map(|file| {
        let path = file.path.clone();
        // Before they had a file of their own, VS Code kept servers among its settings.
        let older = (file.client.id == "vscode").then(|| path.with_file_name("settings.json"));
        std::iter::once(path).chain(older).map(move |path| (file.client, path, ImportConsent::Given))
    });
    let leave = if args.project { ImportConsent::Given } else { ImportConsent::NotAsked };
    let brought = clients.iter().filter_map(|client| client.project_file(&facts.cwd));
    let brought = brought.map(|file| (file.client, file.path, leave));
    let mut all: Vec<ImportSource> = Vec::new();
    for (client, path, leave) in own.chain(brought) {
        if all.iter().all(|source| source.path != path) {
            all.push(ImportSource { client, path, leave });
        }
    }
    all
}

/// The servers of a file; `None` where there is none, or where it is the very list that is written.
fn look(source: ImportSource, out: &Path) -> Option<ImportedFile> {
    if source.path == out {
        return None;
    }
    let file = word(source.path.as_os_str());
    let servers = match private::read(&source.path) {
        Ok(None) => return None,
        Err(error) => Err(format!("it could not be read: {error}")),
        Ok(Some(text)) => match source.client.form.syntax() {
            FileSyntax::Toml => written::in_toml(&file, &text),
            _ => written::in_json(&file, &text),
        }
        .map_err(|error| error.problems()[0].to_string()),
    };
    Some(ImportedFile { source, servers })
}

/// Waits until no other import writes.
fn hold(state: &Path) -> Result<File, VerbFailure> {
    let held = remember::hold(&state.join("servers.lock"));
    held.map_err(|error| VerbFailure::host("the list of servers could not be locked", &error))
}

/// The result of an import.
pub(super) struct Merged {
    pub(super) merge: Merge,
    /// The new text of the list; none where there is nothing to write.
    text: Option<String>,
}

fn merge(args: &ImportArgs, out: &Path, looked: &[ImportedFile]) -> Result<Merged, VerbFailure> {
    let (text, servers) = if args.force { (None, Vec::new()) } else { existing(out)? };
    let merge = Merge::of(&servers, &found(looked));
    let text = match (merge.new.is_empty(), text) {
        (true, _) => None,
        (false, None) => Some(import::whole(&merge.new)),
        (false, Some(old)) => Some(import::added_to(&old, &merge.new).ok_or_else(|| closed(out))?),
    };
    Ok(Merged { merge, text })
}

fn found(looked: &[ImportedFile]) -> Vec<FoundServer> {
    let mut all = Vec::new();
    for ImportedFile { source, servers } in looked {
        for one in servers.iter().flatten() {
            let (key, server) = (one.key.clone(), one.server.clone());
            all.push(FoundServer { client: source.client.id, key, server, leave: source.leave });
        }
    }
    all
}

/// The list as it is: its text, if there is one, and its servers. A list with errors is not added to.
fn existing(out: &Path) -> Result<(Option<String>, Vec<Server>), VerbFailure> {
    let read = private::read(out);
    let text = read.map_err(|error| VerbFailure::host("the list of servers could not be read", &error))?;
    let Some(text) = text else { return Ok((None, Vec::new())) };
    let file = word(out.as_os_str());
    let (mut servers, mut problems) = (Vec::new(), Vec::new());
    for one in written::in_json(&file, &text)? {
        match one.server {
            Ok(server) => servers.push(server),
            Err(wrong) => problems.extend(wrong),
        }
    }
    if problems.is_empty() { Ok((Some(text), servers)) } else { Err(BadConfig::of(&file, problems).into()) }
}

fn closed(out: &Path) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::GatewayBadConfig,
        message: format!(
            "nothing can be added to `{}`, which has no `mcpServers` to add to",
            word(out.as_os_str())
        ),
        hint: Some("Name another file with `--out`, or replace this one with `--force`.".to_owned()),
    })
}
