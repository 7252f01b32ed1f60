//! A repository in which every program that git could be told to run leaves its name behind.

use runward_engine::core::policy::{Additions, CommandForm, Fit, PresetTerms, Word, preset};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

pub(crate) struct Planted {
    folder: TempDir,
}

impl Planted {
    /// A repository with one commit of `a.txt` and `.gitattributes`.
    pub(crate) fn new(attributes: &str) -> Self {
        let planted = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(planted.repository()).unwrap();
        planted.git("init -q .");
        planted.write(".gitattributes", attributes);
        planted.write("a.txt", "one\n");
        planted.commit("first");
        planted
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.repository().join(name), text).unwrap();
    }

    pub(crate) fn commit(&self, title: &str) {
        self.git("add .");
        self.git(&format!("commit -q -m {title}"));
    }

    /// A program that leaves its name behind and then does this.
    pub(crate) fn program(&self, name: &str, then: &str) -> String {
        let path = self.beside(name);
        let text = format!("#!/bin/sh\necho {name} >> '{}'\n{then}\n", self.beside("seen").display());
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    /// A setting of the repository.
    pub(crate) fn set(&self, key: &str, value: &str) {
        self.git_in(&self.repository(), &["config", key, value]);
    }

    /// The names left behind since the last look.
    pub(crate) fn seen(&self) -> Vec<String> {
        let text = fs::read_to_string(self.beside("seen")).unwrap_or_default();
        fs::remove_file(self.beside("seen")).ok();
        let mut names: Vec<String> = text.lines().map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Plain git, which must succeed.
    pub(crate) fn git(&self, line: &str) {
        self.git_in(&self.repository(), &line.split(' ').collect::<Vec<_>>());
    }

    pub(crate) fn git_in(&self, folder: &Path, words: &[&str]) {
        let output = self.command("git", folder).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
    }

    /// What plain git leaves behind.
    pub(crate) fn plainly(&self, line: &str) -> Vec<String> {
        self.seen();
        self.command("git", &self.repository()).args(line.split(' ').skip(1)).output().unwrap();
        self.seen()
    }

    /// Runs a line on the terms of `readonly`, as words and as text, and holds that nothing was left behind.
    pub(crate) fn harmless(&self, line: &str) {
        for form in [CommandForm::Argv, CommandForm::Text] {
            let terms = terms(line, form);
            self.seen();
            let output = self.on_terms(line, &terms);
            assert_eq!(self.seen(), Vec::<String>::new(), "{line} as {form:?}");
            assert!(output.status.success(), "{line} as {form:?}: {output:?}");
        }
    }

    pub(crate) fn on_terms(&self, line: &str, terms: &PresetTerms) -> Output {
        let argv: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let mut command = self.command("git", &self.repository());
        let settled = self.apply(&mut command, terms);
        command.args(settled.in_argv(argv).iter().skip(1)).output().unwrap()
    }

    pub(crate) fn apply(&self, command: &mut Command, terms: &PresetTerms) -> Additions {
        let git = terms.git.as_ref().unwrap();
        let mut overrides = Vec::new();
        for file in [".git/config", ".gitmodules"] {
            let text = fs::read_to_string(self.repository().join(file)).unwrap_or_default();
            overrides.extend(git.overrides(&text).unwrap());
        }
        let settled = Additions::of(terms, &overrides);
        for name in &settled.unset {
            command.env_remove(name);
        }
        command.envs(settled.variables());
        settled
    }

    #[expect(clippy::disallowed_methods, reason = "the test looks at what git itself does")]
    pub(crate) fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(folder).envs([
            ("PATH", std::env::var_os("PATH").unwrap()),
            ("HOME", self.folder.path().into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_AUTHOR_NAME", "a".into()),
            ("GIT_AUTHOR_EMAIL", "a@example.org".into()),
            ("GIT_COMMITTER_NAME", "a".into()),
            ("GIT_COMMITTER_EMAIL", "a@example.org".into()),
            ("GIT_ALLOW_PROTOCOL", "file".into()),
        ]);
        command
    }
}

pub(crate) fn terms(line: &str, form: CommandForm) -> PresetTerms {
    let words: Vec<Word> = line.split(' ').map(Word::known).collect();
    match preset("readonly").unwrap().says(&words, form) {
        Some(Fit::Fits(terms)) => terms,
        other => panic!("{line}: {other:?}"),
    }
}
