//! `_system-prompt`, `_append-system-prompt` and `_isolated`: told to each program in its own way, or an error.

use crate::run_world::World;
use runward_engine::{Code, Coded};
use runward_flow::run::BuiltAgent;

/// A file with these keys for this program, and a program of that name that shows what it was told.
fn world(command: &str, keys: &str) -> World {
    let show = "for word in \"$@\"; do echo \"<$word>\"; case $word in model_instructions_file=*) \
                file=${word#*=\\\"}; cat \"${file%\\\"}\";; esac; done; \
                if [ -n \"$GEMINI_SYSTEM_MD\" ]; then cat \"$GEMINI_SYSTEM_MD\"; fi";
    World::new(&[(&format!("a.{command}.md"), &format!("---\n{keys}\n---\nHello"))]).program(command, show)
}

async fn ready(command: &str, keys: &str) -> BuiltAgent {
    world(command, keys).ready(&[&format!("a.{command}.md"), "--dry-run"]).await.unwrap()
}

/// The words of the command in a rehearsal, without those of every run.
async fn words(command: &str, keys: &str) -> String {
    let args = ready(command, keys).await.command.args.join(" ");
    args.trim_start_matches("--print ").trim_start_matches("exec ").trim_start_matches("run ").to_owned()
}

const ALL: &str = "_system-prompt: Be brief.\n_append-system-prompt: [One., Two.]\n_isolated: true";

#[tokio::test]
async fn each_program_is_told_in_its_own_way() {
    for (command, keys, told) in [
        (
            "claude",
            ALL,
            "--system-prompt Be brief. --append-system-prompt One.\n\nTwo. --safe-mode --no-session-persistence Hello",
        ),
        ("claude", "_append-system-prompt: One.", "--append-system-prompt One. Hello"),
        ("claude", "_isolated: true\nsafe-mode: false", "--no-session-persistence Hello"),
        (
            "codex",
            ALL,
            "--config model_instructions_file=\"[a file with the system prompt]\" --config developer_instructions=\"One.\\n\\nTwo.\" --config project_doc_max_bytes=0 --ignore-user-config --ephemeral Hello",
        ),
        (
            "codex",
            "config: a=1\n_append-system-prompt: '5'",
            "--config a=1 --config developer_instructions=\"5\" Hello",
        ),
        ("gemini", "_isolated: true", "--extensions none --allowed-mcp-server-names none Hello"),
        ("opencode", "_isolated: true", "--pure Hello"),
        ("copilot", "_isolated: true", "--no-custom-instructions --disable-builtin-mcps --prompt Hello"),
        (
            "pi",
            "_system_prompt: Be brief.\n_append_system_prompt: 5",
            "--system-prompt Be brief. --append-system-prompt 5 Hello",
        ),
        ("claude", "_isolated: false\n_system-prompt:", "Hello"),
        ("opencode", "_append-system-prompt: []\n_system-prompt: null", "Hello"),
        ("claude", "_system-prompt: ''", "--system-prompt  Hello"),
        ("cursor-agent", "_isolated: false", "--output-format text Hello"),
    ] {
        assert_eq!(words(command, keys).await, told, "{command} {keys}");
    }
}

#[tokio::test]
async fn a_program_that_reads_a_file_finds_the_text_in_it_and_the_file_goes() {
    let world = world("codex", "_system-prompt: |\n  Be \"brief\".\n  Always.");
    let ran = world.run(&["a.codex.md"]).await.unwrap();
    assert!(ran.stdout.contains("\nBe \"brief\".\nAlways.\n<Hello>"), "{}", ran.stdout);
    let file = ran.ready.spec().shown[0].clone();
    assert!(
        ran.stdout.contains(&format!("<model_instructions_file=\"{}\">", file.display())),
        "{}",
        ran.stdout
    );
    assert!(world.has(file.to_str().unwrap()));
    drop(ran);
    assert!(!world.has(file.to_str().unwrap()));
}

#[tokio::test]
async fn a_program_that_knows_a_variable_finds_the_text_through_it() {
    let world = self::world("gemini", "_system-prompt: Be brief.");
    assert_eq!(world.stdout(&["a.gemini.md"]).await, "<Hello>\nBe brief.");
    let told = ready("gemini", "_system-prompt: Be brief.").await;
    assert_eq!(
        told.command.env,
        [("GEMINI_SYSTEM_MD".to_owned(), "[a file with the system prompt]".to_owned())]
    );
    let world = self::world("gemini", "model: x").env("GEMINI_SYSTEM_MD", "/dev/null");
    assert_eq!(
        world.stdout(&["a.gemini.md"]).await,
        "<--model>\n<x>\n<Hello>\n",
        "the real one is left alone"
    );
}

#[tokio::test]
async fn what_a_template_reads_is_never_taken_for_a_flag_of_ours() {
    let world = World::new(&[("a.codex.md", "---\n_append-system-prompt: x\n$config: c\n---\n{{ config }}")]);
    let args = world.ready(&["a.codex.md", "--dry-run"]).await.unwrap().command.args;
    assert_eq!(args, ["exec", "--config", "developer_instructions=\"x\"", "c"]);
}

/// Each of these keys is this error, at its place and before anything runs.
async fn refused(cases: &[(&str, &str, &str)]) {
    for (command, keys, told) in cases {
        let file = format!("a.{command}.md");
        let world = world(command, &format!("pre: touch ran\n{keys}"));
        let error = world.error(&[&file]).await;
        assert_eq!(
            (error.code(), error.to_string().as_str()),
            (Code::FlowBadFrontMatter, *told),
            "{command} {keys}"
        );
        assert!(error.mark().is_some_and(|mark| mark.line >= 3) && Coded::hint(&error).is_some(), "{keys}");
        assert!(!world.has("ran"), "{command} {keys}");
    }
}

#[tokio::test]
async fn what_a_program_has_no_way_for_is_an_error_before_anything_runs() {
    for (command, key, what) in [
        ("gemini", "_append-system-prompt: x", "add to its own prompt"),
        ("opencode", "_system-prompt: x", "replace its own prompt"),
        ("opencode", "_append-system-prompt: [x]", "add to its own prompt"),
        ("copilot", "_system-prompt: x", "replace its own prompt"),
        ("copilot", "_append-system-prompt: x", "add to its own prompt"),
        ("droid", "_isolated: true", "keep it from what lies around"),
        ("cursor-agent", "_isolated: true", "keep it from what lies around"),
        ("mine", "_system-prompt: x", "replace its own prompt"),
        ("mine", "_isolated: yes", "keep it from what lies around"),
    ] {
        let name = key.split(':').next().unwrap();
        let told = format!("`{name}` cannot be told to `{command}`: no option of it is known to {what}");
        refused(&[(command, key, &told)]).await;
    }
}

#[tokio::test]
async fn a_value_that_they_do_not_take_is_an_error() {
    refused(&[
        ("claude", "_system-prompt: [x]", "`_system-prompt` is a list, not a text"),
        ("claude", "_system-prompt: true", "`_system-prompt` is true or false, not a text"),
        (
            "claude",
            "_append-system-prompt: {a: b}",
            "`_append-system-prompt` is an object, not a text or a list of texts",
        ),
        (
            "claude",
            "_append-system-prompt: [[x]]",
            "`_append-system-prompt` is a list, not a text or a list of texts",
        ),
        ("claude", "_isolated: perhaps", "`_isolated` is `perhaps`, but it takes true or false"),
        ("claude", "_isolated: [true]", "`_isolated` is a list, but it takes true or false"),
    ])
    .await;
}

#[tokio::test]
async fn the_same_said_twice_is_an_error() {
    refused(&[
        (
            "claude",
            "_system-prompt: x\nsystem-prompt: y",
            "`system-prompt` and `_system-prompt` say the same to `claude`, and both are there",
        ),
        (
            "claude",
            "_append-system-prompt: x\n\"--append-system-prompt\": y",
            "`--append-system-prompt` and `_append-system-prompt` say the same to `claude`, and both are there",
        ),
        (
            "gemini",
            "_system-prompt: x\nenv: {GEMINI_SYSTEM_MD: y}",
            "`GEMINI_SYSTEM_MD` in `env` and `_system-prompt` say the same to `gemini`, and both are there",
        ),
        (
            "claude",
            "_system-prompt: x\n_system_prompt: y",
            "`_system_prompt` and `_system-prompt` are one key, and both are there",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_text_that_is_too_large_for_an_argument_is_an_error_unless_it_lies_in_a_file() {
    let long = format!("_system-prompt: {}", "x".repeat(140_000));
    let error = world("claude", &long).error(&["a.claude.md"]).await;
    assert_eq!(error.code(), Code::FlowPromptTooLarge);
    assert_eq!(error.to_string(), "`_system-prompt` has 140000 bytes, and one argument may have 131071");
    assert!(world("codex", &long).stdout(&["a.codex.md"]).await.contains(&"x".repeat(140_000)));
}

#[tokio::test]
async fn they_may_be_given_like_other_settings() {
    let world = world("claude", "_system-prompt: from the file\n_isolated: true");
    let args = async |words: &[&str]| {
        world.ready(&[&["a.claude.md", "--dry-run"], words].concat()).await.unwrap().command.args
    };
    assert_eq!(
        args(&[
            "--_system-prompt",
            "typed",
            "--_isolated=no",
            "--_append-system-prompt=a",
            "--_append_system_prompt",
            "b"
        ])
        .await,
        ["--print", "--system-prompt", "typed", "--append-system-prompt", "a\n\nb", "Hello"]
    );
    assert_eq!(
        args(&["--_isolated", "false"]).await,
        ["--print", "--system-prompt", "from the file", "Hello"]
    );
    let other = self::world("claude", "_system_prompt: from the file");
    let ready = other.ready(&["a.claude.md", "--dry-run", "--_system-prompt=typed"]).await.unwrap();
    assert_eq!(
        ready.command.args,
        ["--print", "--system-prompt", "typed", "Hello"],
        "however the file spells it"
    );
    for words in [&["--_isolated", "perhaps"][..], &["--_isolated=perhaps"]] {
        let error = world.error(&[&["a.claude.md"], words].concat()).await;
        assert_eq!(error.to_string(), "`_isolated` is `perhaps`, but it takes true or false");
    }
}

#[tokio::test]
async fn an_interactive_program_gets_only_what_it_knows_then_and_the_rest_is_told() {
    let world = world("codex", "_isolated: true\n_i: true");
    let ready = world.ready(&["a.codex.md", "--dry-run"]).await.unwrap();
    assert_eq!(ready.command.args, ["--config", "project_doc_max_bytes=0", "Hello"]);
    assert_eq!(
        ready.account.remarks,
        [
            "`_isolated` does not reach its own configuration and the record of its session: `codex` has no option for that"
        ]
    );
    for (command, left) in [("gemini", "GEMINI.md"), ("opencode", "AGENTS.md"), ("copilot", "servers")] {
        let remarks = self::ready(command, "_isolated: true").await.account.remarks;
        assert!(remarks.len() == 1 && remarks[0].contains(left), "{remarks:?}");
    }
    for command in ["claude", "codex", "pi"] {
        assert!(self::ready(command, "_isolated: true").await.account.remarks.is_empty(), "{command}");
    }
}

#[tokio::test]
async fn a_step_is_told_what_the_file_says_and_is_another_when_that_changes() {
    let keys = |text: &str| {
        format!("_i: true\n_system-prompt: {text}\n_isolated: true\n_steps:\n  - {{id: one, run: hi}}")
    };
    let file = |text: &str| format!("---\n{}\n---\n", keys(text));
    let show = "echo x >> runs; for word in \"$@\"; do case $word in model_instructions_file=*) \
                file=${word#*=\\\"}; cat \"${file%\\\"}\";; --ephemeral) echo ' alone';; esac; done";
    let world = World::new(&[("a.codex.md", &file("Be brief."))]).program("codex", show);
    let said = world.stdout(&["a.codex.md"]).await;
    assert_eq!(
        said.split_whitespace().collect::<Vec<_>>(),
        ["Be", "brief.", "alone"],
        "it prints, so it knows all"
    );
    // The same again: what lies in another file is still the same text.
    world.stdout(&["a.codex.md", "--resume"]).await;
    assert_eq!(world.written("runs"), "x\n");
    world.put("a.codex.md", &file("Be long."));
    assert!(world.stdout(&["a.codex.md", "--resume"]).await.starts_with("Be long."));
    assert_eq!(world.written("runs"), "x\nx\n");
}
