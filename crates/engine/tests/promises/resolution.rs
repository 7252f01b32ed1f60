//! Names become files: on real folders made to look like version managers', and with a real node.

use crate::ground::{builder, run_on, script, stdout};
use runward_engine::core::facts::Naming;
use runward_engine::core::resolve::{NodeHints, discover_node, resolution_log_line, resolve_command};
use runward_engine::host::Disk;
use runward_engine::{CommandSpec, Engine, HostFacts};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn program(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "#!/bin/sh\necho stand-in\n").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn text(path: &Path, content: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// What discovery finds in a home, with a PATH that names nothing.
fn found_in(home: &Path) -> Option<(PathBuf, String)> {
    let env: BTreeMap<OsString, OsString> = BTreeMap::from([("PATH".into(), home.join("nowhere").into())]);
    let naming = Naming::unix();
    let hints = NodeHints { configured: None, env: &env, home: Some(home), naming: &naming };
    discover_node(&hints, &Disk).map(|node| (node.path, node.place))
}

fn check(files: &[&str], texts: &[(&str, &str)], expected: &str, manager: &str) {
    let home = tempfile::tempdir().unwrap();
    files.iter().for_each(|file| program(&home.path().join(file)));
    texts.iter().for_each(|(file, content)| text(&home.path().join(file), content));
    let (path, place) = found_in(home.path()).unwrap_or_else(|| panic!("{manager}: nothing found"));
    assert_eq!(path, home.path().join(expected), "{manager}");
    assert!(place.contains(manager), "{place}");
}

/// promise: P15
#[test]
fn version_managers_are_found_where_they_keep_node() {
    let nvm = [
        ".nvm/versions/node/v20.9.0/bin/node",
        ".nvm/versions/node/v20.10.0/bin/node",
        ".nvm/versions/node/v18.1.0/bin/node",
    ];
    check(&nvm, &[], nvm[1], "nvm");
    check(
        &nvm,
        &[
            (".nvm/alias/default", "lts/*\n"),
            (".nvm/alias/lts/*", "lts/hydrogen\n"),
            (".nvm/alias/lts/hydrogen", "v18.1.0\n"),
        ],
        nvm[2],
        "nvm",
    );
    let fnm = [
        ".local/share/fnm/node-versions/v22.1.0/installation/bin/node",
        ".local/share/fnm/node-versions/v9.0.0/installation/bin/node",
    ];
    check(&fnm, &[], fnm[0], "fnm");
    let volta = [".volta/tools/image/node/18.0.0/bin/node", ".volta/tools/image/node/20.1.0/bin/node"];
    check(&volta, &[], volta[1], "volta");
    let asdf = [".asdf/installs/nodejs/21.0.0/bin/node", ".asdf/installs/nodejs/4.0.0/bin/node"];
    check(&asdf, &[], asdf[0], "asdf");
    let mise = [
        ".local/share/mise/installs/node/22.3.0/bin/node",
        ".local/share/mise/installs/node/22.20.0/bin/node",
    ];
    check(&mise, &[], mise[1], "mise");
    let nodenv = [".nodenv/versions/16.0.0/bin/node", ".nodenv/versions/18.0.0/bin/node"];
    check(&nodenv, &[(".nodenv/version", "16.0.0\n")], nodenv[0], "nodenv");
}

/// The host with a PATH that holds nothing, and node found where it really is.
fn without_path() -> HostFacts {
    let mut facts = runward_engine::host::probe().unwrap();
    assert!(facts.node.is_some(), "these tests need node; `cargo xtask test` installs it");
    facts.env.insert("PATH".into(), "/nonexistent".into());
    facts
}

async fn shown(engine: &Engine, spec: CommandSpec) -> String {
    let receipt = run_on(engine, spec.timeout(testkit::LIMIT)).await;
    assert_eq!(receipt.end.exit_code(), 0, "{receipt:?}");
    stdout(&receipt)
}

/// promise: P15
#[tokio::test]
async fn node_npm_and_npx_run_with_a_path_that_lacks_them() {
    let engine = builder().facts(without_path()).build().unwrap();
    assert_eq!(shown(&engine, CommandSpec::exec("node").args(["-p", "6*7"])).await, "42\n");
    for name in ["npm", "npx"] {
        let version = shown(&engine, CommandSpec::exec(name).arg("--version")).await;
        assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{name}: {version}");
    }
}

/// promise: P15
#[tokio::test]
async fn commands_that_are_not_nodes_are_unaffected() {
    let facts = without_path();
    assert_eq!(resolve_command("python", &facts, &Disk), "python");
    assert_eq!(resolve_command("/usr/bin/node", &facts, &Disk), "/usr/bin/node");
    assert_eq!(resolution_log_line("python", "python"), None);
    let node = resolve_command("node", &facts, &Disk);
    assert_eq!(resolution_log_line("node", &node), Some(format!("[INFO] Resolved 'node' to '{node}'")));
}

/// promise: P15
#[tokio::test]
async fn a_folder_cannot_decide_what_a_program_is() {
    let dir = tempfile::tempdir().unwrap();
    program(&dir.path().join("ls"));
    let mut facts = runward_engine::host::probe().unwrap();
    let real = facts.env_var("PATH").unwrap().to_owned();
    let mut path = OsString::from(".::bin:");
    path.push(real);
    facts.env.insert("PATH".into(), path);
    let engine = builder().facts(facts).build().unwrap();
    let receipt = run_on(&engine, CommandSpec::exec("ls").cwd(dir.path())).await;
    assert_eq!(stdout(&receipt), "ls\n");
}

/// promise: P15
#[tokio::test]
async fn the_nearest_names_are_a_hint() {
    let error = builder().build().unwrap().run(CommandSpec::exec("ech")).await.unwrap_err();
    let hint = runward_engine::Coded::hint(&error).unwrap();
    assert!(hint.contains("`echo`"), "{hint}");
    assert_eq!(shown(&builder().build().unwrap(), script("echo fine")).await, "fine\n");
}
