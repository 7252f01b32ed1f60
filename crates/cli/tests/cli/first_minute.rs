//! The first minute with the program: what a newcomer types by mistake, and what they are told.
//!
//! A hint is a whole command line that can be pasted; it never names a hidden verb, nor a program that destroys.

use crate::agent::Agent;
use crate::runner::{Place, Said, run, said};
use crate::terminal::Desk;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// Ours of what was said: without the words of the command.
fn told(said: &Said) -> String {
    let ours = |line: &&str| line.starts_with("runward:") || line.starts_with("hint:");
    said.stderr.lines().filter(ours).collect::<Vec<_>>().join("\n")
}

fn hint(typed: &[&str]) -> String {
    let said = run(typed);
    assert!([125, 127].contains(&said.code), "{typed:?}: {}", said.stderr);
    assert_eq!(said.stdout, "", "{typed:?}");
    said.stderr.lines().filter_map(|line| line.strip_prefix("hint: ")).collect()
}

#[test]
fn a_program_without_a_verb_is_shown_with_one() {
    assert_eq!(hint(&["ls"]), "To run it: runward exec -- ls");
    assert_eq!(hint(&["echo", "hello", "a b"]), "To run it: runward exec -- echo hello 'a b'");
    assert_eq!(hint(&["--config", "x", "ls"]), "To run it: runward --config x exec -- ls");
    assert_eq!(hint(&["ls | wc -l"]), "This looks like shell text: runward exec --shell 'ls | wc -l'");
    assert_eq!(hint(&["cd", "/tmp"]), "`cd` is part of the shell. Use --cwd /tmp, or --shell.");
}

#[test]
fn a_program_without_dashes_is_shown_with_them() {
    assert_eq!(hint(&["exec", "ls", "-la"]), "Put -- before the program: runward exec -- ls -la");
    assert_eq!(
        hint(&["exec", "--timeout", "5m", "make", "it's"]),
        r"Put -- before the program: runward exec --timeout 5m -- make 'it'\''s'"
    );
    assert_eq!(hint(&["explain", "ls", "-la"]), "Put -- before the program: runward explain -- ls -la");
    assert_eq!(hint(&["exec", "ls -la"]), "This looks like shell text: runward exec --shell 'ls -la'");
}

#[test]
fn a_line_that_is_hinted_at_runs_as_it_stands() {
    let place = Place::new();
    let binary = env!("CARGO_BIN_EXE_runward");
    for typed in
        [&["exec", "echo", "it's", "a b"][..], &["echo", "it's", "a b"], &["exec", "echo \"it's\" 'a b'"]]
    {
        let said = place.run(typed);
        let (_, line) = said.stderr.split_once("hint: ").unwrap();
        let (_, line) = line.split_once(": runward ").unwrap();
        let line = format!("{binary} {line}");
        let again =
            crate::runner::program("sh".as_ref()).args(["-c", &line]).envs(place.env()).output().unwrap();
        assert_eq!(String::from_utf8(again.stdout).unwrap(), "it's a b\n", "{line}");
    }
}

#[test]
fn what_only_a_shell_understands_is_told_so() {
    assert_eq!(
        hint(&["exec", "--", "ls | wc -l"]),
        "This looks like shell text: runward exec --shell 'ls | wc -l'"
    );
    assert_eq!(hint(&["exec", "--", "cd", "/tmp"]), "`cd` is part of the shell. Use --cwd /tmp, or --shell.");
    assert_eq!(
        hint(&["exec", "--", "export", "A=1"]),
        "`export` is part of the shell. Use --env A=1, or --shell."
    );
    assert_eq!(
        hint(&["exec", "--", "source", "env.sh"]),
        "`source` is part of the shell: runward exec --shell 'source env.sh'"
    );
    assert_eq!(
        hint(&["explain", "--", "alias"]),
        "`alias` is part of the shell: runward explain --shell alias"
    );
}

#[test]
fn nothing_that_destroys_and_nothing_hidden_is_suggested() {
    let place = Place::new();
    let bin = place.work().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for name in ["dd", "rm", "shred", "halt", "mkfs.ext4", "grep"] {
        std::fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(bin.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    for typed in ["ddd", "rmm", "shrred", "hatl", "mkfs.ext3", "d", "rn"] {
        let output = place.command(["exec", "--", typed]).env("PATH", &bin).output().unwrap();
        let said = said(&output);
        assert!(said.stderr.contains("hint: Install it, or give its full path."), "{typed}: {}", said.stderr);
    }
    let near = said(&place.command(["exec", "--", "gerp"]).env("PATH", &bin).output().unwrap());
    assert!(near.stderr.contains("Did you mean `grep`?"), "{}", near.stderr);
    for typed in ["help-markdow", "help_markdown"] {
        assert!(!hint(&[typed]).contains("help-markdown"), "{typed}");
    }
}

#[test]
fn verbs_that_are_not_there_lead_to_those_that_are() {
    assert_eq!(hint(&["exce", "--", "ls"]), "Did you mean: runward exec -- ls");
    assert_eq!(hint(&["dcotor"]), "Did you mean: runward doctor");
    assert_eq!(hint(&["fooling"]), "See `runward --help` for the verbs.");
    assert_eq!(
        hint(&["config", "sohw"]),
        "Did you mean `runward config show`? Its verbs are show, get, path, edit: see `runward help config`."
    );
    assert!(
        hint(&["config", "set", "limits.timeout_ms", "5"])
            .starts_with("Did you mean `runward config edit`? ")
    );
    let json = run(["ls", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((json.code, &told["error"]["hint"]), (125, &"To run it: runward exec -- ls --json".into()));
}

#[test]
fn a_pattern_that_no_shell_read_is_told() {
    let place = Place::new();
    place.file("a.md", "");
    let said = place.run(["exec", "--", "ls", "*.md"]);
    assert_eq!(told(&said), "runward: no shell read the * in '*.md'; --shell does");
    assert_eq!(
        told(&place.run(["exec", "--", "ls", "*.txt"])),
        "",
        "a shell would have found nothing either"
    );
    assert_eq!(told(&place.run(["exec", "--quiet", "--", "ls", "*.md"])), "");
    assert_eq!(place.run(["exec", "--", "find", ".", "-name", "*.md"]).stderr, "", "it worked");
}

#[test]
fn a_time_limit_says_how_to_lengthen_it() {
    let longer =
        "hint: Give it more with --timeout 10m, or 0 for no limit; limits.timeout_ms changes the default.";
    let said = run(["exec", "--timeout", "50ms", "--", "sleep", "60"]);
    assert_eq!(
        (said.code, told(&said)),
        (124, format!("runward: stopped at its time limit of 50ms\n{longer}"))
    );
    let code = run(["code", "bash", "--timeout", "50ms", "-c", "sleep 60"]);
    assert!(told(&code).ends_with(longer), "{}", code.stderr);
    let place = Place::new();
    place.file("nap.sleep.md", "---\n_timeout: 50ms\n---\n60\n");
    let agent = told(&place.run(["run", "nap.sleep.md"]));
    assert!(
        agent.contains("hint: Give it more with `_timeout` in its front matter, such as 10m,"),
        "{agent}"
    );
}

#[test]
fn a_limit_may_be_as_long_as_a_day() {
    for time in ["1h", "24h", "11m"] {
        assert_eq!(run(["exec", "--timeout", time, "--", "true"]).code, 0, "{time}");
    }
    assert_eq!(run(["exec", "--timeout", "25h", "--", "true"]).code, 125);
}

/// The built-in limit is 30 seconds, and only waiting longer shows that it does not hold here.
#[tokio::test]
async fn a_command_typed_at_a_terminal_has_no_time_limit() {
    let place = Place::new();
    let (code, seen) = Desk::start(&place, &["exec", "--", "sleep", "31"]).await.ends().await;
    assert_eq!(code, 0, "{seen}");
}

#[tokio::test]
async fn a_limit_that_was_asked_for_holds_at_a_terminal_too() {
    let place = Place::new();
    let explained = |args: &'static [&'static str]| {
        let place = &place;
        async move { Desk::start(place, args).await.ends().await.1 }
    };
    assert!(!explained(&["explain", "--", "true"]).await.contains("timeout_ms"));
    assert!(explained(&["explain", "--timeout", "5s", "--", "true"]).await.contains("timeout_ms = 5s"));
    assert!(!explained(&["explain", "code", "bash", "-c", ":"]).await.contains("timeout_ms"));
    let piped = place.run(["explain", "--", "true"]).stdout;
    assert!(piped.contains("timeout_ms = 30s"), "no person waits: {piped}");
    place.owner("limits.timeout_ms = 7000");
    assert!(explained(&["explain", "--", "true"]).await.contains("timeout_ms = 7s"));
}

#[tokio::test]
async fn a_server_on_a_terminal_says_what_it_is_and_which_rules_hold() {
    let place = Place::new();
    let mut desk = Desk::start(&place, &["mcp"]).await;
    desk.sees("Serving MCP on standard input; a client starts this, see runward init. Ctrl-C ends it.").await;
    desk.sees("Rules: none, so every command of an agent is refused. See runward init.").await;
    desk.types("hello\n").await;
    desk.sees("a line came that is no JSON").await;
    desk.types("\u{3}").await;
    assert_eq!(desk.ends().await.0, 130);
    let mut desk = Desk::start(&place, &["mcp", "--preset", "readonly"]).await;
    desk.sees("Rules: presets readonly.").await;
    desk.types("\u{3}").await;
    desk.ends().await;
}

#[test]
fn text_that_is_no_json_is_told_once_on_stderr() {
    let place = Place::new();
    let mut server = place.command(["mcp", "--preset", "readonly"]);
    let mut server =
        server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(server.stdin.as_mut().unwrap(), b"hello\nls -la\n\n").unwrap();
    let said = said(&server.wait_with_output().unwrap());
    assert_eq!(said.code, 0);
    assert_eq!(said.stderr.matches("a line came that is no JSON").count(), 1, "{}", said.stderr);
}

#[test]
fn a_refusal_without_rules_names_the_way_to_have_some() {
    let place = Place::new();
    let mut agent = Agent::serve_bare(&place, &["mcp"], &[]);
    let asked = json!({"name": "execute_command", "arguments": {"command": "echo hi"}});
    let answer = agent.asks("tools/call", &asked);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        text,
        "Command \"echo\" is not allowed, allowed commands: (none). No rules are set, so every command is refused. \
         The owner can allow reading and building with: runward init"
    );
}

#[tokio::test]
async fn the_owner_at_a_terminal_is_not_told_to_ask_the_owner() {
    let place = Place::new();
    let (code, seen) = Desk::start(&place, &["policy", "check", "ls"]).await.ends().await;
    assert_eq!(code, 126);
    let seen = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = place.owners_file();
    let wanted = format!(
        "hint: You are the owner: add presets = [\"readonly\"] under [policy] in {}, or run: runward init",
        file.display()
    );
    assert!(seen.contains(&wanted), "{seen}");
}

#[tokio::test]
async fn names_are_counted_and_no_line_is_wider_than_a_terminal_likes() {
    let place = Place::new();
    place.owner("[policy]\npresets = [\"readonly\"]\n");
    let check = place.run(["policy", "check", "git status"]).stdout;
    assert!(check.contains("so that the repository runs nothing (--verbose names them)"), "{check}");
    assert!(!check.contains("GIT_PAGER"), "{check}");
    let named = place.run(["policy", "check", "--verbose", "git status"]).stdout;
    assert!(named.contains("variables set: ") && named.contains("GIT_PAGER"), "{named}");
    let explained = place.run(["explain", "--", "git", "status"]).stdout;
    assert!(explained.contains("(--verbose names"), "{explained}");
    let verbose = ["explain", "--verbose", "--sandbox", "workspace-write", "--", "git", "status"];
    assert!(place.run(verbose).stdout.contains("XDG_CONFIG_HOME"));
    for typed in [&["policy", "check", "--verbose", "git status"][..], &verbose] {
        let (_, seen) = Desk::start(&place, typed).await.ends().await;
        let words = |line: &&str| line.trim().contains(' ') && line.trim_end().chars().count() > 120;
        let long: Vec<&str> = seen.lines().filter(words).collect();
        assert!(long.is_empty(), "{long:#?}");
    }
}

#[test]
fn a_configuration_and_rules_can_be_asked_for_by_their_names() {
    let place = Place::new();
    assert_eq!(place.run(["config"]).stdout, place.run(["config", "show"]).stdout);
    assert_eq!(place.run(["config", "--origin"]).stdout, place.run(["config", "show", "--origin"]).stdout);
    assert_eq!(place.run(["config", "get", "limits.timeout_ms"]).stdout, "30000\n");
    let path = format!("{}\n", place.owners_file().display());
    assert_eq!(place.run(["config", "path"]).stdout, path);
    let unknown = place.run(["config", "get", "limits.timout_ms"]);
    assert_eq!(unknown.code, 125);
    assert!(unknown.stderr.contains("Did you mean `limits.timeout_ms`?"), "{}", unknown.stderr);
    let none = place.run(["policy"]);
    assert_eq!(none.stdout, place.run(["policy", "list"]).stdout);
    assert!(none.stdout.contains("No rules are set, so agents may run nothing."), "{}", none.stdout);
    place.owner("[policy]\npresets = [\"readonly\"]\nask = [\"make\"]\n");
    let some = place.run(["policy", "list"]).stdout;
    let file = place.owners_file();
    assert!(some.contains(&format!("presets   readonly ({}:2)", file.display())), "{some}");
    assert!(some.contains(&format!("ask       make ({}:3)", file.display())), "{some}");
    let all: serde_json::Value = serde_json::from_str(&place.run(["policy", "--json"]).stdout).unwrap();
    assert_eq!((&all["rules"][0]["kind"], &all["opens"]), (&"presets".into(), &true.into()));
}

#[tokio::test]
async fn a_configuration_is_edited_along_the_road_and_read_at_once() {
    let place = Place::new();
    let editor =
        place.file("editor", "#!/bin/sh\nprintf 'limits.timout_ms = 5\\n' > \"$2\"; echo \"edited $1\"\n");
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).unwrap();
    let editor = format!("{} --wait", editor.display());
    let desk = Desk::start_with(&place, &["config", "edit"], &[("EDITOR", &editor)]).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 125, "{seen}");
    assert!(seen.contains("edited --wait"), "{seen}");
    assert!(seen.contains("unknown key `limits.timout_ms`"), "{seen}");
    assert_eq!(place.owners_text(), "limits.timout_ms = 5\n");
    // A broken file can be mended with the same verb.
    place.file("editor", "#!/bin/sh\necho 'limits.timeout_ms = 5' > \"$2\"\n");
    let desk = Desk::start_with(&place, &["config", "edit"], &[("EDITOR", &editor)]).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("runward.toml is in order"), "{seen}");
    let piped = place.run(["config", "edit"]);
    assert!(piped.stderr.contains("an editor needs a terminal"), "{}", piped.stderr);
}

#[test]
fn an_agents_file_says_for_whom_it_is_and_where_it_was_looked_for() {
    let place = Place::new();
    place.file("b.no-such-engine.md", "hello\n");
    let said = place.run(["run", "b.no-such-engine.md"]);
    assert_eq!(said.code, 127);
    assert!(
        told(&said).ends_with(
            "hint: This file is for `no-such-engine` (its name says so). Install it, or run it with another: \
             runward run --command NAME b.no-such-engine.md"
        ),
        "{}",
        said.stderr
    );
    let nowhere = told(&place.run(["run", "nope.md"]));
    assert!(nowhere.ends_with("/runward/flows, and PATH."), "{nowhere}");
    assert_eq!(nowhere.matches(", ").count(), 5, "four folders: {nowhere}");
}

#[test]
fn the_doctor_says_which_rules_hold_and_where_a_configuration_would_be_read() {
    let place = Place::new();
    let bare = place.run(["doctor"]).stdout;
    let file = place.owners_file();
    assert!(bare.contains(&format!("would be read from {}", file.display())), "{bare}");
    assert!(bare.contains("none, so every command of an agent is refused"), "{bare}");
    assert!(bare.contains("Allow reading and building with: runward init"), "{bare}");
    place.owner("[policy]\npresets = [\"readonly\", \"build\"]\n");
    let some = place.run(["doctor"]).stdout;
    assert!(some.contains("ok       rules               presets readonly, build\n"), "{some}");
}
