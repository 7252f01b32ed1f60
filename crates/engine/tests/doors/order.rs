//! Arguments, policy, workspace, directory, resolution: the first refusal is the one that is reported.

use crate::ground::{Ground, call, direct, engine, opened, refused};
use runward_engine::Policy;
use runward_engine::toolkit::{ExecCommandOptions, ToolErrorCode};

const MISSING: &[&str] = &["no-such-program-here"];

#[tokio::test]
async fn each_check_comes_before_the_next() {
    let ground = Ground::new();
    let shut = ground.under(Policy::default());
    let open = ground.toolkit();
    assert_eq!(refused(&shut, "../none", &[]).await.0, ToolErrorCode::InvalidArgument);
    assert_eq!(refused(&shut, "../none", MISSING).await.0, ToolErrorCode::PolicyDenied);
    assert_eq!(refused(&open, "../none", MISSING).await.0, ToolErrorCode::SandboxViolation);
    assert_eq!(refused(&open, "none", MISSING).await.0, ToolErrorCode::NotDirectory);
    assert_eq!(refused(&open, ".", MISSING).await.0, ToolErrorCode::CommandNotFound);
}

#[tokio::test]
async fn without_a_grant_the_tool_is_shut() {
    let ground = Ground::new();
    let shut = ground.under(Policy::default());
    assert!(shut.get_allowed_tools().is_empty());
    let (code, message) = refused(&shut, ".", &["pwd"]).await;
    assert_eq!(code, ToolErrorCode::PolicyDenied);
    assert_eq!(message, r#"Command "pwd" is not allowed, allowed commands: (none)"#);
    assert_eq!(ground.toolkit().get_allowed_tools()[0].name, "exec_command");
}

#[tokio::test]
async fn a_list_of_commands_governs_tokens_in_both_modes() {
    let ground = Ground::new();
    let listed =
        ground.under(Policy { commands: Policy::allow_commands("echo,git status").commands, ..opened() });
    for options in [direct(), ExecCommandOptions::default()] {
        let ran = call(&listed, ".", &["echo", "a b; it's"], options.clone()).await.unwrap();
        assert_eq!(ran.output.stdout, "a b; it's\n");
        assert_eq!(ran.meta.rule, "ALLOWED_COMMANDS: echo");
        let error = call(&listed, ".", &["pwd"], options).await.unwrap_err();
        assert_eq!(error.code, ToolErrorCode::PolicyDenied);
        assert_eq!(error.message, r#"Command "pwd" is not allowed, allowed commands: echo, git status"#);
    }
}

#[tokio::test]
async fn roots_for_the_cwd_hold_here_too() {
    let ground = Ground::new();
    let roots =
        runward_engine::core::policy::CwdRoots::of([ground.workspace().join("sub").to_str().unwrap()]);
    let toolkit = ground.under(Policy { cwd_roots: roots, ..opened() });
    assert!(call(&toolkit, "sub/deep", &["true"], direct()).await.is_ok());
    let (code, message) = refused(&toolkit, ".", &["true"]).await;
    assert_eq!(code, ToolErrorCode::PolicyDenied);
    assert!(message.starts_with("cwd is not allowed by ALLOWED_CWD_ROOTS: "), "{message}");
}

#[tokio::test]
async fn other_rules_hold_from_the_next_command_on() {
    let ground = Ground::new();
    let engine = engine(opened());
    let context = runward_engine::toolkit::ToolkitGround::new(engine.clone(), ground.workspace());
    let toolkit = runward_engine::toolkit::create_agent_toolkit(context);
    assert!(call(&toolkit, ".", &["true"], direct()).await.is_ok());
    engine.set_policy(Policy::default());
    assert_eq!(refused(&toolkit, ".", &["true"]).await.0, ToolErrorCode::PolicyDenied);
    engine.set_policy(Policy::allow_commands("true"));
    assert!(call(&toolkit, ".", &["true"], direct()).await.is_ok());
}

#[tokio::test]
async fn a_list_sees_the_tokens_whatever_is_in_them() {
    let ground = Ground::new();
    let toolkit = ground.under(Policy::allow_commands("git status"));
    let prepared = |command: &[&str]| {
        let command: Vec<String> = command.iter().map(ToString::to_string).collect();
        let toolkit = toolkit.clone();
        async move { toolkit.prepare(".", &command, ExecCommandOptions::default()).await }
    };
    for token in [
        "", "'", "''", "a'b'c", "$(id)", "`id`", ";id", "a\nb", "\\", "\"", "é", "=x", "A=b", "*", "~",
        "{a,b}",
    ] {
        assert!(prepared(&["git", "status", token]).await.is_ok(), "{token:?}");
        assert!(prepared(&["git", token, "status"]).await.is_err(), "{token:?}");
        assert!(prepared(&[&format!("git{token}x"), "status"]).await.is_err(), "{token:?}");
    }
}

/// What is told about a program, with its name taken out.
async fn told(
    toolkit: &runward_engine::toolkit::AgentToolkit,
    name: &str,
    mode: ExecCommandOptions,
) -> String {
    let error = call(toolkit, ".", &[name, "--x"], mode).await.unwrap_err();
    format!("{error:?}").replace(name, "NAME")
}

#[tokio::test]
async fn what_is_not_allowed_looks_the_same_whether_it_is_installed_or_not() {
    let ground = Ground::new();
    let presets =
        |names: &[&str]| Policy { presets: names.iter().map(ToString::to_string).collect(), ..opened() };
    let elsewhere = |rule: runward_engine::core::policy::Rule| Policy { rules: vec![rule], ..opened() };
    let rule =
        |program: &str| runward_engine::core::policy::Rule::of(runward_engine::Decision::Allow, program);
    let other_door =
        runward_engine::core::policy::Rule { doors: vec![runward_engine::Door::Cli], ..rule("*") };
    let other_folder = runward_engine::core::policy::Rule { cwds: vec!["/none".into()], ..rule("*") };
    let other_client = runward_engine::core::policy::Rule { callers: vec!["nobody".to_owned()], ..rule("*") };
    for (what, policy) in [
        ("readonly", presets(&["readonly"])),
        ("both", presets(&["readonly", "build"])),
        ("a list", Policy { commands: Policy::allow_commands("echo").commands, ..opened() }),
        ("a rule", Policy::allow_programs(["echo"])),
        ("another door", elsewhere(other_door)),
        ("another folder", elsewhere(other_folder)),
        ("another client", elsewhere(other_client)),
    ] {
        let toolkit = ground.under(policy);
        for mode in [direct(), ExecCommandOptions::default()] {
            let there = told(&toolkit, "mkfifo", mode.clone()).await;
            assert!(there.contains("PolicyDenied"), "{what}: {there}");
            for missing in ["mkfifoo", "no-such-program-here", "/usr/bin/mkfifoo"] {
                assert_eq!(told(&toolkit, missing, mode.clone()).await, there, "{what}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_denied_looks_the_same_whether_it_is_installed_or_not() {
    let ground = Ground::new();
    let denied = ["mkfifo", "no-such-program-here"];
    let toolkit = ground.under(opened().with(runward_engine::Decision::Deny, denied));
    assert_eq!(told(&toolkit, denied[1], direct()).await, told(&toolkit, denied[0], direct()).await);
    // What would be allowed is told to be missing.
    assert_eq!(refused(&toolkit, ".", &["another-missing-one"]).await.0, ToolErrorCode::CommandNotFound);
}

#[tokio::test]
async fn a_hint_names_only_programs_that_may_run() {
    let ground = Ground::new();
    let hint = async |policy| {
        let toolkit = ground.under(policy);
        call(&toolkit, ".", &["mkfifp"], direct()).await.unwrap_err().hint.unwrap()
    };
    assert_eq!(hint(Policy::allow_programs(["mkfifp"])).await, "Install it, or give its full path.");
    assert!(hint(Policy::allow_programs(["mkfifp", "mkfifo"])).await.contains("`mkfifo`"));
    assert!(hint(opened()).await.contains("`mkfifo`"), "everything may run");
}
