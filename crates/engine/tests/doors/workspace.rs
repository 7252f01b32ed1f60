//! The workspace: canonical paths, both separators, and no way out.

use crate::ground::{Ground, call, direct, engine, opened, refused, text};
use runward_engine::toolkit::{ToolErrorCode, ToolkitGround, create_agent_toolkit};
use runward_engine::{Caller, Coded, CommandSpec, Outcome, Request, Started, Workspace};

#[tokio::test]
async fn both_separators_lead_into_the_workspace() {
    let ground = Ground::new();
    let toolkit = ground.toolkit();
    let deep = text(&ground.workspace().join("sub/deep"));
    for cwd in ["sub/deep", r"sub\deep", r".\sub/deep\", "./sub//deep/", "sub/../sub/deep", &deep] {
        let output = call(&toolkit, cwd, &["pwd"], direct()).await.unwrap().output;
        assert_eq!((output.cwd.as_str(), output.stdout.trim_end()), (deep.as_str(), deep.as_str()), "{cwd}");
    }
}

#[tokio::test]
async fn outside_is_a_sandbox_violation_however_it_is_written() {
    let ground = Ground::new();
    let evil = text(&ground.top().join("inside-evil"));
    std::os::unix::fs::symlink("/etc", ground.workspace().join("link")).unwrap();
    std::os::unix::fs::symlink("..", ground.workspace().join("sub/up")).unwrap();
    for cwd in [
        "..",
        "../inside-evil",
        r"..\inside-evil",
        "/",
        "/etc",
        "link",
        "sub/up/..",
        "sub/../..",
        &evil,
        "none/../../inside-evil",
        "../none",
        "/none",
    ] {
        let (code, message) = refused(&ground.toolkit(), cwd, &["pwd"]).await;
        assert_eq!(code, ToolErrorCode::SandboxViolation, "{cwd}");
        assert!(message.starts_with("cwd is outside the workspace: "), "{message}");
    }
    assert!(call(&ground.toolkit(), "sub/up", &["pwd"], direct()).await.is_ok(), "a link that stays inside");
}

#[tokio::test]
async fn a_workspace_may_be_a_link_and_is_not_moved_by_it() {
    let ground = Ground::new();
    let link = ground.top().join("link");
    std::os::unix::fs::symlink(ground.workspace(), &link).unwrap();
    let toolkit = create_agent_toolkit(ToolkitGround::new(engine(opened()), &link));
    assert!(call(&toolkit, &text(&link.join("sub")), &["pwd"], direct()).await.is_ok());
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("/etc", &link).unwrap();
    assert_eq!(refused(&toolkit, &text(&link), &["pwd"]).await.0, ToolErrorCode::SandboxViolation);
}

#[tokio::test]
async fn roots_narrow_the_workspace_and_never_widen_it() {
    let ground = Ground::new();
    let roots = Some(vec![ground.workspace().join("sub"), ground.top().join("inside-evil")]);
    let context = ToolkitGround { roots, ..ToolkitGround::new(engine(opened()), ground.workspace()) };
    let toolkit = create_agent_toolkit(context);
    assert!(call(&toolkit, "sub/deep", &["pwd"], direct()).await.is_ok());
    for cwd in [".", "../inside-evil"] {
        assert_eq!(refused(&toolkit, cwd, &["pwd"]).await.0, ToolErrorCode::SandboxViolation, "{cwd}");
    }
}

#[tokio::test]
async fn a_workspace_that_is_not_there_admits_nothing() {
    let toolkit = create_agent_toolkit(ToolkitGround::new(engine(opened()), "/no/such/workspace"));
    assert_eq!(refused(&toolkit, ".", &["pwd"]).await.0, ToolErrorCode::SandboxViolation);
    assert_eq!(refused(&toolkit, "/", &["pwd"]).await.0, ToolErrorCode::SandboxViolation);
}

#[tokio::test]
async fn strange_names_are_names() {
    let ground = Ground::new();
    for name in ["..x", "with space", "it's", "a\nb", "ü"] {
        std::fs::create_dir(ground.workspace().join(name)).unwrap();
        let output = call(&ground.toolkit(), name, &["pwd"], direct()).await.unwrap().output;
        assert_eq!(output.stdout, format!("{}\n", text(&ground.workspace().join(name))));
    }
}

#[tokio::test]
async fn the_road_itself_asks_about_the_very_directory() {
    let ground = Ground::new();
    let engine = engine(runward_engine::Policy::allow_everything("a test"));
    let workspace = Workspace::at(ground.workspace(), engine.facts(), &runward_engine::host::Disk);
    let request = |cwd: &str| {
        let spec = CommandSpec::exec("true").cwd(ground.top().join(cwd));
        Request::by(Caller::library(), spec).within(workspace.clone())
    };
    assert!(engine.explain(request("inside/sub")).is_ok());
    for cwd in ["inside-evil", "inside/..", "inside/none/../../inside-evil", "none"] {
        let outcome = engine.run(request(cwd)).await.unwrap();
        let Outcome::Refused(refusal) = outcome else { panic!("{cwd}: {outcome:?}") };
        assert_eq!(refusal.code().name(), "policy.outside-workspace", "{cwd}");
        assert!(refusal.hint().is_some());
    }
    // A folder that is not there is no refusal as long as it would be inside.
    assert!(engine.run(request("inside/none")).await.is_err());
    // Whether the program is there is not told either.
    let spec = CommandSpec::exec("no-such-program-here").cwd(ground.top());
    let missing = engine.run(Request::by(Caller::library(), spec).within(workspace.clone())).await.unwrap();
    assert!(matches!(missing, Outcome::Refused(_)), "{missing:?}");
    let started = engine.start(request("inside-evil")).await.unwrap();
    assert!(matches!(started, Started::Refused(_)), "{started:?}");
    let shown = engine.explain(request("inside-evil")).unwrap();
    assert_eq!(shown.ruling().deciding().map(|found| found.rule.as_str()), Some("workspace"));
}
