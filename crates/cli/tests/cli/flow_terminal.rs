//! Markdown agents on a real terminal: the spinner, and agents that get the terminal themselves.

use crate::runner::{Place, program};
use crate::tmux::{FULL_SCREEN, Tmux};
use std::path::Path;
use testkit::until;

fn run(words: &str) -> String {
    format!("{} run {words}; echo \"[ended with $?]\"", env!("CARGO_BIN_EXE_runward"))
}

fn full_screen(place: &Place) {
    place.file("full.py", FULL_SCREEN);
    place.file("full.i.python3.md", "---\n_subcommand: full.py\n---\nthis\n");
}

#[test]
fn an_interactive_agent_has_the_whole_terminal_and_gives_it_back() {
    let place = Place::new();
    full_screen(&place);
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    tmux.enters("echo what stood there before");
    tmux.enters(&run("full.i.python3.md"));
    tmux.shows("<30 by 100, key 'none', asked this>");
    assert_eq!(tmux.knows("#{alternate_on}"), "1");
    tmux.presses("C-c");
    tmux.shows(r"key '\x03'");
    tmux.presses("Up");
    tmux.shows("key 'KEY_UP'");
    tmux.resizes(90, 25);
    tmux.shows("<25 by 90, ");
    tmux.types("q");
    tmux.shows("[ended with 7]");
    tmux.shows("what stood there before");
    // The first line is about the size, which is another now.
    let rest = |settings: String| settings.split_once('\n').unwrap().1.to_owned();
    assert_eq!(rest(tmux.settings("after")), rest(before));
}

#[test]
fn ctrl_c_is_the_agents_own_key() {
    let place = Place::new();
    place.file("talk.python3.md", "---\nq: true\ni: true\n---\n");
    let tmux = Tmux::open(&place);
    tmux.enters(&run("talk.python3.md --interactive"));
    tmux.shows(">>>");
    tmux.enters("import time; time.sleep(1000)");
    tmux.presses("C-c");
    tmux.shows("KeyboardInterrupt");
    tmux.enters("'still', 2 + 3");
    tmux.shows("('still', 5)");
    tmux.presses("C-d");
    tmux.shows("[ended with 0]");
}

#[test]
fn being_told_to_end_leaves_the_terminal_as_it_was() {
    let place = Place::new();
    full_screen(&place);
    let tmux = Tmux::open(&place);
    let before = tmux.settings("before");
    tmux.enters(&format!(
        "sh -c 'echo $$ > pid; exec {} run full.i.python3.md'; echo \"[ended with $?]\"",
        env!("CARGO_BIN_EXE_runward")
    ));
    tmux.shows("<30 by 100, key");
    let pid = std::fs::read_to_string(place.work().join("pid")).unwrap();
    assert!(program(Path::new("kill")).args(["-s", "TERM", pid.trim()]).status().unwrap().success());
    tmux.shows("[ended with 143]");
    assert_eq!(tmux.knows("#{alternate_on} #{cursor_flag}"), "0 1");
    assert_eq!(tmux.settings("after"), before);
}

#[test]
fn a_terminal_that_goes_away_takes_the_agent_with_it() {
    let place = Place::new();
    place
        .file("a.i.sh.md", "---\nc: true\n---\necho $$ > agent.part; mv agent.part agent; cat; sleep 1000\n");
    let tmux = Tmux::open(&place);
    tmux.enters(&run("a.i.sh.md"));
    let file = place.work().join("agent");
    until("it runs", || file.exists());
    let agent = std::fs::read_to_string(file).unwrap();
    drop(tmux);
    until("the agent is gone", || !Path::new("/proc").join(agent.trim()).exists());
}

#[test]
fn a_person_is_asked_before_the_terminal_is_handed_over() {
    let place = Place::new();
    place.owner("policy.typed = \"ask\"");
    place.file("a.i.sh.md", "---\nc: true\n---\ntest -t 0 && echo on a terminal\n");
    let tmux = Tmux::open(&place);
    tmux.enters(&run("a.i.sh.md"));
    tmux.shows("[N]o");
    tmux.enters("o");
    tmux.shows("\non a terminal");
    tmux.shows("[ended with 0]");
}

#[test]
fn ctrl_c_at_a_question_on_the_way_ends_it() {
    let place = Place::new();
    place.owner("policy.typed = \"ask\"");
    place.file("a.echo.md", "x !`touch made`\n");
    let tmux = Tmux::open(&place);
    tmux.enters(&run("a.echo.md"));
    tmux.shows("[N]o");
    tmux.presses("C-c");
    tmux.shows("\n[ended with 130]");
    assert!(!place.work().join("made").exists());
}

#[test]
fn without_a_terminal_our_input_is_the_agents_input() {
    let place = Place::new();
    place.file(
        "upper.i.sh.md",
        "---\nc: true\n---\nread line; echo \"got $line\"; test -t 0 || echo no terminal\n",
    );
    let output = place.feed(["run", "upper.i.sh.md"], b"typed\nmore\n".to_vec());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "got typed\nno terminal\n");
}

/// A line like `⠇ cat 2s`.
fn turns(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let sign = words.next().and_then(|word| word.chars().next());
    let time = words.nth(1).is_some_and(|word| word.ends_with('s'));
    sign.is_some_and(|sign| ('\u{2800}'..='\u{28ff}').contains(&sign)) && line.contains(" cat ") && time
}

#[test]
fn something_turns_until_the_first_byte_and_leaves_nothing_behind() {
    let place = Place::new();
    let fifo = place.work().join("fifo");
    assert!(program(Path::new("mkfifo")).arg(&fifo).status().unwrap().success());
    place.file("slow.cat.md", "fifo");
    let tmux = Tmux::open(&place);
    tmux.enters("clear");
    tmux.enters(&run("slow.cat.md"));
    until("something turns", || tmux.screen().lines().any(turns));
    // Only now does the agent get anything to print.
    std::fs::write(&fifo, "printed\n").unwrap();
    tmux.shows("[ended with 0]");
    let screen = tmux.screen();
    assert!(screen.contains("\nprinted\n[ended with 0]"), "{screen}");
    assert!(!screen.lines().any(turns), "{screen}");
}

#[test]
fn nothing_turns_where_nobody_looks() {
    let place = Place::new();
    let fifo = place.work().join("fifo");
    assert!(program(Path::new("mkfifo")).arg(&fifo).status().unwrap().success());
    place.file("slow.sh.md", "---\nc: true\n---\necho $$ > pid; cat fifo\n");
    let tmux = Tmux::open(&place);
    tmux.enters(&format!(
        "{} run slow.sh.md 2> words; echo \"[ended with $?]\"",
        env!("CARGO_BIN_EXE_runward")
    ));
    until("it runs", || place.work().join("pid").exists());
    std::fs::write(&fifo, "printed\n").unwrap();
    tmux.shows("[ended with 0]");
    assert_eq!(std::fs::read_to_string(place.work().join("words")).unwrap(), "");
}

#[test]
fn ctrl_c_ends_a_plain_agent_with_130() {
    let place = Place::new();
    place.file(
        "a.sh.md",
        "---\nc: true\n---\ntrap 'echo goodbye; exit 7' TERM; echo ready; while :; do sleep 0.02; done\n",
    );
    let tmux = Tmux::open(&place);
    tmux.enters(&run("a.sh.md"));
    tmux.shows("\nready");
    tmux.presses("C-c");
    tmux.shows("goodbye");
    tmux.shows("[ended with 130]");
}
