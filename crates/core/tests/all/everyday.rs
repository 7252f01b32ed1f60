//! What agents type all day, under the presets that are made for it.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::policy::{Decision, Policy, judge};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

const COMMANDS: &str = include_str!("../everyday/commands.txt");
const TEXTS: &str = include_str!("../everyday/texts.txt");

/// What `python3 -m venv` writes, in the words of ours that do the same.
const ACTIVATE: &str = "deactivate () {\n    if [ -n \"${_OLD_VIRTUAL_PATH:-}\" ] ; then\n        PATH=\"${_OLD_VIRTUAL_PATH:-}\"\n        export PATH\n    fi\n    unset VIRTUAL_ENV\n    if [ ! \"${1:-}\" = \"nondestructive\" ] ; then\n        unset -f deactivate\n    fi\n}\ndeactivate nondestructive\nVIRTUAL_ENV=\"/home/u/app/.venv\"\nexport VIRTUAL_ENV\n_OLD_VIRTUAL_PATH=\"$PATH\"\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\nhash -r 2> /dev/null\n";

fn project() -> MadeUpHost {
    let host = MadeUpHost::unix().env("PATH", "/usr/bin").program("/usr/bin/git");
    let host = ["tsc", "eslint", "prettier", "vitest", "jest", "playwright"]
        .iter()
        .fold(host, |host, name| host.program(&format!("/home/u/app/node_modules/.bin/{name}")));
    let host = ["python", "python3", "pytest", "pip"]
        .iter()
        .fold(host, |host, name| host.program(&format!("/home/u/app/.venv/bin/{name}")));
    let host = host
        .program("/home/u/app/gradlew")
        .program("/home/u/app/mvnw")
        .program("/home/u/app/backend/gradlew");
    let host = host
        .folder("/home/u/app/sub")
        .folder("/home/u/app/src")
        .text("/home/u/app/.venv/bin/activate", ACTIVATE);
    let host =
        host.text("/home/u/app/.git/HEAD", "ref: refs/heads/main\n").folder("/home/u/app/.git/objects");
    host.folder("/home/u/app/.git/refs").text("/home/u/app/.git/config", "[core]\n\tbare = false\n")
}

fn decided(script: &str) -> Decision {
    let host = project();
    let presets = vec!["readonly".to_owned(), "build".to_owned()];
    let policy = Policy { presets, ..Policy::default() }.found(host.facts(), &host);
    let command = resolve(&CommandSpec::shell(script), host.facts(), &Defaults::default(), &host).unwrap();
    judge(&policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(&host)).decision()
}

/// How many of these pass, and those that do not.
fn passing<'a>(lines: impl Iterator<Item = &'a str>) -> (usize, Vec<&'a str>) {
    let (pass, refused): (Vec<&str>, Vec<&str>) = lines.partition(|line| {
        let script =
            if *line == "cat <<\"END OF IT\"" { "cat <<\"END OF IT\"\nx\nEND OF IT\n" } else { line };
        decided(script) == Decision::Allow
    });
    (pass.len(), refused)
}

#[test]
fn everyday_commands_pass() {
    let (count, refused) = passing(COMMANDS.lines());
    assert_eq!(COMMANDS.lines().count(), 225);
    assert!(count >= 215, "{count} pass; refused: {refused:#?}");
    // These write where no preset lets them.
    assert_eq!(
        refused,
        ["env --help", "mkdir -p src/new", "touch src/new/mod.rs", "git add -A", "git commit -m \"wip\""]
    );
}

#[test]
fn everyday_texts_pass() {
    let (count, refused) = passing(TEXTS.lines());
    assert_eq!(TEXTS.lines().count(), 46);
    assert!(count >= 40, "{count} pass; refused: {refused:#?}");
    // Words that may turn out to be options, for want of `--`; and one that writes.
    assert_eq!(
        refused,
        [
            "find . -name \"*.ts\" -not -path \"*/node_modules/*\" | xargs grep -l useState",
            "find src -name \"*.rs\" | xargs wc -l | sort -n | tail -10",
            "shopt -s globstar nullglob; ls **/*.rs",
            "f() { grep -rn \"$1\" src; }; f TODO",
            "mkdir -p out && cp a.txt out/ && ls out",
        ]
    );
}

#[test]
fn what_a_wrapper_starts_is_judged_by_itself() {
    for script in [
        "timeout 5 touch p",
        "timeout -s KILL 5 nice -n 5 touch p",
        "nice touch p",
        "stdbuf -o0 touch p",
        "time touch p",
        "command time -p touch p",
        "ls | xargs rm",
        "ls | xargs -I{} sh -c 'touch {}'",
        "find . -exec touch x ;",
        "find . -exec touch x {} +",
        "find . -name x -exec rm {} \\; -print",
        "find . -execdir ls {} \\;",
        "timeout 5 git push",
        "timeout 5 python3 -c 1",
        "npx evil",
        "uv run rm x",
        "uv run python -c 1",
        "poetry run bash -c ls",
        "python3 -m pip install git+https://x",
        "source other/bin/activate && pytest",
        "source .venv/bin/activate && rm x",
        "source .venv/bin/activate && python -c 1",
        "source x.sh",
        "./gradlew -I evil.gradle test",
        "../gradlew test",
        "/tmp/gradlew test",
        "cd /tmp && ./gradlew test",
        "cd \"$d\" && ./gradlew test",
        "./ls",
        "./git status",
        "node_modules/.bin/git status",
        "./cargo test",
    ] {
        assert_ne!(decided(script), Decision::Allow, "{script}");
    }
    for script in [
        "timeout 5 git status",
        "nice cargo test",
        "find . -name x -exec grep -l y {} +",
        "ls | xargs -n1 echo --",
    ] {
        assert_eq!(decided(script), Decision::Allow, "{script}");
    }
}

#[test]
fn an_activation_that_does_more_is_refused() {
    let judged = |text: &str| {
        let host = project().text("/home/u/app/.venv/bin/activate", text);
        let policy =
            Policy { presets: vec!["build".to_owned()], ..Policy::default() }.found(host.facts(), &host);
        let spec = CommandSpec::shell("source .venv/bin/activate && pytest");
        let command = resolve(&spec, host.facts(), &Defaults::default(), &host).unwrap();
        judge(&policy, &command, &Caller::tool(Door::Mcp, "execute_command"), &ground(&host)).decision()
    };
    assert_eq!(judged(ACTIVATE), Decision::Allow);
    for more in [
        "touch pwned\n",
        "$(touch pwned)\n",
        "PS1=\"$(touch pwned)\"\n",
        "PS1=`touch pwned`\n",
        "PS1=x; touch pwned\n",
        "PATH=/evil:$PATH\n",
        "export PATH=/evil\n",
        "VIRTUAL_ENV=/evil\n",
        "VIRTUAL_ENV=\"/evil\"\n",
        "LD_PRELOAD=x\n",
        "alias pytest=evil\n",
        "pytest() { touch pwned; }\n",
        "cat < /dev/tcp/h/1\n",
        "source other\n",
        "hash -p ./evil pytest\n",
        "hash -r; touch pwned\n",
        "unset -f deactivate; touch pwned\n",
    ] {
        assert_eq!(judged(&format!("{ACTIVATE}{more}")), Decision::Deny, "{more}");
        assert_eq!(judged(&format!("{more}{ACTIVATE}")), Decision::Deny, "{more}");
    }
    assert_eq!(judged(&ACTIVATE.replace("/home/u/app/.venv", "/home/u/app/other")), Decision::Deny);
}
