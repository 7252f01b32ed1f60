//! `ALLOWED_COMMANDS`, the allow-list: the commands that may run, for every caller and every door.
//!
//! An entry is a rule that allows: a name, or a name and the words that must follow it. What a list does not name is
//! refused, and so is what cannot be understood, unless everything is allowed.

use super::rule::Subject;
use super::wrappers::Carried;
use super::{Decision, Match, Opaque, RefusalWords};
use crate::error::Code;
use crate::policy::identity::ProgramIdentity;
use crate::policy::unit::Unit;
use crate::spec::Program;
use std::ffi::OsStr;

/// The list, as its owner wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedCommands {
    entries: Vec<String>,
}

impl AllowedCommands {
    /// The entries of a comma-separated text.
    pub fn read(text: &str) -> Self {
        Self::of(text.split(','))
    }

    /// These entries, trimmed; empty ones are dropped.
    pub fn of<S: AsRef<str>>(entries: impl IntoIterator<Item = S>) -> Self {
        let trimmed = entries.into_iter().map(|entry| entry.as_ref().trim().to_owned());
        Self { entries: trimmed.filter(|entry| !entry.is_empty()).collect() }
    }

    /// Entries that are a name alone.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(String::as_str).filter(|entry| !entry.contains(char::is_whitespace))
    }

    /// Whether nothing at all is allowed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether everything is allowed, and what says so.
    pub(super) fn everything(&self) -> Option<Match> {
        self.entries.iter().find(|entry| *entry == "*").map(|entry| allowed(entry))
    }

    /// What is allowed, for people: the entries, or `(none)`.
    fn listed(&self) -> String {
        if self.entries.is_empty() { "(none)".to_owned() } else { self.entries.join(", ") }
    }

    /// What the list says about one command.
    ///
    /// Code that is hidden in its words must be named by an entry.
    pub(super) fn says(&self, subject: &Subject<'_>, hidden: Option<&Carried>) -> Match {
        let unit = subject.unit;
        let depth = |entry: &String| entry.split_whitespace().count();
        let fitting = self.entries.iter().filter(|entry| begins(unit, entry) || is_named(subject, entry));
        // The one that names most of the command is the one that was meant for it.
        let Some(entry) = fitting.max_by_key(|entry| depth(entry)) else {
            return self.says_unlisted(unit);
        };
        let depth = depth(entry);
        match hidden.filter(|hidden| hidden.words > depth) {
            Some(hidden) => self.refused(&unit.shown(), &how_to_name(unit, &hidden.because, hidden.words)),
            None if is_genuine(subject, entry) => allowed(entry),
            None => self.refused(&unit.shown(), &not_genuine(subject.identity)),
        }
    }

    /// What the list says about a command that it does not name.
    pub(super) fn says_unlisted(&self, unit: &Unit) -> Match {
        self.refused(&self.shown(unit), HOW)
    }

    /// What the list could say about one command whatever its name leads to.
    pub(super) fn may_allow(&self, unit: &Unit) -> bool {
        // A path may turn out to be the very file that an entry's name means.
        let last = unit.name().to_str().and_then(|name| name.rsplit_once(['/', '\\'])).map(|(_, last)| last);
        let by_path = |entry: &str| {
            let mut wanted = entry.split_whitespace();
            last.is_some() && wanted.next() == last && follow(unit, wanted)
        };
        self.entries.iter().any(|entry| begins(unit, entry) || by_path(entry))
    }

    /// What the list says about a request that cannot be understood.
    pub(super) fn says_of_opaque(&self, asked: &Program, opaque: &Opaque) -> Match {
        let hint = match &opaque.instead {
            Some(instead) => format!("{instead} As it is, it cannot be understood: {}.", opaque.because),
            None => format!(
                "Give commands that can be understood completely ({}); others are refused unless ALLOWED_COMMANDS is `*`.",
                opaque.because
            ),
        };
        self.refused(&asked_shown(asked), &hint)
    }

    fn refused(&self, shown: &str, hint: &str) -> Match {
        Match {
            rule: "ALLOWED_COMMANDS".to_owned(),
            decision: Decision::Deny,
            because: format!("only these may run: {}", self.listed()),
            told: Some(self.told(shown, hint)),
        }
    }

    /// The words of a refusal.
    fn told(&self, shown: &str, hint: &str) -> RefusalWords {
        RefusalWords {
            code: Code::PolicyDenied,
            message: format!("Command \"{shown}\" is not allowed, allowed commands: {}", self.listed()),
            hint: hint.to_owned(),
        }
    }

    /// The command for a message: its name, and all of it where the name alone would mislead.
    fn shown(&self, unit: &Unit) -> String {
        let name = crate::render::one_line(&crate::render::word(unit.name()));
        let is_listed = self.entries.iter().any(|entry| entry.split(' ').next() == Some(&name));
        if is_listed { unit.shown() } else { name }
    }

    /// The words for a door that a missing list keeps shut.
    pub(crate) fn nothing_allows(shown: &str) -> RefusalWords {
        Self::default().told(shown, HOW)
    }

    /// The words where nothing at all is allowed to anybody.
    pub(crate) fn nothing_is_set(shown: &str) -> RefusalWords {
        Self::default().told(shown, NO_RULES)
    }
}

/// The sentence for everybody where no rule, preset or list allows anything.
pub const NO_RULES: &str = "No rules are set, so every command is refused. The owner can allow reading and building with: \
    runward init";

const HOW: &str = "Ask the owner to add it to ALLOWED_COMMANDS (or to `policy.allowed_commands`), which agents cannot change.";

fn how_to_name(unit: &Unit, because: &str, words: usize) -> String {
    let named: Vec<String> =
        unit.words.iter().take(words).filter_map(|word| word.text().map(str::to_owned)).collect();
    if named.len() < words || words == usize::MAX {
        return format!("Give it in another way: {because}.");
    }
    format!(
        "Ask the owner to add `{}` to ALLOWED_COMMANDS: {because}, so its name alone is not enough.",
        named.join(" ")
    )
}

fn not_genuine(identity: &ProgramIdentity) -> String {
    match identity {
        ProgramIdentity::File { path, shadows: Some(shadowed), .. } => format!(
            "Ask the owner to add `{}` to ALLOWED_COMMANDS if that file is meant: it lies in the workspace and stands before `{}`.",
            crate::render::one_line(&path.display().to_string()),
            crate::render::one_line(&shadowed.display().to_string()),
        ),
        ProgramIdentity::File { path, .. } => format!(
            "Call the system's own program: `{}` lies where this command works, so its name proves nothing.",
            crate::render::one_line(&path.display().to_string())
        ),
        _ => "Name the program without a path, or with an absolute one.".to_owned(),
    }
}

fn allowed(entry: &str) -> Match {
    Match::allows(format!("ALLOWED_COMMANDS: {entry}"), "the list of allowed commands has it")
}

/// Whether a command begins with all the words of an entry.
fn begins(unit: &Unit, entry: &str) -> bool {
    let mut wanted = entry.split_whitespace();
    wanted.next().is_some_and(|name| unit.name() == name) && follow(unit, wanted)
}

/// Whether an entry names the very file that the command was written with: `/bin/ls` is `ls`, and a file that was found
/// by its name may be allowed by its path.
fn is_named(subject: &Subject<'_>, entry: &str) -> bool {
    let mut wanted = entry.split_whitespace();
    let (Some(first), ProgramIdentity::File { path, real, .. }) = (wanted.next(), subject.identity) else {
        return false;
    };
    let written = subject.naming.has_separator(subject.unit.name());
    let same = match (written, subject.naming.has_separator(OsStr::new(first))) {
        (true, false) => {
            let named = subject.naming.file_name(path) == Some(first);
            named
                && matches!((subject.by_name)(first), ProgramIdentity::File { real: meant, planted: false, .. } if meant == *real)
        }
        (false, true) => path.as_os_str() == first,
        _ => false,
    };
    same && follow(subject.unit, wanted)
}

/// Whether these words follow the name of a command.
fn follow<'a>(unit: &Unit, mut wanted: impl Iterator<Item = &'a str>) -> bool {
    let mut words = unit.words.iter().skip(1);
    wanted.all(|wanted| words.next().and_then(|word| word.exact()) == Some(OsStr::new(wanted)))
}

/// Whether a bare name leads to the system's program. An entry that is a path says itself which file it means.
fn is_genuine(subject: &Subject<'_>, entry: &str) -> bool {
    subject.naming.has_separator(OsStr::new(entry.split_whitespace().next().unwrap_or_default()))
        || is_named(subject, entry)
        || !matches!(subject.identity, ProgramIdentity::File { planted: true, .. } | ProgramIdentity::Unsure)
}

/// What was asked, for a message.
pub(super) fn asked_shown(asked: &Program) -> String {
    match asked {
        Program::Shell { script, .. } => crate::render::one_short_line(&crate::render::word(script)),
        Program::Exec { name, args } => {
            crate::render::one_short_line(&crate::render::command_line([name].into_iter().chain(args)))
        }
    }
}
