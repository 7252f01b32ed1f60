//! The binary as a person meets it: what is typed, what comes out, what it exits with.
//!
//! The commands are Unix's. Windows is checked by `cargo xtask cross windows`.
#![cfg(unix)]

mod agent;
mod allowlist;
mod approvals;
#[cfg(target_os = "linux")]
mod asked;
// This one looks into `/proc`, too.
#[cfg(target_os = "linux")]
mod attach;
mod cast;
mod code;
mod config;
mod cookbook;
#[cfg(target_os = "linux")]
mod crashes;
mod doctor;
mod elsewhere;
mod exit_codes;
mod explain;
mod explain_run;
mod first_minute;
mod flow_ends;
mod flow_errors;
mod flow_keys;
mod flow_run;
mod flow_told;
// These two look on with `strace` and on a real terminal.
#[cfg(target_os = "linux")]
mod flow_rehearsal;
#[cfg(target_os = "linux")]
mod flow_terminal;
mod flows;
#[cfg(target_os = "linux")]
mod init_terminal;
// These four make hosts poor and strange by means that Linux has.
#[cfg(target_os = "linux")]
mod forbidden;
#[cfg(target_os = "linux")]
mod full_device;
mod gateway_consent;
mod gateway_guide;
mod gateway_import;
mod guide;
mod help;
mod hook;
mod hook_ends;
mod hook_texts;
#[cfg(target_os = "linux")]
mod hook_walls;
#[cfg(target_os = "linux")]
mod hung;
mod init;
mod init_rules;
mod interrupts;
mod json;
mod living_page;
mod log;
// These two look into `/proc`.
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod names;
mod pass_through;
mod plane;
mod policy;
#[cfg(target_os = "linux")]
mod poor;
mod readme;
mod record;
mod replay;
mod resolve;
mod retention;
mod runner;
// Only Linux has a sandbox.
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod sandbox_config;
#[cfg(target_os = "linux")]
mod sandbox_doors;
#[cfg(target_os = "linux")]
mod sandbox_hosts;
mod sandbox_page;
mod secrets;
mod sessions;
#[cfg(target_os = "linux")]
mod siege;
mod signals;
#[cfg(target_os = "linux")]
mod small_files;
mod stdin;
#[cfg(target_os = "linux")]
mod strange;
mod telemetry;
mod terminal;
#[cfg(target_os = "linux")]
mod tmux;
// It shows the sandbox.
#[cfg(target_os = "linux")]
mod tutorial;

/// A file that is not in the list above would never run.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
