//! One text of a program, from what it wants to what it becomes: fetched, filled, its commands run.
//!
//! The body and every step are such texts. Templates are read from the text that was put together; places in errors lead
//! back to the files.

use super::errands::{self, Place};
use super::gather::{Gathered, Main, Surroundings, gather};
use super::program::Program;
use super::road::Road;
use crate::FlowError;
use crate::imports::Seals;
use crate::template::{Read, Scope, Template};
use std::sync::Arc;

/// A text with everything fetched, read as a template.
#[derive(Debug)]
pub(super) struct Text {
    template: Template,
    pub(super) gathered: Gathered,
}

impl Text {
    /// Fetches what a text of this program wants; it begins at this line of the file.
    pub(super) async fn fetch<R: Road>(
        program: &Program,
        text: &str,
        first_line: usize,
        surroundings: Arc<Surroundings<R>>,
    ) -> Result<Self, FlowError> {
        let main = Main {
            path: program.path.clone(),
            shown: program.flow.file.clone(),
            folder: program.folder.clone(),
            first_line,
            text: text.to_owned(),
        };
        let gathered = gather(&main, Seals::new(super::chance::nonce()?), surroundings).await?;
        let template = Template::parse(&main.shown, 1, gathered.text.text())
            .map_err(|error| error.led_by(|mark| gathered.text.written(mark)))?;
        Ok(Self { template, gathered })
    }

    /// The names that it reads.
    pub(super) fn reads(&self) -> Vec<Read> {
        self.written(self.template.reads())
    }

    /// The names that it needs and the scope does not have.
    pub(super) fn missing(&self, scope: &Scope) -> Vec<Read> {
        self.written(self.template.missing(scope))
    }

    fn written(&self, reads: Vec<Read>) -> Vec<Read> {
        let lead = |read: Read| Read { mark: self.gathered.text.written(&read.mark), ..read };
        reads.into_iter().map(lead).collect()
    }

    /// What it becomes: templates filled, commands run. Without a road, commands are named instead.
    pub(super) async fn fill<R: Road>(
        &self,
        scope: &Scope,
        place: &Place,
        road: Option<&R>,
    ) -> Result<String, FlowError> {
        let lead = |error: FlowError| error.led_by(|mark| self.gathered.text.written(mark));
        let filled = self.template.fill(scope).map_err(lead)?;
        let opened = self.gathered.seals.open(&filled)?;
        match road {
            Some(road) => errands::run(opened, place, road).await,
            None => Ok(errands::rehearse(opened)),
        }
    }
}
