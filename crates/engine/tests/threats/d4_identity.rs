//! Which program a name means: the system's own, and no other that goes by its name.

use crate::policies::{Place, RO, SH, exec, for_shell, none, shell_tool, words_tool};
use runward_engine::approve::{Approver, Matter, PendingVerdict, Verdict};
use runward_engine::core::plan::Person;
use runward_engine::{Coded, CommandSpec, Outcome};
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::{Arc, Mutex};

const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

/// A place with a list of folders that begins with one that leads into it.
fn with_path(config: &str, entry: &str) -> Place {
    let place = Place::whose(config, |facts, builder| {
        let entry = entry.replace("ROOT", facts.cwd.to_str().unwrap());
        facts.env.insert("PATH".into(), format!("{entry}:{SYSTEM}").into());
        builder
    });
    for folder in ["", "bin/", "sub/"] {
        for name in ["git", "ls", "cat", "reg.exe"] {
            place.program(&format!("{folder}{name}"), "exit 0");
        }
    }
    place
}

#[test]
fn x01_a_program_where_the_command_works_is_never_run_by_its_name() {
    let mut wrong = Vec::new();
    for config in [
        RO,
        SH,
        "policy.allowed_commands = [\"git\", \"ls\", \"cat\", \"cd\"]",
        "policy.allow = [\"git\", \"ls\", \"cat\", \"cd\"]",
    ] {
        for entry in [
            ".",
            "",
            "bin",
            "./bin",
            "./",
            "bin/../bin",
            "ROOT",
            "ROOT/bin",
            "ROOT/sub/../bin",
            "::",
            ".:bin",
            "ROOT/",
        ] {
            let place = with_path(config, entry);
            for words in [&["git", "status"][..], &["ls"], &["cat", "/dev/null"]] {
                wrong.extend(
                    place.harmless(words_tool(), exec(words)).map(|wrong| format!("{entry}: {wrong}")),
                );
                let text = CommandSpec::shell(words.join(" "));
                wrong.extend(place.harmless(shell_tool(), text).map(|wrong| format!("{entry}: {wrong}")));
            }
            for text in ["cd sub; ls", "cd bin && cat x", "(cd sub && git status)"] {
                wrong.extend(
                    place
                        .harmless(shell_tool(), CommandSpec::shell(text))
                        .map(|wrong| format!("{entry}: {wrong}")),
                );
            }
        }
    }
    none(wrong);
}

#[test]
fn x01_the_systems_own_program_runs_all_the_same() {
    let place = with_path(RO, "nosuch");
    place.runs_lines(&["ls", "cat /dev/null"]);
    place.runs(&["ls", "cat /dev/null"]);
    let relative = with_path(RO, "bin");
    relative.runs_lines(&["ls"]);
}

#[test]
fn x02_a_path_into_the_place_is_no_system_program() {
    for config in [
        RO,
        SH,
        "policy.allow = [\"git\", \"ls\", \"cat\"]",
        "policy.allowed_commands = [\"git\", \"ls\", \"cat\"]",
    ] {
        let place = with_path(config, "/nosuch");
        let root = place.root();
        symlink("/bin/sh", root.join("head")).unwrap();
        symlink("/bin/sh", root.join("bin/tail")).unwrap();
        symlink("/usr/bin/touch", root.join("wc")).unwrap();
        symlink(root.join("git"), root.join("../outside/git")).unwrap();
        symlink("/bin/cat", root.join("sub/cat2")).unwrap();
        fs::copy("/bin/sh", root.join("sort")).unwrap();
        let at = |name: &str| root.join(name).display().to_string();
        place.refuses_words(&[
            &["./git", "status"],
            &["bin/git", "status"],
            &[&at("bin/git"), "status"],
            &[&at("git"), "status"],
            &["./ls"],
            &["./head", "-c", "touch pwned"],
            &[&at("head"), "-c", "touch pwned"],
            &["bin/tail", "-c", "touch pwned"],
            &["./wc", "pwned"],
            &["../root/git", "status"],
            &["bin/../git", "status"],
            &[".//git", "status"],
            &[&format!("//{}", at("git")), "status"],
            &[&at("../outside/git"), "status"],
            &["../outside/git", "status"],
            &["./sort", "-c", "touch pwned"],
            &["sub/cat2", "/dev/null"],
        ]);
        place.refuses(&[
            "/proc/self/cwd/git status",
            "/proc/$$/cwd/ls",
            "~/ls",
            "\"$PWD\"/ls",
            "cd bin; ./ls",
        ]);
    }
}

#[test]
fn x02_the_systems_program_may_be_named_by_its_path() {
    let place = with_path(RO, "/nosuch");
    place.runs_lines(&["/usr/bin/ls", "/bin/ls", "/usr/bin/head -n 1 /dev/null"]);
}

#[test]
fn x03_what_is_denied_is_denied_by_every_name_of_it() {
    for deny in ["touch", "/usr/bin/touch"] {
        let place = Place::with(&format!("policy.allow = [\"*\"]\npolicy.deny = [\"{deny}\"]\n"));
        symlink("/usr/bin/touch", place.root().join("t")).unwrap();
        symlink("t", place.root().join("u")).unwrap();
        let at = place.root().join("t").display().to_string();
        place.refuses_lines(&[
            "touch pwned",
            "/usr/bin/touch pwned",
            "/bin/touch pwned",
            "/usr/bin/../bin/touch pwned",
            "//usr/bin//touch pwned",
            "./t pwned",
            "./u pwned",
            &format!("{at} pwned"),
            "env touch pwned",
            "timeout 5 touch pwned",
            "nice ./t pwned",
            "xargs touch",
            "/proc/self/root/usr/bin/touch pwned",
        ]);
        place.refuses(&[
            "sh -c 'touch pwned'",
            "\\touch pwned",
            "to''uch pwned",
            "x=touch; $x pwned",
            "$(echo touch) pwned",
            "eval touch pwned",
            "find . -maxdepth 0 -exec touch pwned \\;",
            "echo hi; touch pwned",
            "cd /usr/bin && ./touch pwned",
            "/usr/bin/tou[c]h pwned",
            "command touch pwned",
            "exec touch pwned",
            "true || { touch pwned; }",
            ". ./x",
        ]);
        place.runs(&["echo touch", "ls", "true", "cat /dev/null"]);
    }
}

#[test]
fn x04_a_shell_is_a_program_like_any_other() {
    let mut wrong = Vec::new();
    for config in [SH, RO, "policy.allow = [\"echo\"]"] {
        let place = Place::with(config);
        for name in ["bash", "sh", "zsh", "dash", "bin/bash", "ls"] {
            place.program(name, "exit 0");
        }
        symlink("/usr/bin/python3", place.root().join("rbash")).unwrap();
        let at = |name: &str| place.root().join(name).display().to_string();
        for shell in [
            &at("bash"),
            "./bash",
            "./sh",
            "bin/bash",
            &at("bin/bash"),
            "./zsh",
            "./dash",
            "../root/bash",
            "./ls",
            "./rbash",
            "bin/../rbash",
            &at("rbash"),
        ] {
            wrong.extend(place.unless_refused(shell_tool(), for_shell(shell, "echo hi")));
            wrong.extend(place.unless_refused(shell_tool(), for_shell(shell, "true")));
        }
    }
    none(wrong);
}

#[test]
fn x04_the_systems_shells_read_as_before() {
    let place = Place::with(SH);
    for shell in ["bash", "sh", "/bin/bash", "/usr/bin/dash"] {
        assert_eq!(place.prints(shell_tool(), for_shell(shell, "echo hi")), "hi\n", "{shell}");
    }
}

/// Says yes after something has happened, and remembers what it was shown.
struct Meanwhile {
    happens: Box<dyn Fn() + Send + Sync>,
    shown: Arc<Mutex<Vec<String>>>,
}

impl Approver for Meanwhile {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        (self.happens)();
        let commands = matter.draft.ruling().commands().iter().map(|command| command.command.clone());
        self.shown.lock().unwrap().extend(commands);
        self.shown.lock().unwrap().push(matter.because.to_owned());
        Box::pin(std::future::ready(Verdict::Once(Person::named("someone"))))
    }
}

#[test]
fn x06_a_program_that_is_swapped_after_the_check_does_not_run() {
    let place = Place::whose("policy.ask = [\"tool\"]", |facts, builder| {
        let tool = facts.cwd.join("../system/tool");
        let evil = facts.cwd.join("evil");
        let happens = Box::new(move || fs::rename(&evil, &tool).unwrap());
        builder.approver(Meanwhile { happens, shown: Arc::default() })
    });
    let tool = place.file("../system/tool", "#!/bin/sh\necho fine\n");
    fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place.program("evil", "exit 0");
    let ended = place.ask(words_tool(), exec(&["tool"]));
    assert!(!place.canary().exists(), "{ended:?}");
    assert_eq!(ended.unwrap_err().code().name(), "spawn.changed");
}

#[test]
fn x07_a_name_ends_where_it_ends() {
    for config in [
        "policy.allowed_commands = [\"git\", \"npm run test\", \"git log\", \"ls\", \"cat\"]",
        "policy.allowed_commands = [\"git log\", \"npm run test\", \"ls\", \"cat\"]",
        "policy.allow = [\"ls\", \"cat\"]\n[[policy.rules]]\ndecision = \"allow\"\nprogram = \"git\"\nwords = [\"log\"]\n",
    ] {
        let place = Place::with(config);
        for name in ["git-evil", "gitlog", "git2", "lsx", "xls", "catx", "git.sh"] {
            place.program(&format!("../system/{name}"), "exit 0");
        }
        place.refuses_lines(&[
            "gitevil log",
            "git-evil log",
            "gitlog",
            "git2 log",
            "git logout",
            "git log-x",
            "npm run test-evil",
            "npm run test:evil",
            "npm run tes",
            "npm run",
            "npm run-test",
            "npm run testevil",
            "lsx",
            "xls",
            "catx /dev/null",
            "git.sh log",
            "git loG",
        ]);
    }
}

#[test]
fn x08_what_does_not_show_is_no_part_of_a_name() {
    let place = Place::with(SH);
    let names = [
        "ec\u{200b}ho",
        "echo\u{200d}",
        "\u{202e}echo",
        "есho",
        "ｅcho",
        "ech\u{43e}",
        "c\u{430}t",
        "\u{feff}ls",
        "l\u{ad}s",
        "ls\u{2060}",
        "echo\u{7f}",
        "ls\u{8}",
        "\u{1b}[2Kls",
        "ls\u{2066}",
        "LS",
        "Echo",
    ];
    for name in names {
        place.program(&format!("../system/{name}"), "exit 0");
        let text = format!("{name} hi");
        place.refuses(&[&text]);
        none(place.unless_refused(words_tool(), exec(&[name, "hi"])));
        let Ok(Outcome::Refused(refusal)) = place.ask(words_tool(), exec(&[name, "hi"])) else {
            panic!("{name}")
        };
        let view = refusal.view();
        let all = format!("{}{}", view.message, view.hint.unwrap_or_default());
        assert!(!all.chars().any(hides), "{all:?}");
    }
}

#[test]
fn x08_whoever_is_asked_is_shown_what_there_is() {
    let shown: Arc<Mutex<Vec<String>>> = Arc::default();
    let theirs = Arc::clone(&shown);
    let place = Place::whose("policy.ask = [\"echo\"]", |_, builder| {
        builder.approver(Meanwhile { happens: Box::new(|| {}), shown: theirs })
    });
    let hidden = [
        "a\u{202e}b",
        "a\u{200b}b",
        "a\u{1b}[2Kb",
        "a\rb",
        "a\u{2066}b",
        "a\u{8}b",
        "a\u{feff}b",
        "a\nb",
        "\u{9b}2K",
    ];
    for word in hidden {
        place.prints(words_tool(), exec(&["echo", word]));
        drop(place.ask(shell_tool(), CommandSpec::shell(format!("echo '{word}'"))));
    }
    let shown = shown.lock().unwrap();
    assert!(shown.len() > hidden.len(), "{shown:?}");
    for text in shown.iter() {
        assert!(!text.chars().any(hides), "{text:?}");
    }
}

fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

#[test]
fn x01_what_a_wrapper_starts_is_looked_up_like_any_other() {
    let names =
        ["env", "ls", "timeout", "xargs", "sh", "find", "nice", "cd", "command", "echo", "nohup", "setsid"];
    let listed: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let mut wrong = Vec::new();
    for key in ["policy.allowed_commands", "policy.allow"] {
        for entry in [".", "bin", "ROOT/bin", "", "ROOT/sub/../bin"] {
            let place = with_path(&format!("{key} = [{}]", listed.join(", ")), entry);
            for text in [
                "env ls",
                "timeout 5 ls",
                "echo | xargs ls",
                "sh -c ls",
                "sh -c 'cd sub; ls'",
                "find . -maxdepth 0 -exec ls ;",
                "find . -maxdepth 0 -execdir ls ;",
                "nice env timeout 5 ls",
                "command ls",
                "nohup ls",
                "setsid -w ls",
                "cd sub && env ls",
                "env -i ls",
                "env ./ls",
                "sh -c ./ls",
                "xargs ./ls",
            ] {
                let words: Vec<&str> = text.split(' ').collect();
                if !text.contains(['|', '&', '\'']) && words[0] != "command" {
                    wrong.extend(
                        place.harmless(words_tool(), exec(&words)).map(|wrong| format!("{entry}: {wrong}")),
                    );
                }
                let text = CommandSpec::shell(text.replace(" ;", " \\;"));
                wrong.extend(place.harmless(shell_tool(), text).map(|wrong| format!("{entry}: {wrong}")));
            }
        }
    }
    none(wrong);
    let place = with_path(&format!("policy.allowed_commands = [{}]", listed.join(", ")), "/nosuch");
    place.runs(&["env ls", "timeout 5 ls", "echo | xargs ls", "sh -c ls"]);
}
