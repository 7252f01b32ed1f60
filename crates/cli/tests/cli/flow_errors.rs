//! Errors in a markdown agent are reported with their place in the file, and what to do.

use crate::runner::{Place, program, run};
use std::path::Path;

#[test]
fn an_error_points_at_the_offending_text() {
    let place = Place::new();
    place.file("a.echo.md", "---\nmodel: x\n---\nsay {{ word | shout }}\n");
    let said = place.run(["run", "a.echo.md", "--word", "x"]);
    assert_eq!((said.code, said.stdout.as_str()), (125, ""));
    assert_eq!(
        said.stderr,
        "runward: a.echo.md:4:15: no filter is named `shout` [flow.bad-template]\n  \
           |\n\
         4 | say {{ word | shout }}\n  \
           |               ^^^^^\n\
         hint: Use one of Liquid's own filters, or `shell_escape`, `q`, `json`.\n"
    );
}

#[test]
fn an_error_in_the_front_matter_points_there_too() {
    let place = Place::new();
    place.file("a.echo.md", "---\nenv: {A: 1}\nmodel: {a: 1}\n---\nx\n");
    let said = place.run(["run", "a.echo.md"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.starts_with("runward: a.echo.md:3:1: "), "{}", said.stderr);
    assert!(said.stderr.contains("\n3 | model: {a: 1}\n  | ^^^^^"), "{}", said.stderr);
}

#[test]
fn an_error_is_an_object_where_json_is_asked_for() {
    let place = Place::new();
    place.file("a.echo.md", "say {{ word }}\n");
    let said = place.run(["run", "a.echo.md", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said.code, said.stderr.as_str()), (125, ""));
    assert_eq!(
        object,
        serde_json::json!({"error": {
            "code": "flow.missing-variable",
            "message": "Missing required template variable: word",
            "hint": "Give a value with `--word VALUE`.",
            "place": "a.echo.md:1:8",
        }})
    );
}

#[test]
fn everything_that_is_missing_is_named_at_once() {
    let place = Place::new();
    place.file("a.echo.md", "{{ one }} {{ two }} {{ three | default: 3 }}\n");
    let said = place.run(["run", "a.echo.md"]);
    assert!(said.stderr.contains("one") && said.stderr.contains("two"), "{}", said.stderr);
    assert!(!said.stderr.lines().next().unwrap().contains("three"), "{}", said.stderr);
}

#[test]
fn without_a_command_it_says_how_to_name_one() {
    let place = Place::new();
    place.file("task.md", "---\nmodel: x\n---\nbody\n");
    let said = place.run(["run", "task.md"]);
    assert_eq!(said.code, 125);
    let wanted = "No command specified. Use --command flag, or name your file like 'task.claude.md'";
    assert!(said.stderr.contains(wanted), "{}", said.stderr);
    assert_eq!(place.run(["run", "task.md", "-c", "echo"]).stdout, "--model x body\n");
    let output = place.command(["run", "task.md"]).env("RUNWARD_COMMAND", "echo").output().unwrap();
    assert_eq!(output.stdout, b"--model x body\n");
}

#[test]
fn a_program_that_is_not_there_is_127_with_the_nearest_names() {
    let place = Place::new();
    place.file("task.ehco.md", "x");
    let said = place.run(["run", "task.ehco.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (127, ""));
    assert!(said.stderr.contains("[resolve.not-found]") && said.stderr.contains("`echo`"), "{}", said.stderr);
}

#[test]
fn a_file_that_is_not_there_is_told_with_the_nearest_name() {
    let place = Place::new();
    place.file("review.echo.md", "x");
    for args in [&["run", "reveiw.echo.md"][..], &["reveiw.echo.md"]] {
        let said = place.run(args);
        assert_eq!(said.code, 125);
        assert!(
            said.stderr.starts_with("runward: there is no markdown agent `reveiw.echo.md` [flow.bad-file]")
        );
        assert!(said.stderr.contains("Did you mean `review.echo.md`?"), "{}", said.stderr);
    }
}

#[test]
fn a_word_that_is_not_text_is_one_clear_error() {
    // The shell makes the argument: there is no portable way to write one here that is not UTF-8.
    let script = r#"exec "$0" run a.echo.md "$(printf 'a\377b')""#;
    let mut command = program(Path::new("sh"));
    let output = command.args(["-c", script, env!("CARGO_BIN_EXE_runward")]).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(125), &b""[..]));
    assert!(
        words.starts_with("runward: the argument `a\\xffb` is not UTF-8 text [flow.bad-argument]"),
        "{words}"
    );
}

#[test]
fn options_that_do_not_go_together_are_told() {
    let place = Place::new();
    place.file("a.echo.md", "x");
    place.file("b.i.echo.md", "x");
    for (words, why) in [
        (&["a.echo.md", "--json", "--events"][..], "cannot be used together"),
        (&["a.echo.md", "--dry-run", "--events"], "`--dry-run` runs nothing"),
        (&["b.i.echo.md", "--json"], "an interactive one has the terminal"),
        (&["a.echo.md", "--json", "--interactive"], "an interactive one has the terminal"),
        (&["a.echo.md", "-c"], "`-c` names nothing"),
    ] {
        let said = place.run(["run"].iter().chain(words));
        assert_eq!(said.code, 125, "{words:?}");
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(told.contains(why) && told.contains("flow.bad-argument"), "{told}");
    }
}

#[test]
fn what_an_error_shows_cannot_move_the_cursor() {
    let place = Place::new();
    place.file("a.echo.md", "\u{1b}[2J{{ x | \u{1b}[2J }}\n");
    place.file("b.\u{1b}[2J.md", "x");
    for file in ["a.echo.md", "b.\u{1b}[2J.md"] {
        let said = place.run(["run", file, "--x", "x"]);
        assert_ne!(said.code, 0);
        assert!(!said.stderr.contains('\u{1b}') && said.stderr.contains("\\x1b[2J"), "{:?}", said.stderr);
    }
}

#[test]
fn without_a_file_the_usage_is_shown() {
    for words in [&["run"][..], &["run", "--dry-run"], &["run", "--nosuch", "a.md"]] {
        let said = run(words);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{words:?}");
        assert!(said.stderr.contains("Usage: runward run [OPTIONS] FILE [ARGS]..."), "{}", said.stderr);
    }
}

#[test]
fn a_failing_command_inside_the_text_ends_it_before_the_agent() {
    let place = Place::new();
    place.file("a.touch.md", "fine\n!`echo oh; exit 4`\n");
    let said = place.run(["run", "a.touch.md"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.starts_with("runward: a.touch.md:2:"), "{}", said.stderr);
    assert!(said.stderr.contains("exit code 4") && said.stderr.contains("oh"), "{}", said.stderr);
    assert_eq!(std::fs::read_dir(place.work()).unwrap().count(), 1);
}

#[test]
fn a_standard_input_that_cannot_be_read_is_told() {
    let place = Place::new();
    place.file("a.echo.md", "x");
    let folder = std::fs::File::open(place.work()).unwrap();
    let output = place.command(["run", "a.echo.md"]).stdin(folder).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(words.starts_with("runward: standard input could not be read: "), "{words}");
}
