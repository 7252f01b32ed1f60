//! Serves Runward's tools over standard input and output from a program of your own, which chooses rules and tools.
//!
//! `cargo run --example mcp_server`, as a command of an MCP client.

use runward::config::ServerBounds;
use runward::languages::Languages;
use runward::mcp::{Offer, Profile, ServerState, stdio};
use runward::registry::{SessionRules, Sessions};
use runward::{Engine, Policy};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let workspace = std::env::current_dir()?;
    let policy = Policy { workspace: Some(workspace.clone()), ..Policy::allow_programs(["echo", "ls"]) };
    let engine = Engine::builder().policy(policy).build()?;
    let sessions = Sessions::new(engine, SessionRules::default());
    let offer = Offer::of(Profile::default());
    let server = ServerState::new(sessions, offer, workspace, Languages::default(), None);
    // Until the client is gone: nothing else ends it here.
    stdio::open(ServerBounds::default())?.serve(server, None, std::future::pending::<()>()).await;
    Ok(())
}
