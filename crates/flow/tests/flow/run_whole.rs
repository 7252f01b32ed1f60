//! Whole agents: what their text becomes, shown; and rehearsals, which start nothing.

use crate::run_world::World;
use runward_flow::run::BuiltAgent;

const AGENT: &str = "#!/usr/bin/env -S runward run
---
description: Looks at a change
model: opus
add-dir: [src]
args: [focus]
_depth: 2
env: {LOUD: yes}
pre: echo from the hook
---
# Look at {{ focus | upcase }}

@./rules.md
@./src/*.rs
Lines: @./src/a.rs:2-3

{% for n in (1.._depth) %}{{ n }}. {% endfor %}

!`printf '%s %s' {{ focus | q }} \"$LOUD\"`

```sh
#!/bin/sh
echo from the fence
```

`!`echo no`` and user@example.com stay.
";

fn world() -> World {
    World::new(&[
        ("look.claude.md", AGENT),
        ("rules.md", "Rule for {{ focus }}: !`echo inner`\n"),
        ("src/a.rs", "fn a() {}\nfn b() {}\nfn c() {}\n"),
        ("src/b.rs", "// {{ not a template }}\n"),
    ])
    .program("claude", "exit 0")
}

fn shown(world: &World, ready: &BuiltAgent) -> String {
    let mut text = format!(
        "{} {}\n",
        ready.command.executable,
        ready.command.args[..ready.command.args.len() - 1].join(" ")
    );
    text += &format!("env: {:?}\ncwd: {}\n", ready.command.env, ready.command.cwd.display());
    for import in &ready.account.imports {
        text += &format!("import: {} from {}, {} characters\n", import.what, import.from, import.characters);
    }
    for note in &ready.account.notes {
        text += &format!("note: {note}\n");
    }
    text += &format!("tokens: {}\n---\n{}", ready.prompt.estimated_tokens(), ready.prompt.text);
    text.replace(&world.root().display().to_string(), "<root>")
}

#[tokio::test]
async fn an_agent_with_everything_in_it_becomes_this() {
    let world = world();
    let ready = world.ready(&["look.claude.md", "it's"]).await.unwrap();
    insta::assert_snapshot!(shown(&world, &ready));
}

#[tokio::test]
async fn a_rehearsal_of_it_names_what_it_does_not_run() {
    let world = world();
    let ready = world.ready(&["look.claude.md", "it's", "--dry-run"]).await.unwrap();
    insta::assert_snapshot!(shown(&world, &ready));
}

#[tokio::test]
async fn agents_in_a_pipe_read_each_other() {
    let first = World::new(&[("a.echo.md", "---\n---\nfirst")]).stdin("x").stdout(&["a.echo.md"]).await;
    let second = World::new(&[("b.echo.md", "---\n---\nsecond")]).stdin(&first).stdout(&["b.echo.md"]).await;
    assert_eq!(second, "<stdin>\n<stdin>\nx\n</stdin>\n\nfirst\n\n</stdin>\n\nsecond\n");
}

#[tokio::test]
async fn a_rehearsal_runs_no_hook_no_command_no_fence_no_step_and_no_git() {
    let text = "---\npre: touch ran\npost: touch ran\n_steps: [{id: s, run: touch ran}]\n---\n!`touch ran` @git:diff {{ steps.s.stdout }}\n```\n#!/bin/sh\ntouch ran\n```\n";
    let world = World::new(&[("a.sh.md", text)]);
    let prompt = world.prompt(&["a.sh.md", "--dry-run"]).await;
    assert_eq!(prompt.matches("not run by --dry-run").count(), 5, "{prompt}");
    assert!(!world.has("ran") && !world.has("record.jsonl"));
}

#[tokio::test]
async fn the_exit_code_of_the_agent_is_the_exit_code() {
    let world = World::new(&[("a.sh.md", "---\nc: true\n---\nexit 42")]);
    assert_eq!(world.run(&["a.sh.md"]).await.unwrap().exit_code, 42);
}
