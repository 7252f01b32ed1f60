//! Environment and settings: variables and files by which a harmless command runs something else.
//!
//! Names that no caller may set at all are refused before policy is asked, as a wrong request.

use crate::policies::{Place, RO, RO_NAMES, SH, exec, none, shell_tool, words_tool};
use runward_engine::CommandSpec;
use std::fs;

const LOADER_AND_SHELLS: &str = "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV ENV \
    BASH_FUNC_ls%% SHELLOPTS PS4 PROMPT_COMMAND IFS PATH LD_DEBUG_OUTPUT LD_PROFILE GCONV_PATH BASHOPTS ZDOTDIR \
    BASH_FUNC_cat%% BASH_LOADABLES_PATH GLIBC_TUNABLES LOCPATH CDPATH ld_preload PS0";

const PROGRAMS: &str = "RIPGREP_CONFIG_PATH GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 \
    GIT_SSH_COMMAND GIT_PAGER PAGER GIT_EDITOR GIT_ASKPASS LESSOPEN MANPAGER TAR_OPTIONS GREP_OPTIONS MAKEFLAGS GIT_SSH \
    GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_PARAMETERS GIT_EXEC_PATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE \
    GIT_TRACE GIT_TRACE2 GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_TEMPLATE_DIR GIT_ATTR_SOURCE GIT_OBJECT_DIRECTORY \
    LESSCLOSE LESS EDITOR VISUAL BROWSER SSH_ASKPASS MAKEFILES TAPE RSYNC_RSH LESSKEYIN";

const INTERPRETERS: &str = "PYTHONPATH PYTHONSTARTUP PERL5OPT PERL5LIB NODE_OPTIONS RUBYOPT JAVA_TOOL_OPTIONS CARGO_HOME \
    CARGO_BUILD_RUSTC RUSTC_WRAPPER PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PERL5DB NODE_PATH RUBYLIB _JAVA_OPTIONS \
    JDK_JAVA_OPTIONS RUSTC RUSTFLAGS RUSTC_WORKSPACE_WRAPPER CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER GOFLAGS \
    NPM_CONFIG_SCRIPT_SHELL npm_config_node_options YARN_RC_FILENAME PIP_INDEX_URL LUA_INIT DOTNET_STARTUP_HOOKS \
    CLASSPATH MAVEN_OPTS PYTEST_ADDOPTS GEM_HOME BUNDLE_GEMFILE";

/// What they are set to: as good as nothing, so that a command that takes it would run all the same.
const VALUE: &str = "./x:/usr/bin:/bin";

/// Holds that no caller can set any of these: beside a command, in front of it, for longer, or through a wrapper.
fn nobody_sets(names: &str) {
    let words = Place::with(RO);
    let shell = Place::with(SH);
    let wrapped = Place::with("policy.allowed_commands = [\"env\", \"ls\", \"export\", \"sh\"]");
    let mut wrong = Vec::new();
    for name in names.split_whitespace() {
        let spec = || CommandSpec::shell("ls").env(name, VALUE);
        wrong.extend(words.unless_refused(words_tool(), exec(&["ls"]).env(name, VALUE)));
        wrong.extend(shell.unless_refused(shell_tool(), spec()));
        wrong.extend(wrapped.unless_refused(words_tool(), exec(&["env", &format!("{name}={VALUE}"), "ls"])));
        wrong.extend(
            wrapped.unless_refused(words_tool(), exec(&["env", "-S", &format!("{name}={VALUE} ls")])),
        );
        wrong.extend(wrapped.unless_refused(shell_tool(), spec()));
        let alone = format!("{name}={VALUE}; ls");
        let texts = [format!("{name}={VALUE} ls"), format!("export {name}={VALUE}; ls")];
        // No command is given what parts words, and in a text small letters are another variable.
        let alone = Some(alone).filter(|_| name != "IFS");
        let is_variable =
            !name.contains('%') && (name.contains(char::is_uppercase) || name.starts_with("npm_"));
        for text in texts.iter().chain(&alone).filter(|_| is_variable) {
            wrong.extend(shell.unless_refused(shell_tool(), CommandSpec::shell(text)));
            wrong.extend(wrapped.unless_refused(shell_tool(), CommandSpec::shell(text)));
            let inner = format!("sh -c '{text}'");
            wrong.extend(wrapped.unless_refused(shell_tool(), CommandSpec::shell(inner)));
        }
    }
    none(wrong);
}

#[test]
fn e01_the_loader_and_shells_take_nothing_from_callers() {
    nobody_sets(LOADER_AND_SHELLS);
}

#[test]
fn e02_programs_take_no_helpers_from_callers() {
    nobody_sets(PROGRAMS);
}

#[test]
fn e03_interpreters_take_no_code_from_callers() {
    nobody_sets(INTERPRETERS);
}

/// Settings of a repository that name a program, with the command that would run it.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "status"),
    ("core.fsmonitor", "diff"),
    ("core.pager", "log"),
    ("pager.log", "log"),
    ("pager.diff", "diff"),
    ("diff.external", "diff"),
    ("diff.x.textconv", "diff"),
    ("diff.x.textconv", "show"),
    ("diff.x.textconv", "log -p"),
    ("diff.x.textconv", "blame a.txt"),
    ("diff.x.command", "diff"),
    ("diff.x.command", "diff HEAD"),
    ("filter.x.clean", "status"),
    ("filter.x.clean", "diff"),
    ("filter.x.process", "diff"),
    ("filter.x.smudge", "diff"),
    ("gpg.program", "log --format=%G?"),
    ("gpg.ssh.program", "log --format=%G?"),
    ("core.sshCommand", "ls-remote ssh://127.0.0.1:9/x"),
    ("core.askPass", "ls-remote ."),
    ("core.alternateRefsCommand", "log"),
    ("uploadpack.packObjectsHook", "ls-remote ."),
    ("alias.status", "status"),
    ("core.editor", "log"),
    ("interactive.diffFilter", "diff"),
    ("credential.helper", "ls-remote ."),
    ("core.gitProxy", "ls-remote git://127.0.0.1:9/x"),
    ("mergetool.x.cmd", "status"),
    ("diff.guitool", "diff"),
];

fn planted(config: &str, key: &str) -> Place {
    let place = Place::with(config);
    place.repository();
    place.file(".gitattributes", "*.txt diff=x filter=x\n");
    place.git(&["add", ".gitattributes"]);
    place.git(&["commit", "-q", "-m", "second"]);
    let program = place.program("e", "exit 0");
    let value = if key.starts_with("alias.") {
        format!("!{}", program.display())
    } else {
        program.display().to_string()
    };
    place.git(&["config", key, &value]);
    place.file("a.txt", "one\nthree\n");
    place
}

#[test]
fn e04_the_settings_of_a_repository_run_nothing() {
    let mut wrong = Vec::new();
    for config in [RO, RO_NAMES] {
        let reaches = |line: &str| config == RO_NAMES && line.contains("://");
        // A list that names `git ls-remote` lets it reach other machines by whatever the repository says.
        for (key, line) in SETTINGS.iter().filter(|(_, line)| !reaches(line)) {
            let place = planted(config, key);
            let words: Vec<&str> = ["git"].into_iter().chain(line.split(' ')).collect();
            wrong.extend(place.harmless(words_tool(), exec(&words)).map(|wrong| format!("{key}: {wrong}")));
            let text = CommandSpec::shell(format!("git {line}"));
            wrong.extend(place.harmless(shell_tool(), text).map(|wrong| format!("{key}: {wrong}")));
        }
    }
    none(wrong);
}

#[test]
fn e04_an_alias_of_a_repository_is_no_command() {
    let place = planted(RO, "alias.st");
    place.refuses_lines(&["git st", "git --no-pager st"]);
    let listed = planted("policy.allowed_commands = [\"git\"]", "alias.st");
    listed.refuses_lines(&["git st"]);
    listed.runs_lines(&["git status", "git diff"]);
}

#[test]
fn e04_settings_hide_nowhere() {
    let include = "[include]\n\tpath = ../more\n";
    let conditional = "[includeIf \"gitdir:**\"]\n\tpath = ../more\n";
    let odd = "[core]fsmonitor=PROGRAM\n[CORE]\n FsMonitor = PROGRAM ; x\n";
    let continued = "[core]\n\tfsmon\\\n\tfsmonitor = \\\nPROGRAM\n";
    let branch = "[includeIf \"onbranch:**\"]\n\tpath = ../more\n";
    let mut wrong = Vec::new();
    for text in [include, conditional, odd, continued, branch] {
        let place = planted(RO, "user.x");
        let program = place.root().join("e");
        let text = text.replace("PROGRAM", program.to_str().unwrap());
        let config = place.root().join(".git/config");
        fs::write(&config, format!("{}\n{text}", fs::read_to_string(&config).unwrap())).unwrap();
        place.file("more", &format!("[core]\n\tfsmonitor = {}\n", program.display()));
        for line in ["status", "diff"] {
            wrong.extend(place.harmless(words_tool(), exec(&["git", line])));
            wrong.extend(place.harmless(shell_tool(), CommandSpec::shell(format!("git {line}"))));
        }
    }
    none(wrong);
}

#[test]
fn e04_a_hook_runs_by_no_command_that_reads() {
    let place = planted(RO, "user.x");
    for hook in
        ["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"]
    {
        place.program(&format!(".git/hooks/{hook}"), "exit 0");
        place.program(&format!("hooks/{hook}"), "exit 0");
    }
    place.git(&["config", "core.hooksPath", "hooks"]);
    let lines = ["status", "diff", "log -1", "show", "blame a.txt", "grep one", "ls-files", "ls-remote ."];
    let wrong = lines.iter().flat_map(|line| {
        let words: Vec<&str> = ["git"].into_iter().chain(line.split(' ')).collect();
        let text = CommandSpec::shell(format!("git {line}"));
        [place.harmless(words_tool(), exec(&words)), place.harmless(shell_tool(), text)]
    });
    none(wrong.flatten());
}

#[test]
fn e05_secrets_of_the_server_stay_with_the_server() {
    let config = format!("{RO}\n[env]\nbase = \"clean\"\n");
    let place = Place::whose(&config, |facts, builder| {
        for name in
            ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "RUNWARD_TOKEN", "OPENAI_API_KEY"]
        {
            facts.env.insert(name.into(), "hunter2".into());
        }
        builder
    });
    for words in
        [&["printenv"][..], &["cat", "/proc/self/environ"], &["grep", "-r", "hunter2", "/proc/self/environ"]]
    {
        if words[0] == "printenv" && place.unless_refused(words_tool(), exec(words)).is_none() {
            continue;
        }
        let printed = place.prints(words_tool(), exec(words));
        assert!(!printed.contains("hunter2"), "{words:?}: {printed}");
    }
    let parent = place.prints(shell_tool(), CommandSpec::shell("cat -- /proc/$PPID/environ"));
    assert_eq!(parent, "", "whoever starts a command has no environment of its own");
}

#[test]
fn e05_our_own_secret_never_leaves() {
    let config = "policy.allow = [\"*\"]\n[env]\ndrop = [\"GITHUB_TOKEN\"]\n";
    let place = Place::whose(config, |facts, builder| {
        facts.env.insert("RUNWARD_TOKEN".into(), "hunter2".into());
        facts.env.insert("GITHUB_TOKEN".into(), "hunter2".into());
        builder
    });
    for spec in
        [exec(&["env"]), exec(&["cat", "/proc/self/environ"]), CommandSpec::shell("echo $RUNWARD_TOKEN; env")]
    {
        let printed = place.prints(shell_tool(), spec);
        assert!(!printed.contains("hunter2"), "{printed}");
    }
}

#[test]
fn e08_everyday_variables_are_free() {
    let place = Place::with("policy.allowed_commands = [\"make\", \"ls\", \"echo\", \"cargo\", \"env\"]");
    place.file("Makefile", "all:\n\t@echo made with $(CC)\n");
    let spec =
        exec(&["ls"]).env("AWS_PROFILE", "x").env("RUST_LOG", "debug").env("CC", "gcc").env("NO_COLOR", "1");
    assert_eq!(place.prints(words_tool(), spec), "Makefile\n");
    place.runs(&[
        "CC=gcc make",
        "RUST_LOG=debug ls",
        "AWS_PROFILE=x ls",
        "NODE_ENV=test echo hi",
        "env RUST_BACKTRACE=1 ls",
        "export CI=true; ls",
        "LANG=C ls",
        "TZ=UTC LC_ALL=C ls -l",
        "GIT_AUTHOR_NAME=a GIT_TERMINAL_PROMPT=0 ls",
        "PYTHONUNBUFFERED=1 ls",
        "DEBUG=* ls",
    ]);
    let made = place.prints(words_tool(), exec(&["make"]).env("CC", "gcc"));
    assert_eq!(made, "made with gcc\n");
}

#[test]
fn e04_a_repository_below_is_a_repository() {
    let mut wrong = Vec::new();
    for config in [RO, "policy.allowed_commands = [\"git\", \"cd\", \"ls\"]"] {
        let place = Place::with(config);
        place.repository();
        place.git(&["init", "-q", "sub"]);
        place.git(&["init", "-q", "--bare", "bare"]);
        let program = place.program("e", "exit 0").display().to_string();
        for folder in ["sub", "bare"] {
            place.git(&["-C", folder, "config", "core.fsmonitor", &program]);
            place.git(&["-C", folder, "config", "core.pager", &program]);
            place.git(&["-C", folder, "config", "diff.external", &program]);
            place.git(&["-C", folder, "config", "core.bare", "false"]);
        }
        place.file("sub/a.txt", "one\n");
        place.git(&["-C", "sub", "add", "a.txt"]);
        std::fs::remove_file(place.canary()).ok();
        place.file("sub/a.txt", "two\n");
        for text in [
            "cd sub && git status",
            "cd sub; git diff",
            "cd bare && git status",
            "(cd sub && git diff)",
            "cd sub && cd . && git diff",
        ] {
            wrong.extend(place.harmless(shell_tool(), CommandSpec::shell(text)));
        }
        for folder in ["sub", "bare"] {
            for line in ["status", "diff"] {
                wrong.extend(place.harmless(words_tool(), exec(&["git", line]).cwd(folder)));
                wrong.extend(
                    place.harmless(shell_tool(), CommandSpec::shell(format!("git {line}")).cwd(folder)),
                );
            }
        }
    }
    none(wrong);
}
