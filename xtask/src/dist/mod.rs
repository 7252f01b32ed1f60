//! `cargo xtask dist`: one binary per system, wrapped for every channel.
//!
//! May not publish anything, nor write a file twice differently from the same commit. Read first: [`bundle::Bundle`],
//! then [`channel::CHANNELS`].

mod archive;
mod bundle;
mod channel;
mod compile;
mod crates;
mod deb;
mod elf;
mod flags;
mod folder;
mod mcpb;
mod npm;
mod pack;
mod registry;
mod sbom;
mod sum;
mod target;
mod template;
mod texts;
mod third_party;
mod trial;
mod version;
mod wheel;

pub(crate) use trial::everything as trial;

use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use crate::{ChoreResult, install, node};
use bundle::Bundle;
use channel::{Channel, Maker, NamedFile};
use flags::{DistFlags, FLOOR};
use folder::PackageFolder;
use std::fs;
use std::thread;
use target::DistTarget;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "packages for every channel [--target TRIPLE] [--from BINARY] [--only CHANNEL]... [--out DIR] [--floor 2.17] [--try]";

/// Where the project is found.
const HOME: &str = "https://github.com/runward/runward";

/// What it is, in one line that every channel takes: the MCP registry allows 100 letters.
const SUMMARY: &str =
    "The command-execution layer for AI agents: judged, limited, killed whole, accounted for";

/// The name in the MCP registry.
const MCP_NAME: &str = "io.github.runward/runward";

/// `cargo xtask dist`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let flags = DistFlags::read(words)?;
    if !flags.trial {
        return make(root, &flags);
    }
    install::python(root)?;
    node::install(root)?;
    trial::run(root, &flags)
}

/// Makes every package that was asked for, and then the sums of all that lie in the folder.
fn make(root: &RepositoryRoot, flags: &DistFlags) -> ChoreResult {
    let version = version(root)?;
    let out = root.path().join(&flags.out);
    let folder = PackageFolder::open(&out, &version)?;
    let channels = flags.channels();
    let wraps = channels.iter().any(|channel| matches!(channel.maker, Maker::Binary(_)));
    let bundle = if wraps { Some(wrapped(root, flags)?) } else { None };
    if let Some(bundle) = &bundle {
        for (name, files) in made_of(root, bundle, &channels) {
            put(&folder, name, &files?)?;
        }
    }
    for channel in channels {
        if let Maker::Folder(make) = channel.maker {
            put(&folder, channel.name, &make(root, &folder)?)?;
        }
    }
    folder.write_sums()?;
    println!("{} files in {}, with their sums in {}", folder.names()?.len(), out.display(), folder::SUMS);
    Ok(())
}

type MadeFiles = (&'static str, Result<Vec<NamedFile>, String>);

/// What is made of the binary, side by side: compressing it takes most of the time.
fn made_of(root: &RepositoryRoot, bundle: &Bundle, channels: &[&'static Channel]) -> Vec<MadeFiles> {
    thread::scope(|scope| {
        let start = |channel: &&'static Channel| match channel.maker {
            Maker::Binary(make) => Some((channel.name, scope.spawn(move || make(root, bundle)))),
            Maker::Folder(_) => None,
        };
        let started: Vec<_> = channels.iter().filter_map(start).collect();
        let ended = started.into_iter().map(|(name, thread)| {
            (name, thread.join().unwrap_or_else(|_| Err(format!("the channel `{name}` panicked"))))
        });
        ended.collect()
    })
}

fn put(folder: &PackageFolder, channel: &str, files: &[NamedFile]) -> ChoreResult {
    for (name, bytes) in files {
        println!("{channel:<10} {:>11} bytes  {name}", bytes.len());
    }
    folder.write(files)
}

/// The binary that is there or that is built, with what goes with it.
fn wrapped(root: &RepositoryRoot, flags: &DistFlags) -> Result<Bundle, String> {
    let target = match flags.target {
        Some(target) => target,
        None => native(root)?,
    };
    let path = match &flags.from {
        Some(path) => path.clone(),
        None => compile::binary(root, target, flags.floor)?,
    };
    let bundle = Bundle::read(root, &path, target, flags.floor)?;
    if let Some(glibc) = bundle.glibc {
        println!("{} needs glibc {glibc}", target.triple);
    }
    if flags.floor > FLOOR {
        println!("the floor was raised to {}: these packages are for fewer systems", flags.floor);
    }
    Ok(bundle)
}

/// What this machine is.
fn native(root: &RepositoryRoot) -> Result<&'static DistTarget, String> {
    let said = ChildTool::new("rustc -vV").read(root)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    DistTarget::find(host.ok_or("`rustc -vV` names no host")?)
}

/// The version of the workspace.
fn version(root: &RepositoryRoot) -> Result<String, String> {
    let text = ChildTool::new("cargo metadata --no-deps --locked --format-version 1").read(root)?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = value["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours = packages.iter().find(|package| package["name"] == "runward");
    let version = ours.and_then(|package| package["version"].as_str());
    version.map(str::to_owned).ok_or_else(|| "cargo knows no package `runward`".to_owned())
}

/// The time of everything: what `SOURCE_DATE_EPOCH` says, or that of the commit.
fn time(root: &RepositoryRoot) -> Result<u64, String> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => ChildTool::new("git log -1 --format=%ct").read(root)?,
    };
    text.trim().parse().map_err(|_| format!("`{}` is no time in seconds since 1970", text.trim()))
}

fn text_of(root: &RepositoryRoot, name: &str) -> Result<String, String> {
    fs::read_to_string(root.join(name)).map_err(|error| format!("`{name}` cannot be read: {error}"))
}
