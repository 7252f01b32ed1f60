//! A plan lowered to a Landlock ruleset: which rights are governed, and where they are given.
//!
//! The numbers are the kernel's. May not give a right that the kernel's version does not know: it would refuse all.

use super::steps::{OWN_TERMINAL, TEMPORARY};
use super::{Layer, Means, Network, SandboxPlan, SandboxStep};
use std::path::PathBuf;

/// The first version that governs everything by which a file's content changes.
pub const LANDLOCK_NEEDED: u32 = 3;

const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_BLOCK: u64 = 1 << 11;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;

const FIRST_TO_MAKE_SYM: u64 = (1 << 13) - 1;
const REFER: u64 = 1 << 13;

const BIND_TCP: u64 = 1 << 0;
const CONNECT_TCP: u64 = 1 << 1;

const ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
const SIGNAL: u64 = 1 << 1;

/// Devices that work as always. No other can be opened: a disk holds every file there is.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// Terminals that a command makes itself, where it has a file system of its own for them.
const TERMINALS: [&str; 2] = ["/dev/ptmx", "/dev/pts"];

/// What Landlock governs, and what it gives where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandlockTable {
    files: u64,
    network: u64,
    scopes: u64,
    rows: Vec<(PathBuf, u64)>,
}

impl LandlockTable {
    /// The ruleset of a plan, for what a host says about itself.
    pub(super) fn of(plan: &SandboxPlan, means: &Means) -> Self {
        let version = means.landlock;
        let since = |first: u32, right: u64| if version >= first { right } else { 0 };
        let files = FIRST_TO_MAKE_SYM | since(2, REFER) | since(3, TRUNCATE) | since(5, IOCTL_DEV);
        // In a network of its own there is nobody to keep a command from but itself.
        let shut = *plan.network() == Network::Off && !plan.has_own_network();
        let network = if shut { since(4, BIND_TCP | CONNECT_TCP) } else { 0 };
        let scopes = since(6, ABSTRACT_UNIX_SOCKET | SIGNAL);
        let write = files & !(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV);
        let device = (READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV) & files;
        let mut rows = vec![(PathBuf::from("/"), READ_DIR)];
        rows.extend(plan.readable.iter().map(|path| (path.clone(), EXECUTE | READ_FILE | READ_DIR)));
        rows.extend(DEVICES.iter().map(|path| (PathBuf::from(path), device)));
        // Of all users' terminals, a command gets the one that it runs on.
        let apart = plan.has(Layer::Namespaces);
        let own = means.terminal.iter().map(|path| if apart { OWN_TERMINAL.into() } else { path.clone() });
        rows.extend(own.map(|path| (path, device)));
        if apart {
            rows.extend(TERMINALS.iter().map(|path| (PathBuf::from(path), device)));
            rows.extend(TEMPORARY.iter().map(|path| (PathBuf::from(path), write)));
        }
        rows.extend(plan.writable().iter().map(|root| {
            let rights = if root.starts_with("/dev") { write | IOCTL_DEV & files } else { write };
            (root.clone(), rights)
        }));
        Self { files, network, scopes, rows }
    }

    /// The steps that put it in force.
    pub(super) fn steps(self, steps: &mut Vec<SandboxStep>) {
        let Self { files, network, scopes, rows } = self;
        steps.push(SandboxStep::Rules { files, network, scopes });
        steps.extend(rows.into_iter().map(|(path, rights)| SandboxStep::Allow(path, rights)));
        steps.push(SandboxStep::Restrict);
    }
}
