//! `ALLOWED_COMMANDS`: what the list says about commands, through every door.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::error::{Code, ErrorView};
use runward_core::facts::{Abilities, Containment};
use runward_core::plan::{Draft, Leave, RunId, draft};
use runward_core::policy::{CodeByName, Decision, Policy, early_refusal, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

fn host() -> MadeUpHost {
    let names = [
        "git", "gitevil", "ls", "pwd", "env", "python3", "npm", "npx", "cargo", "make", "docker", "ssh",
        "node", "perl", "uv", "bash", "cat",
    ];
    let host = MadeUpHost::unix().env("PATH", "/usr/bin");
    names.iter().fold(host, |host, name| host.program(&format!("/usr/bin/{name}")))
}

fn drafted(policy: &Policy, spec: &CommandSpec, caller: Caller) -> Draft {
    let host = host();
    let command = resolve(spec, host.facts(), &Defaults::default(), &host).unwrap();
    let ruling = judge(policy, &command, &caller, &ground(&host));
    let abilities = Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() };
    draft(RunId(uuid::Uuid::nil()), command, caller, ruling, &abilities).unwrap()
}

fn agent() -> Caller {
    Caller::tool(Door::Mcp, "execute_command")
}

fn refused(policy: &Policy, spec: &CommandSpec, caller: Caller) -> Option<ErrorView> {
    match drafted(policy, spec, caller).leave() {
        Leave::Refused(refusal) => Some(refusal.view()),
        Leave::Granted(_) => None,
        Leave::Ask(question) => panic!("asked: {question:?}"),
    }
}

fn allows(list: &str, script: &str) -> bool {
    refused(&Policy::allow_commands(list), &CommandSpec::shell(script), agent()).is_none()
}

#[test]
fn the_words_of_a_refusal() {
    let told = |list: &str, script: &str| {
        refused(&Policy::allow_commands(list), &CommandSpec::shell(script), agent()).unwrap()
    };
    let pwd = told("ls", "pwd");
    assert_eq!(pwd.message, r#"Command "pwd" is not allowed, allowed commands: ls"#);
    assert_eq!(pwd.code, Code::PolicyDenied);
    assert!(pwd.hint.unwrap().contains("ALLOWED_COMMANDS"));
    assert_eq!(told("", "pwd -P").message, r#"Command "pwd" is not allowed, allowed commands: (none)"#);
    assert_eq!(
        told(" ls , ,cat", "ls | wc").message,
        r#"Command "wc" is not allowed, allowed commands: ls, cat"#
    );
    assert_eq!(
        told("git status", "git push").message,
        r#"Command "git push" is not allowed, allowed commands: git status"#
    );
    assert_eq!(
        told("ls", "ls\nid\u{1b}[2J").message,
        r#"Command "ls\nid\x1b[2J" is not allowed, allowed commands: ls"#
    );
}

#[test]
fn allowed_command() {
    assert!(allows("ls,cat", "ls"));
    assert!(allows(" ls , cat ", "cat file"));
}

#[test]
fn disallowed_command() {
    assert!(!allows("ls", "pwd"));
}

#[test]
fn wildcard_allowlist() {
    assert!(allows("*", "whoami"));
    assert!(allows("ls,*", "whoami | sh; $(x)"));
}

#[test]
fn entries_end_where_words_end() {
    for (list, script, allowed) in [
        ("git", "git status", true),
        ("git", "gitevil status", false),
        ("git", "git-evil", false),
        ("git log", "git log -1", true),
        ("git  log", "git   log", true),
        ("git log", "git logout", false),
        ("git log", "git", false),
        ("git log", "git -C x log", false),
        ("npm run test", "npm run test-evil", false),
        ("git", "/usr/bin/git status", true),
        ("git log", "/usr/bin/git log -1", true),
        ("git log", "/usr/bin/git status", false),
        ("git", "/opt/git status", false),
        ("git", "./git", false),
        ("Git", "git", false),
    ] {
        assert_eq!(allows(list, script), allowed, "{list:?} and {script:?}");
    }
}

#[test]
fn what_is_not_understood_is_refused() {
    for script in ["ls; id", "ls $(id)", "ls > f", "PATH=b ls", "eval ls", "env -S $x", "ls $(", ". ls"] {
        assert!(!allows("ls,eval,env,time,PATH=b,.", script), "{script}");
        assert!(allows("*", script), "{script}");
    }
    assert!(!allows("find", "find . -exec rm x"));
    assert!(allows("find", "find . -name x"));
}

#[test]
fn a_list_governs_every_door() {
    let everything =
        Policy { commands: Policy::allow_commands("ls").commands, ..Policy::allow_everything("a test") };
    let everything = everything.grant("exec_command", "chosen").grant("exec", "chosen");
    for caller in [
        agent(),
        Caller::person(),
        Caller::library(),
        Caller::tool(Door::Mcp, "exec_command"),
        Caller::tool(Door::Mcp, "exec"),
    ] {
        assert!(refused(&everything, &CommandSpec::exec("ls"), caller.clone()).is_none(), "{caller:?}");
        let told = refused(&everything, &CommandSpec::exec("pwd"), caller.clone());
        assert!(told.is_some_and(|told| told.message.starts_with("Command \"pwd\"")), "{caller:?}");
    }
}

#[test]
fn without_a_list_a_tool_is_open_only_where_the_operator_opened_it() {
    let policy = Policy::default().grant("exec_command", "the profile was chosen");
    let exec_command = Caller::tool(Door::Mcp, "exec_command");
    let opened = drafted(&policy, &CommandSpec::exec("git"), exec_command);
    assert_eq!(opened.ruling().deciding().unwrap().rule, "granted: exec_command");
    let shut = refused(&policy, &CommandSpec::exec("pwd"), agent()).unwrap();
    assert_eq!(shut.message, r#"Command "pwd" is not allowed, allowed commands: (none)"#);
    assert!(refused(&policy, &CommandSpec::shell("pwd | wc"), Caller::person()).is_none());
}

#[test]
fn words_of_a_program_are_judged_as_they_are() {
    let policy = Policy::allow_commands("git status,ls,python3");
    let decided = |spec: CommandSpec| drafted(&policy, &spec, agent()).ruling().decision();
    assert_eq!(decided(CommandSpec::exec("git").arg("status")), Decision::Allow);
    assert_eq!(decided(CommandSpec::exec("git").arg("status; id")), Decision::Deny);
    assert_eq!(decided(CommandSpec::exec("ls").arg("$(id); x")), Decision::Allow);
    assert_eq!(decided(CommandSpec::exec("env").arg("ls")), Decision::Deny);
    assert_eq!(decided(CommandSpec::exec("python3").arg("tool.py")), Decision::Allow);
}

/// Where the words that carry code must be named.
fn named(list: &str) -> Policy {
    Policy { carried: CodeByName::Named, ..Policy::allow_commands(list) }
}

#[test]
fn a_bare_name_is_the_program_with_its_job() {
    let list = "npm,git,python3,cargo,make,docker,ssh,npx,node,perl,uv,bash,cat";
    for script in [
        "npm run build",
        "npm install left-pad",
        "npx tsc",
        "python3 -c 'print(1)'",
        "python3 -m http.server",
        "cat x | python3",
        "cat x | python3 - y",
        "python3 x.py",
        "cargo test",
        "cargo --config x=y run",
        "make -f other",
        "docker run x",
        "docker -H tcp://x ps",
        "ssh host ls",
        "ssh -o ProxyCommand=x host",
        "node -e 1",
        "node --require ./x y",
        "perl -pe s/a/b/",
        "uv run pytest",
        "git log",
    ] {
        assert!(allows(list, script), "{script}");
    }
    // Another job: no code through its options, and a shell's text is read.
    for script in ["git -c alias.x='!touch y' x", "cat x | bash", "bash -s", "bash -c 'rm x'", "git nonsense"]
    {
        assert!(!allows(list, script), "{script}");
    }
    for script in ["npm run build", "python3 -c 'print(1)'", "cargo test", "ssh host ls", "cat x | python3"] {
        let policy = named(list);
        assert!(refused(&policy, &CommandSpec::shell(script), agent()).is_some(), "{script}");
    }
    for (list, script) in [
        ("rg", "rg --pre ./x y"),
        ("tar", "tar --checkpoint-action=exec=./x -cf a b"),
        ("tar", "tar -cIf ./x a b"),
        ("tar", "tar cIf ./x a b"),
        ("tar", "tar xf a --to-command=./x"),
        ("sort", "sort --compress-program=./x a"),
        ("sort", "sort a --compress-prog ./x"),
        ("split", "split --filter=./x a"),
        ("zip", "zip -TT ./x a b"),
        ("awk", "awk 'BEGIN{system(\"x\")}'"),
        ("awk", "awk '{print > \"f\"}' a"),
        ("sed", "sed -n '1e x' a"),
        ("sed", "sed 's/a/b/w f' a"),
        ("man", "man -P ./x ls"),
        ("vim", "vim -c '!x' a"),
        ("less", "less +!x a"),
        ("find", "find . -exec ./x ;"),
        ("xargs", "xargs ./x"),
    ] {
        assert!(!allows(list, script), "{list}: {script}");
    }
}

#[test]
fn where_code_must_be_named_the_name_of_an_interpreter_does_not_cover_it() {
    let code = CommandSpec::exec("python3").args(["-c", "import os"]);
    let told = refused(&named("python3"), &code, agent()).unwrap();
    assert!(told.hint.unwrap().contains("add `python3 -c` to ALLOWED_COMMANDS"));
    assert!(refused(&named("python3 -c"), &code, agent()).is_none());
    let offered = named("python3").grant("exec", "the profile was chosen");
    assert!(refused(&offered, &code, agent()).is_some());
    assert!(refused(&offered, &code, Caller::tool(Door::Mcp, "exec")).is_none(), "code is its business");
    assert!(refused(&offered, &code, Caller::person()).is_none(), "a person types what they mean");
}

#[test]
fn an_early_opinion_only_ever_says_no() {
    let host = host();
    let early = |policy: &Policy, spec: &CommandSpec| {
        early_refusal(policy, &spec.program, &agent(), host.facts()).map(|refusal| refusal.view().message)
    };
    let missing = CommandSpec::exec("no-such-program");
    assert!(
        early(&Policy::allow_commands("ls"), &missing).unwrap().starts_with("Command \"no-such-program\"")
    );
    assert!(early(&Policy::default(), &missing).is_some());
    // Policy speaks first, whatever says what may run: else an agent could list what is installed.
    for policy in [
        Policy::allow_programs(["git"]),
        Policy { presets: vec!["readonly".to_owned()], ..Policy::default() },
    ] {
        let told = early(&policy, &missing).unwrap();
        assert_eq!(told, "`no-such-program` is not allowed by any rule: none of them speaks about it");
    }
    assert_eq!(early(&Policy::allow_programs(["no-such-program"]), &missing), None);
    assert_eq!(early(&Policy::allow_programs(["*"]), &missing), None);
    assert_eq!(early(&Policy::default().with(Decision::Ask, ["no-such-program"]), &missing), None);
    assert_eq!(early(&Policy::allow_programs(["/opt/x"]), &CommandSpec::exec("/opt/x")), None);
    assert_eq!(early(&Policy::allow_commands("no-such-program"), &missing), None);
}

#[test]
fn the_entry_that_names_most_is_the_one_that_counts() {
    let code = CommandSpec::exec("python3").args(["-c", "1"]);
    assert!(refused(&named("python3, python3 -c"), &code, agent()).is_none());
}

#[test]
fn rules_that_name_what_may_run_bind_an_opened_tool_too() {
    let exec_command = || Caller::tool(Door::Mcp, "exec_command");
    let opened = Policy::default().grant("exec_command", "chosen");
    let reading = Policy { presets: vec!["readonly".to_owned()], ..opened.clone() };
    assert!(refused(&opened, &CommandSpec::exec("gitevil"), exec_command()).is_none());
    let told = refused(&reading, &CommandSpec::exec("gitevil"), exec_command()).unwrap();
    assert_eq!(told.message, "`gitevil` is not allowed by any rule: none of them speaks about it");
    assert!(refused(&reading, &CommandSpec::exec("ls"), exec_command()).is_none());
    let asking = opened.with(Decision::Deny, ["git"]);
    assert!(refused(&asking, &CommandSpec::exec("ls"), exec_command()).is_none(), "it names what may not");
}

#[test]
fn who_may_type_into_a_program_may_give_it_code() {
    let mut prompt = CommandSpec::exec("python3");
    prompt.terminal = runward_core::spec::Terminal::Pty { rows: 24, cols: 80 };
    let decided = |policy: &Policy, spec: &CommandSpec| {
        let host = host();
        let command = resolve(spec, host.facts(), &Defaults::default(), &host).unwrap();
        judge(policy, &command, &agent(), &ground(&host)).decision()
    };
    let listed = named("python3");
    assert_eq!(decided(&listed, &prompt), Decision::Deny);
    let granted = Policy { interactive: vec!["python3".to_owned()], ..listed };
    assert_eq!(decided(&granted, &prompt), Decision::Allow);
    let code = CommandSpec::exec("python3").args(["-c", "1"]);
    assert_eq!(decided(&granted, &code), Decision::Deny, "nobody types into it");
}
