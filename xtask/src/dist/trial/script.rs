//! `install.sh`, with a page of downloads on this machine: what is right is installed, and everything else is refused.

use super::answer::{ProgramEnd, end_of, program, succeeds};
use super::loopback::{LoopbackServer, ServedFiles};
use super::{Trial, bytes, ensure, files_below};
use crate::ChoreResult;
use crate::dist::archive;
use crate::dist::folder::SUMS;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("script")?;
    let script = trial.package("install.sh")?;
    succeeds(program("shellcheck", &folder).arg(&script))?;
    succeeds(program("dash", &folder).arg("-n").arg(&script))?;
    let server = downloads(trial, false)?;
    let home = |name: &str| -> Result<PathBuf, String> {
        let home = folder.join(name);
        super::fresh(&home)?;
        Ok(home)
    };
    dry(&script, &home("dry")?, &server)?;
    right(trial, &script, &home("right")?, &server)?;
    unknown(&script, &home("unknown")?, &server)?;
    wrong_words(&script, &home("words")?, &server)?;
    cut(trial, &script, &home("cut")?)?;
    flipped(trial, &script, &home("flipped")?)
}

/// The page of downloads, whole or with one bit of the archive changed.
fn downloads(trial: &Trial<'_>, flip: bool) -> Result<LoopbackServer, String> {
    let name = archive::file_name(trial.target, &trial.version);
    let (mut file, sums) = (bytes(&trial.package(&name)?)?, bytes(&trial.package(SUMS)?)?);
    if flip {
        let middle = file.len() / 2;
        file[middle] ^= 1;
    }
    let place = format!("/v{}", trial.version);
    LoopbackServer::start(|_| {
        ServedFiles::from([(format!("{place}/{name}"), file), (format!("{place}/{SUMS}"), sums)])
    })
}

fn run(script: &Path, home: &Path, server: &LoopbackServer, words: &[&str]) -> Result<ProgramEnd, String> {
    let mut command = program("dash", home);
    command.arg(script).args(words);
    command.env("HOME", home).env("TMPDIR", home).env("RUNWARD_DOWNLOADS", server.url());
    command.env("no_proxy", "127.0.0.1");
    end_of(&mut command)
}

fn nothing_in(home: &Path) -> ChoreResult {
    let left = files_below(home)?;
    ensure(left.is_empty(), || format!("the script left {left:?}"))
}

fn dry(script: &Path, home: &Path, server: &LoopbackServer) -> ChoreResult {
    let end = run(script, home, server, &["--dry-run"])?;
    ensure(end.code == Some(0) && end.stdout.contains("would write"), || format!("--dry-run ended {end:?}"))?;
    ensure(server.asked() == 0, || "--dry-run fetched something".to_owned())?;
    nothing_in(home)
}

fn right(trial: &Trial<'_>, script: &Path, home: &Path, server: &LoopbackServer) -> ChoreResult {
    for words in [&[][..], &["--to", "elsewhere"][..]] {
        let end = run(script, home, server, words)?;
        ensure(end.code == Some(0) && end.stdout.contains("export PATH="), || {
            format!("the script ended {end:?}")
        })?;
    }
    let left = files_below(home)?;
    let wanted = [".local/bin/runward", "elsewhere/runward"];
    ensure(left == wanted, || format!("the script left {left:?}"))?;
    wanted.iter().try_for_each(|name| trial.is_the_binary(&home.join(name)))
}

/// One bit, and nothing is installed; what was there stays.
fn flipped(trial: &Trial<'_>, script: &Path, home: &Path) -> ChoreResult {
    let server = downloads(trial, true)?;
    let end = run(script, home, &server, &[])?;
    let refused = end.code == Some(1) && end.stderr.contains("is not what was published");
    ensure(refused, || format!("a changed archive ended {end:?}"))?;
    nothing_in(home)?;
    let old = home.join("old/runward");
    fs::create_dir_all(home.join("old"))
        .and_then(|()| fs::write(&old, "old"))
        .map_err(|error| error.to_string())?;
    let end = run(script, home, &server, &["--to", "old"])?;
    ensure(end.code == Some(1) && bytes(&old)? == b"old", || format!("the old file was touched: {end:?}"))
}

/// Cut off after any line, and anywhere in the last one, it asks nobody and leaves nothing.
fn cut(trial: &Trial<'_>, script: &Path, home: &Path) -> ChoreResult {
    let text = bytes(script)?;
    let server = downloads(trial, false)?;
    let lines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let call = text.windows(2).rposition(|two| two == b"{ ").unwrap_or_default();
    let ends: Vec<_> = lines.filter(|at| *at <= call).chain(call..text.len() - 2).collect();
    let place = trial.place.join("script/cut.sh");
    for at in &ends {
        fs::write(&place, &text[..*at]).map_err(|error| error.to_string())?;
        run(&place, home, &server, &[])?;
    }
    ensure(server.asked() == 0, || "a script that was cut off fetched something".to_owned())?;
    println!("cut off in {} places, it did nothing", ends.len());
    nothing_in(home)
}

fn unknown(script: &Path, home: &Path, server: &LoopbackServer) -> ChoreResult {
    let tools = home.join("tools");
    fs::create_dir_all(&tools).map_err(|error| error.to_string())?;
    let uname = tools.join("uname");
    fs::write(&uname, "#!/bin/sh\n[ \"$1\" = -m ] && echo sparc64 || echo Linux\n")
        .map_err(|error| error.to_string())?;
    succeeds(program("chmod", home).arg("755").arg(&uname))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(tools).chain(std::env::split_paths(&path));
    let mut command = program("dash", home);
    command.arg(script).env("HOME", home).env("RUNWARD_DOWNLOADS", server.url());
    let end = end_of(command.env("PATH", std::env::join_paths(folders).unwrap_or_default()))?;
    ensure(end.code == Some(1) && end.stderr.contains("sparc64"), || {
        format!("an unknown processor ended {end:?}")
    })
}

fn wrong_words(script: &Path, home: &Path, server: &LoopbackServer) -> ChoreResult {
    for words in
        [&["--force"][..], &["--version"][..], &["--version", "../../etc"][..], &["--version", "9.9.9"][..]]
    {
        let end = run(script, home, server, words)?;
        ensure(end.code == Some(1) && end.stderr.contains("install.sh: "), || {
            format!("{words:?} ended {end:?}")
        })?;
        nothing_in(home)?;
    }
    Ok(())
}
