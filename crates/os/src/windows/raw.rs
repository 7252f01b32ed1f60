//! This process' own terminal in raw mode: not to be had here yet, as no session has one.

use std::io;

/// Cannot be made here.
#[derive(Debug)]
pub enum RawTerminal {}

impl RawTerminal {
    /// There are no terminal sessions here to hand it to.
    pub fn enter() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called: none exists.
    pub fn leave(self) {
        match self {}
    }
}

/// Cannot be made here.
#[derive(Debug)]
pub enum Resizes {}

impl Resizes {
    /// There are no terminal sessions here.
    pub fn listen() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called: none exists.
    pub async fn next(&mut self) {
        match *self {}
    }
}

/// Not asked for here.
pub fn terminal_size() -> Option<(u16, u16)> {
    None
}
