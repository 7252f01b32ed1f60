//! What stays unchanged inside writable folders of a sandbox, and what cannot be read.

use crate::ground::{Ground, lets, refuses};
use runward_engine::{CommandSpec, Mode, SandboxWish};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn with_git(ground: &Ground) {
    for folder in ["hooks", "objects/info", "refs/heads"] {
        std::fs::create_dir_all(ground.work(".git").join(folder)).unwrap();
    }
    std::fs::write(ground.work(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(ground.work(".git/config"), "[core]\n").unwrap();
    std::fs::write(ground.work(".git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
    std::fs::write(ground.work(".runward.toml"), "").unwrap();
}

#[tokio::test]
async fn what_others_take_for_orders_stays_as_it_is() {
    let ground = Ground::new(Mode::WorkspaceWrite);
    with_git(&ground);
    for text in [
        "echo x > .git/hooks/pre-commit",
        "echo x > .git/hooks/post-commit",
        "rm .git/hooks/pre-commit",
        "chmod 777 .git/hooks/pre-commit",
        "rmdir .git/hooks",
        "mv .git/hooks .git/old",
        "mv .git old && mkdir -p .git/hooks",
        "mv .git/config .git/old",
        "rm -f .git/config",
        "echo x >> .git/config",
        "git config core.hooksPath /tmp",
        "echo x > .runward.toml",
        "rm -f .runward.toml",
        "mv .runward.toml old",
        "echo x > other && mv other .runward.toml",
        "ln -sf /etc .git/hooks/link",
        "echo x > /proc/self/cwd/.git/config",
    ] {
        refuses(&ground, text).await;
    }
    lets(&ground, "echo x > .git/index && echo y > .git/objects/a && rm .git/index").await;
    assert_eq!(names(&ground.work(".git")), ["HEAD", "config", "hooks", "objects", "refs"]);
    assert_eq!(std::fs::read_to_string(ground.work(".git/config")).unwrap(), "[core]\n");
}

#[tokio::test]
async fn a_link_in_such_a_place_stays_and_so_does_what_it_leads_to() {
    let mut ground = Ground::new(Mode::WorkspaceWrite);
    with_git(&ground);
    std::fs::rename(ground.work(".git/hooks"), ground.work("githooks")).unwrap();
    std::fs::rename(ground.work(".git"), ground.work("repository")).unwrap();
    std::os::unix::fs::symlink("../githooks", ground.work("repository/hooks")).unwrap();
    std::os::unix::fs::symlink("repository", ground.work(".git")).unwrap();
    std::fs::write(ground.work("settings"), "").unwrap();
    std::os::unix::fs::symlink("settings", ground.work("runward.toml")).unwrap();
    ground.settings.protected = vec![ground.work("runward.toml")];
    for text in [
        "rm .git",
        "mv .git old && mkdir -p .git/hooks",
        "ln -sfn /tmp .git",
        "rm .git/hooks",
        "ln -sfn /tmp repository/hooks",
        "mv repository other",
        "echo x > .git/hooks/pre-commit",
        "echo x > githooks/pre-commit",
        "mv githooks other",
        "echo x > repository/config",
        "rm runward.toml",
        "ln -sf /tmp/x runward.toml",
        "echo x > runward.toml",
        "echo x > settings",
    ] {
        refuses(&ground, text).await;
    }
    lets(&ground, "echo x > .git/index && cat githooks/pre-commit").await;
}

#[tokio::test]
async fn what_is_denied_cannot_be_read_by_any_way() {
    for mode in [Mode::WorkspaceWrite, Mode::ReadOnly] {
        let mut ground = Ground::new(mode);
        std::fs::create_dir(ground.work("keys")).unwrap();
        std::fs::write(ground.work("keys/one"), "secret-one").unwrap();
        std::fs::write(ground.work(".env"), "secret-two").unwrap();
        std::fs::write(ground.work("open"), "no secret").unwrap();
        std::os::unix::fs::symlink(".env", ground.work("before")).unwrap();
        ground.settings.deny_read = vec![ground.work("keys"), ground.work(".env"), "/etc/shadow".into()];
        for text in [
            "cat .env",
            "cat ./.e*",
            "cat \"$PWD/.env\"",
            "cat before",
            "cp .env /tmp/x && cat /tmp/x",
            "ln .env x && cat x",
            "ln -s .env x; cat x",
            "mv .env x && cat x",
            "rm .env && cat .env",
            "chmod 644 .env && cat .env",
            "dd if=.env",
            "tar cf /tmp/x .env && tar xOf /tmp/x",
            "cat keys/one",
            "ls keys",
            "cd keys",
            "mv keys other && cat other/one",
            "cat /proc/self/root$PWD/.env",
            "cat /proc/self/cwd/.env",
            "cat /proc/1/root$PWD/.env",
            "cat /proc/$PPID/root$PWD/.env",
            "cat /proc/$PPID/cwd/.env",
            "cat /etc/shadow",
            "umount .env && cat .env",
        ] {
            let said = refuses(&ground, text).await;
            assert!(!said.contains("secret"), "{text}: {said}");
        }
        assert_eq!(lets(&ground, "cat open").await, "no secret");
        assert_eq!(std::fs::read_to_string(ground.work(".env")).unwrap(), "secret-two");
        assert_eq!(std::fs::read_to_string(ground.work("keys/one")).unwrap(), "secret-one");
    }
}

#[tokio::test]
async fn a_commands_own_wish_tightens_and_never_loosens() {
    let ground = Ground::new(Mode::WorkspaceWrite);
    std::fs::write(ground.work("secret"), "secret").unwrap();
    let mut strict = CommandSpec::shell("cat secret; echo x > made").timeout(testkit::LIMIT);
    strict.sandbox = SandboxWish {
        mode: Some(Mode::ReadOnly),
        deny_read: vec![ground.work("secret")],
        ..SandboxWish::default()
    };
    let receipt = ground.run(strict).await;
    assert_ne!(receipt.end.exit_code(), 0);
    assert_eq!(receipt.stdout.kept.bytes(), b"");
    assert!(!ground.work("made").exists());

    let ground = Ground::new(Mode::ReadOnly);
    let mut lax = CommandSpec::shell("echo x > made").timeout(testkit::LIMIT);
    lax.sandbox = SandboxWish { mode: Some(Mode::Off), ..SandboxWish::default() };
    let receipt = ground.run(lax).await;
    assert_eq!(receipt.sandbox, ["namespaces", "landlock", "seccomp"]);
    assert!(receipt.end.exit_code() != 0 && !ground.work("made").exists());
}
