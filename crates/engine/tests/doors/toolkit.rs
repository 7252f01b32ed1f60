//! What `exec_command` promises, line by line of its acceptance list.

use crate::ground::{Ground, call, direct, is_alive, opened, refused, text};
use runward_engine::toolkit::{ExecCommandOptions, ShellMode, ToolErrorCode};
use serde_json::{Value, json};

fn limited(max_output_chars: u64) -> ExecCommandOptions {
    ExecCommandOptions { max_output_chars: Some(max_output_chars), ..direct() }
}

#[tokio::test]
async fn an_existing_cwd_and_echo_hello_give_exit_code_0_and_stdout() {
    let output = Ground::new().run_both_ways(&["echo", "hello"]).await;
    assert_eq!((output.exit_code, output.stdout.as_str(), output.stderr.as_str()), (0, "hello\n", ""));
    assert!(!output.timed_out && !output.stdout_truncated && !output.stderr_truncated);
}

#[tokio::test]
async fn an_empty_command_or_one_with_other_than_strings_is_invalid_argument() {
    let ground = Ground::new();
    let toolkit = ground.toolkit();
    for (command, told) in [
        (json!([]), "`command` is empty"),
        (json!([""]), "`command[0]` is empty"),
        (json!(["echo", 1]), "`command[1]` is not a string"),
        (json!([null]), "`command[0]` is not a string"),
        (json!("echo hello"), "`command` is not an array of strings"),
        (json!(["echo", "a\u{0}b"]), "`command[1]` contains a NUL byte"),
    ] {
        let error =
            toolkit.invoke("exec_command", &json!({ "cwd": ".", "command": command })).await.unwrap_err();
        assert_eq!((error.code, error.message.as_str()), (ToolErrorCode::InvalidArgument, told), "{command}");
    }
}

#[tokio::test]
async fn an_empty_cwd_and_limits_out_of_range_are_invalid_argument() {
    let ground = Ground::new();
    let toolkit = ground.toolkit();
    for (field, value, told) in [
        ("cwd", json!(""), "`cwd` is empty"),
        ("cwd", json!(1), "`cwd` is not a string"),
        ("timeout_ms", json!(0), "`timeout_ms` is 0, which is not between 1 and 120000"),
        ("timeout_ms", json!(120_001), "`timeout_ms` is 120001, which is not between 1 and 120000"),
        ("timeout_ms", json!(-1), "`timeout_ms` is -1, which is not a whole number above 0"),
        ("timeout_ms", json!("5"), "`timeout_ms` is not a number"),
        ("max_output_chars", json!(999), "`max_output_chars` is 999, which is not between 1000 and 1000000"),
        (
            "max_output_chars",
            json!(1_000_001),
            "`max_output_chars` is 1000001, which is not between 1000 and 1000000",
        ),
        ("shell_mode", json!("zsh"), "`shell_mode` is not `default` or `direct`"),
        ("stdin", json!([]), "`stdin` is not a string"),
        ("env", json!({}), "there is no parameter `env`"),
    ] {
        let mut arguments = json!({ "cwd": ".", "command": ["echo"] });
        arguments[field] = value;
        let error = toolkit.invoke("exec_command", &arguments).await.unwrap_err();
        assert_eq!(
            (error.code, error.message.as_str()),
            (ToolErrorCode::InvalidArgument, told),
            "{arguments}"
        );
    }
    let unknown = toolkit.invoke("exec_comand", &json!({})).await.unwrap_err();
    assert_eq!(unknown.message, "there is no tool named `exec_comand`");
}

#[tokio::test]
async fn a_missing_cwd_or_a_file_is_not_directory() {
    let ground = Ground::new();
    let toolkit = ground.toolkit();
    let missing = refused(&toolkit, "none", &["echo"]).await;
    assert_eq!(missing, (ToolErrorCode::NotDirectory, "cwd does not exist: none".to_owned()));
    let file = refused(&toolkit, "file", &["echo"]).await;
    assert_eq!(file, (ToolErrorCode::NotDirectory, "cwd is not a directory: file".to_owned()));
}

#[tokio::test]
async fn a_direct_command_that_cannot_be_resolved_is_command_not_found_and_names_it() {
    let ground = Ground::new();
    let (code, message) = refused(&ground.toolkit(), ".", &["no-such-program-here"]).await;
    assert_eq!(code, ToolErrorCode::CommandNotFound);
    assert!(message.contains("no-such-program-here"), "{message}");
    let by_shell = ground.run(&["no-such-program-here"], ExecCommandOptions::default()).await;
    assert_eq!(by_shell.exit_code, 127, "with a shell, the shell says so");
}

#[tokio::test]
async fn at_the_timeout_the_child_is_stopped_and_partial_output_is_kept() {
    let ground = Ground::new();
    let script = "echo $$; echo partial >&2; sleep 600 & echo $!; sleep 600";
    let options = ExecCommandOptions { timeout_ms: Some(1500), ..direct() };
    let output = ground.run(&["bash", "-c", script], options).await;
    assert_eq!((output.timed_out, output.exit_code), (true, 124));
    assert_eq!(output.stderr, "partial\n");
    let pids: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(pids.len(), 2, "{}", output.stdout);
    assert!(pids.iter().all(|pid| !is_alive(pid)), "{pids:?}");
}

#[tokio::test]
async fn output_beyond_the_limit_is_cut_there_and_flagged() {
    let ground = Ground::new();
    let script = "import sys; sys.stdout.write('ä😀' * 800); sys.stderr.write('e' * 1000)";
    let output = ground.run(&["python3", "-c", script], limited(1000)).await;
    assert_eq!((output.stdout, output.stdout_truncated), ("ä😀".repeat(500), true));
    assert_eq!((output.stderr, output.stderr_truncated), ("e".repeat(1000), false));
}

#[tokio::test]
async fn a_flood_is_cut_from_the_head() {
    let ground = Ground::new();
    let output = ground
        .run(&["bash", "-c", "echo first; head -c 20000000 /dev/zero | tr '\\0' x"], limited(1000))
        .await;
    assert_eq!(output.stdout, format!("first\n{}", "x".repeat(994)));
    assert!(output.stdout_truncated && !output.stderr_truncated);
}

#[tokio::test]
async fn command_and_cwd_are_answered_as_they_were_given() {
    let ground = Ground::new();
    let cwd = text(&ground.workspace().join("sub"));
    let answer = call(&ground.toolkit(), &cwd, &["pwd", "-P"], direct()).await.unwrap().output;
    assert_eq!(
        (answer.cwd.as_str(), answer.command.as_slice()),
        (cwd.as_str(), ["pwd", "-P"].map(str::to_owned).as_slice())
    );
    assert_eq!(answer.stdout.trim_end(), cwd);
}

#[tokio::test]
async fn the_environment_is_inherited_without_any_preparation() {
    let ground = Ground::new();
    let mut facts = runward_engine::host::probe().unwrap();
    facts.env.insert("MISE_SHIMS".into(), "kept".into());
    let engine = runward_engine::Engine::builder().policy(opened()).facts(facts).build().unwrap();
    let context = runward_engine::toolkit::ToolkitGround::new(engine, ground.workspace());
    let toolkit = runward_engine::toolkit::create_agent_toolkit(context);
    let answer =
        call(&toolkit, ".", &["printenv", "MISE_SHIMS"], ExecCommandOptions::default()).await.unwrap();
    assert_eq!(answer.output.stdout, "kept\n");
}

#[tokio::test]
async fn stdin_is_given_as_utf_8_and_nothing_otherwise() {
    let ground = Ground::new();
    let stdin = Some("grüße\n".to_owned());
    let fed = ground.run(&["cat"], ExecCommandOptions { stdin, ..ExecCommandOptions::default() }).await;
    assert_eq!(fed.stdout, "grüße\n");
    assert_eq!(ground.run_both_ways(&["cat"]).await.stdout, "");
}

#[tokio::test]
async fn tokens_arrive_unchanged_through_the_shell() {
    let tokens = [
        "a b",
        "it's",
        "''",
        "'",
        "",
        "$HOME",
        "$(id)",
        "`id`",
        "\"",
        "\\",
        "\\n",
        "*",
        "?",
        "[a]",
        "~",
        "!",
        "#x",
        "a\nb",
        "a\tb",
        ";",
        "&",
        "|",
        ">f",
        "{a,b}",
        "=ls",
        "A=b",
        "--x=%y",
        "-n",
        "é😀",
        "\u{1b}[2J",
    ];
    let script = "import sys; sys.stdout.write('\\0'.join(sys.argv[1:]))";
    let command: Vec<&str> = ["python3", "-c", script].into_iter().chain(tokens).collect();
    let output = Ground::new().run_both_ways(&command).await;
    assert_eq!(output.stdout.split('\0').collect::<Vec<_>>(), tokens);
}

#[tokio::test]
async fn output_and_exit_code_are_not_touched() {
    let script = r"printf ' a\r\n\tb \n\n'; exit 3";
    let output = Ground::new().run_both_ways(&["bash", "-c", script]).await;
    assert_eq!((output.exit_code, output.stdout.as_str()), (3, " a\r\n\tb \n\n"));
}

#[tokio::test]
async fn what_is_not_utf_8_is_escaped_and_noted() {
    let ground = Ground::new();
    let answer = call(&ground.toolkit(), ".", &["printf", r"\377a\\b"], direct()).await.unwrap();
    assert_eq!(answer.output.stdout, r"\xffa\x5cb");
    assert_eq!((answer.meta.stdout_encoding, answer.meta.stderr_encoding), ("binary", "utf-8"));
    assert!(answer.meta.notes[0].starts_with("stdout is not UTF-8"), "{:?}", answer.meta.notes);
}

#[tokio::test]
async fn a_signal_is_128_and_its_number() {
    let ground = Ground::new();
    let answer = call(&ground.toolkit(), ".", &["bash", "-c", "kill -9 $$"], direct()).await.unwrap();
    assert_eq!((answer.output.exit_code, answer.output.timed_out), (137, false));
    assert_eq!(answer.meta.signal, Some(runward_engine::Signal::KILL));
}

#[tokio::test]
async fn the_answer_has_exactly_nine_fields() {
    let ground = Ground::new();
    let arguments = json!({ "cwd": ".", "command": ["echo"], "shell_mode": "direct", "timeout_ms": 5000.0 });
    let answer = ground.toolkit().invoke("exec_command", &arguments).await.unwrap();
    let Value::Object(fields) = serde_json::to_value(&answer.output).unwrap() else { panic!("no object") };
    let mut names: Vec<_> = fields.keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected = [
        "command",
        "cwd",
        "duration_ms",
        "exit_code",
        "stderr",
        "stderr_truncated",
        "stdout",
        "stdout_truncated",
        "timed_out",
    ];
    assert_eq!(names, expected);
    assert_eq!(answer.meta.rule, "granted: exec_command");
}

#[test]
fn an_error_is_code_message_and_hint() {
    let error = runward_engine::toolkit::ToolError {
        code: ToolErrorCode::SandboxViolation,
        message: "m".to_owned(),
        hint: Some("h".to_owned()),
    };
    assert_eq!(
        serde_json::to_value(error).unwrap(),
        json!({ "code": "SANDBOX_VIOLATION", "message": "m", "hint": "h" })
    );
    assert_eq!(serde_json::to_value(ShellMode::Default).unwrap(), json!("default"));
}
