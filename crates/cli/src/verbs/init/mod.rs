//! `runward init`: Runward put into the lists of installed clients, with rules that suit the folder, and tried.
//!
//! ```text
//!  facts, folder ──choose──► entry ──plan──► what would change ──view──► a person ──write──► files ──trial──► put back, or kept
//! ```
//!
//! It shows, then asks, then writes. May not show what may be a secret. Read first: [`plan::PlannedFile`].

mod binary;
mod choose;
mod folder;
mod hook;
mod plan;
mod print;
mod record;
mod trial;
mod view;
mod write;

pub(super) use choose::{ClientStanding, standing};

use super::VerbResult;
use crate::args::InitArgs;
use crate::ask;
use crate::clients::RunwardEntry;
use crate::output::{OutputFormat, VerbFailure, print as print_out};
use crate::{places, remember, setup};
use binary::RunwardBinary;
use choose::ChosenRules;
use plan::{PlannedFile, PlannedStep, Wanted};
use record::InitRecord;
use runward::{Code, ErrorView, HostFacts};
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use trial::TrialPlace;
use view::{FileFate, InitView};
use write::{NewFile, WriteEnd, WrittenFile};

/// How often files that changed in between are shown again.
const ROUNDS: usize = 5;

pub(super) fn run(args: &InitArgs, config: Option<&Path>) -> VerbResult {
    if args.hook {
        return hook::run(args, config);
    }
    let facts = setup::facts()?;
    let rules = ChosenRules::of(args, &facts)?;
    let binary = if args.project { None } else { Some(RunwardBinary::of_this(&facts)?) };
    let entry = rules.entry(args, binary.as_ref(), config, &facts)?;
    if args.print {
        return print::run(args, &facts, &entry);
    }
    let work =
        InitWork { args, facts: &facts, config, rules: &rules, binary: binary.as_ref(), entry: &entry };
    work.walk()
}

/// Everything that a run of init knows.
struct InitWork<'a> {
    args: &'a InitArgs,
    facts: &'a HostFacts,
    config: Option<&'a Path>,
    rules: &'a ChosenRules,
    binary: Option<&'a RunwardBinary>,
    entry: &'a RunwardEntry,
}

/// Who says that files may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InitConsent {
    /// Nobody: what would be done is shown.
    Rehearsal,
    /// The person at the terminal.
    Asked,
    /// `--yes`.
    Given,
}

impl InitWork<'_> {
    fn walk(&self) -> VerbResult {
        let mut record = InitRecord::read(self.facts);
        let mut plans = self.plans(&record)?;
        let mut view = InitView::of(self, &plans);
        let consent = self.consent();
        self.show(&view.opening())?;
        let all: Vec<usize> = (0..plans.len()).collect();
        let mut chosen = self.chosen(&plans, &all, consent)?;
        if consent == InitConsent::Rehearsal || chosen.is_empty() {
            return self.finish(&view, consent);
        }
        let _held = self.hold()?;
        // Another init may have been at work while a person thought.
        record = InitRecord::read(self.facts);
        self.settle_binary()?;
        let mut written = Vec::new();
        for round in 0..ROUNDS {
            let changed = self.write(&mut plans, &chosen, (&mut record, &mut view, &mut written));
            if changed.is_empty() || round + 1 == ROUNDS {
                break;
            }
            for index in &changed {
                plans[*index] = PlannedFile::of(plans[*index].file.clone(), &self.wanted(), &record);
                view.plan_again(*index, &plans[*index]);
            }
            self.show(&view.again(&changed))?;
            chosen = self.chosen(&plans, &changed, consent)?;
        }
        self.note(&record)?;
        self.try_out(&mut view, &plans, (&mut record, &written))?;
        self.finish(&view, consent)
    }

    fn wanted(&self) -> Wanted<'_> {
        let named = self.args.name.as_deref();
        if self.args.remove { Wanted::Nothing(named) } else { Wanted::Entry(self.entry, named) }
    }

    fn plans(&self, record: &InitRecord) -> Result<Vec<PlannedFile>, VerbFailure> {
        let files = choose::files(self.args, self.facts)?;
        let plans =
            files.into_iter().map(|file| PlannedFile::of(plan::with_spelling(file), &self.wanted(), record));
        // To take something out of what has nothing is no news, unless it was asked for by name.
        let is_news = |planned: &PlannedFile| {
            !(!self.args.names_clients() && self.args.remove && planned.step == PlannedStep::Absent)
        };
        Ok(plans.filter(is_news).collect())
    }

    fn consent(&self) -> InitConsent {
        let talks = io::stdin().is_terminal() && io::stderr().is_terminal();
        let plain = OutputFormat::of(&self.args.format) == OutputFormat::Plain;
        match (self.args.dry_run, self.args.yes, talks && plain) {
            (true, ..) => InitConsent::Rehearsal,
            (_, true, _) => InitConsent::Given,
            (_, _, true) => InitConsent::Asked,
            _ => InitConsent::Rehearsal,
        }
    }

    /// Of these files, those that are to be written, as the person says.
    fn chosen(
        &self,
        plans: &[PlannedFile],
        among: &[usize],
        consent: InitConsent,
    ) -> Result<Vec<usize>, VerbFailure> {
        let may = |planned: &PlannedFile| match planned.step {
            // Nobody looks, so nothing that is there gets more rules.
            PlannedStep::Change { widens, .. } => !(widens && consent == InitConsent::Given),
            _ => planned.writes(),
        };
        let all: Vec<usize> = among.iter().copied().filter(|index| may(&plans[*index])).collect();
        if consent != InitConsent::Asked || all.is_empty() {
            return Ok(all);
        }
        let files =
            if all.len() == 1 { "this file".to_owned() } else { format!("these {} files", all.len()) };
        let question = format!("Write {files}? Copies of the old ones stay beside them. [Y/n/one by one] ");
        match answer(&question)? {
            FileAnswer::Yes => Ok(all),
            FileAnswer::No => Ok(Vec::new()),
            FileAnswer::EachAlone => {
                let mut some = Vec::new();
                for index in all {
                    let file = view::tilde(&plans[index].file.path, self.facts);
                    if answer(&format!("Write {file}? [Y/n] "))? == FileAnswer::Yes {
                        some.push(index);
                    }
                }
                Ok(some)
            }
        }
    }

    /// Waits until no other init writes.
    fn hold(&self) -> Result<Option<File>, VerbFailure> {
        let lock = places::state_folder(self.facts).map(|folder| folder.join("init.lock"));
        let held = lock.map(|lock| remember::hold(&lock)).transpose();
        held.map_err(|error| VerbFailure::host("another `runward init` could not be waited for", &error))
    }

    fn settle_binary(&self) -> Result<(), VerbFailure> {
        let Some(binary) = self.binary.filter(|_| !self.args.remove) else { return Ok(()) };
        binary.settle().map_err(|error| {
            let what = format!("this program could not be copied to `{}`", binary.path.display());
            VerbFailure::host(&what, &error)
        })
    }

    /// Writes files; gives those that were not as they were shown.
    fn write(
        &self,
        plans: &mut [PlannedFile],
        chosen: &[usize],
        (record, view, written): (&mut InitRecord, &mut InitView, &mut Vec<WrittenFile>),
    ) -> Vec<usize> {
        let kind = if self.args.project { NewFile::Shared } else { NewFile::Private };
        let mut changed = Vec::new();
        for index in chosen {
            match write::write(&plans[*index], kind, record) {
                WriteEnd::Written(file) => {
                    view.fate(*index, FileFate::Written(file.copy.clone()));
                    written.push(*file);
                }
                WriteEnd::Changed => {
                    view.fate(*index, FileFate::Failed("it was changed meanwhile".to_owned()));
                    changed.push(*index);
                }
                WriteEnd::Failed(why) => view.fate(*index, FileFate::Failed(why)),
            }
        }
        changed
    }

    fn note(&self, record: &InitRecord) -> Result<(), VerbFailure> {
        record.write(self.facts).map_err(|error| {
            VerbFailure::host("what was written could not be noted in the state folder", &error)
        })
    }

    /// Tries what was written; if it does not start, the files are put back.
    fn try_out(
        &self,
        view: &mut InitView,
        plans: &[PlannedFile],
        (record, written): (&mut InitRecord, &[WrittenFile]),
    ) -> Result<(), VerbFailure> {
        if self.args.remove || written.is_empty() {
            return Ok(());
        }
        let is_written = |planned: &&PlannedFile| written.iter().any(|file| file.path == planned.file.path);
        let desktop = plans.iter().filter(is_written).any(|planned| planned.file.client.desktop);
        let place = TrialPlace {
            facts: self.facts,
            config: self.config,
            folder: &self.rules.folder,
            // What a project's file names is found through PATH, by whoever opens the project.
            desktop: desktop && !self.args.project,
        };
        match trial::trial(self.entry, &place) {
            Ok(report) => {
                view.tried(report);
                Ok(())
            }
            Err(why) => Err(self.put_back(&why, record, written)),
        }
    }

    fn put_back(&self, why: &str, record: &mut InitRecord, written: &[WrittenFile]) -> VerbFailure {
        let mut kept = Vec::new();
        for file in written.iter().rev() {
            if let Err(error) = file.put_back(record) {
                kept.push(format!("{} ({error})", view::tilde(&file.path, self.facts)));
            }
        }
        // The files matter more than the note about them, and they are as the message says.
        let _ = record.write(self.facts);
        let files = if kept.is_empty() {
            "the files are as they were".to_owned()
        } else {
            format!("not put back: {}", kept.join(", "))
        };
        let command = std::iter::once(&self.entry.command).chain(&self.entry.args);
        let command = command.map(String::as_str).collect::<Vec<_>>().join(" ");
        VerbFailure::Told(ErrorView {
            code: Code::InitNotStarted,
            message: format!("`{command}` does not start, so {files}: {why}"),
            hint: Some(
                "Mend what it says, or see `runward doctor`; then run `runward init` again.".to_owned(),
            ),
        })
    }

    /// For people, what they see before they answer.
    fn show(&self, text: &str) -> Result<(), VerbFailure> {
        match OutputFormat::of(&self.args.format) {
            OutputFormat::Plain => print_out(text),
            _ => Ok(()),
        }
    }

    fn finish(&self, view: &InitView, consent: InitConsent) -> VerbResult {
        let failure = view.failure(self.args.names_clients());
        match OutputFormat::of(&self.args.format) {
            OutputFormat::Plain => {
                self.show(&view.closing(consent))?;
                failure.map_or(Ok(0), |failure| Err(VerbFailure::Told(failure)))
            }
            structured => {
                let code = failure.as_ref().map_or(0, |failure| i32::from(failure.code.exit()));
                crate::output::emit(&view.structured(failure), structured)?;
                Ok(code)
            }
        }
    }
}

/// An answer about files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileAnswer {
    Yes,
    No,
    EachAlone,
}

fn answer(question: &str) -> Result<FileAnswer, VerbFailure> {
    let line =
        ask::put(question).map_err(|error| VerbFailure::host("the question could not be asked", &error))?;
    Ok(understood(&line))
}

/// An empty line is the answer in capitals; the end of the input is none, so nothing is written.
fn understood(line: &str) -> FileAnswer {
    match line.trim().to_ascii_lowercase().as_str() {
        "" if line.is_empty() => FileAnswer::No,
        "" | "y" | "yes" => FileAnswer::Yes,
        "o" | "one" | "one by one" => FileAnswer::EachAlone,
        _ => FileAnswer::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_clear_writes() {
        assert_eq!(understood("\n"), FileAnswer::Yes);
        assert_eq!(understood(" Yes\r\n"), FileAnswer::Yes);
        assert_eq!(understood("one by one\n"), FileAnswer::EachAlone);
        for no in ["", "n\n", "nope\n", "yess\n", "3\n"] {
            assert_eq!(understood(no), FileAnswer::No, "{no:?}");
        }
    }
}
