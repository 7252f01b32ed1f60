//! What each published crate holds, as cargo would pack it.

use crate::process::ChildTool;
use crate::root::RepositoryRoot;

const PUBLISHED: &[&str] =
    &["runward-core", "runward-os", "runward-engine", "runward-flow", "runward-mcp", "runward"];

fn packed(name: &str) -> Vec<String> {
    let root = RepositoryRoot::find().unwrap();
    let list = ChildTool::new("cargo package --no-verify --allow-dirty --list --quiet --package");
    list.args([name]).read(&root).unwrap().lines().map(|line| line.replace('\\', "/")).collect()
}

#[test]
fn every_crate_holds_its_licences_and_a_readme() {
    for name in PUBLISHED {
        let files = packed(name);
        for wanted in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "src/lib.rs"] {
            assert!(files.iter().any(|file| file == wanted), "{name} has no {wanted}: {files:?}");
        }
    }
}

/// Tests need a crate that is not published, and nobody builds with our lists and settings.
#[test]
fn no_crate_holds_what_only_we_need() {
    for name in PUBLISHED {
        for file in packed(name) {
            let ours = ["tests/", "benches/", "api.txt", "clippy.toml", "proptest-regressions/"];
            assert!(!ours.iter().any(|beginning| file.starts_with(beginning)), "{name} holds {file}");
        }
    }
}

/// The warden is built from its source by whoever builds the crate.
#[test]
fn the_crate_of_the_operating_system_holds_the_warden() {
    assert!(packed("runward-os").iter().any(|file| file == "warden/main.rs"));
}

#[test]
fn the_crate_with_the_binary_says_where_archives_lie() {
    let root = RepositoryRoot::find().unwrap();
    let text = ChildTool::new("cargo metadata --no-deps --format-version 1").read(&root).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ours = value["packages"].as_array().unwrap().iter().find(|it| it["name"] == "runward").unwrap();
    let binstall = &ours["metadata"]["binstall"];
    let url = binstall["pkg-url"].as_str().unwrap();
    assert!(url.ends_with("/v{ version }/runward-{ version }-{ target }{ archive-suffix }"), "{url}");
    assert_eq!(binstall["bin-dir"], "runward-{ version }-{ target }/{ bin }{ binary-ext }");
}
