//! Stands in for telemetry where it is not part of the build: there is no collector, so nothing is ever told.
//!
//! The types have no values, and the compiler takes out what would be done with them. May not do anything.

use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::record::Receipt;

/// Who would be told, of whom there is none.
#[derive(Debug, Clone)]
pub(crate) enum Telemetry {}

/// A command as a span, of which there is none.
#[derive(Debug)]
pub(crate) enum Span {}

impl Telemetry {
    pub(crate) fn begin(&self, _: &ExecPlan) -> Span {
        match *self {}
    }

    pub(crate) fn end(&self, _: Span, _: &Receipt) {
        match *self {}
    }

    pub(crate) fn failed(&self, _: Span, _: &ErrorView) {
        match *self {}
    }
}
