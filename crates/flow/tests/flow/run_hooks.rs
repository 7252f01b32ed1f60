//! Hooks, variables of the environment and the folder, each with a real shell.

use crate::run_world::World;
use runward_engine::core::policy::Decision;
use runward_engine::{Code, Coded, Policy};

#[tokio::test]
async fn the_hook_before_runs_first_and_its_output_stands_before_the_prompt() {
    for key in ["pre", "before"] {
        let text = format!(
            "---\n{key}: echo made > made.txt; echo first; echo aside >&2\n---\n!`cat made.txt` body"
        );
        let world = World::new(&[("a.echo.md", &text)]);
        assert_eq!(world.stdout(&["a.echo.md"]).await, "first\nmade body\n", "{key}");
    }
}

#[tokio::test]
async fn what_a_hook_prints_is_data() {
    let world = World::new(&[(
        "a.echo.md",
        "---\npre: |\n  printf '{{ x }} !`echo no` @./none.md $& \\\\1'\n---\nbody",
    )]);
    assert_eq!(world.stdout(&["a.echo.md"]).await, "{{ x }} !`echo no` @./none.md $& \\1\nbody\n");
}

#[tokio::test]
async fn a_failing_hook_before_ends_the_run_with_what_it_said() {
    let world = World::new(&[("a.echo.md", "---\npre: echo why >&2; exit 3\n---\n!`touch ran` body")]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code(), Code::FlowHookFailed);
    assert_eq!(error.to_string(), "Pre hook failed: exit code 3: why");
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn the_hook_after_runs_last_and_is_told_how_the_agent_ended() {
    for key in ["post", "after"] {
        let text = format!(
            "---\n{key}: echo \"$RUNWARD_EXIT_CODE $(cat ran)\" > told\nc: true\n---\necho agent > ran; exit 7"
        );
        let world = World::new(&[("a.sh.md", &text)]);
        let ran = world.run(&["a.sh.md"]).await.unwrap();
        assert_eq!((ran.exit_code, ran.note), (7, None), "{key}");
        assert_eq!(world.written("told"), "7 agent\n");
    }
}

#[tokio::test]
async fn a_failing_hook_after_is_only_told() {
    let world = World::new(&[("a.echo.md", "---\npost: echo why >&2; exit 3\n---\nbody")]);
    let ran = world.run(&["a.echo.md"]).await.unwrap();
    assert_eq!((ran.stdout.as_str(), ran.exit_code), ("body\n", 0));
    assert_eq!(ran.note.as_deref(), Some("Post hook failed: exit code 3: why"));
}

#[tokio::test]
async fn what_the_hook_after_prints_is_told_beside_the_agents_output() {
    let world = World::new(&[("a.echo.md", "---\npost: echo out; echo err >&2\n---\nbody")]);
    let ran = world.run(&["a.echo.md"]).await.unwrap();
    assert_eq!((ran.stdout.as_str(), ran.exit_code), ("body\n", 0));
    assert_eq!(ran.note.as_deref(), Some("Post hook printed: out\nerr"));
}

#[tokio::test]
async fn a_hook_of_two_names_or_of_no_text_is_refused() {
    for front in ["pre: a\nbefore: b", "post: a\nafter: b", "pre: [a]", "post: {a: b}"] {
        let world = World::new(&[("a.echo.md", &format!("---\n{front}\n---\nbody"))]);
        let error = world.error(&["a.echo.md"]).await;
        assert_eq!(error.code(), Code::FlowBadFrontMatter, "{front}");
        assert!(error.mark().is_some(), "{front}");
    }
}

#[tokio::test]
async fn hooks_are_judged_like_every_command() {
    let world = World::new(&[("a.echo.md", "---\npre: cat a.echo.md\n---\nbody")])
        .policy(Policy::default().with(Decision::Deny, ["cat"]));
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code().name(), "policy.denied");
    let world = World::new(&[("a.echo.md", "---\npost: cat a.echo.md\n---\nbody")])
        .policy(Policy::default().with(Decision::Deny, ["cat"]));
    let ran = world.run(&["a.echo.md"]).await.unwrap();
    assert!(ran.note.unwrap().starts_with("Post hook failed: "), "and the agent has run");
}

const SHOW: &str = "---\nc: true\n---\nprintf '%s,%s,%s,%s' \"$A\" \"$B\" \"$C\" \"$D\"";

#[tokio::test]
async fn env_files_beside_the_file_are_laid_over_each_other_in_order() {
    let world = World::new(&[
        ("sub/a.sh.md", SHOW),
        ("sub/.env", "A=1\nB=1\nC=1\nD=1\n"),
        ("sub/.env.local", "B=2\nC=2\nD=2\n"),
        ("sub/.env.test", "C=3\nD=3\n"),
        ("sub/.env.test.local", "D=4\n"),
        (".env", "A=elsewhere\n"),
    ]);
    assert_eq!(world.stdout(&["sub/a.sh.md"]).await, "1,2,2,2");
    assert_eq!(world.env("NODE_ENV", "test").stdout(&["sub/a.sh.md"]).await, "1,2,3,4");
}

#[tokio::test]
async fn the_real_environment_wins_over_files_and_the_front_matter_over_both() {
    let world = World::new(&[
        ("a.sh.md", "---\nc: true\nenv: {B: front, C: front}\n_env: {C: under}\n---\nprintf '%s,%s,%s,%s' \"$A\" \"$B\" \"$C\" \"$D\""),
        (".env", "A=file\nB=file\nD=file\n"),
    ])
    .env("A", "real")
    .env("B", "real");
    assert_eq!(world.stdout(&["a.sh.md"]).await, "real,front,under,file");
}

#[tokio::test]
async fn hooks_commands_and_the_agent_see_the_same_variables_and_folder() {
    let world = World::new(&[
        (
            "a.sh.md",
            "---\npre: 'pwd; echo \"hook $A\"'\npost: 'echo \"$A $(pwd)\" > told'\nenv: {A: x}\nc: true\n_cwd: sub\n---\n!`echo : $A $(pwd)` \"\n```\n#!/bin/sh\necho \": $A $(pwd)\"\n```\n\" ; echo agent $A $(pwd)",
        ),
        ("sub/keep", ""),
    ]);
    let sub = world.path("sub").display().to_string();
    let ran = world.run(&["a.sh.md"]).await.unwrap();
    assert!(
        ran.ready.prompt.text.starts_with(&format!("{sub}\nhook x\n: x {sub} \"\n: x {sub}\n\"")),
        "{}",
        ran.ready.prompt.text
    );
    assert!(ran.stdout.contains(&format!("agent x {sub}")), "{}", ran.stdout);
    assert_eq!(world.written("sub/told"), format!("x {sub}\n"));
}

#[tokio::test]
async fn commands_run_where_runward_was_called_not_where_the_file_lies() {
    let world = World::new(&[("sub/a.pwd.md", "---\n_cwd: \"\"\n---\n"), ("other/keep", "")]);
    assert_eq!(world.stdout(&["sub/a.pwd.md"]).await.trim(), world.root().display().to_string());
    assert_eq!(
        world.stdout(&["sub/a.pwd.md", "--_cwd", "other"]).await.trim(),
        world.path("other").display().to_string(),
        "the command line counts more"
    );
}

#[tokio::test]
async fn a_line_of_an_env_file_that_says_nothing_is_told() {
    let world = World::new(&[("a.echo.md", "---\n---\nx"), (".env", "A=1\nwhat is this\n")]);
    let notes = world.ready(&["a.echo.md"]).await.unwrap().account.notes;
    assert_eq!(notes, [".env:2:1: a line that says nothing is left out"]);
}
