//! What is run for another repository: submodules, missing objects, remotes.

use crate::planted::{Planted, terms};
use runward_engine::core::policy::CommandForm;
use std::fs;

/// A repository with a submodule that has a filter in its own settings.
fn with_submodule() -> Planted {
    let planted = Planted::new("");
    let other = planted.beside("other");
    fs::create_dir(&other).unwrap();
    planted.git_in(&other, &["init", "-q", "."]);
    fs::write(other.join(".gitattributes"), "*.txt filter=f\n").unwrap();
    fs::write(other.join("b.txt"), "one\n").unwrap();
    planted.git_in(&other, &["add", "."]);
    planted.git_in(&other, &["commit", "-q", "-m", "first"]);
    planted.git(&format!("-c protocol.file.allow=always submodule add -q {} sub", other.display()));
    planted.commit("submodule");
    let inside = planted.repository().join("sub");
    planted.git_in(&inside, &["config", "filter.f.clean", &planted.program("clean", "cat")]);
    planted.git_in(&inside, &["config", "core.fsmonitor", &planted.program("monitor", "")]);
    fs::write(inside.join("b.txt"), "two\n").unwrap();
    planted
}

#[test]
fn e04_what_a_submodule_sets_does_not_run() {
    let planted = with_submodule();
    for line in ["git status", "git diff"] {
        assert_eq!(planted.plainly(line), ["clean", "monitor"], "{line}");
        planted.harmless(line);
    }
    planted.set("submodule.sub.ignore", "none");
    planted.set("diff.submodule", "diff");
    planted.harmless("git status");
    planted.harmless("git diff");
}

#[test]
fn e04_a_submodule_that_only_the_work_tree_names_is_known() {
    let planted = with_submodule();
    planted.git("config --remove-section submodule.sub");
    planted.git("config -f .gitmodules submodule.sub.ignore none");
    assert_eq!(planted.plainly("git diff"), ["clean", "monitor"]);
    planted.harmless("git diff");
    planted.harmless("git status");
}

#[test]
fn e04_missing_objects_are_not_fetched() {
    let planted = Planted::new("");
    planted.set("uploadpack.allowFilter", "true");
    let address = format!("file://{}", planted.repository().display());
    let part = planted.beside("part");
    planted.git_in(
        &planted.repository(),
        &["clone", "-q", "--filter=blob:none", "--no-checkout", &address, part.to_str().unwrap()],
    );
    let program = planted.program("upload", "exec git-upload-pack \"$@\"");
    planted.git_in(&part, &["config", "remote.origin.uploadpack", &program]);
    let show = |terms| {
        let mut command = planted.command("git", &part);
        command.arg("show");
        if let Some(terms) = terms {
            planted.apply(&mut command, terms);
        }
        command.output().unwrap();
        planted.seen()
    };
    let text = terms("git show", CommandForm::Text);
    assert_eq!(show(Some(&text)), Vec::<String>::new());
    assert_eq!(show(None), ["upload"]);
}

#[test]
fn a12_the_program_of_a_remote_does_not_run() {
    let planted = Planted::new("");
    planted.set("remote.origin.url", planted.repository().to_str().unwrap());
    planted.harmless("git ls-remote");
    planted.set("remote.origin.uploadpack", &planted.program("upload", "exec git-upload-pack \"$@\""));
    assert_eq!(planted.plainly("git ls-remote"), ["upload"]);
    let argv = terms("git ls-remote", CommandForm::Argv);
    assert!(planted.on_terms("git ls-remote", &argv).status.success());
    assert_eq!(planted.seen(), Vec::<String>::new());
    // Git takes the first of two such settings, so that none can take its place in a text.
    let text = terms("git ls-remote", CommandForm::Text).git.unwrap();
    let config = fs::read_to_string(planted.repository().join(".git/config")).unwrap();
    assert!(text.overrides(&config).is_err());
}

#[test]
fn a12_a_helper_of_a_remote_does_not_run() {
    let planted = Planted::new("");
    let helper = planted.program("helper", "");
    planted.set("remote.origin.url", &format!("ext::{helper}"));
    planted.set("protocol.ext.allow", "always");
    for form in [CommandForm::Argv, CommandForm::Text] {
        let terms = terms("git ls-remote", form);
        assert!(!planted.on_terms("git ls-remote", &terms).status.success());
        assert_eq!(planted.seen(), Vec::<String>::new());
    }
    let mut plain = planted.command("git", &planted.repository());
    plain.env_remove("GIT_ALLOW_PROTOCOL").arg("ls-remote").output().unwrap();
    assert_eq!(planted.seen(), ["helper"]);
}
