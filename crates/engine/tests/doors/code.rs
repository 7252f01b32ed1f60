//! What `exec` promises: code by language, and its result.

use crate::ground::{Ground, engine, opened, text};
use runward_engine::languages::{
    CodeAnswer, CodeRequest, CodeResult, CodeRunner, Language, LanguageReader, Languages,
};
use runward_engine::{Caller, Door, Engine, Policy, Wish};
use serde_json::json;
use std::time::Duration;

pub(crate) fn runner_on(engine: Engine) -> CodeRunner {
    CodeRunner::new(engine, Languages::default(), Caller::tool(Door::Mcp, "exec"))
}

pub(crate) async fn answered(request: &CodeRequest) -> CodeAnswer {
    runner_on(engine(opened())).run(request).await
}

pub(crate) async fn run(lang: &str, code: &str) -> CodeResult {
    answered(&CodeRequest::new(lang, code)).await.result
}

fn printed(stdout: &str) -> CodeResult {
    CodeResult {
        success: true,
        exit_code: Some(0),
        stdout: stdout.to_owned(),
        stderr: String::new(),
        error: None,
    }
}

#[tokio::test]
async fn every_language_under_every_name() {
    for (names, code) in [
        (vec!["bash", "sh"], "printf '%s\\n' \"$((6*7))\""),
        (vec!["javascript", "js", "node"], "console.log(6 * 7)"),
        (vec!["python", "py", "python3"], "print(6 * 7)"),
    ] {
        for name in names {
            assert_eq!(run(name, code).await, printed("42\n"), "{name}");
        }
    }
}

#[tokio::test]
async fn a_non_zero_exit_is_no_success_and_no_error() {
    let result = run("bash", "echo out; echo err >&2; exit 3").await;
    assert_eq!((result.success, result.exit_code, &result.error), (false, Some(3), &None));
    assert_eq!((result.stdout.as_str(), result.stderr.as_str()), ("out\n", "err\n"));
}

#[tokio::test]
async fn the_code_arrives_exactly_as_it_is() {
    assert_eq!(
        run("python", "print('''a\n\t\"$x\" `y` \\\\ ü😀''')").await.stdout,
        "a\n\t\"$x\" `y` \\ ü😀\n"
    );
    assert_eq!(run("js", "process.stdout.write('a\\r\\nb')").await.stdout, "a\r\nb");
    assert_eq!(run("bash", "echo $0").await.stdout, format!("{}\n", which("bash")));
    for (lang, code) in [("bash", ""), ("python", ""), ("js", "")] {
        assert_eq!(run(lang, code).await, printed(""), "{lang}");
    }
}

fn which(name: &str) -> String {
    let facts = runward_engine::host::probe().unwrap();
    let path = facts.env_var("PATH").unwrap().to_owned();
    text(
        &runward_engine::core::resolve::find_program(
            name.as_ref(),
            &path,
            &facts,
            &runward_engine::host::Disk,
        )
        .unwrap(),
    )
}

#[tokio::test]
async fn code_that_looks_like_an_option_stays_code() {
    assert_eq!(run("js", "-1; console.log('ran')").await.stdout, "ran\n");
    assert_eq!(run("python", "-1; print('ran')").await.stdout, "ran\n");
    let bash = run("bash", "-x; echo ran").await;
    assert_eq!((bash.stdout.as_str(), bash.success), ("ran\n", true));
}

#[tokio::test]
async fn an_unknown_language_is_told() {
    let answer = answered(&CodeRequest::new("cobol", "STOP RUN.")).await;
    assert_eq!(answer.result.error.as_deref(), Some("exec: Unsupported language 'cobol' (LANG_UNSUPPORTED)"));
    let result = serde_json::to_value(&answer.result).unwrap();
    assert!(result.get("exit_code").is_none() && result["success"] == false && result["stdout"] == "");
}

#[tokio::test]
async fn a_configured_language_runs() {
    let sed = Language {
        name: "sed".to_owned(),
        aliases: Vec::new(),
        command: "sed".to_owned(),
        args: vec!["-e".to_owned()],
        reader: LanguageReader::Other,
    };
    let languages = Languages::default().with(sed);
    let runner = CodeRunner::new(engine(opened()), languages, Caller::tool(Door::Mcp, "exec"));
    let request = CodeRequest { stdin: Some("abc\n".to_owned()), ..CodeRequest::new("sed", "s/b/X/") };
    assert_eq!(runner.run(&request).await.result, printed("aXc\n"));
    let large = runner.run(&CodeRequest::new("sed", "#".repeat(200_000))).await.result;
    assert_eq!(large.error.as_deref(), Some("exec: Code of 128 KiB or more cannot be given to sed (E2BIG)"));
}

#[tokio::test]
async fn the_working_directory_is_checked_before_anything_starts() {
    let ground = Ground::new();
    let at = |cwd: &str| CodeRequest { cwd: Some(cwd.into()), ..CodeRequest::new("bash", "pwd") };
    let workspace = text(&ground.workspace());
    assert_eq!(answered(&at(&workspace)).await.result, printed(&format!("{workspace}\n")));
    let ghost = answered(&at("/tmp/ghost-that-is-not-there")).await;
    let told = "exec: Working directory does not exist '/tmp/ghost-that-is-not-there' (ENOENT)";
    assert_eq!((ghost.result.error.as_deref(), ghost.result.exit_code), (Some(told), None));
    let file = text(&ground.workspace().join("file"));
    let told = format!("exec: Working directory is not a directory '{file}' (ENOTDIR)");
    assert_eq!(answered(&at(&file)).await.result.error, Some(told));
}

#[tokio::test]
async fn output_may_be_left_out_of_the_answer() {
    let request =
        CodeRequest { return_output: false, ..CodeRequest::new("bash", "echo out; echo err >&2; exit 2") };
    let result = answered(&request).await.result;
    assert_eq!((result.stdout.as_str(), result.stderr.as_str(), result.exit_code), ("", "", Some(2)));
}

#[tokio::test]
async fn a_signal_is_told() {
    let result = run("bash", "kill -9 $$").await;
    assert_eq!((result.success, result.exit_code), (false, Some(137)));
    assert_eq!(result.error.as_deref(), Some("exec: Process killed by signal SIGKILL (SIGNAL)"));
}

#[tokio::test]
async fn a_version_that_is_not_there_is_an_error_that_says_so() {
    let request = CodeRequest { version: Some("2.99".to_owned()), ..CodeRequest::new("python", "print(1)") };
    let error = answered(&request).await.result.error.unwrap();
    assert!(error.starts_with("exec: python3 2.99 was not found. "), "{error}");
    assert!(error.ends_with(" (VERSION_UNKNOWN)"), "{error}");
}

#[tokio::test]
async fn a_version_picks_an_interpreter() {
    let ground = Ground::new();
    std::os::unix::fs::symlink(which("bash"), ground.workspace().join("python3.77")).unwrap();
    let mut facts = runward_engine::host::probe().unwrap();
    facts.env.insert("PATH".into(), ground.workspace().into());
    let engine = Engine::builder().facts(facts).policy(opened()).build().unwrap();
    let request = CodeRequest { version: Some("3.77".to_owned()), ..CodeRequest::new("python", "echo $0") };
    let result = runner_on(engine).run(&request).await.result;
    assert_eq!(result.stdout, format!("{}\n", text(&ground.workspace().join("python3.77"))), "{result:?}");
}

#[tokio::test]
async fn without_a_grant_the_tool_is_shut_and_a_list_governs_it() {
    let told = |policy: Policy, lang: &'static str, code: &'static str| async move {
        runner_on(engine(policy)).run(&CodeRequest::new(lang, code)).await.result.error
    };
    let shut = told(Policy::default(), "python", "print(1)").await.unwrap();
    assert!(shut.starts_with("exec: Command \"python3\" is not allowed, allowed commands: (none)"), "{shut}");
    assert!(shut.ends_with("(POLICY_DENIED)"), "{shut}");
    let listed = || Policy { commands: Policy::allow_commands("ls,python3").commands, ..opened() };
    assert_eq!(told(listed(), "python", "print(1)").await, None);
    assert_eq!(told(listed(), "bash", "ls").await, None);
    for (lang, code) in [("bash", "ls; id"), ("bash", "id"), ("js", "1")] {
        assert!(told(listed(), lang, code).await.is_some(), "{lang}: {code}");
    }
}

#[test]
fn arguments_are_read_strictly() {
    let read = |json: serde_json::Value| CodeRequest::read(&json).map_err(|issue| issue.to_string());
    let whole = json!({ "lang": "py", "code": "1", "cwd": "/", "timeout": 200, "version": "3", "return_output": false, "stdin": "x" });
    let request = read(whole).unwrap();
    assert_eq!((request.timeout, request.return_output), (Wish::At(Duration::from_millis(200)), false));
    for (json, told) in [
        (json!([]), "exec: The arguments are not an object (INVALID_ARGUMENT)"),
        (json!({ "lang": "py" }), "exec: 'code' is missing (INVALID_ARGUMENT)"),
        (json!({ "lang": "py", "code": 1 }), "exec: 'code' is not a string (INVALID_ARGUMENT)"),
        (
            json!({ "lang": "py", "code": "", "lng": 1 }),
            "exec: There is no parameter 'lng' (INVALID_ARGUMENT)",
        ),
        (
            json!({ "lang": "py", "code": "", "timeout": 0 }),
            "exec: 'timeout' is 0, which is not between 1 and 600000 (INVALID_ARGUMENT)",
        ),
        (
            json!({ "lang": "py", "code": "", "return_output": "no" }),
            "exec: 'return_output' is not true or false (INVALID_ARGUMENT)",
        ),
    ] {
        assert_eq!(read(json).unwrap_err(), told);
    }
}
