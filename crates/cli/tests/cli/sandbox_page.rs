//! The page about the sandbox is true: its files are written, its commands are run, and what it shows comes out.
//!
//! A block with the first line `toml NAME` is a file of that name in the project, which is where commands run. The
//! folder around it is the home, and none of it is in the temporary folder.

use crate::guide::blocks;
use crate::readme::holds_true;
use crate::runner::Place;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/sandbox.md");

#[test]
fn every_console_block_of_the_page_shows_what_comes_out() {
    let place = Place::aside();
    std::fs::create_dir(place.work().join("project")).unwrap();
    for (kind, text) in blocks(PAGE) {
        if let Some(name) = kind.strip_prefix("toml ") {
            place.file(&format!("project/{name}"), &text);
        }
    }
    let runward = testkit::seen(Path::new(env!("CARGO_BIN_EXE_runward")), place.home());
    let at_home = "export HOME=\"$PWD\" RUNWARD_STATE_DIR=\"$PWD/state\" XDG_CONFIG_HOME=\"$PWD/.config\"; cd project; ";
    let before = format!("PATH='{}':\"$PATH\"; {at_home}", runward.parent().unwrap().display());
    holds_true(&place, PAGE, 5, &before);
}

#[test]
fn every_block_of_the_page_is_tried() {
    for (kind, _) in blocks(PAGE) {
        match kind.strip_prefix("toml ") {
            Some(name) => assert!(PAGE.matches(name).count() > 1, "{name}"),
            None => assert_eq!(kind, "console"),
        }
    }
}

#[test]
fn every_mode_and_layer_is_on_the_page() {
    let modes = runward::Mode::ALL.map(runward::Mode::name);
    let layers = runward::Layer::ALL.map(runward::Layer::name);
    for name in modes.iter().chain(&layers) {
        assert!(PAGE.contains(&format!("| `{name}` |")), "{name}");
    }
}
