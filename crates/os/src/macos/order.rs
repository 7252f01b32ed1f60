//! Everything a new process needs, laid out before the fork: after it nothing may be allocated.

use super::limits::{self, KernelLimit};
use libc::c_char;
use runward_core::plan::Draft;
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::Terminal;
use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::ptr::null;

/// A program, its arguments, its environment and its limits, as the kernel takes them.
pub(super) struct ExecOrder {
    pub(super) program: CString,
    argv: Vector,
    envp: Vector,
    pub(super) limits: Vec<KernelLimit>,
    /// Whether descriptor 0 becomes the controlling terminal.
    pub(super) terminal: bool,
}

/// Texts, and a list of pointers to them that ends with a null.
struct Vector {
    // Kept for the pointers, which lead into it.
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl ExecOrder {
    pub(super) fn of(draft: &Draft) -> io::Result<Self> {
        let command: &ResolvedCommand = draft.command();
        let pairs = command.env().iter().map(|(name, value)| {
            let mut text = name.as_bytes().to_vec();
            text.push(b'=');
            text.extend_from_slice(value.as_bytes());
            text
        });
        Ok(Self {
            program: CString::new(command.program().as_os_str().as_bytes())?,
            argv: Vector::of(command.argv().iter().map(|word| OsStr::as_bytes(word).to_vec()))?,
            envp: Vector::of(pairs)?,
            limits: limits::of(draft),
            terminal: command.terminal() != Terminal::Pipes,
        })
    }

    pub(super) fn argv(&self) -> *const *const c_char {
        self.argv.pointers.as_ptr()
    }

    pub(super) fn envp(&self) -> *const *const c_char {
        self.envp.pointers.as_ptr()
    }
}

impl Vector {
    fn of(texts: impl Iterator<Item = Vec<u8>>) -> io::Result<Self> {
        let texts = texts.map(CString::new).collect::<Result<Vec<_>, _>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([null()]).collect();
        Ok(Self { _texts: texts, pointers })
    }
}
