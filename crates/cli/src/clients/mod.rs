//! Programs that keep a list of MCP servers: where, in what words, and how an entry gets in and out.
//!
//! Texts and facts come in. May not read or write a file. Read first: [`KnownClient`], then [`text`].

mod entry;
mod table;
pub(crate) mod text;

pub(crate) use entry::{RunwardEntry, deep_link, veiled};
pub(crate) use table::{CLIENTS, ClientFile, ConsentNeed, EntryForm, KnownClient};
