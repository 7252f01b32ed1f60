//! Asking the person at the terminal about one very draft. May not answer for them.

use crate::output::draft::DraftView;
use runward::approve::{Answer, Approver};
use runward::config::Settings;
use runward::core::plan::{Person, Question};
use runward::{Draft, HostFacts};
use std::future::Future;
use std::io::{self, BufRead, IsTerminal, Write};
use std::pin::Pin;

/// The person in front of this terminal, if there is one.
#[derive(Debug)]
pub(crate) struct Terminal {
    person: Person,
    settings: Settings,
}

impl Terminal {
    /// The person these facts name, under these settings.
    pub(crate) fn of(facts: &HostFacts, settings: &Settings) -> Self {
        let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| facts.env_var(name)?.to_str());
        let person = Person::named(name.unwrap_or("the person at the terminal"));
        Self { person, settings: settings.clone() }
    }
}

impl Approver for Terminal {
    fn ask<'a>(
        &'a self,
        draft: &'a Draft,
        question: Question,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
                return Err(question.unanswered());
            }
            let draft = DraftView::of(draft, &self.settings).text();
            let text = format!("{draft}\n{}.", question.because());
            // Waiting for a person must not keep Ctrl-C from being heard.
            let answer = tokio::task::spawn_blocking(move || put(&text)).await;
            match answer {
                Ok(Ok(Verdict::Yes)) => Ok(question.granted_by(&self.person)),
                Ok(Ok(Verdict::No)) => Err(question.declined_by(&self.person)),
                Ok(Err(_)) | Err(_) => Err(question.unanswered()),
            }
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
}

fn put(text: &str) -> io::Result<Verdict> {
    // Not locked while a person thinks: whoever is interrupted meanwhile has something to write.
    write!(io::stderr(), "{text} Run it? [y/N] ")?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(verdict(&line))
}

/// Only a clear yes is a yes.
fn verdict(line: &str) -> Verdict {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Verdict::Yes,
        _ => Verdict::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        for yes in ["y\n", "Y\n", " yes \r\n"] {
            assert_eq!(verdict(yes), Verdict::Yes, "{yes:?}");
        }
        for no in ["", "\n", "n\n", "yeah\n", "yy\n"] {
            assert_eq!(verdict(no), Verdict::No, "{no:?}");
        }
    }
}
