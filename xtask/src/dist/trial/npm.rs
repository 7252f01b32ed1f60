//! npm, with a registry that has the launcher and this platform's package, as after a release for one platform alone.

use super::answer::{end_of, program, says, serves, succeeds};
use super::loopback::{LoopbackServer, ServedFiles};
use super::{Trial, bytes, ensure};
use crate::dist::npm;
use crate::dist::sum::integrity;
use crate::{ChoreResult, node};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where the package is installed for the launcher's trial.
pub(super) fn launcher(trial: &Trial<'_>) -> PathBuf {
    trial.place.join("npm/installed/node_modules/runward/bin/runward.js")
}

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("npm")?;
    let server = registry(trial)?;
    let empty = folder.join("empty");
    fs::create_dir_all(&empty).map_err(|error| error.to_string())?;
    let npx = || {
        let mut command = tool(trial, "npx-cli.js", &server, &empty);
        command.args(["-y", "runward"]);
        command
    };
    says(npx().arg("--version"), &format!("runward {}", trial.version))?;
    says(npx().args(["exec", "--", "echo", "hi"]), "hi")?;
    serves(npx().arg("mcp"))?;
    let installed = installed(trial, &server, &folder, "installed", &[])?;
    let platform = installed.join(format!("@runward/{}", trial.target.platform));
    trial.is_the_binary(&platform.join("bin/runward"))?;
    let others = super::names(&installed.join("@runward"))?;
    ensure(others == [trial.target.platform], || format!("npm installed {others:?}"))?;
    without_platform(trial, &server, &folder)
}

/// The sentence and the code of a launcher that has nothing to start.
fn without_platform(trial: &Trial<'_>, server: &LoopbackServer, folder: &Path) -> ChoreResult {
    let bare = installed(trial, server, folder, "bare", &["--omit=optional"])?;
    let mut launcher = program(trial.root.join(node::PROGRAM), folder);
    let end = end_of(launcher.arg(bare.join("runward/bin/runward.js")).arg("--version"))?;
    let sentence = format!("runward: there is no binary for {} here\n", trial.target.platform);
    let holds = end.code == Some(125)
        && end.stderr.starts_with(&sentence)
        && end.stderr.matches("hint: ").count() == 3;
    ensure(holds, || format!("without a binary the launcher ended {end:?}"))
}

fn installed(
    trial: &Trial<'_>,
    server: &LoopbackServer,
    folder: &Path,
    name: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let place = folder.join(name);
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    succeeds(
        tool(trial, "npm-cli.js", server, &place)
            .args(["install", "--prefix", "."])
            .args(flags)
            .arg("runward"),
    )?;
    Ok(place.join("node_modules"))
}

/// npm's own programs, which see no file and no registry of this machine.
fn tool(trial: &Trial<'_>, name: &str, server: &LoopbackServer, folder: &Path) -> Command {
    let mut command = program(trial.root.join(node::PROGRAM), folder);
    as_npm(&mut command, trial, name, server);
    let home = trial.place.join("npm");
    command.env("HOME", &home).env("npm_config_cache", home.join("cache"));
    command
}

/// Makes a node that is about to start one of npm's own programs, which knows this registry alone.
pub(super) fn as_npm(command: &mut Command, trial: &Trial<'_>, name: &str, server: &LoopbackServer) {
    let wheel = node::wheel(trial.root).unwrap_or_default();
    command.arg(wheel.join("lib/node_modules/npm/bin").join(name));
    command.env("PATH", path(trial.root.join(node::PROGRAM).parent()));
    command.env("npm_config_registry", server.url()).env("npm_config_noproxy", "127.0.0.1");
    for quiet in ["audit", "fund", "update_notifier"] {
        command.env(format!("npm_config_{quiet}"), "false");
    }
}

/// Our search path behind these folders.
pub(super) fn path<'a>(first: impl IntoIterator<Item = &'a Path>) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = first.into_iter().map(Path::to_owned).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or_default()
}

/// A registry with the launcher and the package of this platform.
pub(super) fn registry(trial: &Trial<'_>) -> Result<LoopbackServer, String> {
    let version = trial.version.as_str();
    let launcher = bytes(&trial.package(&npm::file_name(version))?)?;
    let platform = bytes(&trial.package(&npm::platform_file_name(trial.target, version))?)?;
    LoopbackServer::start(|url| {
        let mut files = ServedFiles::new();
        for (manifest, tarball, place) in [
            (npm::launcher_manifest(version), launcher, "/launcher.tgz"),
            (npm::platform_manifest(trial.target, version), platform, "/platform.tgz"),
        ] {
            let name = manifest["name"].as_str().unwrap_or_default().to_owned();
            let document = document(manifest, &tarball, &format!("{url}{place}"), version);
            files.insert(format!("/{name}"), document.to_string().into_bytes());
            files.insert(place.to_owned(), tarball);
        }
        files
    })
}

/// What a registry says of a package.
fn document(mut manifest: Value, tarball: &[u8], url: &str, version: &str) -> Value {
    let name = manifest["name"].clone();
    manifest["dist"] = json!({ "tarball": url, "integrity": integrity(tarball) });
    json!({ "name": name, "dist-tags": { "latest": version }, "versions": { version: manifest } })
}
