//! The plane above commands: which rule wins, what a project may say, how far one approval goes, and that no argument
//! ever becomes part of a text for a shell.
//!
//! Which tools there are is tested with the server, what a broken configuration does with the binary.

use crate::policies::{Place, exec, none, settings, shell_tool, words_tool};
use runward_engine::config::{ConfigSource, Sources, load};
use runward_engine::core::plan::Leave;
use runward_engine::core::policy::{Rule, always};
use runward_engine::toolkit::{ExecCommandOptions, ShellMode, ToolkitGround, create_agent_toolkit};
use runward_engine::{Caller, CommandSpec, Decision, Draft, Engine, Policy, Request};

fn decided(engine: &Engine, caller: Caller, spec: CommandSpec) -> Decision {
    engine.explain(Request::by(caller, spec)).unwrap().ruling().decision()
}

#[test]
fn m04_deny_wins_however_much_allows() {
    let allows = [
        "policy.allow = [\"*\"]\n",
        "policy.allow = [\"touch\"]\n",
        "policy.allowed_commands = [\"*\"]\n",
        "policy.allowed_commands = [\"touch\", \"touch pwned\"]\n",
        "policy.typed = \"allow\"\n",
        "policy.presets = [\"readonly\", \"build\"]\npolicy.allow = [\"touch\"]\n",
    ];
    let denies = [
        "policy.deny = [\"touch\"]\n",
        "policy.deny = [\"/usr/bin/touch\"]\n",
        "policy.deny = [\"*\"]\n",
        "[[policy.rules]]\ndecision = \"deny\"\nbecause = \"x\"\nprogram = \"touch\"\n",
        "[[policy.rules]]\ndecision = \"deny\"\nbecause = \"x\"\nprogram = \"touch\"\nwords = [\"pwned\"]\n",
        "[[policy.rules]]\ndecision = \"allow\"\nprogram = \"touch\"\n[[policy.rules]]\ndecision = \"deny\"\nbecause = \"x\"\nprogram = \"touch\"\n",
    ];
    let mut wrong = Vec::new();
    for allow in allows {
        for deny in denies {
            let place = Place::with(&format!("{allow}{deny}"));
            for caller in [words_tool(), shell_tool(), Caller::person(), Caller::library()] {
                wrong.extend(place.unless_refused(caller.clone(), exec(&["touch", "pwned"])));
                wrong.extend(place.unless_refused(caller, CommandSpec::shell("echo hi; touch pwned")));
            }
        }
    }
    none(wrong);
}

#[test]
fn m04_ask_wins_over_allow_and_loses_to_deny() {
    let engine = |text: &str| Engine::builder().policy(settings(text).policy()).build().unwrap();
    let asks = engine("policy.allow = [\"*\"]\npolicy.ask = [\"touch\"]\n");
    assert_eq!(decided(&asks, words_tool(), exec(&["touch", "x"])), Decision::Ask);
    assert_eq!(decided(&asks, words_tool(), exec(&["ls"])), Decision::Allow);
    let denies = engine("policy.allow = [\"*\"]\npolicy.ask = [\"touch\"]\npolicy.deny = [\"touch\"]\n");
    assert_eq!(decided(&denies, words_tool(), exec(&["touch", "x"])), Decision::Deny);
}

/// The owner's text with a project's laid over it.
fn both(user: &str, project: &str) -> Result<Policy, String> {
    let source = |text: &str| Some(ConfigSource { file: "f".to_owned(), text: text.to_owned() });
    let sources = Sources { user: source(user), project: source(project), ..Sources::default() };
    load(&sources).map(|settings| settings.policy()).map_err(|error| error.to_string())
}

#[test]
fn m04_a_project_only_tightens() {
    let owner = "policy.deny = [\"touch\"]\npolicy.allow = [\"ls\"]\npolicy.redirect = \"workspace\"\npolicy.allowed_commands = [\"ls\"]\n";
    for project in [
        "policy.allow = [\"ls\", \"touch\"]",
        "policy.allow = [\"*\"]",
        "policy.redirect = \"any\"",
        "policy.allowed_commands = [\"*\"]",
        "policy.allowed_commands = [\"ls\", \"touch\"]",
        "policy.allowed_cwd_roots = [\"/\"]",
        "policy.interactive = [\"*\"]",
        "policy.presets = [\"build\"]",
        "[[policy.rules]]\ndecision = \"allow\"\nprogram = \"touch\"\n",
        "env.allow = [\"LD_PRELOAD\"]",
        "limits.timeout_ms = 600000",
        "[languages.sh]\ncommand = \"./evil\"\nargs = []\n",
        "runtimes.node.path = \"/tmp/evil\"",
    ] {
        assert!(both(owner, project).is_err(), "{project}");
    }
    for project in [
        "policy.deny = []",
        "policy.deny = [\"touch\", \"rm\"]",
        "policy.allowed_commands = []",
        "policy.redirect = \"none\"",
        "[[policy.rules]]\ndecision = \"deny\"\nbecause = \"x\"\nprogram = \"ls\"\n",
        "limits.timeout_ms = 1000",
    ] {
        let engine = Engine::builder().policy(both(owner, project).unwrap()).build().unwrap();
        assert_eq!(decided(&engine, words_tool(), exec(&["touch", "x"])), Decision::Deny, "{project}");
    }
}

fn draft(engine: &Engine, spec: CommandSpec) -> Draft {
    engine.explain(Request::by(words_tool(), spec)).unwrap()
}

#[test]
fn m06_leave_for_one_draft_is_no_leave_for_another() {
    let place = Place::with("policy.allow = [\"ls\", \"echo\"]\n");
    place.file("sub/f", "x\n");
    let others = [
        exec(&["ls"]),
        exec(&["ls", "-l"]),
        exec(&["ls"]).cwd("sub"),
        exec(&["ls"]).env("X", "1"),
        exec(&["ls"]).stdin("x"),
        CommandSpec::shell("ls"),
        exec(&["/bin/ls"]),
        exec(&["ls"]).timeout(std::time::Duration::from_secs(1)),
    ];
    for other in others {
        let Leave::Granted(permit) = draft(place.engine(), exec(&["ls"])).leave() else { panic!("no leave") };
        assert!(draft(place.engine(), other.clone()).seal(permit).is_err(), "{other:?}");
    }
    let own = draft(place.engine(), exec(&["ls"]));
    let Leave::Granted(permit) = own.leave() else { panic!("no leave") };
    assert!(own.seal(permit).is_ok());
}

#[test]
fn m06_always_is_about_the_very_command_in_the_very_folder() {
    let place = Place::with("policy.ask = [\"ls\", \"echo\", \"cat\"]\n");
    place.file("sub/f", "x\n");
    let rules: Vec<Rule> = always(&draft(place.engine(), exec(&["ls", "-l"]))).unwrap();
    let mut policy = (*place.engine().policy()).clone();
    policy.rules.extend(rules);
    place.engine().set_policy(policy);
    let decided = |spec| decided(place.engine(), words_tool(), spec);
    assert_eq!(decided(exec(&["ls", "-l"])), Decision::Allow);
    for other in [
        exec(&["ls"]),
        exec(&["ls", "-l", "f"]),
        exec(&["ls", "-la"]),
        exec(&["ls", "-l"]).cwd("../outside"),
        exec(&["cat", "-l"]),
        exec(&["echo", "ls", "-l"]),
        CommandSpec::shell("ls -l; echo x"),
        CommandSpec::shell("cd ..; ls -l"),
        CommandSpec::shell("ls $x"),
        exec(&["ls", "-l"]).env("X", "1"),
        exec(&["ls", "-l"]).stdin("x"),
        CommandSpec::shell("X=1 ls -l"),
        CommandSpec::shell("export X=1; ls -l"),
        CommandSpec::shell("ls -l < sub/f"),
    ] {
        assert_ne!(decided(other.clone()), Decision::Allow, "{other:?}");
    }
    let elsewhere = Caller::library();
    let asked = place.engine().explain(Request::by(elsewhere, exec(&["ls", "-l"]))).unwrap();
    assert_eq!(asked.ruling().decision(), Decision::Ask, "another door is another caller");
}

#[test]
fn m06_whoever_runs_what_it_is_fed_is_asked_about_each_time() {
    let place = Place::with("policy.ask = [\"sh\", \"python3\", \"cat\"]\npolicy.allow = [\"echo\"]\n");
    for spec in [
        exec(&["sh"]).stdin("echo a"),
        exec(&["python3", "-"]),
        exec(&["sh", "-s"]),
        exec(&["cat"]).stdin("x"),
        exec(&["cat"]).env("X", "1"),
        CommandSpec::shell("echo 1 | python3 -"),
        CommandSpec::shell("X=1 cat f"),
        CommandSpec::shell("cat < f"),
    ] {
        assert_eq!(always(&draft(place.engine(), spec.clone())), None, "{spec:?}");
    }
    assert!(always(&draft(place.engine(), exec(&["cat", "f"]))).is_some());
}

/// Words that would do something if any shell read them.
const SHARP: &[&str] = &[
    "'; touch pwned; '",
    "\"; touch pwned; \"",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "&& touch pwned",
    "| touch pwned",
    "\ntouch pwned\n",
    "> pwned",
    "\\'; touch pwned; \\'",
    "$'\\n'touch pwned",
    "a b  c\t*?[x]~{a,b}",
    "!!",
    "#",
    "--",
    "",
    "=x",
    "é\u{a0}ü",
    "%s%n",
    "\\",
];

#[test]
fn m07_words_arrive_as_they_are() {
    let place = Place::with("policy.allowed_commands = [\"printf\"]\n");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let toolkit = create_agent_toolkit(ToolkitGround::new(place.engine().clone(), place.root()));
    for word in SHARP {
        let printed = place.prints(words_tool(), exec(&["printf", "%s", word]));
        assert_eq!(printed, *word);
        for shell_mode in [ShellMode::Default, ShellMode::Direct] {
            let options = ExecCommandOptions { shell_mode, ..ExecCommandOptions::default() };
            let command = ["printf".to_owned(), "%s".to_owned(), (*word).to_owned()];
            let answer = runtime.block_on(toolkit.exec_command(".", &command, options)).unwrap();
            assert_eq!(answer.output.stdout, *word, "{shell_mode:?}");
        }
    }
    assert!(!place.canary().exists());
}

#[test]
fn m07_a_folder_arrives_as_it_is() {
    let place = Place::with("policy.allowed_commands = [\"pwd\"]\n");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let toolkit = create_agent_toolkit(ToolkitGround::new(place.engine().clone(), place.root()));
    for name in ["'; touch pwned; '", "$(touch pwned)", "a\"b", "`touch pwned`", "x\ny", "-P"] {
        std::fs::create_dir(place.root().join(name)).unwrap();
        let command = ["pwd".to_owned()];
        let answer =
            runtime.block_on(toolkit.exec_command(name, &command, ExecCommandOptions::default())).unwrap();
        assert_eq!(answer.output.stdout, format!("{}\n", place.root().join(name).display()));
    }
    assert!(!place.canary().exists());
}
