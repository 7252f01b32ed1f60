//! Asking the person at the terminal about one very draft. May not answer for them.

use crate::output::draft::DraftView;
use runward::HostFacts;
use runward::approve::{Approver, Asked, Choice, Matter, Silence, Verdict, operator};
use runward::config::Settings;
use runward::core::plan::Person;
use runward::core::render::one_line;
use std::io::{self, BufRead, IsTerminal, Write};

/// The person in front of this terminal, if there is one.
#[derive(Debug)]
pub(crate) struct Terminal {
    person: Person,
    settings: Settings,
}

impl Terminal {
    /// The person these facts name, under these settings.
    pub(crate) fn of(facts: &HostFacts, settings: &Settings) -> Self {
        Self { person: operator(facts), settings: settings.clone() }
    }
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> Asked<'a> {
        Box::pin(async move {
            if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                return Verdict::Unanswered(Silence::Nobody);
            }
            let draft = DraftView::of(matter.draft, &self.settings).text();
            let place = matter.lasting.map(|lasting| one_line(&lasting.place));
            let text = format!("{draft}\n{}.{}", one_line(matter.because), offer(place.as_deref()));
            let offers = place.is_some();
            // Waiting for a person must not keep Ctrl-C from being heard.
            match tokio::task::spawn_blocking(move || put(&text)).await {
                Ok(Ok(line)) => choice(&line, offers).by(self.person.clone()),
                Ok(Err(_)) | Err(_) => Verdict::Unanswered(Silence::Nobody),
            }
        })
    }
}

/// What can be said, and where "always" would be written.
fn offer(place: Option<&str>) -> String {
    match place {
        Some(place) => {
            format!("\n\"always\" writes a rule to {place}.\nRun it? [o]nce / [a]lways / [N]o ")
        }
        None => "\nRun it? [o]nce / [N]o ".to_owned(),
    }
}

/// Puts a question, and gives the line that comes back.
pub(crate) fn put(text: &str) -> io::Result<String> {
    // Not locked while a person thinks: whoever is interrupted meanwhile has something to write.
    write!(io::stderr(), "{text}")?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}

/// Only a clear yes is a yes, and "always" only where it was on offer.
fn choice(line: &str, offers_always: bool) -> Choice {
    match line.trim().to_ascii_lowercase().as_str() {
        "o" | "once" | "y" | "yes" => Choice::Once,
        "a" | "always" if offers_always => Choice::Always,
        _ => Choice::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        for yes in ["y\n", "Y\n", " yes \r\n", "o\n", "Once\n"] {
            assert_eq!(choice(yes, true), Choice::Once, "{yes:?}");
        }
        for no in ["", "\n", "n\n", "yeah\n", "yy\n", "oa\n", "all\n"] {
            assert_eq!(choice(no, true), Choice::No, "{no:?}");
        }
    }

    #[test]
    fn always_is_taken_only_where_it_is_on_offer() {
        assert_eq!(choice("a\n", true), Choice::Always);
        assert_eq!(choice("a\n", false), Choice::No);
    }
}
