//! Stands in for the journal where it is not part of the build: there is none, so nothing is ever written to one.
//!
//! The types have no values, and the compiler takes out what would be done with them. May not do anything.

use crate::attempt::Attempt;
use crate::{Error, SpoolPiece};
use runward_core::error::ErrorView;
use runward_core::output::Stream;
use runward_core::plan::ExecPlan;
use runward_core::record::Receipt;
use std::time::Duration;

/// A journal, of which there is none.
#[derive(Debug, Clone)]
pub(crate) enum Journal {}

/// One command's place in a journal, of which there is none.
#[derive(Debug)]
pub(crate) enum JournalEntry {}

impl Journal {
    pub(crate) fn open_ahead(&self) {
        match *self {}
    }

    pub(crate) fn write_timeout(&self) -> Duration {
        match *self {}
    }

    pub(crate) fn begin(&self, _: &ExecPlan) -> JournalEntry {
        match *self {}
    }

    pub(crate) fn refused(&self, _: &Attempt<'_>, _: &ErrorView) {
        match *self {}
    }

    pub(crate) fn unspooled(&self, _: Vec<String>) {
        match *self {}
    }
}

impl JournalEntry {
    pub(crate) async fn written(&mut self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn printed(&mut self, _: Stream, _: &[u8]) {
        match *self {}
    }

    pub(crate) fn never_started(self, _: &Error) {
        match self {}
    }

    pub(crate) fn note(&self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn end(self, _: &Receipt, _: [Option<SpoolPiece>; 2]) {
        match self {}
    }
}
