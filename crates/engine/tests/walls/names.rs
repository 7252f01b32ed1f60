//! Names that do not exist yet and that others would obey: nothing of ours is ever made there, and what a command makes
//! is moved aside and reported.

use crate::ground::{Ground, lets, refuses};
use runward_engine::{CommandSpec, Mode, Receipt, Started};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A workspace with a repository that has one commit.
async fn committed(mode: Mode) -> Ground {
    let ground = Ground::new(mode);
    let plain = Ground::new(Mode::Off).layers(&[]);
    let text = format!(
        "cd '{}' && git init -q -b main . && git config user.name a && git config user.email a@b && echo x > f && \
         git add f && git commit -qm one",
        ground.work("").display()
    );
    lets(&plain, &text).await;
    ground
}

async fn receipt(ground: &Ground, text: &str) -> Receipt {
    ground.run(CommandSpec::shell(text).timeout(testkit::LIMIT)).await
}

/// Whether git outside still finds the repository that was there, and nothing else.
async fn is_whole(ground: &Ground) {
    let plain = Ground::new(Mode::Off).layers(&[]);
    let work = ground.work("").canonicalize().unwrap();
    let said = lets(
        &plain,
        &format!(
            "cd '{}' && git rev-parse --git-dir --git-common-dir && git log -1 --format=%s",
            work.display()
        ),
    )
    .await;
    assert_eq!(said, ".git\n.git\none\n");
}

#[tokio::test]
async fn what_appears_where_git_would_obey_it_is_moved_aside_and_told() {
    let ground = committed(Mode::WorkspaceWrite).await;
    for (text, name) in [
        ("echo ../evil > .git/commondir", ".git/commondir"),
        ("mkdir .git/commondir", ".git/commondir"),
        ("ln -s /tmp .git/commondir", ".git/commondir"),
        ("ln -s nowhere .git/commondir", ".git/commondir"),
        ("mkfifo .git/commondir", ".git/commondir"),
        ("echo x > y && mv y .git/commondir", ".git/commondir"),
        ("echo x > .git/y && ln .git/y .git/config.worktree && rm .git/y", ".git/config.worktree"),
        ("echo '[core]' > .git/config.worktree", ".git/config.worktree"),
        ("echo /x > .git/objects/info/alternates", ".git/objects/info/alternates"),
        (
            "rmdir .git/objects/info; mkdir -p .git/objects/info && echo /x > .git/objects/info/http-alternates",
            ".git/objects/info/http-alternates",
        ),
        ("(sleep 0.2; echo x > .git/commondir) & exit 0", ".git/commondir"),
        ("echo x > .git/commondir; chmod 500 .git", ".git/commondir"),
        ("chmod 700 .git; echo x > .git/commondir; chmod 0 .git", ".git/commondir"),
    ] {
        let receipt = receipt(&ground, text).await;
        let appeared = std::fs::symlink_metadata(ground.work(name));
        assert!(appeared.is_err(), "{text}: {receipt:?}");
        if text.contains("sleep") {
            // What is left of a command is killed before it comes to that.
            continue;
        }
        let told: Vec<String> = receipt.set_aside.iter().map(|path| path.display().to_string()).collect();
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        assert!(told.iter().any(|path| path.contains(&format!("/{file}.set-aside-"))), "{text}: {told:?}");
        assert!(
            receipt.set_aside.iter().all(|path| std::fs::symlink_metadata(path).is_ok()),
            "{text}: {told:?}"
        );
        assert!(receipt.notes.iter().any(|note| note.contains("it was moved aside to")), "{text}");
        is_whole(&ground).await;
        receipt.set_aside.iter().for_each(|path| {
            std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path)).unwrap();
        });
    }
}

#[tokio::test]
async fn what_appears_is_gone_while_the_command_still_runs() {
    let ground = committed(Mode::WorkspaceWrite).await;
    let text = "echo x > .git/commondir; for i in $(seq 1000); do test -e .git/commondir || exit 0; sleep 0.01; done; exit 1";
    assert_eq!(receipt(&ground, text).await.end.exit_code(), 0);
    let busy = "for i in $(seq 300); do echo x > .git/commondir; done";
    let receipt = receipt(&ground, busy).await;
    assert!(!ground.work(".git/commondir").exists());
    assert!(!receipt.set_aside.is_empty());
    is_whole(&ground).await;
}

#[tokio::test]
async fn a_repository_stays_one() {
    let ground = committed(Mode::WorkspaceWrite).await;
    let bare = "mkdir -p objects refs && cp .git/HEAD HEAD; echo '[core]' > config; ";
    for text in [
        "rm .git/HEAD",
        "mv .git/HEAD .git/OLD",
        "echo nonsense > .git/HEAD",
        "rm .git/HEAD; mkdir .git/HEAD",
        "rm .git/HEAD; mkfifo .git/HEAD",
        "rm .git/HEAD; ln -s /etc/passwd .git/HEAD",
        "rm .git/HEAD; chmod 500 .git",
        "chmod 0 .git/HEAD; true",
        "chmod 0 .git/objects",
        "chmod 0 .git/refs",
        "chmod 0 .git",
        "rm -rf .git/refs; mv .git/objects x; true",
    ] {
        let receipt = receipt(&ground, &format!("{bare}{text}")).await;
        assert!(ground.work(".git/objects").is_dir() && ground.work(".git/refs").is_dir(), "{text}");
        let head = std::fs::read_to_string(ground.work(".git/HEAD")).unwrap();
        assert_eq!(head, "ref: refs/heads/main\n", "{text}: {:?}", receipt.notes);
        // To root a mode is nothing, so there it may have stayed a repository.
        let told = receipt.notes.iter().any(|note| note.contains("was no repository any more"));
        assert!(told || text.contains("chmod 0") || text.contains("refs"), "{text}: {:?}", receipt.notes);
    }
}

#[tokio::test]
async fn everyday_git_works_and_what_cannot_says_why() {
    let ground = committed(Mode::WorkspaceWrite).await;
    for text in [
        "echo y > g && git add -A && git commit -qm two && git log --oneline | wc -l",
        "echo z > g && git stash -q && git stash pop -q && git checkout -q g",
        "git checkout -q -b other && git checkout -q main && git branch -D other -q",
        "git tag v1 && git gc -q && git reset -q --hard HEAD && git mv g h && git commit -qam three",
        "git worktree add -q tree && cd tree && echo t > t && git add t && git commit -qm four && git status",
        "git worktree list && git rebase -q HEAD~1 && git fsck && git merge -q tree",
    ] {
        lets(&ground, text).await;
    }
    assert_eq!(std::fs::read_to_string(ground.work(".git/worktrees/tree/commondir")).unwrap(), "../..\n");
    for (text, why) in [
        ("git sparse-checkout set f", "could not write config file .git/config: Device or resource busy"),
        ("git config a.b c", "could not write config file .git/config: Device or resource busy"),
        ("git remote add origin x", "could not write config file .git/config: Device or resource busy"),
        ("git worktree remove --force tree", "failed to delete"),
    ] {
        let said = refuses(&ground, text).await;
        assert!(said.contains(why), "{text}: {said}");
    }
    let text = "git worktree add -q bad; echo /tmp > .git/worktrees/bad/commondir; echo x > .git/worktrees/bad/config.worktree";
    let told = receipt(&ground, text).await.set_aside;
    assert_eq!(told.len(), 2, "{told:?}");
    let other = "echo x > .git/worktrees/tree/commondir";
    refuses(&ground, other).await;
    refuses(&ground, "echo x > .git/worktrees/tree/gitdir").await;
    refuses(&ground, "rm tree/.git").await;
    assert!(!receipt(&ground, "echo x > .git/worktrees/tree/config.worktree").await.set_aside.is_empty());
}

#[tokio::test]
async fn submodules_are_kept_like_the_repository_around_them() {
    let ground = committed(Mode::WorkspaceWrite).await;
    let plain = Ground::new(Mode::Off).layers(&[]);
    let add = |name: &str| {
        format!(
            "cd '{0}' && git -c protocol.file.allow=always submodule --quiet add '{0}' {name} && git commit -qm {name}",
            ground.work("").display()
        )
    };
    lets(&plain, &add("parts/sub")).await;
    for text in [
        "echo x > .git/modules/parts/sub/config",
        "echo x > .git/modules/parts/sub/hooks/pre-commit",
        "mv .git/modules .git/old",
        "mv .git/modules/parts/sub .git/modules/parts/old",
        "rm parts/sub/.git",
        "echo 'gitdir: /tmp' > parts/sub/.git",
        "mv parts/sub x",
    ] {
        refuses(&ground, text).await;
    }
    for text in
        ["echo x > .git/modules/parts/sub/commondir", "echo x > .git/modules/parts/sub/config.worktree"]
    {
        assert_eq!(receipt(&ground, text).await.set_aside.len(), 1, "{text}");
    }
    lets(
        &ground,
        "cd parts/sub && echo y > y && git add y && git -c user.name=a -c user.email=a@b commit -qm y",
    )
    .await;
    for number in 0..9 {
        lets(&plain, &add(&format!("m{number}"))).await;
    }
    refuses(&ground, "echo x > .git/modules/m3/commondir").await;
    refuses(&ground, "echo x > m7/.git").await;
    lets(&ground, "git status").await;
}

#[tokio::test]
async fn nothing_of_ours_is_seen_added_committed_or_left() {
    let ground = committed(Mode::WorkspaceWrite).await;
    let said =
        lets(&ground, "ls -A && git status --porcelain && git add -A && git commit -qm none; ls -A").await;
    assert!(said.starts_with(".git\nf\n") && said.ends_with(".git\nf\n"), "{said}");
    assert!(said.contains("nothing to commit"), "{said}");
    let empty = Ground::new(Mode::WorkspaceWrite);
    assert_eq!(lets(&empty, "ls -A").await, "");
    assert_eq!(names(&empty.work("")), [""; 0]);
    lets(&empty, "echo 'policy.allow = []' > .runward.toml").await;
    assert_eq!(names(&empty.work("")), [".runward.toml"], "a project's rules can only tighten");
}

#[tokio::test]
async fn a_repository_that_was_made_inside_is_told() {
    for text in ["git init -q .", "mkdir .git", "git clone -q . x 2> /dev/null; git init -q --bare ."] {
        let ground = Ground::new(Mode::WorkspaceWrite);
        let receipt = receipt(&ground, text).await;
        assert!(
            receipt.notes.iter().any(|note| note.contains("there is a new repository in")),
            "{text}: {receipt:?}"
        );
    }
    let ground = committed(Mode::WorkspaceWrite).await;
    assert_eq!(receipt(&ground, "git status").await.notes, [""; 0]);
}

#[tokio::test]
async fn what_runward_reads_does_not_come_into_being() {
    let mut ground = Ground::new(Mode::WorkspaceWrite);
    ground.settings.protected = vec![ground.work("state/journal"), ground.work("runward.toml")];
    for text in [
        "echo x > runward.toml",
        "mkdir -p state/journal",
        "mkdir real; ln -s real state",
        "mkdir -p state; sleep 0.1; mkdir state/journal",
    ] {
        let receipt = receipt(&ground, text).await;
        assert_eq!(receipt.set_aside.len(), 1, "{text}: {receipt:?}");
        assert!(!ground.work("runward.toml").exists() && !ground.work("state/journal").exists(), "{text}");
        for name in names(&ground.work("")) {
            let path = ground.work(&name);
            std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path)).unwrap();
        }
    }
    assert_eq!(
        receipt(&ground, "mkdir -p state/other").await.set_aside,
        [""; 0].map(std::path::PathBuf::from)
    );
    assert!(ground.work("state/other").exists(), "what lies beside it is nobody's concern");
}

#[tokio::test]
async fn a_killed_warden_leaves_nothing_and_another_looks_in_its_place() {
    let ground = committed(Mode::WorkspaceWrite).await;
    let plain = Ground::new(Mode::Off).layers(&[]);
    let engine = ground.engine();
    for round in 0..12 {
        let text = "echo x > .git/commondir; echo ready; while :; do echo x > .git/commondir; done";
        let mut spec = CommandSpec::shell(text).timeout(testkit::LIMIT);
        spec.stdin = runward_engine::StdinSpec::Open;
        let Started::Running(session) = engine.start(ground.request(&engine, spec)).await.unwrap() else {
            panic!("refused")
        };
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", session.pid())).unwrap();
        let warden = stat.rsplit_once(") ").unwrap().1.split(' ').nth(1).unwrap();
        lets(&plain, &format!("kill -KILL {warden}")).await;
        let receipt = session.wait().await.unwrap();
        assert!(!ground.work(".git/commondir").exists(), "round {round}: {receipt:?}");
        let ours = |name: &String| name != ".git" && name != "f";
        assert_eq!(names(&ground.work("")).into_iter().filter(ours).count(), 0, "round {round}");
    }
    is_whole(&ground).await;
}
