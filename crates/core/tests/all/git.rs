//! git: what its name covers, in which repository it is disarmed, and what may not stand beside it in a text.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::policy::{Decision, Policy, Redirecting, Ruling, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

fn repository(host: MadeUpHost, folder: &str, config: &str) -> MadeUpHost {
    let host =
        host.text(&format!("{folder}/HEAD"), "ref: refs/heads/main\n").folder(&format!("{folder}/objects"));
    host.folder(&format!("{folder}/refs")).text(&format!("{folder}/config"), config)
}

fn host() -> MadeUpHost {
    let host = MadeUpHost::unix().env("PATH", "/usr/bin");
    let names = ["git", "ls", "cp", "mv", "mkdir", "tar", "npm", "rm", "touch", "sed"];
    let host = names.iter().fold(host, |host, name| host.program(&format!("/usr/bin/{name}")));
    let host = repository(host, "/home/u/app/.git", "[core]\n\tbare = false\n[filter \"f\"]\n\tclean = x\n");
    repository(host.folder("/home/u/app/sub/.git"), "/home/u/other/.git", "[filter \"g\"]\n\tclean = y\n")
}

fn judged_on(host: &MadeUpHost, policy: &Policy, spec: &CommandSpec) -> Ruling {
    let command = resolve(spec, host.facts(), &Defaults::default(), host).unwrap();
    judge(policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(host))
}

fn listed() -> Policy {
    Policy::allow_commands("git,ls,cp,mv,mkdir,tar,npm,rm,touch,sed,cd,echo")
}

fn readonly() -> Policy {
    Policy { presets: vec!["readonly".to_owned()], ..Policy::default() }
}

fn allows(script: &str) -> bool {
    judged_on(&host(), &listed(), &CommandSpec::shell(script)).decision() == Decision::Allow
}

/// The settings and variables that git is given.
fn given(host: &MadeUpHost, policy: &Policy, script: &str) -> Vec<String> {
    let ruling = judged_on(host, policy, &CommandSpec::shell(script));
    assert_eq!(ruling.decision(), Decision::Allow, "{script}: {ruling:#?}");
    let given = ruling.given();
    given.env.iter().chain(&given.config).map(|(name, value)| format!("{name}={value}")).collect()
}

fn has(all: &[String], wanted: &str) -> bool {
    all.iter().any(|one| one == wanted)
}

/// Ways to make git run, or be told by, something else.
const SIDE_CHANNELS: &[&str] = &[
    "git grep -O./x hi",
    "git grep -iO./x hi",
    "git grep -niO./x hi",
    "git grep -O hi",
    "git grep -nO hi",
    "git grep hi -iO./x",
    "git grep --open-files-in-pager=./x hi",
    "git grep --open-files-in-pager hi",
    "git grep --open=./x hi",
    "git grep hi --op=./x",
    "git -c alias.x='!touch y' x",
    "git -calias.x='!touch y' x",
    "git --config-env=alias.x=HOME x",
    "git --exec-path=. status",
    "git --git-dir=evil status",
    "git --git-dir evil status",
    "git --work-tree=. --git-dir=evil status",
    "git --bare status",
    "git -C sub --git-dir=x status",
    "git --no-pager -c core.pager=x log",
    "git fetch --upload-pack=./x origin",
    "git fetch origin --upload-pack ./x",
    "git fetch --upload-p=./x",
    "git pull --upload-pack=x",
    "git push --receive-pack=x",
    "git push --exec=x",
    "git clone -u ./x y",
    "git clone -qu ./x y",
    "git clone -nc core.sshCommand=x y",
    "git clone --config core.sshCommand=x y",
    "git clone --conf core.sshCommand=x y",
    "git clone 'ext::sh -c x' y",
    "git ls-remote --upload-pack=./x .",
    "git archive --exec=./x --remote=. HEAD",
    "git rebase -x ./x HEAD",
    "git rebase -ix ./x HEAD",
    "git rebase --exec ./x HEAD",
    "git rebase --int HEAD",
    "git bisect run ./x",
    "git submodule foreach ./x",
    "git submodule --quiet foreach ./x",
    "git difftool -x ./x",
    "git log --ext-diff",
    "git log --ext",
    "git show --textconv HEAD:x",
    "git cat-file --filters HEAD:x",
    "git config core.pager x",
    "git config --add core.pager x",
    "git config --unset x",
    "git config set core.pager x",
    "git config -e",
    "git config --edit",
    "git config --file=x core.pager",
    "git config --get-urlmatch x y",
    "git nonsense",
    "git $x",
    "git grep $x hi",
];

#[test]
fn an_option_is_seen_behind_others_and_in_every_spelling() {
    for script in SIDE_CHANNELS {
        assert!(!allows(script), "{script}");
    }
    for script in [
        "git grep -i TODO",
        "git grep -eTODO",
        "git grep -e OO",
        "git grep -neFOO",
        "git status",
        "git log --oneline -5",
        "git config user.name",
        "git config --get user.name",
        "git config --list",
        "git config --global -l",
        "git config get user.name",
        "git commit -m x",
        "git clone -b main y",
        "git rebase main",
        "git -C sub status",
    ] {
        assert!(allows(script), "{script}");
    }
}

#[test]
fn p01_what_disarms_git_cannot_be_taken_away() {
    for script in [
        "declare -a GIT_CONFIG_COUNT; git status",
        "f() { local GIT_CONFIG_COUNT; git status; }; f",
        "unset GIT_CONFIG_COUNT; git status",
        "export -n GIT_CONFIG_COUNT; git status",
        "readonly GIT_CONFIG_KEY_0; git status",
        "declare -a GIT_DIR; git status",
        "GIT_CONFIG_COUNT=0 git status",
        "GIT_DIR=evil git status",
        "env -u GIT_CONFIG_COUNT git status",
        "env -i git status",
        "env GIT_CONFIG_COUNT=0 git status",
        "exec -c git status",
        "echo ${GIT_CONFIG_COUNT[1]:=x}; git status",
        "read GIT_DIR <<< x; git status",
        "trap 'unset GIT_DIR' USR1; git status",
        "bash -c 'unset GIT_CONFIG_COUNT; git status'",
        "GIT_TEST_FSMONITOR=x git status",
        "XDG_CONFIG_HOME=. git status",
        "HOME=. git status",
    ] {
        for policy in [listed(), readonly(), Policy::allow_programs(["git", "env", "bash", "echo"])] {
            let ruling = judged_on(&host(), &policy, &CommandSpec::shell(script));
            assert_ne!(ruling.decision(), Decision::Allow, "{script}");
        }
    }
}

#[test]
fn p02_the_repository_is_the_one_that_git_finds() {
    let filter = "filter.f.clean=";
    // An empty `.git` is none: git goes on upwards.
    let sub = |script: &str| given(&host(), &readonly(), script);
    assert!(has(&sub("cd sub && git status"), filter));
    assert!(has(&sub("git -C sub status"), filter));
    assert!(has(&sub("git -C ../other status"), "filter.g.clean="));
    assert!(!has(&sub("git -C ../other status"), filter));
    // A folder with the names of a repository's parts is a repository only where git says so.
    let named = host().folder("/home/u/app/HEAD").folder("/home/u/app/objects").folder("/home/u/app/refs");
    assert!(has(&given(&named, &readonly(), "git status"), filter));
    // A blank at the end is part of the name.
    let blank =
        repository(host().folder("/home/u/app/w"), "/home/u/app/w/real ", "[filter \"blank\"]\nclean=z\n");
    let blank = repository(blank, "/home/u/app/w/real", "").text("/home/u/app/w/.git", "gitdir: real \n");
    assert!(has(&given(&blank, &readonly(), "git -C w status"), "filter.blank.clean="));
    let told = repository(host(), "/home/u/shared", "[filter \"s\"]\nclean=z\n")
        .text("/home/u/app/.git/commondir", "../../shared\r\n");
    assert!(has(&given(&told, &readonly(), "git status"), "filter.s.clean="));
}

#[test]
fn p02_git_is_held_to_the_repository_that_was_judged() {
    let here = given(&host(), &readonly(), "git status && git log -3 | head -2");
    assert!(has(&here, "GIT_DIR=/home/u/app/.git") && has(&here, "GIT_WORK_TREE=/home/u/app"), "{here:?}");
    let none = MadeUpHost::unix().env("PATH", "/usr/bin").program("/usr/bin/git");
    assert!(has(&given(&none, &readonly(), "git status"), "GIT_DIR=/dev/null/.git"));
    let two = given(&host(), &readonly(), "git status; git -C ../other status");
    assert!(!two.iter().any(|one| one.starts_with("GIT_DIR=")), "{two:?}");
    let beside = given(&host(), &listed(), "npm test; git status");
    assert!(!beside.iter().any(|one| one.starts_with("GIT_DIR=")), "{beside:?}");
    assert!(has(&beside, "core.fsmonitor=false"), "{beside:?}");
}

#[test]
fn options_that_no_table_knows_leave_git_disarmed() {
    for script in [
        "git status --column=always",
        "git log --exotic",
        "git diff --word-diff-regex=x",
        "git -p status",
        "git --paginate log",
        "git -C -p -p status",
        "git whatchanged -p",
        "git annotate f",
        "git fsck",
        "git range-diff a b c",
    ] {
        let all = given(&host(), &listed(), script);
        assert!(has(&all, "core.fsmonitor=false") && has(&all, "filter.f.clean="), "{script}: {all:?}");
    }
    let all = given(&host(), &listed(), "git stash pop");
    assert!(!has(&all, "filter.f.clean="), "what writes keeps its filters: {all:?}");
}

#[test]
fn p05_nothing_changes_what_git_is_told_before_it_runs() {
    for script in [
        "cp evil .git/config; git status",
        "cp -r evil/. .; git status",
        "cp -a evil sub; git status",
        "mv evil/.git .; git status",
        "mv evil new; cd new; git status",
        "tar xf evil.tar; git status",
        "cp x HEAD; cp y config; mkdir objects refs; git status",
        "cd .git; cp ../evil config; cd ..; git status",
        "cp \"$a\" \"$b\"; git status",
        "sed -i s/a/b/ .git/config; git status",
        "rm .git/HEAD; git status",
        "git status & cp evil .git/config",
    ] {
        assert!(!allows(script), "{script}");
    }
    for script in [
        "mkdir -p build && git status",
        "cp a.rs b.rs && git diff",
        "mv old.rs new.rs; git status",
        "rm -rf build; git status",
        "touch x && git add x && git commit -m y && git log -1",
        "npm test && git status",
        "sed -n 1p x; git status",
    ] {
        assert!(allows(script), "{script}");
    }
    let policy = Policy { redirect: Redirecting::Workspace, ..listed() }.found(host().facts(), &host());
    let ruling = judged_on(&host(), &policy, &CommandSpec::shell("echo x > .git/config; git status"));
    assert_eq!(ruling.decision(), Decision::Deny);
}
