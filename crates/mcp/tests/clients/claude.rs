//! Claude Code.

use crate::gone::{a_kill_leaves_nothing, an_interrupt_ends_the_command};
use crate::shown::everything_is_shown;
use testkit::agents::AgentKind;

const KIND: AgentKind = AgentKind::Claude;

#[test]
fn the_model_sees_small_and_exact_answers() {
    everything_is_shown(KIND, 60);
}

#[test]
fn an_interrupt_ends_the_command_that_runs() {
    an_interrupt_ends_the_command(KIND);
}

#[test]
fn a_client_that_is_killed_leaves_no_command() {
    a_kill_leaves_nothing(KIND, "execute_command");
}

#[test]
fn a_client_that_is_killed_leaves_no_session() {
    a_kill_leaves_nothing(KIND, "start_command");
}
