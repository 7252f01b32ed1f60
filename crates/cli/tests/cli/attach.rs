//! `attach` on a real terminal, at a session of a real server.

use crate::agent::Agent;
use crate::runner::{Place, program};
use crate::tmux::{FULL_SCREEN, Tmux};
use std::path::Path;
use testkit::until;

fn attach() -> String {
    format!("{} attach work; echo \"[ended with $?]\"", env!("CARGO_BIN_EXE_runward"))
}

#[test]
fn every_key_reaches_the_program_and_ctrl_c_does_not_end_attach() {
    let place = Place::new();
    let _agent = Agent::start(&place, "python3 -q -i");
    let tmux = Tmux::open(&place);
    tmux.enters(&attach());
    tmux.shows(">>>");
    tmux.enters("'six times', 6 * 7");
    tmux.shows("('six times', 42)");
    tmux.enters("import time; time.sleep(1000)");
    tmux.presses("C-c");
    tmux.shows("KeyboardInterrupt");
    tmux.enters("'still', 2 + 3");
    tmux.shows("('still', 5)");
    tmux.presses("C-d");
    tmux.shows("[ended with 0]");
}

#[test]
fn a_program_takes_the_whole_screen_and_gives_it_back() {
    let place = Place::new();
    place.file("full.py", FULL_SCREEN);
    let _agent = Agent::start(&place, "exec python3 full.py");
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    tmux.enters("echo what stood there before");
    until("it has taken the screen", || place.run(["logs", "work"]).stdout.contains("key 'none'"));
    tmux.enters(&attach());
    tmux.shows("<30 by 100, key 'none'>");
    assert_eq!(tmux.knows("#{alternate_on}"), "1");
    tmux.presses("C-c");
    tmux.shows(r"key '\x03'>");
    tmux.presses("Up");
    tmux.shows("key 'KEY_UP'>");
    tmux.types("q");
    tmux.shows("[ended with 7]");
    tmux.shows("what stood there before");
    assert_eq!(tmux.settings("after"), before);
}

#[test]
fn the_size_follows() {
    let place = Place::new();
    let _agent = Agent::start(&place, "trap 'stty size' WINCH; stty size; while :; do sleep 0.02; done");
    let tmux = Tmux::open(&place);
    tmux.enters(&attach());
    tmux.shows("30 100");
    tmux.resizes(111, 33);
    tmux.shows("33 111");
    tmux.resizes(60, 20);
    tmux.shows("20 60");
}

#[test]
fn the_detach_key_leaves_the_session_running_and_the_terminal_as_it_was() {
    let place = Place::new();
    place.file("full.py", FULL_SCREEN);
    let _agent = Agent::start(&place, "exec python3 full.py");
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    let looks = "#{alternate_on} #{cursor_flag} #{keypad_flag} #{keypad_cursor_flag} #{mouse_any_flag}";
    let looked = tmux.knows(looks);
    for _ in 0..2 {
        tmux.enters("clear");
        tmux.enters(&attach());
        tmux.shows("<30 by 100, key");
        tmux.types("x");
        tmux.shows("<30 by 100, key 'x'>");
        tmux.presses("C-]");
        tmux.shows("runward: detached; the session goes on");
        tmux.shows("[ended with 0]");
        assert_eq!(tmux.knows(looks), looked);
    }
    assert_eq!(tmux.settings("after"), before);
    let listed = place.run(["ps", "--json"]).stdout;
    assert!(listed.contains("\"work\"") && !listed.contains("exited"), "{listed}");
}

#[test]
fn the_end_of_the_session_ends_attach_with_its_code() {
    let place = Place::new();
    let _agent = Agent::start(&place, "echo waiting; read line; exit 5");
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    tmux.enters("echo what stood there before");
    tmux.enters(&attach());
    tmux.shows("waiting");
    assert!(!tmux.screen().contains("what stood there before"), "it is the session's screen now");
    tmux.presses("Enter");
    tmux.shows("[ended with 5]");
    assert!(tmux.history().contains("\nwhat stood there before\n"), "{}", tmux.history());
    assert_eq!(tmux.settings("after"), before);
}

#[test]
fn being_told_to_end_leaves_the_session_and_the_terminal_alone() {
    let place = Place::new();
    place.file("full.py", FULL_SCREEN);
    let _agent = Agent::start(&place, "exec python3 full.py");
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    for (signal, code) in [("TERM", 143), ("HUP", 129)] {
        tmux.enters(&format!(
            "sh -c 'echo $$ > pid; exec {} attach work'; echo \"[ended with $?]\"",
            env!("CARGO_BIN_EXE_runward")
        ));
        tmux.shows("<30 by 100, key");
        let pid = std::fs::read_to_string(place.work().join("pid")).unwrap();
        assert!(program(Path::new("kill")).args(["-s", signal, pid.trim()]).status().unwrap().success());
        tmux.shows(&format!("[ended with {code}]"));
        assert_eq!(tmux.knows("#{alternate_on} #{cursor_flag}"), "0 1");
    }
    assert_eq!(tmux.settings("after"), before);
    assert!(place.run(["ps"]).stdout.contains("[work]"));
}

#[test]
fn a_terminal_that_goes_away_does_not_end_the_session() {
    let place = Place::new();
    let _agent = Agent::start(&place, "cat");
    let tmux = Tmux::open(&place);
    tmux.enters(&format!("exec {} attach work", env!("CARGO_BIN_EXE_runward")));
    tmux.enters("typed");
    tmux.shows("typed\ntyped");
    let pid = tmux.knows("#{pane_pid}");
    drop(tmux);
    until("attach is gone", || !Path::new("/proc").join(&pid).exists());
    let listed = place.run(["ps", "--json"]).stdout;
    assert!(listed.contains("\"work\"") && !listed.contains("exited"), "{listed}");
}
