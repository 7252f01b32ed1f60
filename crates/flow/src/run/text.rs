//! One text of a program, from what it wants to what it becomes: fetched, filled, its commands run.
//!
//! The body and every step are such texts.

use super::commands::{self, CommandPlace};
use super::gather::{Gathered, Imported, Main, Surroundings, gather};
use super::program::AgentFile;
use super::road::Road;
use crate::FlowError;
use crate::template::{Read, Scope, Template};
use std::sync::Arc;

/// A text with everything fetched, read as a template.
#[derive(Debug)]
pub(super) struct ProgramText {
    template: Template,
    /// Every import.
    pub(super) imports: Vec<Imported>,
    /// What people should be told.
    pub(super) notes: Vec<String>,
}

impl ProgramText {
    /// Fetches what a text of this program wants; it begins at this line of the file.
    pub(super) async fn fetch<R: Road>(
        program: &AgentFile,
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
        let Gathered { text, imports, notes } = gather(&main, surroundings).await?;
        Ok(Self { template: Template::of(text)?, imports, notes })
    }

    /// The names that it reads.
    pub(super) fn reads(&self) -> Vec<Read> {
        self.template.reads()
    }

    /// The names that it needs and the scope does not have.
    pub(super) fn missing(&self, scope: &Scope) -> Vec<Read> {
        self.template.missing(scope)
    }

    /// What it becomes: templates filled, commands run. Without a road, commands are named instead.
    pub(super) async fn fill<R: Road>(
        &self,
        scope: &Scope,
        place: &CommandPlace,
        road: Option<&R>,
    ) -> Result<String, FlowError> {
        let parts = self.template.fill_parts(scope)?;
        match road {
            Some(road) => commands::run(parts, place, road).await,
            None => Ok(commands::rehearse(parts)),
        }
    }
}
