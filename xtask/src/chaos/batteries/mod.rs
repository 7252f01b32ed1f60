//! The batteries, one file each.
//!
//! May not clean up by hand: what they start and mount is gone with its [`Arena`](super::arena::Arena).

pub(crate) mod bare_hosts;
pub(crate) mod disk_full;
pub(crate) mod disk_hangs;
pub(crate) mod few_files;
pub(crate) mod floods;
pub(crate) mod forbidden_calls;
pub(crate) mod full_device;
pub(crate) mod gateway;
pub(crate) mod http;
pub(crate) mod journal_crowd;
pub(crate) mod journal_taken;
pub(crate) mod kills;
pub(crate) mod no_threads;
pub(crate) mod signals;
pub(crate) mod small_memory;
pub(crate) mod spool;
pub(crate) mod two_containers;
