//! The examples are true: each is expanded and run, with `echo` in the place of its agent.
#![expect(clippy::disallowed_methods, reason = "tests read the files that they try")]

use crate::run_world::World;
use runward_flow::front;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"))
}

/// Every agent by its name, with its text.
fn agents() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let agents = files.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut agents: Vec<_> = agents.map(read).filter(|(name, _)| name != "README.md").collect();
    agents.sort();
    agents
}

/// A repository with a tagged commit, two more, and a staged change; the examples lie in it.
async fn repository() -> World {
    let world = World::new(&[("src/lib.rs", "pub fn one() -> u8 { 1 }\n"), (".gitignore", "/bin\n")])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .program("gh", "echo \"gh $*: it does not start {{ x }}\"")
        .program("curl", "echo \"page of $5 {{ x }}\"");
    for (name, text) in agents() {
        world.put(&name, &text);
    }
    for name in ["triage/labels.md", "schema/customers.sql", "schema/orders.sql"] {
        world.put(name, &std::fs::read_to_string(folder().join(name)).unwrap());
    }
    let script = "set -e; git init -q; git config user.name N; git config user.email n@example.org
        git add src .gitignore; git commit -qm 'first'; git tag v1
        git commit -q --allow-empty -m 'add a door'; git commit -q --allow-empty -m 'mend the roof'
        echo 'pub fn two() -> u8 { 2 }' >> src/lib.rs; git add src";
    world.shell(script).await;
    world
}

#[tokio::test]
async fn every_example_runs_and_its_prompt_holds_what_it_is_about() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        (
            "review.claude.md",
            &["--focus", "security"],
            &["--model opus", "Look for security", "Follow every value", "M  src/lib.rs\n", "+pub fn two()"],
        ),
        ("commit.claude.md", &[], &["mend the roof\n", "+pub fn two()"]),
        ("explain-test.claude.md", &["echo failed: one; false"], &["failed: one"]),
        ("changelog.codex.md", &["--_version", "1.1"], &["\"1.1\"", "- mend the roof\n- add a door"]),
        (
            "translate.gemini.md",
            &["--to", "German", "--formal"],
            &["into German. Address the reader formally."],
        ),
        (
            "release-notes.claude.md",
            &["v1"],
            &["from v1 to HEAD", "List what is new", "mend the roof\nadd a door", "List the bugs"],
        ),
        (
            "triage.claude.md",
            &["--issue", "12"],
            &["`question`", "lib.rs", "gh issue view 12 --comments: it does not start {{ x }}"],
        ),
        ("document.claude.md", &["src/lib.rs"], &["One sentence for each item.", "pub fn one() -> u8 { 1 }"]),
        (
            "sql.claude.md",
            &["How many?", "--dialect", "SQLite"],
            &["one SQLite query", "How many?", "<orders path=\"schema/orders.sql\">", "{{ cents }}"],
        ),
        (
            "summarise.claude.md",
            &["https://example.org/a b"],
            &["in 5 sentences", "page of https://example.org/a b {{ x }}"],
        ),
    ];
    let world = repository().await;
    for (name, words, parts) in cases {
        let line = [&[*name, "--command", "echo"], *words].concat();
        let ran = world.run(&line).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((ran.exit_code, ran.note), (0, None), "{name}");
        for part in *parts {
            assert!(ran.stdout.contains(part), "{name} lacks {part:?}:\n{}", ran.stdout);
        }
    }
    let all: Vec<String> = agents().into_iter().map(|(name, _)| name).collect();
    let mut run: Vec<&str> = cases.iter().map(|(name, _, _)| *name).collect();
    run.sort_unstable();
    assert_eq!(run, all, "every example is run");
}

#[tokio::test]
async fn every_example_is_rehearsed_without_starting_anything() {
    let world = repository().await.program("git", "touch ran").program("claude", "touch ran");
    for (name, _) in agents() {
        let words = ["--dry-run", "--issue", "1", "x", "y"];
        world
            .ready(&[&[name.as_str()], &words[..]].concat())
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    assert!(!world.has("ran"));
}

#[test]
fn every_example_is_executable_described_and_in_the_table() {
    use std::os::unix::fs::PermissionsExt;
    let table = std::fs::read_to_string(folder().join("README.md")).unwrap();
    assert_eq!(agents().len(), 10);
    for (name, text) in agents() {
        assert!(text.starts_with("#!/usr/bin/env -S runward run\n---\ndescription: "), "{name}");
        assert!(front::read(&name, &text).unwrap().front.get("description").is_some(), "{name}");
        let mode = std::fs::metadata(folder().join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{name}");
        assert!(table.contains(&format!("| [{name}]({name}) |")), "{name}");
    }
}

#[tokio::test]
async fn a_commit_message_is_not_written_for_nothing() {
    let world = repository().await;
    world.shell("git reset -q --hard").await;
    let error = world.error(&["commit.claude.md", "-c", "echo"]).await;
    assert_eq!(error.to_string(), "Pre hook failed: exit code 1: nothing is staged");
}
