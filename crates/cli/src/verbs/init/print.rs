//! `runward init --print`: the entry alone, to be pasted, and the address that adds it where a client has one.
//!
//! May not look at a file.

use crate::args::InitArgs;
use crate::clients::{CLIENTS, KnownClient, RunwardEntry, deep_link};
use crate::output::{OutputFormat, emit, print};
use crate::verbs::VerbResult;
use crate::verbs::init::plan::KEY;
use crate::verbs::init::{choose, view};
use runward::HostFacts;
use serde::Serialize;
use serde_json::Value;

/// Every entry that was asked for.
#[derive(Debug, Serialize)]
struct PrintedEntries {
    entries: Vec<PrintedEntry>,
}

/// An entry for one client.
#[derive(Debug, Serialize)]
struct PrintedEntry {
    client: &'static str,
    /// The key of the list that it belongs to.
    list: &'static str,
    key: String,
    entry: Value,
    /// An address that adds it when it is opened.
    link: Option<String>,
    #[serde(skip)]
    of: KnownClient,
}

pub(super) fn run(args: &InitArgs, facts: &HostFacts, entry: &RunwardEntry) -> VerbResult {
    let mut clients: Vec<KnownClient> = choose::files(args, facts)?.iter().map(|file| file.client).collect();
    if clients.is_empty() {
        // Nobody was named or found, so it is printed as most clients read it.
        clients.extend(CLIENTS.iter().find(|client| client.id == "claude-desktop"));
    }
    let key = args.name.as_deref().unwrap_or(KEY);
    let printed = |client: KnownClient| {
        let value = entry.in_form(client.form, key);
        let link = deep_link(client, key, &value);
        PrintedEntry {
            client: client.id,
            list: client.form.list(),
            key: key.to_owned(),
            entry: value,
            link,
            of: client,
        }
    };
    let entries: Vec<PrintedEntry> = clients.into_iter().map(printed).collect();
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => print(&text(&entries, facts))?,
        structured => emit(&PrintedEntries { entries }, structured)?,
    }
    Ok(0)
}

fn text(entries: &[PrintedEntry], facts: &HostFacts) -> String {
    let alone = entries.len() == 1;
    let mut lines = Vec::new();
    for printed in entries {
        if !alone {
            let file =
                printed.of.user_file(facts).map(|file| view::tilde(&file.path, facts)).unwrap_or_default();
            lines.push(format!("# {}, {file}, in `{}`", printed.of.name, printed.list));
        }
        lines.extend(printed.of.form.syntax().shown(&printed.key, &printed.entry));
        lines.extend(printed.link.clone());
        if !alone {
            lines.push(String::new());
        }
    }
    lines.join("\n").trim_end().to_owned()
}
