//! What init found, would do and did: for people and for programs.
//!
//! Of a file only Runward's own entry is shown, and of that no value of a variable. May not decide anything.

use super::plan::{PlannedFile, PlannedStep};
use super::trial::TrialReport;
use super::{InitConsent, InitWork};
use crate::clients::{ConsentNeed, KnownClient, RunwardEntry, veiled};
use crate::ecosystems::FolderHosts;
use crate::level::Level;
use runward::core::render::{one_line, word};
use runward::{Code, ErrorView, HostFacts};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Everything that is shown.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct InitView {
    head: InitHead,
    rows: Vec<FileRow>,
    /// Whether entries are taken out.
    removes: bool,
    project: bool,
    workspace: bool,
    /// Nobody looks at the difference before it is written.
    unseen: bool,
    tried: Option<TrialReport>,
}

/// What holds for every file.
#[derive(Debug, Clone, Serialize)]
struct InitHead {
    version: &'static str,
    /// What clients will start.
    program: String,
    /// What is copied there first, because it lies in a cache.
    copied_from: Option<String>,
    level: Option<&'static str>,
    presets: Vec<String>,
    allowed: Option<String>,
    /// What the level was taken from.
    found: Option<Vec<String>>,
    /// The hosts that the level stands for in this folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    hosts: Option<Vec<String>>,
}

impl InitHead {
    fn hosts_in_words(&self) -> String {
        match self.hosts.as_deref() {
            None | Some([]) => "none: no code host belongs to what lies here".to_owned(),
            Some(hosts) => hosts.join(", "),
        }
    }
}

/// One file.
#[derive(Debug, Clone, Serialize)]
struct FileRow {
    client: &'static str,
    name: &'static str,
    file: String,
    key: String,
    /// `add`, `change`, `remove`, `there`, `absent`, `taken` or `left`; once it is done `written`, `changed`, `removed`
    /// or `failed`.
    state: &'static str,
    because: Option<String>,
    /// Lines that go.
    old: Vec<String>,
    /// Lines that come.
    new: Vec<String>,
    /// The copy of the old file.
    copy: Option<String>,
    #[serde(skip)]
    of: KnownClient,
    #[serde(skip)]
    shown: String,
    #[serde(skip)]
    shown_copy: Option<String>,
    #[serde(skip)]
    is_new: bool,
    #[serde(skip)]
    home: Option<PathBuf>,
}

/// What came of one file.
#[derive(Debug)]
pub(super) enum FileFate {
    /// It was written; the old one lies here.
    Written(Option<PathBuf>),
    Failed(String),
}

/// The whole as data.
#[derive(Debug, Serialize)]
pub(super) struct InitReport<'a> {
    #[serde(flatten)]
    head: &'a InitHead,
    clients: &'a [FileRow],
    tried: Option<&'a TrialReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorView>,
}

/// A path with `~` for the home, as people write it.
pub(super) fn tilde(path: &Path, facts: &HostFacts) -> String {
    with_tilde(path, facts.home.as_deref())
}

fn with_tilde(path: &Path, home: Option<&Path>) -> String {
    let inside = home.filter(|home| home.is_absolute()).and_then(|home| path.strip_prefix(home).ok());
    one_line(&match inside {
        Some(rest) => format!("~/{}", word(rest.as_os_str())),
        None => word(path.as_os_str()),
    })
}

impl InitView {
    pub(super) fn of(work: &InitWork<'_>, plans: &[PlannedFile]) -> Self {
        let (args, rules) = (work.args, work.rules);
        let from =
            work.binary.filter(|binary| binary.is_to_be_copied()).and_then(|binary| binary.from.clone());
        let head = InitHead {
            version: env!("CARGO_PKG_VERSION"),
            program: work.entry.command.clone(),
            copied_from: from.map(|from| word(from.as_os_str())),
            level: rules.level.map(Level::name),
            presets: rules.all_presets().into_iter().map(str::to_owned).collect(),
            allowed: rules.allow.clone(),
            found: rules.marks.clone(),
            hosts: (rules.level == Some(Level::Work)).then(|| FolderHosts::of(&rules.folder).list.texts()),
        };
        let home = work.facts.home.clone();
        let rows = plans.iter().map(|planned| FileRow::of(planned, home.clone(), args.yes)).collect();
        let workspace = args.workspace.is_some();
        let (removes, project, unseen) = (args.remove, args.project, args.yes);
        Self { head, rows, removes, project, workspace, unseen, tried: None }
    }

    /// A file was looked at again.
    pub(super) fn plan_again(&mut self, index: usize, planned: &PlannedFile) {
        let home = self.rows[index].home.clone();
        self.rows[index] = FileRow::of(planned, home, self.unseen);
    }

    pub(super) fn fate(&mut self, index: usize, fate: FileFate) {
        let row = &mut self.rows[index];
        match fate {
            FileFate::Written(copy) => {
                row.state = match row.state {
                    "change" => "changed",
                    "remove" => "removed",
                    _ => "written",
                };
                row.shown_copy = copy.as_deref().map(|copy| with_tilde(copy, row.home.as_deref()));
                row.copy = copy.map(|copy| word(copy.as_os_str()));
            }
            FileFate::Failed(why) => (row.state, row.because) = ("failed", Some(why)),
        }
    }

    pub(super) fn tried(&mut self, report: TrialReport) {
        self.tried = Some(report);
    }

    /// What is shown before anything is asked.
    pub(super) fn opening(&self) -> String {
        let mut lines = vec![format!("Runward {}, {}", self.head.version, one_line(&self.head.program))];
        if let (Some(from), false) = (&self.head.copied_from, self.removes) {
            lines.push(format!(
                "  copied there first: {} lies in a cache, which is emptied some day",
                one_line(from)
            ));
        }
        lines.push(String::new());
        lines.extend(self.found());
        if !self.removes && !self.rows.is_empty() {
            lines.push(String::new());
            lines.extend(self.rules());
        }
        let all: Vec<usize> = (0..self.rows.len()).collect();
        lines.push(self.again(&all));
        lines.join("\n").trim_end().to_owned()
    }

    /// The difference in these files.
    pub(super) fn again(&self, which: &[usize]) -> String {
        let mut lines = Vec::new();
        for row in which.iter().map(|index| &self.rows[*index]) {
            if row.old.is_empty() && row.new.is_empty() {
                continue;
            }
            lines.push(String::new());
            lines.push(row.shown.clone());
            lines.extend(row.old.iter().map(|line| format!("  - {}", one_line(line))));
            lines.extend(row.new.iter().map(|line| format!("  + {}", one_line(line))));
        }
        lines.join("\n")
    }

    fn found(&self) -> Vec<String> {
        if self.rows.is_empty() {
            return vec![match (self.removes, self.project) {
                (true, _) => "No client has it.".to_owned(),
                (_, true) => "No client with a file of this project was found. Name one: runward init --project cursor".to_owned(),
                _ => "No client was found. Name one (runward init claude-code), or print the entry: runward init --print".to_owned(),
            }];
        }
        let wide = |of: fn(&FileRow) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let (name, file) = (wide(|row| row.name.chars().count()), wide(|row| row.shown.chars().count()));
        let mut lines =
            vec![if self.removes { "Clients that are looked at" } else { "Clients found" }.to_owned()];
        for row in &self.rows {
            lines.push(format!("  {:<name$}  {:<file$}  {}", row.name, row.shown, one_line(&row.words())));
        }
        lines
    }

    fn rules(&self) -> Vec<String> {
        let why = match (&self.head.found, self.head.level) {
            (Some(found), _) if !found.is_empty() => {
                let shown: Vec<String> = found.iter().take(4).map(|name| one_line(name)).collect();
                format!(", from what lies here ({})", shown.join(", "))
            }
            (Some(_), _) => ": nothing to build lies here".to_owned(),
            (None, Some(level)) => format!(", level {level}"),
            _ => String::new(),
        };
        let mut lines = vec![format!("Rules for the agent{why}")];
        if let Some(allowed) = &self.head.allowed {
            lines.push(format!("  {}   these commands alone", one_line(allowed)));
        }
        for preset in &self.head.presets {
            let about = match preset.as_str() {
                "readonly" => "look at files and history; nothing that writes",
                "build" => "build, check and test this project, which runs its code",
                _ => "what the preset of this name allows",
            };
            lines.push(format!("  {preset:<10} {about}"));
        }
        if self.head.level == Some("work") {
            lines.push(
                "  sandbox    write in the workspace alone; does not start without every layer".to_owned(),
            );
            lines.push(format!("  network    {}", self.head.hosts_in_words()));
        }
        lines.push(if self.head.level == Some("work") {
            "  Allowed inside it: every command that no rule asks about or denies. See `runward policy check`."
                .to_owned()
        } else {
            "  Not allowed: everything else, such as git commit, curl, rm. See `runward policy check`.".to_owned()
        });
        lines
    }

    /// What is shown in the end.
    pub(super) fn closing(&self, consent: InitConsent) -> String {
        let done: Vec<&FileRow> = self.rows.iter().filter(|row| row.is_done()).collect();
        let mut lines: Vec<String> = vec![String::new()];
        let wide = |of: fn(&FileRow) -> usize| self.rows.iter().map(of).max().unwrap_or(0);
        let (name, file) = (wide(|row| row.name.chars().count()), wide(|row| row.shown.chars().count()));
        if !done.is_empty() || self.rows.iter().any(|row| row.state == "failed") {
            for row in &self.rows {
                lines.push(
                    format!(
                        "  {:<9} {:<name$}  {:<file$}  {}",
                        row.done_word(),
                        row.name,
                        row.shown,
                        one_line(&row.done_words())
                    )
                    .trim_end()
                    .to_owned(),
                );
            }
            lines.push(String::new());
        }
        if done.is_empty() {
            lines.extend(self.nothing_done(consent));
            return lines.join("\n");
        }
        lines.extend(self.tried.iter().map(|report| self.tried_line(report)));
        let names: Vec<&str> = done.iter().map(|row| row.name).collect();
        lines.push(format!("Start {} anew.", listed(&names)));
        if !self.removes {
            lines
                .last_mut()
                .iter_mut()
                .for_each(|line| **line += " Then ask for: \"run git status with runward\".");
            lines.extend(self.remarks(&done));
            let project = if self.project { " --project" } else { "" };
            lines.push(format!("Undo: runward init{project} --remove"));
        }
        lines.join("\n")
    }

    fn nothing_done(&self, consent: InitConsent) -> Vec<String> {
        let would = self.rows.iter().filter(|row| matches!(row.state, "add" | "change" | "remove")).count();
        match (would, consent) {
            (0, _) => vec!["Nothing to write.".to_owned()],
            (_, InitConsent::Rehearsal) => {
                vec![
                    "Nothing was written. To write it: `runward init` at a terminal, or with `--yes`."
                        .to_owned(),
                ]
            }
            _ => vec!["Nothing was written.".to_owned()],
        }
    }

    fn tried_line(&self, report: &TrialReport) -> String {
        let rules = match (&report.allowed, &report.refused) {
            (Some(allowed), Some(refused)) => {
                format!("`{}` may run, `{}` may not.", one_line(allowed), one_line(refused))
            }
            (Some(allowed), None) if report.sandboxed => format!(
                "`{}` may run, and inside the sandbox whatever no rule asks about or denies.",
                one_line(allowed)
            ),
            (Some(allowed), None) => format!("`{}` may run, and so may `rm -rf /`.", one_line(allowed)),
            (None, _) => {
                "but its rules let none of the usual commands run; see `runward policy check`.".to_owned()
            }
        };
        format!("Tried: it answered in {} ms and offers {} tools; {rules}", report.answered_ms, report.tools)
    }

    fn remarks(&self, done: &[&FileRow]) -> Vec<String> {
        let mut lines = Vec::new();
        let asking: Vec<&str> =
            done.iter().filter(|row| row.of.consent == ConsentNeed::Asks).map(|row| row.name).collect();
        if self.project && !asking.is_empty() {
            lines.push(format!("{} will ask each person before it is started.", listed(&asking)));
        }
        let is_nowhere = done.iter().any(|row| row.of.id == "claude-desktop");
        if is_nowhere && !self.workspace && !self.project {
            lines.push(
                "Claude Desktop starts it in a folder of its own; name yours with `--workspace DIR`."
                    .to_owned(),
            );
        }
        lines
    }

    /// The error, where a file was left that was asked for, or could not be written.
    pub(super) fn failure(&self, named: bool) -> Option<ErrorView> {
        let is_bad =
            |row: &&FileRow| row.state == "failed" || (named && matches!(row.state, "left" | "taken"));
        let bad: Vec<&FileRow> = self.rows.iter().filter(is_bad).collect();
        let first = bad.first()?;
        let why = first.because.clone().unwrap_or_default();
        let more = if bad.len() > 1 { format!(" (and {} more)", bad.len() - 1) } else { String::new() };
        Some(ErrorView {
            code: Code::InitNotWritten,
            message: format!("`{}` was left as it is: {why}{more}", first.shown),
            hint: Some(format!("Mend it, then run: runward init {}", first.client)),
        })
    }

    /// The same for programs.
    pub(super) fn structured(&self, error: Option<ErrorView>) -> InitReport<'_> {
        InitReport { head: &self.head, clients: &self.rows, tried: self.tried.as_ref(), error }
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

impl FileRow {
    fn of(planned: &PlannedFile, home: Option<PathBuf>, unseen: bool) -> Self {
        let mut row = Self::blank(planned, home);
        row.fill(planned, unseen);
        row
    }

    fn blank(planned: &PlannedFile, home: Option<PathBuf>) -> Self {
        let client = planned.file.client;
        Self {
            client: client.id,
            name: client.name,
            file: word(planned.file.path.as_os_str()),
            key: planned.key.clone(),
            state: "left",
            because: None,
            old: Vec::new(),
            new: Vec::new(),
            copy: None,
            of: client,
            shown: with_tilde(&planned.file.path, home.as_deref()),
            shown_copy: None,
            is_new: planned.old.is_none(),
            home,
        }
    }

    fn fill(&mut self, planned: &PlannedFile, unseen: bool) {
        let syntax = self.of.form.syntax();
        let gone = |old: &serde_json::Value| syntax.shown(&planned.key, &veiled(old));
        match &planned.step {
            PlannedStep::Add(new) => (self.state, self.new) = ("add", new.shown.clone()),
            PlannedStep::Change { old, new, widens } => {
                let is_bare = RunwardEntry::of(self.of.form, old).is_some_and(|old| old.rules().is_empty());
                (self.state, self.old, self.new) = ("change", gone(old), new.shown.clone());
                self.because = Some(if is_bare { "without rules" } else { "with other words" }.to_owned());
                if *widens && unseen {
                    (self.state, self.new, self.old) = ("left", Vec::new(), Vec::new());
                    self.because = Some(
                        "has it with other words, which `--yes` does not widen: answer at a terminal, or remove it first"
                            .to_owned(),
                    );
                }
            }
            PlannedStep::Remove { old, .. } => (self.state, self.old) = ("remove", gone(old)),
            PlannedStep::There => self.state = "there",
            PlannedStep::Absent => self.state = "absent",
            PlannedStep::Taken => {
                self.state = "taken";
                self.because = Some(format!(
                    "`{}` there is another server; choose another key with `--name`",
                    planned.key
                ));
            }
            PlannedStep::Left(why) => (self.state, self.because) = ("left", Some(why.clone())),
        }
    }

    fn is_done(&self) -> bool {
        matches!(self.state, "written" | "changed" | "removed")
    }

    /// How it stands before anything is done.
    fn words(&self) -> String {
        let because = self.because.as_deref().unwrap_or_default();
        match self.state {
            "add" => "not there yet".to_owned(),
            "change" => format!("has it, {because}"),
            "remove" => "has it".to_owned(),
            "there" => "there already".to_owned(),
            "absent" => "does not have it".to_owned(),
            "taken" => because.to_owned(),
            _ if because.starts_with("has it") => because.to_owned(),
            _ => format!("cannot be used: {because}"),
        }
    }

    fn done_word(&self) -> &'static str {
        match self.state {
            "written" | "changed" | "removed" | "there" => self.state,
            "failed" => "failed",
            _ => "left",
        }
    }

    fn done_words(&self) -> String {
        match (self.state, &self.shown_copy) {
            ("written" | "changed" | "removed", Some(copy)) => format!("old one: {copy}"),
            ("written", None) if self.is_new => "new".to_owned(),
            ("left" | "taken" | "failed", _) => self.because.clone().unwrap_or_default(),
            _ => String::new(),
        }
    }
}
