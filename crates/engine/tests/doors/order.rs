//! Arguments, policy, workspace, directory, resolution: the first that says no is the one that is told.

use crate::ground::{Ground, call, direct, engine, opened, refused};
use runward::Policy;
use runward::toolkit::{ExecCommandOptions, ToolErrorCode};

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
    let roots = runward::core::policy::CwdRoots::of([ground.workspace().join("sub").to_str().unwrap()]);
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
    let context = runward::toolkit::ToolkitGround::new(engine.clone(), ground.workspace());
    let toolkit = runward::toolkit::create_agent_toolkit(context);
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
        toolkit.prepare(".", &command, ExecCommandOptions::default())
    };
    for token in [
        "", "'", "''", "a'b'c", "$(id)", "`id`", ";id", "a\nb", "\\", "\"", "é", "=x", "A=b", "*", "~",
        "{a,b}",
    ] {
        assert!(prepared(&["git", "status", token]).is_ok(), "{token:?}");
        assert!(prepared(&["git", token, "status"]).is_err(), "{token:?}");
        assert!(prepared(&[&format!("git{token}x"), "status"]).is_err(), "{token:?}");
    }
}
