//! What every promise test needs: an engine that allows everything, and short ways to run things.

use runward_engine::core::facts::Containment;
use runward_engine::{CommandSpec, Engine, EngineBuilder, Outcome, Policy, Receipt, Session, Started};
use std::time::Duration;

/// The ways of holding a tree together that every Linux host must have, and those this one has besides.
pub(crate) fn containments() -> Vec<Containment> {
    runward_engine::host::probe().unwrap().abilities.containment
}

pub(crate) fn builder() -> EngineBuilder {
    Engine::builder().policy(Policy::allow_everything("a test"))
}

pub(crate) fn engine() -> Engine {
    builder().build().unwrap()
}

pub(crate) async fn run_on(engine: &Engine, spec: CommandSpec) -> Receipt {
    match engine.run(spec).await {
        Ok(Outcome::Ran(receipt)) => *receipt,
        other => panic!("did not run: {other:?}"),
    }
}

pub(crate) async fn run(spec: CommandSpec) -> Receipt {
    run_on(&engine(), spec).await
}

pub(crate) async fn start_on(engine: &Engine, spec: CommandSpec) -> Session {
    match engine.start(spec).await {
        Ok(Started::Running(session)) => session,
        other => panic!("did not start: {other:?}"),
    }
}

/// The fixture playing a part.
pub(crate) fn part<'a>(words: impl IntoIterator<Item = &'a str>) -> CommandSpec {
    CommandSpec::exec(testkit::fixture()).args(words)
}

/// A script with a time limit that only a hanging test reaches.
pub(crate) fn script(text: &str) -> CommandSpec {
    CommandSpec::shell(text).timeout(testkit::LIMIT)
}

pub(crate) fn stdout(receipt: &Receipt) -> String {
    String::from_utf8(receipt.stdout.kept.bytes()).unwrap()
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
