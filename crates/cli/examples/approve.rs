//! Asks a person about one very command. Here the answer is on standard input: `yes`, or anything else.
//!
//! `echo yes | cargo run --example approve`

use runward::approve::{Approver, Exhibit, Matter, PendingVerdict, Silence, Verdict};
use runward::core::output::StreamText;
use runward::core::plan::Person;
use runward::{CommandSpec, Decision, Engine, Error, Outcome, Policy};

/// Shows what would be done, and reads one line.
struct OneLine;

impl Approver for OneLine {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        // Nothing in an exhibit can hide, or pretend to be something else.
        let shown = Exhibit::of(matter);
        println!("may `{}` run in {}? {}", shown.command, shown.cwd, shown.because);
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        let person = Person::named("whoever sits here");
        let verdict = match (read, line.trim()) {
            (Err(_) | Ok(0), _) => Verdict::Unanswered(Silence::Nobody),
            (Ok(_), "yes") => Verdict::Once(person),
            (Ok(_), _) => Verdict::No(person),
        };
        Box::pin(std::future::ready(verdict))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let policy = Policy::default().with(Decision::Ask, ["echo"]);
    let engine = Engine::builder().policy(policy).approver(OneLine).build()?;
    match engine.run(CommandSpec::exec("echo").arg("approved")).await? {
        Outcome::Ran(receipt) => {
            print!("printed: {}", StreamText::of(&receipt.stdout.kept).text);
            println!("leave: {}", receipt.permitted_by.name());
        }
        Outcome::Refused(refusal) => println!("refused: {}", refusal.view().code.name()),
    }
    Ok(())
}
