//! Patterns, trees, searches and git: data that is put into a prompt and never looked into.

use crate::gather_world::{Fake, World, prompt};
use runward_engine::{Coded, CommandSpec, Program};
use runward_flow::FlowError;
use runward_flow::run::gather::{Surroundings, gather};
use runward_flow::run::road::{Printed, Road};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Barrier;

#[tokio::test]
async fn a_pattern_gives_every_file_between_tags_sorted_and_as_data() {
    let world = World::new(&[
        ("src/b.ts", "B {{ x }} @./none !`no`"),
        ("src/a.test.ts", "A\n"),
        ("src/deep/c.ts", "C"),
        ("src/d.rs", "D"),
    ]);
    let expected = "<a.test path=\"src/a.test.ts\">\nA\n\n</a.test>\n<b path=\"src/b.ts\">\nB {{ x }} @./none !`no`\n</b>";
    let gathered = world.gather("@./src/*.ts").await.unwrap();
    assert!(!gathered.text.text().contains("{{"), "data is not in the template");
    assert_eq!(prompt(&gathered), expected);
    assert_eq!(gathered.notes, ["@./src/*.ts: 2 files, about 23 tokens"]);
    assert_eq!(
        (gathered.imports[0].what.as_str(), gathered.imports[0].characters),
        ("@./src/*.ts", expected.chars().count())
    );
}

#[tokio::test]
async fn patterns_know_folders_classes_and_question_marks() {
    let world = World::new(&[("a/x1.md", ""), ("a/b/x2.md", ""), ("a/b/c/x3.md", ""), ("a/b/y2.md", "")]);
    let paths = async |pattern: &str| -> Vec<String> {
        let prompt = world.prompt(&format!("@{pattern}")).await;
        prompt
            .lines()
            .filter_map(|line| Some(line.split_once("path=\"")?.1.split_once('"')?.0.to_owned()))
            .collect()
    };
    assert_eq!(paths("./a/**/x*.md").await, ["a/b/c/x3.md", "a/b/x2.md", "a/x1.md"]);
    assert_eq!(paths("./a/*/[xy]2.md").await, ["a/b/x2.md", "a/b/y2.md"]);
    assert_eq!(paths("./a/x?.md").await, ["a/x1.md"]);
    assert_eq!(paths("./a/b/../*.md").await, ["a/b/../x1.md"]);
    assert_eq!(
        paths(&format!("{}/a/x*", world.root().display())).await,
        [world.path("a/x1.md").display().to_string()]
    );
}

#[tokio::test]
async fn a_pattern_leaves_out_what_git_ignores_what_is_hidden_and_what_is_not_text() {
    let world = World::new(&[
        (".gitignore", "*.log\n/target\n"),
        ("a.md", "a"),
        ("b.log", "b"),
        ("target/c.md", "c"),
        (".hidden/d.md", "d"),
        (".git/e.md", "e"),
    ]);
    world.put("f.bin", b"\0");
    let gathered = world.gather("@./**/*").await.unwrap();
    assert_eq!(prompt(&gathered), "<a path=\"a.md\">\na\n</a>");
    assert_eq!(gathered.notes, ["@./**/*: 1 file, about 6 tokens, 1 left out, not text"]);
    assert_eq!(world.prompt("@./.hidden/*").await, "<d path=\".hidden/d.md\">\nd\n</d>");
}

#[tokio::test]
async fn a_pattern_is_read_from_the_file_it_stands_in() {
    let world = World::new(&[("sub/a.md", "@./*.txt"), ("sub/x y.txt", "X"), ("y.txt", "Y")]);
    assert_eq!(world.prompt("@./sub/a.md").await, "<x-y path=\"x y.txt\">\nX\n</x-y>");
}

#[tokio::test]
async fn a_pattern_without_a_match_is_an_error_that_names_it() {
    let world = World::new(&[("a.md", "a")]);
    world.put("b.bin", b"\0");
    for pattern in ["./*.ts", "./none/*", "./*.bin"] {
        let error = world.gather(&format!("x\n@{pattern}")).await.unwrap_err();
        assert_eq!(
            (error.code().name(), error.to_string()),
            ("flow.import-missing", format!("no file matches `{pattern}`"))
        );
        assert_eq!(error.mark().unwrap().place(), "main.md:2:1");
    }
}

#[tokio::test]
async fn the_tree_shows_what_git_does_not_ignore() {
    let world = World::new(&[(".gitignore", "no\n"), ("a/b/c", ""), ("a/d", ""), ("e", ""), ("no", "")]);
    let expected = ".\n├── a/\n│   ├── b/\n│   │   └── c\n│   └── d\n└── e\n";
    assert_eq!(world.prompt("@tree").await, expected);
}

#[tokio::test]
async fn a_search_gives_path_line_and_text() {
    let world = World::new(&[
        ("a.rs", "x\n// TODO one\n"),
        ("b/c.rs", "TODO(two) {{ x }}\n"),
        (".gitignore", "d\n"),
        ("d", "TODO"),
    ]);
    world.put("bin", b"TODO\0");
    assert_eq!(world.prompt("@rg:TODO|FIXME").await, "a.rs:2:// TODO one\nb/c.rs:1:TODO(two) {{ x }}\n");
    let nothing = world.gather("@rg:NOTHING").await.unwrap();
    assert_eq!(
        (prompt(&nothing).as_str(), nothing.notes),
        ("", vec!["@rg:NOTHING: no line matches".to_owned()])
    );
}

#[tokio::test]
async fn a_search_is_bounded() {
    let world = World::new(&[("a", &"hit\n".repeat(600)), ("b", &format!("wide{}", "x".repeat(600)))]);
    let many = world.prompt("@rg:hit").await;
    assert_eq!(many.lines().count(), 501);
    assert!(many.ends_with("[more than 500 lines match, the rest is left out]\n"));
    assert_eq!(world.prompt("@rg:wide").await.chars().count(), "b:1:".len() + 500 + "…\n".chars().count());
}

#[tokio::test]
async fn a_search_for_no_expression_is_an_error() {
    let error = World::new(&[]).gather("@rg:a(b").await.unwrap_err();
    assert_eq!(error.code().name(), "flow.bad-argument");
    assert_eq!(error.to_string(), "`a(b` is no regular expression: unclosed group");
    assert_eq!(error.mark().unwrap().place(), "main.md:1:1");
}

/// The program and the words of a command.
fn words(spec: &CommandSpec) -> Vec<String> {
    let Program::Exec { name, args, .. } = &spec.program else { panic!("a shell") };
    std::iter::once(name).chain(args).map(|word| word.to_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn git_is_asked_along_the_road_and_what_it_says_is_data() {
    let world = World::new(&[]);
    let answer =
        Printed { stdout: "{{ said }} !`x`\n".to_owned(), stderr: "warned".to_owned(), ..Printed::default() };
    let road = Arc::new(Fake { answer, ..Fake::default() });
    let surroundings = Surroundings::new(world.root(), Some(Arc::clone(&road)));
    let text = "@git:diff @git:staged @git:status @git:log(3)";
    let gathered = gather(&world.main(text), Arc::new(surroundings)).await.unwrap();
    assert_eq!(prompt(&gathered), ["{{ said }} !`x`\n"; 4].join(" "));
    let asked = road.asked.lock().unwrap();
    let mut words: Vec<String> = asked.iter().map(|spec| words(spec).join(" ")).collect();
    words.sort();
    assert_eq!(
        words,
        ["git diff", "git diff --staged", "git log --oneline --max-count=3", "git status --short --branch"]
    );
    assert!(asked.iter().all(|spec| spec.cwd.as_deref() == Some(world.root())));
}

#[tokio::test]
async fn a_rehearsal_says_what_it_did_not_ask() {
    let world = World::new(&[]);
    assert_eq!(world.prompt("@git:log(2).").await, "[@git:log(2) is not run by --dry-run].");
}

#[tokio::test]
async fn git_that_fails_is_an_error_with_what_it_said() {
    let world = World::new(&[]);
    let answer =
        Printed { exit_code: 128, stderr: "fatal: not a git repository\n".to_owned(), ..Printed::default() };
    let road = Fake { answer, ..Fake::default() };
    let error = world.gather_in("@git:diff", Surroundings::new(world.root(), Some(road))).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.command-failed");
    assert_eq!(error.to_string(), "`@git:diff` failed with exit code 128: fatal: not a git repository");
}

/// A road on which nobody arrives before ten are on their way.
struct TenByTen {
    together: Barrier,
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Road for TenByTen {
    fn hush(&self, _: &str) {}

    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.together.wait().await;
        self.now.fetch_sub(1, Ordering::SeqCst);
        let stdout = words(&spec).pop().unwrap().replace("--max-count=", "");
        Ok(Printed { stdout, ..Printed::default() })
    }
}

#[tokio::test]
async fn ten_imports_are_fetched_at_once_and_stand_in_their_order() {
    let world = World::new(&[]);
    let road = Arc::new(TenByTen {
        together: Barrier::new(10),
        now: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
    });
    let surroundings = Surroundings::new(world.root(), Some(Arc::clone(&road)));
    let text: Vec<String> = (1..=40).map(|n| format!("@git:log({n})")).collect();
    let gathered = gather(&world.main(&text.join(" ")), Arc::new(surroundings)).await.unwrap();
    let expected: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    assert_eq!(prompt(&gathered), expected.join(" "));
    assert_eq!(road.most.load(Ordering::SeqCst), 10);
}

#[tokio::test]
async fn what_git_ignores_is_left_out_however_the_pattern_is_spelled() {
    let files =
        [(".gitignore", "secret/\n"), ("secret/k.txt", "k"), ("secret/sub/q.txt", "q"), ("open/o.txt", "o")];
    let world = World::new(&files);
    for pattern in ["@./secret/*.txt", "@./secret/**/*.txt", "@./secret/sub/*", "@./secre?/*.txt"] {
        assert_eq!(
            world.gather(pattern).await.unwrap_err().code().name(),
            "flow.import-missing",
            "{pattern}"
        );
    }
    assert!(world.prompt("@./open/*.txt").await.contains("o.txt"));
}
