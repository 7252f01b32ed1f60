//! A client that is interrupted or killed while a command runs: nothing of the command is left.

use crate::told::client;
use serde_json::json;
use testkit::agents::{AgentKind, RunningAgent};
use testkit::model::ModelScript;
use testkit::{TreeMark, until};

/// A tree that does not want to die.
const TREE: &str = r#"setsid sleep MARK & (sleep MARK &) ; nohup sleep MARK >/dev/null 2>&1 & trap "" TERM; sleep MARK; sleep MARK"#;

/// The client, once the model has called and the whole tree runs.
fn busy(kind: AgentKind, tool: &str, mark: &TreeMark) -> RunningAgent {
    let text = TREE.replace("MARK", mark.text());
    let script = ModelScript::new().call(tool, json!({"command": text})).hold();
    let mut running = client(kind).start(script);
    // The shell, and four that sleep.
    running.until("the whole tree is there", || mark.carriers().len() >= 5);
    running
}

/// Interrupted as a person does it: the call is cancelled, or the server ended; either way the tree goes.
pub(crate) fn an_interrupt_ends_the_command(kind: AgentKind) {
    let mark = TreeMark::new();
    let running = busy(kind, "execute_command", &mark);
    running.interrupt();
    until("nothing is left of the command", || mark.carriers().is_empty());
    // With which code differs: Claude Code ends with 0.
    running.finish();
}

/// Killed without a chance to say goodbye, with a call under way and with a session.
pub(crate) fn a_kill_leaves_nothing(kind: AgentKind, tool: &str) {
    let mark = TreeMark::new();
    let mut running = busy(kind, tool, &mark);
    running.kill();
    until("nothing is left of the command", || mark.carriers().is_empty());
}
