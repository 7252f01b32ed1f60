//! A draft, readable: what would be done, by which rule, and where each value came from.
//!
//! May not show the values of environment variables.

use super::walls::WallsView;
use runward::config::Settings;
use runward::core::facts::Containment;
use runward::core::plan::{KeptLimit, Leave};
use runward::core::render::{bytes, command_line, duration, word};
use runward::core::resolve::Because;
use runward::{Decision, Draft, ErrorView, Program, StdinSpec};
use serde::Serialize;
use std::fmt::Write;

/// Variables of its own that are named without being asked for.
const MOST_NAMES: usize = 5;

/// A draft as `explain --json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct DraftView<'a> {
    asked: &'a Program,
    program: String,
    real_program: String,
    found: String,
    argv: Vec<String>,
    cwd: String,
    cwd_from: String,
    env_names: Vec<String>,
    stdin: &'a StdinSpec,
    decision: Decision,
    rules: Vec<&'a runward::core::policy::Match>,
    commands: &'a [runward::core::policy::Judged],
    refusal: Option<ErrorView>,
    containment: Containment,
    #[serde(flatten)]
    walls: WallsView<'a>,
    limits: Vec<LimitView>,
    kill_grace_ms: u128,
    drain_ms: u128,
    keep_bytes: u64,
    spool_bytes: u64,
    digest: String,
}

/// One limit: how much, what enforces it, where it was set.
#[derive(Debug, Serialize)]
struct LimitView {
    name: &'static str,
    value: u64,
    kept_by: runward::core::facts::Keeper,
    from: String,
}

impl<'a> DraftView<'a> {
    /// The view of a draft made under these settings.
    pub(crate) fn of(draft: &'a Draft, settings: &Settings) -> Self {
        let command = draft.command();
        let (ladder, capture) = (draft.ladder(), draft.capture());
        Self {
            asked: command.asked(),
            program: word(command.program().as_os_str()),
            real_program: word(command.real_program().as_os_str()),
            found: found(draft),
            argv: command.argv().iter().map(|text| word(text)).collect(),
            cwd: word(command.cwd().as_os_str()),
            cwd_from: reason(draft, "cwd"),
            env_names: command.env().keys().map(|name| word(name)).collect(),
            stdin: command.stdin(),
            decision: draft.ruling().decision(),
            rules: draft.ruling().matches().collect(),
            commands: draft.ruling().commands(),
            refusal: refusal(draft),
            containment: draft.containment(),
            walls: WallsView::of(draft, settings),
            limits: draft.limits().iter().map(|limit| limit_view(limit, draft, settings)).collect(),
            kill_grace_ms: ladder.grace.as_millis(),
            drain_ms: capture.drain.as_millis(),
            keep_bytes: capture.keep,
            spool_bytes: capture.spool,
            digest: draft.digest().to_string(),
        }
    }

    /// The same for people, with counts where only a few want the names.
    pub(crate) fn text(&self) -> String {
        self.told(false)
    }

    /// The same with all names.
    pub(crate) fn verbose_text(&self) -> String {
        self.told(true)
    }

    fn told(&self, verbose: bool) -> String {
        let mut out = self.command_lines(verbose);
        row(&mut out, "decision", &self.decision_words());
        for rule in &self.rules {
            row(
                &mut out,
                "",
                &format!("{} by the rule `{}`: {}", says(rule.decision), rule.rule, rule.because),
            );
        }
        row(&mut out, "containment", self.containment.name());
        self.walls.rows(&mut out);
        for (index, limit) in self.limits.iter().enumerate() {
            row(&mut out, if index == 0 { "limits" } else { "" }, &limit.words());
        }
        row(&mut out, "at the end", &self.ladder_words());
        let kept = format!(
            "{} of each stream kept, up to {} on disk",
            bytes(self.keep_bytes),
            bytes(self.spool_bytes)
        );
        row(&mut out, "output", &kept);
        out
    }

    fn ladder_words(&self) -> String {
        let grace = self.kill_grace_ms;
        match self.containment {
            Containment::Job => format!("Ctrl-Break where it can be sent, {grace}ms, the job is terminated"),
            _ => format!("SIGTERM to the whole tree, {grace}ms, SIGKILL"),
        }
    }

    fn command_lines(&self, verbose: bool) -> String {
        let mut out = String::new();
        row(&mut out, "asked", &asked(self.asked));
        row(&mut out, "program", &format!("{} ({})", shown(&self.program), self.found));
        if self.real_program != self.program {
            row(&mut out, "", &format!("which is {}", shown(&self.real_program)));
        }
        row(&mut out, "argv", &command_line(&self.argv));
        row(&mut out, "cwd", &format!("{} ({})", shown(&self.cwd), self.cwd_from));
        row(&mut out, "environment", &self.environment_words(verbose));
        row(
            &mut out,
            "stdin",
            match self.stdin {
                StdinSpec::Null => "nothing",
                StdinSpec::Bytes(_) | StdinSpec::Open => "what it is given",
            },
        );
        out
    }

    /// How many variables it has, and those that we do not have ourselves.
    fn environment_words(&self, verbose: bool) -> String {
        let count = self.env_names.len();
        if verbose {
            return format!("{count} names: {}", command_line(&self.env_names));
        }
        let ours = |name: &&String| std::env::var_os(name.as_str()).is_none();
        let new: Vec<&String> = self.env_names.iter().filter(ours).collect();
        match new.len() {
            0 => format!("{count} variables, all of them ours (--verbose names them)"),
            1..=MOST_NAMES => {
                format!("{count} variables, not ours: {} (--verbose names all)", command_line(new))
            }
            more => format!("{count} variables, {more} of them not ours (--verbose names them)"),
        }
    }

    fn decision_words(&self) -> String {
        match &self.refusal {
            Some(refusal) => format!("{}: {} [{}]", says(self.decision), refusal.message, refusal.code),
            None => says(self.decision).to_owned(),
        }
    }
}

impl LimitView {
    fn words(&self) -> String {
        let by = serde_json::to_string(&self.kept_by).unwrap_or_default();
        format!("{} = {} kept by {} ({})", self.name, self.amount(), by.trim_matches('"'), self.from)
    }

    fn amount(&self) -> String {
        if self.name.ends_with("_ms") {
            duration(std::time::Duration::from_millis(self.value))
        } else if self.name.ends_with("_bytes") {
            bytes(self.value)
        } else {
            self.value.to_string()
        }
    }
}

/// Columns of a label.
pub(crate) const LABEL: usize = 16;

/// One line of a table for people.
pub(crate) fn row(out: &mut String, label: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{label:<LABEL$}{text}");
}

/// One word that cannot make the terminal show anything else: a person decides by what they read here.
fn shown(text: &str) -> String {
    command_line([text])
}

fn asked(program: &Program) -> String {
    match program {
        Program::Exec { name, args } => {
            format!("the program {}", command_line([name].into_iter().chain(args)))
        }
        Program::Shell { script, .. } => format!("the script {}", command_line([script])),
    }
}

fn says(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

fn refusal(draft: &Draft) -> Option<ErrorView> {
    if let Leave::Refused(refusal) = draft.leave() { Some(refusal.view()) } else { None }
}

fn found(draft: &Draft) -> String {
    reason(draft, if matches!(draft.command().asked(), Program::Shell { .. }) { "shell" } else { "program" })
}

fn reason(draft: &Draft, what: &str) -> String {
    match draft.command().because().of(what) {
        Some(Because::Host(how)) => how.clone(),
        Some(Because::Caller) => "as asked".to_owned(),
        Some(Because::Default) | None => "by default".to_owned(),
    }
}

fn limit_view(limit: &KeptLimit, draft: &Draft, settings: &Settings) -> LimitView {
    // Provenance names the wish; the configuration names the unit too.
    let wish = match limit.name {
        "idle_timeout_ms" => "idle",
        name => name.trim_end_matches("_ms").trim_end_matches("_bytes"),
    };
    let from = match draft.command().because().of(wish) {
        Some(Because::Caller) => "as asked".to_owned(),
        _ => {
            settings.get(&format!("limits.{}", limit.name)).map(|s| s.origin.to_string()).unwrap_or_default()
        }
    };
    LimitView { name: limit.name, value: limit.value, kept_by: limit.by, from }
}
