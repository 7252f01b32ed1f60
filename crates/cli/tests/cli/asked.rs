//! Questions to the person at the terminal: what a markdown agent still needs to know.

use crate::runner::{Place, program};
use crate::tmux::Tmux;
use std::path::Path;

const AGENT: &str = "---
_inputs:
  who: {type: text, description: whom to greet}
  where: {type: select, options: [dev, staging, prod]}
  count: {type: number, min: 1, max: 5}
  sure: {type: confirm}
  key: {type: password}
---
<{{ who }} in {{ where }}, {{ count }} times, {{ sure }}, {{ key | size }} letters>
";

/// A terminal where `r` is the binary, and tells what it exited with.
fn desk(place: &Place) -> Tmux<'_> {
    let tmux = Tmux::open(place);
    tmux.enters(&format!("r() {{ '{}' run \"$@\"; echo rc=$?; }}", env!("CARGO_BIN_EXE_runward")));
    tmux
}

#[test]
fn a_person_is_asked_for_everything_that_is_missing() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let tmux = desk(&place);
    tmux.enters("r greet.echo.md");
    tmux.shows("who (whom to greet):");
    tmux.presses("Enter");
    tmux.shows("a value is needed");
    tmux.enters("Ada");
    tmux.shows("> dev");
    tmux.presses("Down");
    tmux.shows("> staging");
    tmux.presses("Down");
    tmux.shows("> prod");
    tmux.presses("Enter");
    tmux.shows("count (a number between 1 and 5):");
    tmux.enters("9");
    tmux.shows("the input `count` is `9`, but it takes a number between 1 and 5");
    tmux.enters("3");
    tmux.shows("> yes");
    tmux.types("n");
    tmux.shows("> no");
    tmux.presses("Enter");
    tmux.shows("key:");
    tmux.enters("s3cret");
    tmux.shows("<Ada in prod, 3 times, false, 6 letters>");
    tmux.shows("rc=0");
    let seen = tmux.history();
    assert!(!seen.contains("s3cret"), "{seen}");
    assert!(seen.contains("where: prod\n") && seen.contains("key: (hidden)\n"), "{seen}");
}

#[test]
fn the_last_answers_are_offered_again_and_a_password_is_not() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let tmux = desk(&place);
    tmux.enters("r greet.echo.md --sure");
    for (question, answer) in [("who (", "Ada"), ("where (", "p"), ("count (", "3"), ("key:", "s3cret")] {
        tmux.shows(question);
        tmux.enters(answer);
    }
    tmux.shows("rc=0");
    tmux.wipes();
    tmux.enters("r greet.echo.md --sure");
    tmux.shows("who (whom to greet) [Ada]:");
    tmux.presses("Enter");
    tmux.shows("> prod");
    tmux.presses("Enter");
    tmux.shows("[3]:");
    tmux.enters("4");
    tmux.shows("key:");
    tmux.presses("Enter");
    tmux.shows("a value is needed");
    tmux.enters("other");
    tmux.shows("<Ada in prod, 4 times, true, 5 letters>");
    let kept = std::fs::read_to_string(place.state().join("flows/answers.json")).unwrap();
    assert!(kept.contains("Ada") && !kept.contains("s3cret") && !kept.contains("other"), "{kept}");
}

#[test]
fn whoever_leaves_a_question_gets_the_terminal_back() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let tmux = desk(&place);
    let before = tmux.settings("before");
    // In a line, in a choice, and where nothing is echoed.
    let cases = [
        ("r greet.echo.md", "who (whom to greet):", "C-c"),
        ("r greet.echo.md --who A", "> dev", "C-c"),
        ("r greet.echo.md --who A --where dev --count 1 --sure", "key:", "C-c"),
        ("r greet.echo.md", "who (whom to greet):", "Escape"),
        ("r greet.echo.md --who A", "> dev", "Escape"),
    ];
    for (number, (line, question, key)) in cases.into_iter().enumerate() {
        tmux.wipes();
        tmux.enters(line);
        tmux.shows(question);
        tmux.presses(key);
        tmux.shows("rc=130");
        assert_eq!(tmux.settings(&format!("after-{number}")), before, "{line} {key}");
        assert_eq!(tmux.knows("#{cursor_flag}"), "1", "the cursor is shown: {line} {key}");
        assert!(!tmux.screen().contains("letters>"), "nothing ran");
    }
}

#[test]
fn being_told_to_end_while_asking_gives_the_terminal_back() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let tmux = desk(&place);
    let before = tmux.settings("before");
    tmux.enters(&format!(
        "sh -c 'echo $$ > pid; exec {} run greet.echo.md --who A'; echo rc=$?",
        env!("CARGO_BIN_EXE_runward")
    ));
    tmux.shows("> dev");
    let pid = std::fs::read_to_string(place.work().join("pid")).unwrap();
    assert!(program(Path::new("kill")).arg(pid.trim()).status().unwrap().success());
    tmux.shows("rc=143");
    assert_eq!(tmux.settings("after"), before);
    assert_eq!(tmux.knows("#{cursor_flag}"), "1");
}

#[test]
fn nobody_is_asked_where_there_is_no_terminal() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let said = place.run(["run", "greet.echo.md", "--sure"]);
    assert_eq!(said.code, 125);
    assert!(
        said.stderr
            .contains("Missing required template variable: who, where, count, key [flow.missing-variable]"),
        "{}",
        said.stderr
    );
    let tmux = desk(&place);
    // A pipe is no person, even with one in front of the terminal.
    tmux.enters("echo x | r greet.echo.md --sure");
    tmux.shows("rc=125");
    tmux.shows("Missing required template variable: who");
}

#[test]
fn nothing_in_a_question_can_deceive_the_terminal() {
    let place = Place::new();
    place.file("a.echo.md", "---\n_inputs: {who: {type: text, description: \"a\\e[2Jb\"}}\n---\n{{ who }}");
    let tmux = desk(&place);
    tmux.enters("clear; echo still here; r a.echo.md");
    tmux.shows("who (a\\x1b[2Jb):");
    tmux.shows("still here");
}

#[test]
fn nobody_is_asked_while_something_else_has_to_be_mended() {
    let place = Place::new();
    place.file("greet.echo.md", AGENT);
    let tmux = desk(&place);
    tmux.enters("r greet.echo.md --count 9 --sure perhaps");
    tmux.shows("5 problems with what the file was given");
    tmux.shows("rc=125");
    let seen = tmux.history();
    assert!(seen.contains("greet.echo.md:3:3: Missing required template variable: who"), "{seen}");
    assert!(!seen.contains("whom to greet"), "{seen}");
}
