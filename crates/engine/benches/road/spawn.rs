//! What it costs to run a command that does nothing.

use runward_engine::core::facts::Containment;
use runward_engine::{CommandSpec, Engine, Policy};
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, row, time};
use tokio::runtime::{Builder, Runtime};

pub(crate) fn engine() -> Engine {
    Engine::builder().policy(Policy::allow_everything("a benchmark")).build().expect("an engine")
}

pub(crate) fn one_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

pub(crate) fn ours(runtime: &Runtime, engine: &Engine, program: &Path) -> Duration {
    let spec = CommandSpec::exec(program);
    time(|| {
        runtime.block_on(engine.run(spec)).expect("it runs");
    })
}

fn bare(program: &Path) -> Duration {
    time(|| {
        testkit::bare::captured(program, &[]).expect("it runs");
    })
}

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let (runtime, engine) = (one_thread(), engine());
    let (still, truth) = (testkit::still(), PathBuf::from("/bin/true"));
    for _ in 0..50 {
        ours(&runtime, &engine, &still);
        bare(&still);
    }
    let turns = 1000 * plan.rounds;
    let mut rows = vec![
        in_turns(
            "static program, one at a time",
            TargetSide::AtMost(2.5),
            turns,
            || bare(&still),
            || ours(&runtime, &engine, &still),
        ),
        in_turns(
            "/bin/true, one at a time",
            TargetSide::AtMost(1.25),
            turns / 2,
            || bare(&truth),
            || ours(&runtime, &engine, &truth),
        ),
    ];
    rows.push(without_cgroup(&runtime, &still, turns));
    rows.push(many_at_once(&truth, 10 * plan.rounds));
    rows.push(beside_a_gigabyte(&runtime, &engine, &still, turns));
    rows
}

fn without_cgroup(runtime: &Runtime, still: &Path, turns: usize) -> ResultRow {
    let engine = Engine::builder()
        .policy(Policy::allow_everything("a benchmark"))
        .containment(Containment::Subreaper)
        .build()
        .expect("an engine");
    in_turns(
        "static program, subreaper alone",
        TargetSide::AtMost(2.5),
        turns,
        || bare(still),
        || ours(runtime, &engine, still),
    )
}

const BLOCKS: usize = 8;
const AT_ONCE: usize = 64;
const EACH: usize = 8;

/// The time for the same number of commands with the same number in flight.
fn many_at_once(program: &Path, turns: usize) -> ResultRow {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let engine = engine();
    let baseline = || {
        time(|| {
            std::thread::scope(|scope| {
                for _ in 0..AT_ONCE {
                    scope.spawn(|| {
                        (0..EACH).for_each(|_| {
                            bare(program);
                        });
                    });
                }
            });
        })
    };
    let product = || {
        time(|| {
            runtime.block_on(async {
                let flights: Vec<_> = (0..AT_ONCE)
                    .map(|_| {
                        let (engine, program) = (engine.clone(), program.to_owned());
                        tokio::spawn(async move {
                            for _ in 0..EACH {
                                engine.run(CommandSpec::exec(&program)).await.expect("it runs");
                            }
                        })
                    })
                    .collect();
                for flight in flights {
                    flight.await.expect("no panic");
                }
            });
        })
    };
    in_turns("/bin/true, 64 at once (rate)", TargetSide::AtLeast(0.8), turns, baseline, product)
}

/// Ourselves with a gigabyte resident against ourselves small, in blocks that take turns.
fn beside_a_gigabyte(runtime: &Runtime, engine: &Engine, program: &Path, turns: usize) -> ResultRow {
    let block = turns.div_ceil(BLOCKS);
    let mut pairs = Vec::with_capacity(turns);
    for _ in 0..BLOCKS {
        let small: Vec<Duration> = (0..block).map(|_| ours(runtime, engine, program)).collect();
        let mut memory = vec![0_u8; 1 << 30];
        memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        pairs.extend(small.into_iter().map(|small| (small, ours(runtime, engine, program))));
        std::hint::black_box(&memory);
    }
    row("static program, 1 GiB resident against small", TargetSide::AtMost(1.1), &pairs)
}
