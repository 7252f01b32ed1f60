//! What it costs to capture a gigabyte of output.

use crate::passing;
use crate::spawn::one_thread;
use runward_engine::{CommandSpec, Engine, Policy, SpoolRules, Wish};
use std::time::Duration;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, time};

const BYTES: u64 = 1 << 30;

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = SpoolRules { folder: folder.path().to_owned(), total: 1 << 30 };
    let engine = Engine::builder()
        .policy(Policy::allow_everything("a benchmark"))
        .spool(rules)
        .build()
        .expect("an engine");
    let runtime = one_thread();
    let fixture = testkit::fixture();
    let baseline = || {
        time(|| {
            let got = testkit::bare::captured(&fixture, &["spew", &BYTES.to_string()]).expect("it runs");
            assert_eq!(got.bytes, BYTES);
        })
    };
    let product = || {
        let mut spec = CommandSpec::exec(&fixture).args(["spew", &BYTES.to_string()]);
        spec.limits.wall = Wish::At(Duration::from_secs(600));
        time(|| {
            let runward_engine::Outcome::Ran(receipt) = runtime.block_on(engine.run(spec)).expect("it runs")
            else {
                panic!("refused");
            };
            assert_eq!(receipt.stdout.kept.total, BYTES);
        })
    };
    vec![
        in_turns(
            "1 GiB through window and spool",
            TargetSide::AtMost(1.2),
            8 * plan.rounds,
            baseline,
            product,
        ),
        passing::row(plan),
    ]
}
