//! The policies that the classes are tried against, each from the text its owner would write, and a place to try them.

use runward_engine::config::{ConfigSource, Settings, Sources, load};
use runward_engine::core::render::command_line;
use runward_engine::core::spec::ShellChoice;
use runward_engine::{
    Caller, Coded, CommandSpec, Door, Engine, EngineBuilder, HostFacts, Outcome, Program, Receipt, Request,
};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Programs that read, with the options known to be harmless.
pub(crate) const RO: &str = "policy.presets = [\"readonly\"]";

/// The same programs by name alone: what they start must be on the list too.
pub(crate) const RO_NAMES: &str = "policy.allowed_commands = [\"ls\", \"cat\", \"head\", \"tail\", \"wc\", \"grep\", \
    \"rg\", \"find\", \"sort\", \"uniq\", \"sed\", \"awk\", \"tar\", \"git status\", \"git log\", \"git diff\", \
    \"git show\", \"git blame\", \"git grep\", \"git ls-files\", \"git ls-remote\"]";

/// Shell text made of a few simple commands.
pub(crate) const SH: &str = "policy.allowed_commands = [\"echo\", \"cat\", \"ls\", \"true\", \"false\"]";

/// Programs that not every host has. Where one is missing, a stand-in of that name leaves the canary behind.
const PERHAPS_MISSING: &str = "rg gawk sudo doas parallel rsync busybox ruby lua php deno bun pypy python3.12 yarn go \
    pip npm npx ksh fish pwsh env-update unshare chroot ionice taskset nsenter setpriv sudoedit su runuser fd strace gdb \
    python3 python perl node make ssh man vim less ed curl openssl cargo tmux screen emacs nano scp socat nc wget zip \
    unzip xz gzip gcc docker kubectl ansible expect m4 bc dc sqlite3 psql mysql crontab at systemd-run pnpm bundle \
    rake java javac mvn gradle cmake uv pipx poetry tsx ts-node dotnet ltrace faketime unbuffer setarch gitevil";

/// A folder to work in, beside it a folder of programs, and an engine with one policy.
pub(crate) struct Place {
    folder: TempDir,
    engine: Engine,
    runtime: tokio::runtime::Runtime,
}

/// What the text of an owner's file comes to.
pub(crate) fn settings(text: &str) -> Settings {
    let user = Some(ConfigSource { file: "runward.toml".to_owned(), text: text.to_owned() });
    load(&Sources { user, ..Sources::default() }).unwrap()
}

impl Place {
    /// A place where this text is the configuration. `ROOT` in it stands for the folder to work in.
    pub(crate) fn with(text: &str) -> Self {
        Self::whose(text, |_, builder| builder)
    }

    /// The same, with a host that is a little different, or an engine that has more to it.
    pub(crate) fn whose(
        text: &str,
        change: impl FnOnce(&mut HostFacts, EngineBuilder) -> EngineBuilder,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        for name in ["root", "system", "home", "outside"] {
            fs::create_dir(top.join(name)).unwrap();
        }
        let mut facts = runward_engine::host::probe().unwrap();
        facts.cwd = top.join("root");
        facts.home = Some(top.join("home"));
        let system = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        facts.env = BTreeMap::from([
            ("PATH".into(), format!("{system}:{}", top.join("system").display()).into()),
            ("HOME".into(), top.join("home").into()),
            ("SHELL".into(), "/bin/bash".into()),
        ]);
        facts.node = None;
        let settings = settings(&text.replace("ROOT", top.join("root").to_str().unwrap()));
        let builder = Engine::builder().policy(settings.policy()).defaults(settings.defaults());
        let builder = change(&mut facts, builder);
        let engine = builder.facts(facts).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let place = Self { folder, engine, runtime };
        for name in PERHAPS_MISSING.split_whitespace() {
            if !system.split(':').any(|folder| Path::new(folder).join(name).exists()) {
                place.program(&format!("../system/{name}"), "exit 0");
            }
        }
        place
    }

    /// The folder that commands work in.
    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("root")
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Writes a file, and the folders it needs.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A program that leaves the canary behind and then does this.
    pub(crate) fn program(&self, name: &str, then: &str) -> PathBuf {
        let path = self.file(name, &format!("#!/bin/sh\n: > '{}'\n{then}\n", self.canary().display()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn canary(&self) -> PathBuf {
        self.root().join("pwned")
    }

    /// Walks a request along the road.
    pub(crate) fn ask(&self, caller: Caller, spec: CommandSpec) -> Result<Outcome, runward_engine::Error> {
        self.runtime.block_on(self.engine.run(Request::by(caller, spec.timeout(testkit::LIMIT))))
    }

    /// Holds that this is refused, with every file as it was. Gives what is wrong, if anything is.
    pub(crate) fn unless_refused(&self, caller: Caller, spec: CommandSpec) -> Option<String> {
        let before = files(self.folder.path());
        let asked = format!("{:?}", spec.program);
        let wrong = match self.ask(caller, spec) {
            Ok(Outcome::Refused(refusal)) if refusal.view().code.name() == "policy.denied" => None,
            Ok(Outcome::Refused(refusal)) => Some(format!("{asked}: refused as {:?}", refusal.view().code)),
            Ok(Outcome::Ran(receipt)) => Some(format!("{asked}: RAN and exited {}", receipt.end.exit_code())),
            // A variable, or a NUL byte, that no caller may send at all.
            Err(error) if error.code().name().starts_with("spec.") => None,
            Err(error) => Some(format!("{asked}: {error}")),
        };
        let after = files(self.folder.path());
        wrong.or_else(|| (before != after).then(|| format!("{asked}: refused, and files changed")))
    }

    /// Holds that texts are refused to a shell's tool.
    pub(crate) fn refuses(&self, texts: &[&str]) {
        let wrong =
            texts.iter().filter_map(|text| self.unless_refused(shell_tool(), CommandSpec::shell(*text)));
        none(wrong);
    }

    /// Holds that commands are refused as words, and as a text of the same words.
    pub(crate) fn refuses_words(&self, commands: &[&[&str]]) {
        let wrong = commands.iter().flat_map(|words| {
            let text = CommandSpec::shell(command_line(words.iter().map(OsStr::new)));
            [self.unless_refused(words_tool(), exec(words)), self.unless_refused(shell_tool(), text)]
        });
        none(wrong.flatten());
    }

    /// Holds that lines, with a single space between words, are refused in both forms.
    pub(crate) fn refuses_lines(&self, lines: &[&str]) {
        let lines: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
        self.refuses_words(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }

    fn unless_ran(&self, caller: Caller, spec: CommandSpec) -> Option<String> {
        let asked = format!("{:?}", spec.program);
        match self.ask(caller, spec) {
            Ok(Outcome::Ran(receipt)) if receipt.end.exit_code() == 0 => {
                self.canary().exists().then(|| format!("{asked}: left the canary"))
            }
            Ok(Outcome::Ran(receipt)) => Some(format!("{asked}: {:?} {:?}", receipt.end, said(&receipt))),
            Ok(Outcome::Refused(refusal)) => {
                let view = refusal.view();
                Some(format!("{asked}: REFUSED: {} / {}", view.message, view.hint.unwrap_or_default()))
            }
            Err(error) => Some(format!("{asked}: {error}")),
        }
    }

    /// Holds that this is refused, or runs without harm: what it would have run left nothing behind.
    pub(crate) fn harmless(&self, caller: Caller, spec: CommandSpec) -> Option<String> {
        let asked = format!("{:?}", spec.program);
        let wrong = match self.ask(caller, spec) {
            Ok(Outcome::Refused(_) | Outcome::Ran(_)) => None,
            Err(error) => Some(format!("{asked}: {error}")),
        };
        wrong.or_else(|| self.canary().exists().then(|| format!("{asked}: left the canary")))
    }

    /// Holds that texts run, and run well.
    pub(crate) fn runs(&self, texts: &[&str]) {
        none(texts.iter().filter_map(|text| self.unless_ran(shell_tool(), CommandSpec::shell(*text))));
    }

    /// Holds that commands run as words.
    pub(crate) fn runs_words(&self, commands: &[&[&str]]) {
        none(commands.iter().filter_map(|words| self.unless_ran(words_tool(), exec(words))));
    }

    /// Holds that lines, with a single space between words, run as words.
    pub(crate) fn runs_lines(&self, lines: &[&str]) {
        let lines: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
        self.runs_words(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }

    /// What a command that must run printed.
    pub(crate) fn prints(&self, caller: Caller, spec: CommandSpec) -> String {
        match self.ask(caller, spec) {
            Ok(Outcome::Ran(receipt)) => String::from_utf8(receipt.stdout.kept.bytes()).unwrap(),
            other => panic!("did not run: {other:?}"),
        }
    }

    /// Runs git to prepare the place, outside of all policy.
    #[expect(clippy::disallowed_methods, reason = "the test prepares a repository")]
    pub(crate) fn git(&self, words: &[&str]) {
        let mut command = std::process::Command::new("git");
        command.env_clear().current_dir(self.root()).args(words).envs([
            ("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
            ("HOME", self.root().join("../home").into_os_string()),
            ("GIT_AUTHOR_NAME", "a".into()),
            ("GIT_AUTHOR_EMAIL", "a@example.org".into()),
            ("GIT_COMMITTER_NAME", "a".into()),
            ("GIT_COMMITTER_EMAIL", "a@example.org".into()),
        ]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
    }

    /// Makes the folder a repository with one commit of `a.txt`.
    pub(crate) fn repository(&self) {
        self.git(&["init", "-q", "."]);
        self.file("a.txt", "one\ntwo\n");
        self.git(&["add", "a.txt"]);
        self.git(&["commit", "-q", "-m", "first"]);
    }
}

/// A caller that sends shell text.
pub(crate) fn shell_tool() -> Caller {
    Caller::tool(Door::Mcp, "execute_command")
}

/// A caller that sends words.
pub(crate) fn words_tool() -> Caller {
    Caller::tool(Door::Mcp, "exec_command")
}

pub(crate) fn exec(words: &[&str]) -> CommandSpec {
    CommandSpec::exec(words[0]).args(words[1..].iter().copied())
}

/// A text for another shell than the host's.
pub(crate) fn for_shell(shell: &str, text: &str) -> CommandSpec {
    let shell = ShellChoice::Named { name: shell.into(), before: vec!["-c".into()] };
    CommandSpec::of(Program::Shell { script: text.into(), shell })
}

/// Holds that nothing is wrong, or tells all that is.
pub(crate) fn none(wrong: impl IntoIterator<Item = String>) {
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn said(receipt: &Receipt) -> String {
    String::from_utf8(receipt.stderr.kept.bytes()).unwrap_or_default()
}

/// Every file below a folder, with what it holds; links are not followed.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            all.extend(files(&path));
            all.insert(path, Vec::new());
        } else {
            all.insert(path.clone(), if kind.is_file() { fs::read(&path).unwrap() } else { Vec::new() });
        }
    }
    all
}
