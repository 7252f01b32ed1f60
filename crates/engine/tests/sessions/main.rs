//! The registry of sessions, with real processes.
#![cfg(target_os = "linux")]

mod book;
mod control;
mod reading;
mod recall;
mod state;
mod waiting;

use runward_engine::core::spec::{EnvSpec, StdinSpec};
use runward_engine::registry::{Live, SessionOwner, SessionRules, Sessions, StartedSession};
use runward_engine::{CommandSpec, Engine, Policy, Terminal, Wish};

fn sessions_with(rules: SessionRules) -> Sessions {
    let engine = Engine::builder().policy(Policy::allow_everything("a test")).build().unwrap();
    Sessions::new(engine, rules)
}

fn sessions() -> Sessions {
    sessions_with(SessionRules::default())
}

fn me() -> SessionOwner {
    SessionOwner::named("me")
}

fn piped(text: &str) -> CommandSpec {
    let mut spec = CommandSpec::shell(text);
    spec.stdin = StdinSpec::Open;
    spec.limits.wall = Wish::Off;
    spec
}

fn on_terminal(text: &str) -> CommandSpec {
    let mut spec = piped(text);
    spec.terminal = Terminal::Pty { rows: 24, cols: 80 };
    // Line editors look at the terminal's name; what the tests run under must not matter.
    spec.env = EnvSpec { set: [("TERM".into(), "xterm".into())].into(), ..EnvSpec::default() };
    spec
}

async fn start(sessions: &Sessions, spec: CommandSpec) -> Live {
    match sessions.start(&me(), spec, None).await {
        Ok(StartedSession::Running(live)) => live,
        other => panic!("did not start: {other:?}"),
    }
}

#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sessions");
    testkit::no_file_is_forgotten(folder, include_str!("main.rs"));
}
