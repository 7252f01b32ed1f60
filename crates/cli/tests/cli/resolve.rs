//! `resolve`: which file a name means, and why.

use crate::runner::{Place, run};

#[test]
fn a_name_is_found_in_path_with_a_reason() {
    let said = run(["resolve", "sh"]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.starts_with("sh: /") && said.stdout.contains("(first in PATH"), "{}", said.stdout);
}

#[test]
fn one_that_is_not_found_makes_it_127_and_the_others_are_told() {
    let said = run(["resolve", "no-such-program", "sh"]);
    assert_eq!(said.code, 127);
    assert!(said.stdout.starts_with("sh: /"), "{}", said.stdout);
    assert!(said.stderr.contains("`no-such-program` was not found"), "{}", said.stderr);
}

#[test]
fn json_has_one_object_for_each_name() {
    let said = run(["resolve", "--json", "sh", "no-such-program"]);
    let all: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said.code, &all[0]["name"], &all[0]["error"]), (127, &"sh".into(), &serde_json::Value::Null));
    assert_eq!(all[1]["error"]["code"], "resolve.not-found");
}

#[test]
fn our_node_is_told_on_stderr_only() {
    let place = Place::new();
    let node = place.file("node", "#!/bin/sh\necho ours");
    std::fs::set_permissions(&node, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place.owner(&format!("runtimes.node.path = {:?}", node.to_str().unwrap()));
    let said = place.run(["resolve", "--verbose", "node"]);
    let node = node.display();
    assert_eq!(said.stderr, format!("[INFO] Resolved 'node' to '{node}'\n"));
    assert_eq!(said.stdout, format!("node: {node} (our node, found through runtimes.node.path)\n"));
    for quiet in [&["resolve", "node"][..], &["exec", "--", "node"], &["code", "js", "-c", "1"]] {
        assert_eq!(place.run(quiet).stderr, "", "{quiet:?}: nobody asked");
    }
    let loud = place.run(["exec", "--verbose", "--", "node"]);
    assert_eq!(loud.stderr, format!("[INFO] Resolved 'node' to '{node}'\n"));
}
