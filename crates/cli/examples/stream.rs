//! Reads what a command prints while it runs, and stops it, with everything that it started.
//!
//! `cargo run --example stream`

use runward::core::output::escaped;
use runward::{CommandSpec, Engine, Error, Policy, SessionEvent, Started};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let engine = Engine::builder().policy(Policy::allow_everything("an example")).build()?;
    let server = CommandSpec::shell("echo listening; sleep 600 & sleep 600");
    let mut session = match engine.start(server).await? {
        Started::Running(session) => session,
        Started::Refused(refusal) => {
            println!("refused: {refusal}");
            return Ok(());
        }
    };
    while let Some(event) = session.next_event().await {
        if let SessionEvent::Output { bytes, .. } = event {
            print!("printed: {}", escaped(&bytes));
            session.stop();
        }
    }
    let receipt = session.wait().await?;
    println!("{}", runward::core::render::sentence(&receipt));
    Ok(())
}
