//! `scripted-child`: an MCP server for tests of the gateway, well-behaved until it is asked to be otherwise.
//!
//! Lines of JSON-RPC on stdin and stdout, by hand, so that no library keeps it from being wrong. What it does is
//! decided by its arguments (see `options.rs`) and by the tools that are called (see `tools.rs` and `odd.rs`),
//! never by time. It ends when its stdin does.

mod calls;
mod hostile;
mod listings;
mod odd;
mod offers;
mod options;
mod pages;
mod serve;
mod tools;
mod wire;

use options::Options;

fn main() {
    let options = Options::read(std::env::args().skip(1)).unwrap_or_else(|problem| {
        eprintln!("scripted-child: {problem}");
        std::process::exit(2);
    });
    if options.must_fail() {
        eprintln!("scripted-child: this start fails, as asked");
        std::process::exit(1);
    }
    if let Some(text) = &options.stderr {
        eprintln!("{text}");
    }
    serve::serve(options);
}
