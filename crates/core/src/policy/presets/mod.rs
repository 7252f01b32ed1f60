//! Presets: rules made from data, which allow programs with the options that are known to be harmless.
//!
//! The tables stand in `crates/core/presets`; what is not in a table is refused. A preset judges the words of one
//! command. May not ask which file a name leads to, nor look into a repository: both are asked elsewhere.
//! Read first: [`Preset::says`].

mod check;
mod entry;
mod git_config;
mod grammar;
mod options;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod walk;

pub use entry::PresetEntry;
pub use git_config::GitTerms;
pub use terms::{AddedArg, PresetTerms};

use super::{CommandForm, Word};
use grammar::Style;
use std::sync::LazyLock;

/// What a preset says about a command of a program it knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// It is harmless on these terms.
    Fits(PresetTerms),
    /// It is not, or that cannot be told: a fragment for people.
    Refuses(String),
}

/// A table of programs with what they may be asked.
#[derive(Debug)]
pub struct Preset {
    /// Its name in a configuration.
    pub name: &'static str,
    /// What it allows, in one sentence, with what it does not keep out.
    pub about: &'static str,
    table: LazyLock<table::PresetTable>,
}

/// Every preset. A table is read when it is first asked: that costs more than all else at the start of a program.
pub static PRESETS: [Preset; 2] = [
    Preset {
        name: "readonly",
        about: "Everyday programs that read: nothing they are allowed to do writes a file or starts another program.",
        table: LazyLock::new(|| made(READONLY)),
    },
    Preset {
        name: "build",
        about: "Build and test tools. They run the project's own code, which may do anything that your account may: \
                use it where that code is trusted, or in a sandbox.",
        table: LazyLock::new(|| made(BUILD)),
    },
];

const READONLY: &str = include_str!("../../../presets/readonly.preset");
const BUILD: &str = include_str!("../../../presets/build.preset");

/// A table that cannot be read allows nothing. A test holds that each can.
fn made(text: &'static str) -> table::PresetTable {
    table::read(text).unwrap_or_default()
}

/// What a script of `sed` or `awk` does that is more than editing, by the name of the check.
pub(super) fn fault(check: &str, script: &str) -> Option<String> {
    check::fault(check, script)
}

/// A preset by its name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// What it says about a command's words, the name first. Nothing, where it does not know the program.
    ///
    /// The program is known by the last part of its name: which file it is must be judged besides.
    pub fn says(&self, words: &[Word], form: CommandForm) -> Option<Fit> {
        let name = words.first()?.text()?;
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let program = self.table.programs.iter().find(|program| program.names.contains(&name))?;
        // A group's own options are its table's: asking one about itself may start a reader of manuals.
        let asked = |word: &Word| word.text().is_some_and(|text| self.table.asks.contains(&text));
        if matches!(words, [_, word] if asked(word)) && program.grammar.style != Style::Group {
            return Some(Fit::Fits(PresetTerms::of(&program.grammar.terms)));
        }
        Some(match walk::walk(&self.table, program, name, &words[1..], form) {
            Ok(terms) => Fit::Fits(terms),
            Err(no) => Fit::Refuses(no.told(self.name)),
        })
    }

    /// Whether it knows programs of projects at all.
    pub(super) fn has_locals(&self) -> bool {
        self.table.programs.iter().any(|program| !program.grammar.local.is_empty())
    }

    /// Whether a project may have a program of its own at this path, which then is the one that the table means.
    pub(super) fn is_local(&self, path: &str) -> bool {
        let Some((folder, name)) = path.rsplit_once('/') else { return false };
        let program = self.table.programs.iter().find(|program| program.names.contains(&name));
        let ends = |local: &&'static str| {
            *local == "." || folder == *local || folder.ends_with(&format!("/{local}"))
        };
        program.is_some_and(|program| program.grammar.local.iter().any(ends))
    }

    /// What a command needs to be disarmed, whatever its options; nothing, where it may do more than read.
    pub(super) fn terms(&self, words: &[Word]) -> Option<PresetTerms> {
        let name = words.first()?.text()?;
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let program = self.table.programs.iter().find(|program| program.names.contains(&name))?;
        walk::terms(program, words)
    }

    /// Options that every program but a group may be given alone.
    pub fn asks(&self) -> &[&'static str] {
        &self.table.asks
    }

    /// Its table, for people: one entry for each program and subcommand.
    pub fn entries(&self) -> Vec<PresetEntry> {
        self.table.programs.iter().flat_map(|program| entry::entries(program, "")).collect()
    }
}
