//! Asks the person at the terminal about one draft. May not answer for them.

use crate::output::draft::DraftView;
use crate::threads::done_aside;
use runward::HostFacts;
use runward::approve::{
    ApprovalChoice, Approver, Exhibit, Matter, PendingVerdict, Silence, Verdict, operator,
};
use runward::config::Settings;
use runward::core::plan::Person;
use runward::core::render::one_line;
use std::io::{self, BufRead, IsTerminal, Write};

/// The person in front of this terminal, if there is one.
#[derive(Debug)]
pub(crate) struct TerminalApprover {
    person: Person,
    settings: Settings,
}

impl TerminalApprover {
    /// The person these facts name, under these settings.
    pub(crate) fn of(facts: &HostFacts, settings: &Settings) -> Self {
        Self { person: operator(facts), settings: settings.clone() }
    }
}

impl Approver for TerminalApprover {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        Box::pin(async move {
            if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                return Verdict::Unanswered(Silence::Nobody);
            }
            let draft = DraftView::of(matter.draft, &self.settings).text();
            let shown = Exhibit::of(matter);
            let runs: String = shown.runs.iter().map(|one| format!("runs            {one}\n")).collect();
            let place = shown.always;
            let offer = offer(shown.gist.as_deref(), place.as_deref());
            let text = format!("{draft}{runs}\n{}.{offer}", one_line(matter.because));
            let offers = place.is_some();
            // Waiting for a person must not keep Ctrl-C from being handled.
            match done_aside("question", move || put(&text)).await {
                Ok(line) => choice(&line, offers).by(self.person.clone()),
                Err(_) => Verdict::Unanswered(Silence::Nobody),
            }
        })
    }
}

/// What can be said about what, and where "always" would be written.
fn offer(what: Option<&str>, place: Option<&str>) -> String {
    let what = what.map_or("it".to_owned(), |what| format!("`{what}`"));
    match place {
        Some(place) => {
            format!("\n\"always\" writes a rule to {place}.\nRun {what}? [o]nce / [a]lways / [N]o ")
        }
        None => format!("\nRun {what}? [o]nce / [N]o "),
    }
}

/// Puts a question, and gives the line that comes back.
pub(crate) fn put(text: &str) -> io::Result<String> {
    // Not locked while a person thinks: an interrupt handler may have to write meanwhile.
    write!(io::stderr(), "{text}")?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}

/// Only a clear yes is a yes, and "always" only where it was offered.
fn choice(line: &str, offers_always: bool) -> ApprovalChoice {
    match line.trim().to_ascii_lowercase().as_str() {
        "o" | "once" | "y" | "yes" => ApprovalChoice::Once,
        "a" | "always" if offers_always => ApprovalChoice::Always,
        _ => ApprovalChoice::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        for yes in ["y\n", "Y\n", " yes \r\n", "o\n", "Once\n"] {
            assert_eq!(choice(yes, true), ApprovalChoice::Once, "{yes:?}");
        }
        for no in ["", "\n", "n\n", "yeah\n", "yy\n", "oa\n", "all\n"] {
            assert_eq!(choice(no, true), ApprovalChoice::No, "{no:?}");
        }
    }

    #[test]
    fn always_is_taken_only_where_it_is_on_offer() {
        assert_eq!(choice("a\n", true), ApprovalChoice::Always);
        assert_eq!(choice("a\n", false), ApprovalChoice::No);
    }
}
