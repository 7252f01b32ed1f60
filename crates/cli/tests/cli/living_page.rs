//! The page about living in the sandbox is true: its files are written, its commands are run, and what it shows comes out.
//!
//! A block with the first line `toml NAME` is a file of that name in the project. The database of the page is a server of
//! this test's own, on a port that is free here.

use crate::guide::blocks;
use crate::readme::holds_true;
use crate::runner::Place;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/living-in-the-sandbox.md");

/// A service of this machine that greets whoever connects, and its port.
fn service() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // Whoever goes away before the greeting does not want it.
            let _ = stream.and_then(|mut stream| stream.write_all(b"hello from the host"));
        }
    });
    port
}

#[cfg(target_os = "linux")]
#[test]
fn every_console_block_of_the_page_shows_what_comes_out() {
    let place = Place::aside();
    std::fs::create_dir(place.work().join("project")).unwrap();
    let page = PAGE.replace("5432", &service().to_string());
    for (kind, text) in blocks(&page) {
        if let Some(name) = kind.strip_prefix("toml ") {
            place.file(&format!("project/{name}"), &text);
        }
    }
    let runward = testkit::seen(Path::new(env!("CARGO_BIN_EXE_runward")), place.home());
    let at_home = "export HOME=\"$PWD\" RUNWARD_STATE_DIR=\"$PWD/state\" XDG_CONFIG_HOME=\"$PWD/.config\"; cd project; ";
    let before = format!("PATH='{}':\"$PATH\"; {at_home}", runward.parent().unwrap().display());
    holds_true(&place, &page, 8, &before);
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
