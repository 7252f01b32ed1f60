//! Signals that ask us to end: the first stops the command, the second kills it, and the exit code says so.

use crate::runner::{Place, program};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout};

/// Says when it is ready, and when it is asked to end; ends only when told to twice, by force.
const STUBBORN: &str = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.02; done";

/// Says when it is ready, and goodbye when it is asked to end.
const POLITE: &str = "trap 'echo goodbye; exit 7' TERM; echo ready; while :; do sleep 0.02; done";

/// A command that runs, and the lines it prints.
struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(place: &Place, script: &str) -> Self {
        let mut child = place.start(["exec", "--timeout", "0", "--shell", script]);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn hears(&mut self, line: &str) {
        assert_eq!(self.lines.next().unwrap().unwrap(), line);
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(program(Path::new("kill")).args(["-s", name, &pid]).status().unwrap().success());
    }

    fn code(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

#[test]
fn once_asks_the_command_to_end() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let place = Place::new();
        let mut running = Running::start(&place, POLITE);
        running.hears("ready");
        running.signal(signal);
        running.hears("goodbye");
        assert_eq!(running.code(), Some(code), "{signal}");
    }
}

#[test]
fn twice_kills_it_at_once() {
    let place = Place::new();
    // With a minute of grace, only the second request can be what ends it.
    place.owner("limits.kill_grace_ms = 60_000");
    let mut running = Running::start(&place, STUBBORN);
    running.hears("ready");
    running.signal("INT");
    running.hears("asked");
    running.signal("INT");
    assert_eq!(running.code(), Some(130));
}

#[test]
fn the_ladder_ends_what_will_not_end() {
    let place = Place::new();
    place.owner("limits.kill_grace_ms = 50");
    let mut running = Running::start(&place, STUBBORN);
    running.hears("ready");
    running.signal("TERM");
    running.hears("asked");
    assert_eq!(running.code(), Some(143));
}

#[test]
fn the_object_tells_who_stopped_it() {
    let place = Place::new();
    let fifo = place.work().join("fifo");
    assert!(program(Path::new("mkfifo")).arg(&fifo).status().unwrap().success());
    let script = "trap 'exit 7' TERM; echo ready > fifo; while :; do sleep 0.02; done";
    let child = place.start(["exec", "--json", "--timeout", "0", "--shell", script]);
    // Reading waits until the command writes, and it writes once it can be asked to end.
    assert_eq!(std::fs::read_to_string(&fifo).unwrap(), "ready\n");
    let pid = child.id().to_string();
    assert!(program(Path::new("kill")).args(["-s", "INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &object["stopped"]), (Some(130), &"caller".into()));
}
