//! Children started as `node`, `npm` and `npx` where PATH has no node, and children that are nothing of the kind.
//!
//! Each test makes an installation of node of its own, laid out as installers do it, so that nothing is found by chance.

use crate::client::Client;
use crate::gateway::{child, gateway, list};
use crate::place::{Place, command};
use crate::real::node;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use testkit::until;

const TINY: &str = include_str!("tiny.js");

/// How the gateway gets to know of a node.
#[derive(Clone, Copy)]
enum Told {
    By(&'static str),
    /// Not set: it lies where nvm puts it.
    Nvm,
}

/// A place without a node on PATH, and with one elsewhere.
struct Site {
    place: Place,
    /// The folder of `node`, `npm` and `npx`.
    bin: PathBuf,
    /// All that PATH names.
    path: PathBuf,
    _scratch: TempDir,
}

impl Site {
    fn new(told: Told) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let (path, home) = (scratch.path().join("path"), scratch.path().join("home"));
        let bin = match told {
            Told::By(_) => scratch.path().join("some where/bin"),
            Told::Nvm => home.join(".nvm/versions/node/v24.19.0/bin"),
        };
        [&path, &home, &bin].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        // npm starts scripts with a shell; nothing else is there.
        symlink("/bin/sh", path.join("sh")).unwrap();
        install(&bin);
        let mut place = Place::with("").set("ALLOWED_COMMANDS", None);
        place = place.set("PATH", path.to_str()).set("HOME", home.to_str());
        if let Told::By(variable) = told {
            place = place.set(variable, bin.join("node").to_str());
        }
        package(&place.work());
        Self { place, bin, path, _scratch: scratch }
    }

    /// The servers, started in the folder of the package.
    fn list(&self, servers: &[(&str, &str, &[&str])]) {
        let one = |(key, command, args): &(&str, &str, &[&str])| {
            (key.to_string(), json!({"command": command, "args": args, "cwd": self.place.work()}))
        };
        list(&self.place, &Value::Object(servers.iter().map(one).collect()));
    }

    /// A client of a gateway with its own log in a file.
    fn connect(&self) -> Client {
        let mut server = gateway(&self.place, &[]);
        server.stderr(File::create(self.words_file()).unwrap());
        let mut client = Client::of(server);
        client.greet();
        client
    }

    fn words_file(&self) -> PathBuf {
        self.place.work().join("words")
    }

    /// What the gateway said about resolution.
    fn resolved(&self) -> Vec<String> {
        let words = fs::read_to_string(self.words_file()).unwrap();
        words.lines().filter(|line| line.contains("Resolved")).map(str::to_owned).collect()
    }

    fn line(&self, name: &str) -> String {
        format!("[INFO] Resolved '{name}' to '{}'", self.bin.join(name).display())
    }
}

/// Node with npm and npx beside it, each a link, as installers do it.
fn install(bin: &Path) {
    let node = fs::canonicalize(node()).unwrap();
    let npm = node.ancestors().nth(2).unwrap().join("lib/node_modules/npm/bin");
    symlink(&node, bin.join("node")).unwrap();
    for name in ["npm", "npx"] {
        let program = npm.join(format!("{name}-cli.js"));
        assert!(program.is_file(), "{} is missing: run `cargo xtask install`", program.display());
        symlink(program, bin.join(name)).unwrap();
    }
}

/// A package with the server as its script `serve`, and as its program `tiny`.
fn package(folder: &Path) {
    let package = json!({"name": "p", "version": "1.0.0", "scripts": {"serve": "node tiny.js"}});
    fs::write(folder.join("package.json"), package.to_string()).unwrap();
    fs::write(folder.join("tiny.js"), TINY).unwrap();
    let program = folder.join("node_modules/.bin/tiny");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, format!("#!/usr/bin/env node\n{TINY}")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

const THREE: [(&str, &str, &[&str]); 3] = [
    ("a", "node", &["tiny.js"]),
    ("b", "npm", &["run", "--silent", "serve"]),
    ("c", "npx", &["--no-install", "tiny"]),
];

/// All three come up and answer, from our node; what was resolved is said once each.
fn all_three_come_up(told: Told) {
    let site = Site::new(told);
    site.list(&THREE);
    let mut client = site.connect();
    let ours = fs::canonicalize(site.bin.join("node")).unwrap();
    for key in ["a", "b", "c"] {
        let answer = client.call(&format!("{key}__where"), &json!({}));
        assert_eq!((answer.is_error, Path::new(&answer.text)), (false, &*ours), "{key}");
    }
    assert_eq!(site.resolved(), ["node", "npm", "npx"].map(|name| site.line(name)));
}

#[test]
fn a_child_comes_up_where_path_has_no_node_and_a_variable_names_it() {
    all_three_come_up(Told::By("RUNWARD_NODE"));
}

#[test]
fn a_child_comes_up_where_we_were_started_through_npm() {
    all_three_come_up(Told::By("npm_node_execpath"));
}

#[test]
fn a_child_comes_up_where_nobody_says_where_node_is() {
    all_three_come_up(Told::Nvm);
}

#[test]
fn a_program_of_node_does_not_start_on_that_path_by_itself() {
    let site = Site::new(Told::By("RUNWARD_NODE"));
    let out = site.place.command(&site.place.work().join("node_modules/.bin/tiny"), &[]).output().unwrap();
    assert_eq!(out.status.code(), Some(127), "{out:?}");
}

#[test]
fn children_that_are_no_node_commands_are_unaffected() {
    let site = Site::new(Told::By("RUNWARD_NODE"));
    let python = fs::canonicalize(testkit::python()).unwrap();
    symlink(python, site.path.join("python3")).unwrap();
    fs::write(site.place.work().join("tiny.py"), PYTHON).unwrap();
    let node = site.bin.join("node");
    let absolute = json!({"command": node, "args": ["tiny.js"], "cwd": site.place.work()});
    let by_name = json!({"command": "python3", "args": ["tiny.py"], "cwd": site.place.work()});
    list(&site.place, &json!({"absolute": absolute, "by_name": by_name, "scripted": child(&[])}));
    let mut client = site.connect();
    assert!(!client.call("absolute__where", &json!({})).is_error);
    assert_eq!(client.call("scripted__echo", &json!({"text": "x"})).text, "x");
    // Nothing was put in front of its PATH.
    assert_eq!(client.call("by_name__path", &json!({})).text, site.path.to_str().unwrap());
    assert_eq!(site.resolved(), Vec::<String>::new());
}

/// A server that says what its PATH is.
const PYTHON: &str = r#"
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked: continue
    result = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "p", "version": "1"}},
        "tools/list": {"tools": [{"name": "path", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": os.environ["PATH"]}]},
    }.get(asked["method"], {})
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"#;

#[test]
fn a_node_that_is_killed_comes_back_however_it_was_started() {
    let site = Site::new(Told::By("RUNWARD_NODE"));
    site.list(&THREE);
    let mut client = site.connect();
    for key in ["a", "b", "c"] {
        let pid = format!("{key}__pid");
        let before = client.call(&pid, &json!({})).text;
        assert!(command(Path::new("kill")).args(["-KILL", &before]).status().unwrap().success());
        until("another answers", || {
            let now = client.call(&pid, &json!({}));
            !now.is_error && now.text != before
        });
    }
    // Said when it was taken in, not at each start.
    assert_eq!(site.resolved().len(), 3);
}
