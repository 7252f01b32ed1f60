//! Steps with real commands: order, conditions, tries, and going on where a run stopped.

use crate::run_world::World;
use runward_engine::core::policy::Decision;
use runward_engine::{Code, Coded, Policy};

fn steps(steps: &str, body: &str) -> World {
    World::new(&[("a.sh.md", &format!("---\nc: true\n_steps:\n{steps}\n---\n{body}"))])
}

#[tokio::test]
async fn a_step_reads_what_those_before_it_printed_and_the_body_reads_all() {
    let world = steps(
        "  - {id: one, run: echo first}\n  - {id: two, needs: one, run: \"echo {{ steps.one.stdout | upcase }}\"}",
        "echo '{{ steps.one.stdout }} {{ steps.two.stdout }} {{ steps.two.exit_code }}'",
    );
    assert_eq!(world.stdout(&["a.sh.md"]).await, "first FIRST 0\n");
}

#[tokio::test]
async fn steps_that_need_nothing_of_each_other_run_at_once() {
    // Each waits for the other: one after the other, neither would end.
    let wait = "touch {me}; until [ -e {other} ]; do sleep 0.01; done; echo {me}";
    let one = wait.replace("{me}", "a").replace("{other}", "b");
    let other = wait.replace("{me}", "b").replace("{other}", "a");
    let world = steps(
        &format!("  - {{id: a, run: '{one}'}}\n  - {{id: b, run: '{other}'}}"),
        "echo {{ steps.a.stdout }}{{ steps.b.stdout }}",
    );
    assert_eq!(world.stdout(&["a.sh.md"]).await, "ab\n");
}

#[tokio::test]
async fn a_step_has_its_own_command_without_the_flags_of_the_file() {
    let world = World::new(&[(
        "a.echo.md",
        "---\nmodel: x\n_steps:\n  - {id: own, run: hello}\n  - {id: other, command: claude, run: hello}\n---\n{{ steps.own.stdout }}|{{ steps.other.stdout }}",
    )])
    .program("claude", "echo \"claude $*\"");
    assert_eq!(world.prompt(&["a.echo.md"]).await, "--model x hello|claude --print hello");
}

#[tokio::test]
async fn a_step_runs_only_when_its_condition_becomes_true() {
    let world = steps(
        "  - {id: look, run: echo dirty}\n  - {id: fix, needs: look, when: \"{% if steps.look.stdout == 'dirty' %}true{% endif %}\", run: echo fixed}\n  - {id: never, needs: look, when: \"{{ steps.look.stdout }}\", run: touch ran}\n  - {id: next, needs: never, run: \"echo after\"}",
        "echo '{{ steps.fix.stdout }} {{ steps.never.skipped }} {{ steps.next.stdout }}'",
    );
    assert_eq!(world.stdout(&["a.sh.md"]).await, "fixed true after\n");
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_failing_step_is_tried_again_as_often_as_it_says() {
    let flaky = "echo x >> tries; test $(wc -l < tries) -ge 3";
    let world = steps(&format!("  - {{id: flaky, retry: 2, run: '{flaky}'}}"), "echo ok");
    assert_eq!(world.stdout(&["a.sh.md"]).await, "ok\n");
    assert_eq!(world.written("tries"), "x\nx\nx\n");
    let world = steps(&format!("  - {{id: flaky, retry: 1, run: '{flaky}'}}"), "echo ok");
    assert_eq!(world.error(&["a.sh.md"]).await.code(), Code::FlowStepFailed);
    assert_eq!(world.written("tries"), "x\nx\n");
}

#[tokio::test]
async fn after_a_failure_its_batch_ends_and_later_ones_are_skipped() {
    let world = steps(
        "  - {id: bad, run: 'echo why >&2; exit 5'}\n  - {id: beside, run: touch beside}\n  - {id: later, needs: beside, run: touch later}",
        "touch body",
    );
    let error = world.error(&["a.sh.md"]).await;
    assert_eq!(error.code(), Code::FlowStepFailed);
    assert_eq!(error.to_string(), "a step failed: `bad` (exit code 5); 1 more skipped; `bad` said: why");
    assert_eq!(error.mark().unwrap().line, 4, "the step that failed");
    assert!(world.has("beside"));
    assert!(!world.has("later") && !world.has("body"));
}

#[tokio::test]
async fn a_run_that_goes_on_uses_the_steps_that_ended_well() {
    let world = steps(
        "  - {id: one, run: 'echo x >> count; echo made'}\n  - {id: two, needs: one, run: 'test -e go && echo {{ steps.one.stdout }}'}",
        "echo {{ steps.two.stdout }}",
    );
    world.run(&["a.sh.md"]).await.unwrap_err();
    world.put("go", "");
    assert_eq!(world.stdout(&["a.sh.md", "--resume"]).await, "made\n");
    assert_eq!(world.written("count"), "x\n");
    assert_eq!(world.stdout(&["a.sh.md"]).await, "made\n");
    assert_eq!(world.written("count"), "x\nx\n", "without the word everything runs again");
}

#[tokio::test]
async fn a_step_runs_again_when_what_it_needs_came_to_something_else() {
    let world = steps(
        "  - {id: one, run: 'echo {{ x }} | tee made'}\n  - {id: two, needs: one, run: 'echo x >> count; cat made'}",
        "echo {{ steps.two.stdout }}",
    );
    assert_eq!(world.stdout(&["a.sh.md", "--x", "1"]).await, "1\n");
    assert_eq!(world.stdout(&["a.sh.md", "--x", "1", "--resume"]).await, "1\n");
    assert_eq!(world.written("count"), "x\n", "nothing has changed");
    assert_eq!(world.stdout(&["a.sh.md", "--x", "2", "--resume"]).await, "2\n");
    assert_eq!(world.written("count"), "x\nx\n");
}

#[tokio::test]
async fn both_spellings_of_an_exit_code_are_read() {
    let world = steps("  - {id: a, run: echo x}", "echo {{ steps.a.exitCode }}{{ steps.a.exit_code }}");
    assert_eq!(world.stdout(&["a.sh.md"]).await, "00\n");
}

#[tokio::test]
async fn a_step_that_has_changed_runs_again() {
    let world =
        steps("  - {id: one, run: 'echo {{ x }} >> count; echo {{ x }}'}", "echo {{ steps.one.stdout }}");
    assert_eq!(world.stdout(&["a.sh.md", "--x", "1"]).await, "1\n");
    assert_eq!(world.stdout(&["a.sh.md", "--x", "2", "--resume"]).await, "2\n");
    assert_eq!(world.written("count"), "1\n2\n");
}

#[tokio::test]
async fn steps_that_cannot_be_put_in_order_are_told_before_anything_runs() {
    let cases = [
        (
            "  - {id: a, needs: b, run: x}\n  - {id: b, needs: a, run: x}",
            "steps wait for each other: a → b → a",
            4,
        ),
        ("  - {id: a, run: x}\n  - {id: b, needs: c, run: x}", "step `b` needs `c`, which is no step", 5),
        ("  - {id: a, run: x}\n  - {id: a, run: x}", "two steps are named `a`", 5),
        ("  - {id: a, run: x}\n  - {id: b, rum: x}", "step `b` has an unknown key `rum`", 5),
        ("  - {id: a, run: x}\n  - {id: b}", "step `b` has no text under `run`", 5),
    ];
    for (text, message, line) in cases {
        let world = World::new(&[("a.sh.md", &format!("---\npre: touch ran\n_steps:\n{text}\n---\nbody"))]);
        let error = world.error(&["a.sh.md"]).await;
        assert_eq!((error.code(), error.to_string().as_str()), (Code::FlowBadStep, message));
        assert_eq!(error.mark().unwrap().line, line, "{message}");
        assert!(!world.has("ran"), "{message}");
    }
}

#[tokio::test]
async fn a_variable_that_only_a_step_reads_is_missed_before_anything_runs() {
    let world = World::new(&[(
        "a.sh.md",
        "---\npre: touch ran\nc: true\n_steps:\n  - id: one\n    run: |\n      echo\n      echo {{ who }}\n---\nbody",
    )]);
    let error = world.error(&["a.sh.md"]).await;
    assert_eq!(error.to_string(), "Missing required template variable: who");
    assert_eq!(error.mark().unwrap().line, 8);
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_command_in_a_step_fails_at_its_line() {
    let world = World::new(&[(
        "a.sh.md",
        "---\nc: true\n_steps:\n  - id: one\n    run: |\n      echo x\n      echo !`exit 1`\n---\nbody",
    )]);
    assert_eq!(world.error(&["a.sh.md"]).await.mark().unwrap().line, 7);
}

#[tokio::test]
async fn steps_import_and_run_commands_like_a_body_and_what_steps_print_is_data() {
    let world = World::new(&[
        (
            "a.echo.md",
            "---\n_steps:\n  - {id: one, run: '@./part.md !`printf %s {{ x | q }}`'}\n---\n{{ steps.one.stdout }}",
        ),
        ("part.md", "part"),
    ]);
    assert_eq!(
        world.prompt(&["a.echo.md", "--x", "{{ y }} !`touch ran`"]).await,
        "part {{ y }} !`touch ran`"
    );
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn without_a_body_the_output_is_what_the_last_steps_printed() {
    let world = steps(
        "  - {id: one, run: echo one}\n  - {id: two, needs: one, run: 'echo {{ steps.one.stdout }} two'}\n  - {id: alone, run: echo alone}",
        "\n  \n",
    );
    let ran = world.run(&["a.sh.md"]).await.unwrap();
    assert_eq!(ran.ready.finished.as_deref(), Some("one two\nalone"));
}

#[tokio::test]
async fn a_refused_step_is_the_policys_refusal_at_that_step() {
    let world = steps("  - {id: one, run: echo}\n  - {id: two, command: cat, run: a.sh.md}", "body")
        .policy(Policy::default().with(Decision::Deny, ["cat"]));
    let error = world.error(&["a.sh.md"]).await;
    assert_eq!(error.code().name(), "policy.denied");
    assert_eq!(error.mark().unwrap().line, 5);
}

#[tokio::test]
async fn a_step_prints_even_where_the_agent_gets_the_terminal() {
    let text = "---\n_interactive: true\n_steps:\n  - {id: one, run: ask}\n---\n{{ steps.one.stdout }}";
    let world = World::new(&[("a.claude.md", text)]).program("claude", "echo \"$*\"");
    assert_eq!(world.ready(&["a.claude.md"]).await.unwrap().command.args, ["--print ask"]);
}

#[tokio::test]
async fn a_step_that_is_used_again_is_not_remembered_twice() {
    let world = steps("  - {id: one, run: echo x}", "echo {{ steps.one.stdout }}");
    for line in [&["a.sh.md"][..], &["a.sh.md", "--resume"], &["a.sh.md", "--resume"]] {
        world.stdout(line).await;
    }
    assert_eq!(world.written("record.jsonl").lines().count(), 1);
}

#[tokio::test]
async fn a_template_that_reads_a_step_that_is_none_is_an_error() {
    let world = steps("  - {id: one, run: echo x}", "echo {{ steps.two.stdout }}");
    let error = world.error(&["a.sh.md"]).await;
    assert_eq!(error.code(), Code::FlowMissingVariable, "{error}");
    assert_eq!(error.to_string(), "`steps` has no `two`");
    assert_eq!(error.mark().unwrap().line, 6);
}

#[tokio::test]
async fn much_output_of_a_step_is_whole() {
    let world = steps(
        "  - {id: a, run: \"head -c 3000000 /dev/zero | tr '\\\\0' y\"}",
        "{{ steps.a.stdout | size }}",
    );
    assert_eq!(world.prompt(&["a.sh.md"]).await, "3000000");
}
