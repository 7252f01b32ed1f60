//! A request that came to nothing, as far as it came: what the journal writes down of it.

use runward_core::plan::Draft;
use runward_core::spec::{Caller, CommandSpec, Program};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// A request, as far as it came.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "journal"), expect(dead_code, reason = "the journal alone reads it"))]
pub(crate) struct Attempt<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) program: &'a Program,
    pub(crate) cwd: Option<&'a Path>,
    pub(crate) draft: Option<&'a Draft>,
    /// What the caller adds to the environment, and may be secret.
    pub(crate) env: Option<&'a BTreeMap<OsString, OsString>>,
}

impl<'a> Attempt<'a> {
    /// A request that nothing was made of.
    pub(crate) fn of(caller: &'a Caller, spec: &'a CommandSpec) -> Self {
        Self {
            caller,
            program: &spec.program,
            cwd: spec.cwd.as_deref(),
            draft: None,
            env: Some(&spec.env.set),
        }
    }

    /// A request that became a draft.
    pub(crate) fn drafted(draft: &'a Draft) -> Self {
        let command = draft.command();
        Self {
            caller: draft.caller(),
            program: command.asked(),
            cwd: command.asked_cwd(),
            draft: Some(draft),
            env: command.sets_env().then(|| command.env()),
        }
    }
}
