//! Hooks: shell text before and after the agent. May not decide what a failure after it means: it is only told.

use super::commands::{CommandPlace, MOST_KEPT, shell};
use super::road::{Printed, Road};
use crate::FlowError;
use crate::front::{Front, Value};
use runward_engine::core::render::bytes;
use runward_engine::{Code, Wish};

/// The variable in which a hook afterwards finds how the agent ended.
pub const EXIT_CODE: &str = "RUNWARD_EXIT_CODE";

/// The two names of the hook before.
const BEFORE: [&str; 2] = ["pre", "before"];

/// The texts of the hooks of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hooks {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Hooks {
    /// Reads `pre` or `before`, `post` or `after`.
    pub(super) fn of(front: &Front) -> Result<Self, FlowError> {
        Ok(Self { before: text(front, BEFORE)?, after: text(front, ["post", "after"])? })
    }
}

fn text(front: &Front, keys: [&str; 2]) -> Result<Option<String>, FlowError> {
    let said: Vec<(&str, &Value)> = keys
        .into_iter()
        .filter_map(|key| Some((key, front.get(key)?)))
        .filter(|(_, value)| !value.is_empty() && value.as_bool() != Some(false))
        .collect();
    match said[..] {
        [] => Ok(None),
        [(_, Value::Text(text))] => Ok(Some(text.clone())),
        [(key, other)] => {
            let what = format!("`{key}` is {}, not text for a shell", other.kind());
            Err(front.wrong(key, what).hint("Write one line, or several with `|`."))
        }
        [(one, _), (other, _), ..] => {
            let what = format!("`{one}` and `{other}` are two names of one hook, and both are there");
            Err(front.wrong(other, what).hint("Keep one of them."))
        }
    }
}

/// An error of the hook before, at its place in the file.
pub(super) fn at_before(error: FlowError, front: &Front) -> FlowError {
    let mark = BEFORE.into_iter().find_map(|key| front.mark_of(key));
    error.at(mark.cloned())
}

/// Runs the hook before; gives what it printed.
pub(super) async fn before<R: Road>(text: &str, place: &CommandPlace, road: &R) -> Result<String, FlowError> {
    let mut spec = place.set(shell(text));
    spec.limits.keep = Wish::At(MOST_KEPT);
    let printed = road.run(spec).await?;
    match why(&printed) {
        None if printed.left_out > 0 => {
            let message = format!("Pre hook failed: it printed more than {}", bytes(MOST_KEPT));
            Err(FlowError::new(Code::FlowHookFailed, message).hint("Let it print less."))
        }
        None => Ok(printed.stdout),
        Some(why) => Err(FlowError::new(Code::FlowHookFailed, format!("Pre hook failed: {why}"))
            .hint("Mend the hook, or remove it from the front matter.")),
    }
}

/// Runs the hook after, which is told how the agent ended. Its own failure is a note, and so is what it printed: the
/// agent's output is the agent's alone.
pub(super) async fn after<R: Road>(
    text: &str,
    exit_code: i32,
    place: &CommandPlace,
    road: &R,
) -> Option<String> {
    let spec = place.set(shell(text)).env(EXIT_CODE, exit_code.to_string());
    match road.run(spec).await {
        Ok(printed) => why(&printed).map(|why| format!("Post hook failed: {why}")).or_else(|| {
            let both = [printed.stdout.trim(), printed.stderr.trim()];
            let both = both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
            (!both.is_empty()).then(|| format!("Post hook printed: {both}"))
        }),
        Err(error) => Some(format!("Post hook failed: {error}")),
    }
}

fn why(printed: &Printed) -> Option<String> {
    if printed.exit_code == 0 && printed.stopped.is_none() {
        return None;
    }
    let how = match printed.stopped {
        Some(cause) => format!("stopped ({})", cause.name()),
        None => format!("exit code {}", printed.exit_code),
    };
    Some(match said(printed) {
        Some(said) => format!("{how}: {said}"),
        None => how,
    })
}

/// What a failed command said: what it wrote aside, or what it printed.
pub(super) fn said(printed: &Printed) -> Option<String> {
    let told = [&printed.stderr, &printed.stdout].into_iter().map(|text| text.trim());
    told.filter(|text| !text.is_empty()).map(str::to_owned).next()
}
