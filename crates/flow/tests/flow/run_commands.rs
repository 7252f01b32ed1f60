//! Commands inside a text, run along a real road.

use crate::run_world::World;
use runward_engine::core::policy::Decision;
use runward_engine::{Code, Coded, Policy};

async fn prompt(body: &str) -> String {
    World::new(&[("a.echo.md", &format!("---\n---\n{body}"))]).prompt(&["a.echo.md"]).await
}

#[tokio::test]
async fn both_streams_of_a_command_are_put_where_it_stands() {
    assert_eq!(prompt("a !`echo one; echo two >&2` b").await, "a one\ntwo b");
}

#[tokio::test]
async fn a_command_is_text_for_sh_whatever_the_hosts_shell_is() {
    let world =
        World::new(&[("a.echo.md", "---\n---\n!`echo $0 ${x:-y} | tr a-z A-Z`")]).env("SHELL", "/bin/false");
    assert!(world.prompt(&["a.echo.md"]).await.ends_with("SH Y"));
}

#[tokio::test]
async fn colours_are_taken_out_of_what_a_command_prints() {
    assert_eq!(prompt(r"!`printf '\033[31mred\033[0m \033]8;;x\007link'`").await, "red link");
}

#[tokio::test]
async fn more_than_a_hundred_thousand_characters_are_cut_with_a_notice() {
    let text = prompt("!`head -c 100007 /dev/zero | tr '\\0' x` end").await;
    assert!(text.ends_with("x\n[… 7 more characters were left out] end"), "{}", &text[99_990..]);
    assert_eq!(text.matches('x').count() - "characters".matches('x').count(), 100_000);
}

#[tokio::test]
async fn what_is_not_even_kept_is_not_counted() {
    let text = prompt("!`head -c 3000000 /dev/zero | tr '\\0' y` end").await;
    assert!(text.contains("\n[… more than "), "{}", &text[99_990..]);
    assert_eq!(text.chars().filter(|c| *c == 'y').count(), 100_000);
}

#[tokio::test]
async fn a_command_that_fails_is_an_error_with_its_output_and_its_place() {
    let world = World::new(&[("a.echo.md", "---\n---\none\ntwo !`echo out; echo err >&2; exit 3`")]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code(), Code::FlowCommandFailed);
    let message = error.to_string();
    assert!(message.ends_with("failed with exit code 3; it printed: out\nerr"), "{message}");
    assert_eq!(error.mark().unwrap().place(), "a.echo.md:4:5");
}

#[tokio::test]
async fn a_command_in_an_imported_file_fails_at_its_place_there() {
    let world = World::new(&[("a.echo.md", "---\n---\n@./b.md"), ("b.md", "x\n!`exit 1`\n")]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.mark().unwrap().place(), "b.md:2:1");
}

#[tokio::test]
async fn what_a_command_prints_is_no_template_no_import_and_no_command() {
    let world = World::new(&[
        ("a.cat.md", "---\n---\n!`cat data` {{ x }}"),
        ("data", "{{ x }} {% if %} !`touch ran` @./b.md $& \\1\n```\n#!/bin/sh\ntouch ran\n```\n"),
        ("b.md", "B"),
    ]);
    let prompt = world.prompt(&["a.cat.md", "--x", "{{ y }} !`touch ran` @./b.md"]).await;
    assert_eq!(
        prompt,
        "{{ x }} {% if %} !`touch ran` @./b.md $& \\1\n```\n#!/bin/sh\ntouch ran\n``` {{ y }} !`touch ran` @./b.md"
    );
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn nothing_from_standard_input_is_looked_through() {
    let world =
        World::new(&[("a.echo.md", "---\n---\nbody {{ _stdin }}")]).stdin("{{ x }} !`touch ran` @./b.md");
    let text = "{{ x }} !`touch ran` @./b.md";
    assert_eq!(world.prompt(&["a.echo.md"]).await, format!("<stdin>\n{text}\n</stdin>\n\nbody {text}"));
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn templates_are_filled_before_a_command_runs() {
    let world = World::new(&[("a.echo.md", "---\n---\n!`printf '<%s>' {{ x | q }} {{ x | shell_escape }}`")]);
    let nasty = "it's; $(touch ran) `touch ran` \" & b";
    assert_eq!(world.prompt(&["a.echo.md", "--x", nasty]).await, format!("<{nasty}><{nasty}>"));
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn imports_come_before_templates_and_templates_before_commands() {
    let world = World::new(&[
        ("a.echo.md", "---\n_who: World\n---\n@./b.md"),
        ("b.md", "Hello {{ _who }}: !`echo {{ _who | upcase }}`"),
    ]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "Hello World: WORLD");
}

#[tokio::test]
async fn a_command_in_a_branch_that_is_not_taken_does_not_run() {
    let world =
        World::new(&[("a.echo.md", "---\n_go: no\n---\n{% if _go == 'yes' %}!`touch ran`{% endif %}end")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "end");
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_command_inside_code_is_text() {
    let body = "`` !`touch ran` `` and\n\n    !`touch ran`\n\n~~~\n!`touch ran`\n~~~";
    assert_eq!(prompt(body).await, body);
}

#[tokio::test]
async fn a_fence_with_an_interpreter_is_run_and_replaced() {
    let body = "before\n```python\n#!/usr/bin/env python3\nprint(6 * 7)\n```\nafter\n```sh\n#!/bin/sh -e\necho one\nfalse || echo two\n```";
    assert_eq!(prompt(body).await, "before\n42\nafter\none\ntwo");
}

#[tokio::test]
async fn a_fence_in_an_imported_file_or_in_another_fence_is_text() {
    let nested = "````md\n```sh\n#!/bin/sh\ntouch ran\n```\n````";
    let world = World::new(&[
        ("a.echo.md", &format!("---\n---\n{nested}\n@./b.md")),
        ("b.md", "```sh\n#!/bin/sh\ntouch ran\n```\n"),
    ]);
    let prompt = world.prompt(&["a.echo.md"]).await;
    assert_eq!(prompt, format!("{nested}\n```sh\n#!/bin/sh\ntouch ran\n```"));
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_fence_that_fails_names_its_interpreter_and_its_place() {
    let world = World::new(&[("a.echo.md", "---\n---\nx\n```sh\n#!/bin/sh\necho oh; exit 4\n```\n")]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.to_string(), "the fence for `/bin/sh` failed with exit code 4; it printed: oh");
    assert_eq!(error.mark().unwrap().line, 5, "the line that names it");
}

#[tokio::test]
async fn a_refused_command_is_the_policys_refusal_at_its_place() {
    for body in [
        "x !`cat a.echo.md`",
        "x\n```\n#!/bin/cat\n```",
        "@git:status",
        "x\n```\n#!/bin/sh\necho a\necho b | cat\n```",
    ] {
        let world = World::new(&[("a.echo.md", &format!("---\n---\n{body}"))])
            .policy(Policy::default().with(Decision::Deny, ["cat", "git"]));
        let error = world.error(&["a.echo.md"]).await;
        assert_eq!(error.code().name(), "policy.denied", "{body}: {error}");
        assert!(error.mark().is_some(), "{body}");
        assert!(Coded::hint(&error).is_some(), "{body}");
    }
}

#[tokio::test]
async fn a_command_is_asked_to_end_after_thirty_seconds() {
    use crate::gather_world::Fake;
    use runward_engine::core::spec::Wish;
    use std::time::Duration;
    let world = World::new(&[("a.echo.md", "---\n---\n!`true`\n```\n#!/bin/sh\n```\n")]);
    let asked = world.asked(Fake::default(), &["a.echo.md"]).await;
    let walls: Vec<_> = asked.iter().map(|spec| spec.limits.wall).collect();
    assert_eq!(walls, [Wish::At(Duration::from_secs(30)); 2]);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_such() {
    assert_eq!(prompt(r"!`printf 'a\377b'`").await, r"a\xffb");
}

#[tokio::test]
async fn a_fence_is_a_template_too() {
    let world = World::new(&[("a.echo.md", "---\n---\n```\n#!/bin/sh\nprintf '<%s>' {{ x | q }}\n```\n")]);
    let nasty = "'; touch ran; '\n```\n#!/bin/sh\ntouch ran\n```";
    assert_eq!(world.prompt(&["a.echo.md", "--x", nasty]).await, format!("<{nasty}>"));
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_zero_byte_in_what_a_command_prints_is_no_end_of_the_prompt() {
    let world = World::new(&[("a.echo.md", "---\n---\n!`printf 'a\\0b'` end")]);
    let stdout = world.stdout(&["a.echo.md"]).await;
    assert!(stdout.ends_with("b end\n"), "{stdout:?}");
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_an_error_with_a_code() {
    let world = World::new(&[("a.echo.md", "---\n_cwd: nowhere\n---\n!`pwd`")]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code().name(), "resolve.cwd-missing", "{error}");
}

#[tokio::test]
async fn a_fence_in_a_file_with_line_ends_of_windows_runs() {
    let world =
        World::new(&[("a.echo.md", "```\r\n#!/bin/sh\r\nif true; then\r\necho yes\r\nfi\r\n```\r\n")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "yes");
}
