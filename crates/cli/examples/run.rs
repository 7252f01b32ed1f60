//! Runs one command to its end: what may run, for how long, and what came of it.
//!
//! `cargo run --example run`

use runward::core::output::StreamText;
use runward::{CommandSpec, Engine, Error, Outcome, Policy};
use std::time::Duration;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let engine = Engine::builder().policy(Policy::allow_programs(["echo"])).build()?;
    let hello = CommandSpec::exec("echo").arg("hello").timeout(Duration::from_secs(5));
    // Nothing allows this one, so it is refused, and nothing is started.
    let remove = CommandSpec::exec("rm").args(["-r", "src"]);
    for spec in [hello, remove] {
        match engine.run(spec).await? {
            Outcome::Ran(receipt) => {
                print!("printed: {}", StreamText::of(&receipt.stdout.kept).text);
                println!("{}", runward::core::render::sentence(&receipt));
            }
            Outcome::Refused(refusal) => println!("refused: {}", refusal.view().code.name()),
        }
    }
    Ok(())
}
