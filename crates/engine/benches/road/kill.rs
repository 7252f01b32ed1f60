//! What it costs to end a large tree: from the decision to nothing left.

use crate::spawn::{engine, one_thread};
use runward_engine::{CommandSpec, Engine, Started};
use std::time::Duration;
use testkit::bare::{Bush, handed_up_to_me};
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, time};
use tokio::runtime::Runtime;

const PROCESSES: u32 = 1000;

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    handed_up_to_me();
    let (runtime, engine) = (one_thread(), engine());
    let baseline = || {
        let bush = Bush::grow(PROCESSES).expect("a tree");
        time(|| bush.kill().expect("it dies"))
    };
    vec![in_turns(
        "tree of 1000 processes, until nothing is left",
        TargetSide::AtMost(3.0),
        8 * plan.rounds,
        baseline,
        || product(&runtime, &engine),
    )]
}

fn product(runtime: &Runtime, engine: &Engine) -> Duration {
    runtime.block_on(async {
        let spec = CommandSpec::exec(testkit::fixture()).args(["bush", &PROCESSES.to_string()]);
        let Started::Running(mut session) = engine.start(spec).await.expect("it starts") else {
            panic!("refused")
        };
        session.next_event().await.expect("ready");
        let begun = std::time::Instant::now();
        session.stop();
        session.wait().await.expect("it ends");
        begun.elapsed()
    })
}
