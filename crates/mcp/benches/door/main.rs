//! How much the MCP door and its sessions cost, against the least that could be done, measured in the same run.
//!
//! `cargo xtask bench [start|hook|mcp|answers|sessions|flow|gateway|peers] [--json] [--rounds N]`. Servers are the real
//! binary and the bare ones of the test kit,
//! talked to through pipes by the same client. Linux only: the least that could be done is written in its system calls.

#[cfg(target_os = "linux")]
mod answers;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod flow;
#[cfg(target_os = "linux")]
mod gateway;
#[cfg(target_os = "linux")]
mod hook;
#[cfg(target_os = "linux")]
mod many;
#[cfg(target_os = "linux")]
mod peers;
#[cfg(target_os = "linux")]
mod recorded;
#[cfg(target_os = "linux")]
mod servers;
#[cfg(target_os = "linux")]
mod sessions;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod terminal;

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bench: the door is measured on Linux only");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() {
    testkit::measure::main(&[
        ("start", start::rows),
        ("hook", hook::rows),
        ("mcp", servers::rows),
        ("answers", answers::rows),
        ("sessions", sessions::rows),
        ("flow", flow::rows),
        ("gateway", gateway::rows),
        ("peers", peers::rows),
    ]);
}
