//! What ends a verb early: something to tell, or nobody left to tell it to.

use super::{ERROR, Format, HINT, LEFT, READER_GONE, emit, marked, put};
use runward::core::render::one_line;
use runward::{Code, Coded, ErrorView};
use runward_flow::{FlowError, Mark};
use serde::Serialize;
use std::any::Any;

/// Why a verb did not come to its own end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something failed or was refused.
    Told(ErrorView),
    /// The same about a place in a markdown file.
    Marked(ErrorView, Box<Mark>),
    /// Whoever read our output is gone.
    ReaderGone,
    /// The person who was asked has left.
    Left,
}

impl<E: Coded + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        // One error knows where in a file it is about, and there is one way into this type for all of them.
        let flow = (&error as &dyn Any).downcast_ref::<FlowError>();
        match flow.and_then(FlowError::mark).cloned() {
            Some(mark) => Failure::Marked(ErrorView::of(&error), Box::new(mark)),
            None => Failure::Told(ErrorView::of(&error)),
        }
    }
}

#[derive(Serialize)]
struct Wrapped<'a> {
    error: Placed<'a>,
}

#[derive(Serialize)]
struct Placed<'a> {
    #[serde(flatten)]
    view: &'a ErrorView,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl Failure {
    /// A value of the request that cannot be used.
    pub(crate) fn bad_value(message: String, hint: &str) -> Self {
        Failure::Told(ErrorView { code: Code::SpecBadValue, message, hint: Some(hint.to_owned()) })
    }

    /// Something the host would not do for us.
    pub(crate) fn host(what: &str, error: &std::io::Error) -> Self {
        Failure::Told(ErrorView {
            code: Code::Internal,
            message: format!("{what}: {error}"),
            hint: Some("Check the place it was to go to, then try again.".to_owned()),
        })
    }

    /// The exit code of its band.
    pub(crate) fn exit_code(&self) -> i32 {
        match self {
            Failure::ReaderGone => READER_GONE,
            Failure::Left => LEFT,
            Failure::Told(view) | Failure::Marked(view, _) => i32::from(view.code.exit()),
        }
    }

    /// Tells it in the form that was asked for, and gives the exit code of its band.
    pub(crate) fn tell(&self, format: Format) -> i32 {
        let (view, mark) = match self {
            Failure::ReaderGone | Failure::Left => return self.exit_code(),
            Failure::Told(view) => (view, None),
            Failure::Marked(view, mark) => (view, Some(&**mark)),
        };
        let place = mark.map(Mark::place);
        if format == Format::Plain {
            words(view, mark);
        } else if let Err(failure) = emit(&Wrapped { error: Placed { view, place } }, format) {
            return failure.instead_of(view);
        }
        i32::from(view.code.exit())
    }
}

impl Failure {
    /// The result could not even be told as it was asked for: in words, then, unless nobody is there.
    fn instead_of(&self, view: &ErrorView) -> i32 {
        match self {
            Failure::ReaderGone | Failure::Left => self.exit_code(),
            Failure::Told(why) | Failure::Marked(why, _) => {
                words(view, None);
                if why != view {
                    words(why, None);
                }
                i32::from(why.code.exit())
            }
        }
    }
}

fn words(view: &ErrorView, mark: Option<&Mark>) {
    let place = mark.map(|mark| format!("{}: ", one_line(&mark.place()))).unwrap_or_default();
    put(&format!("{ERROR}runward:{ERROR:#} {place}{} [{}]", harmless(&view.message), view.code));
    if let Some(mark) = mark {
        put(&marked::shown(mark));
    }
    if let Some(hint) = &view.hint {
        put(&format!("{HINT}hint:{HINT:#} {}", harmless(hint)));
    }
}

/// Lines that show what they hold: a file, a name or an output in them must not move the cursor.
fn harmless(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}
