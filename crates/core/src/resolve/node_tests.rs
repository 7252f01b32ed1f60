//! What the resolution of `node`, `npm` and `npx` promises, one test for each promise.

use super::host::MadeUpHost;
use super::{FoundNode, resolution_log_line, resolve_command};

fn unix(files: &[&str]) -> MadeUpHost {
    with_node(files.iter().fold(MadeUpHost::unix(), |host, file| host.program(file)), "/usr/local/bin/node")
}

fn windows(files: &[&str]) -> MadeUpHost {
    let node = r"C:\Program Files\nodejs\node.exe";
    with_node(files.iter().fold(MadeUpHost::windows(), |host, file| host.program(file)), node)
}

fn with_node(mut host: MadeUpHost, path: &str) -> MadeUpHost {
    host.facts_mut().node = Some(FoundNode { path: path.into(), place: "PATH".to_owned() });
    host
}

fn resolved(command: &str, host: &MadeUpHost) -> String {
    resolve_command(command, host.facts(), host)
}

#[test]
fn node_is_always_our_node() {
    assert_eq!(resolved("node", &unix(&["/usr/local/bin/node"])), "/usr/local/bin/node");
    assert_eq!(resolved("node", &unix(&[])), "/usr/local/bin/node", "nothing is looked at");
    assert_eq!(resolved("node", &windows(&[])), r"C:\Program Files\nodejs\node.exe");
}

#[test]
fn npm_is_the_file_beside_our_node() {
    assert_eq!(resolved("npm", &unix(&["/usr/local/bin/npm", "/usr/bin/npm"])), "/usr/local/bin/npm");
}

#[test]
fn npm_stays_npm_where_it_is_not_beside_our_node() {
    assert_eq!(resolved("npm", &unix(&["/usr/bin/npm"])), "npm");
    assert_eq!(resolved("npm", &windows(&[])), "npm");
}

#[test]
fn npx_follows_the_same_pattern_as_npm() {
    assert_eq!(resolved("npx", &unix(&["/usr/local/bin/npx"])), "/usr/local/bin/npx");
    assert_eq!(resolved("npx", &unix(&["/usr/local/bin/npm"])), "npx");
    let beside = r"C:\Program Files\nodejs\npx.cmd";
    assert_eq!(resolved("npx", &windows(&[beside])), beside);
}

#[test]
fn absolute_paths_stay_as_they_are() {
    for path in ["/usr/bin/python3", "/usr/bin/node", "/usr/local/bin/npm"] {
        assert_eq!(resolved(path, &unix(&["/usr/local/bin/npm"])), path);
    }
    assert_eq!(resolved(r"D:\node.exe", &windows(&[])), r"D:\node.exe");
}

#[test]
fn commands_that_are_not_nodes_stay_as_they_are() {
    for name in ["python", "./server.js", "Node", "NPM", "node.exe", "npx ", ""] {
        assert_eq!(resolved(name, &unix(&["/usr/local/bin/npm"])), name);
    }
}

#[test]
fn on_windows_the_ending_cmd_comes_first_and_the_bare_file_after_it() {
    let (ending, bare) = (r"C:\Program Files\nodejs\npm.cmd", r"C:\Program Files\nodejs\npm");
    assert_eq!(resolved("npm", &windows(&[bare, ending])), ending);
    assert_eq!(resolved("npm", &windows(&[bare])), bare);
    assert_eq!(resolved("npm", &unix(&["/usr/local/bin/npm.cmd"])), "npm", "there it is just another file");
}

#[test]
fn a_resolution_is_logged_only_where_it_changed_something() {
    let host = unix(&["/usr/local/bin/npm"]);
    let log = |name: &str| resolution_log_line(name, &resolved(name, &host));
    assert_eq!(log("node").as_deref(), Some("[INFO] Resolved 'node' to '/usr/local/bin/node'"));
    assert_eq!(log("npm").as_deref(), Some("[INFO] Resolved 'npm' to '/usr/local/bin/npm'"));
    assert_eq!((log("npx"), log("python"), log("/usr/bin/node")), (None, None, None));
}

#[test]
fn without_a_node_every_name_stays_as_it_is() {
    let host = MadeUpHost::unix().program("/usr/bin/npm");
    for name in ["node", "npm", "npx"] {
        assert_eq!(resolved(name, &host), name);
    }
}
