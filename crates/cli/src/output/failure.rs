//! Why a verb ends early: an error to report, or a reader of our output that is gone.

use super::{ERROR, HINT, LEFT, OutputFormat, READER_GONE, emit, marked, put};
use runward::core::render::one_line;
use runward::host::shortage;
use runward::{Code, Coded, ErrorView};
use runward_flow::{FlowError, Mark};
use serde::Serialize;
use std::any::Any;
use std::io;

/// Why a verb did not finish.
#[derive(Debug)]
pub(crate) enum VerbFailure {
    /// Something failed or was refused.
    Told(ErrorView),
    /// The same about a place in a markdown file.
    Marked(ErrorView, Box<Mark>),
    /// The reader of our output is gone (a closed pipe).
    ReaderGone,
    /// The person who was asked has left.
    Left,
}

impl<E: Coded + 'static> From<E> for VerbFailure {
    fn from(error: E) -> Self {
        // One error knows where in a file it is about, and there is one way into this type for all of them.
        let flow = (&error as &dyn Any).downcast_ref::<FlowError>();
        match flow.and_then(FlowError::mark).cloned() {
            Some(mark) => VerbFailure::Marked(ErrorView::of(&error), Box::new(mark)),
            None => VerbFailure::Told(ErrorView::of(&error)),
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

impl VerbFailure {
    /// A value of the request that cannot be used.
    pub(crate) fn bad_value(message: String, hint: &str) -> Self {
        VerbFailure::Told(ErrorView { code: Code::SpecBadValue, message, hint: Some(hint.to_owned()) })
    }

    /// Something that could not be written or read.
    pub(crate) fn host(what: &str, error: &io::Error) -> Self {
        Self::by_host(what, error, "Check the file or pipe that it is written to, then try again.".to_owned())
    }

    /// A resource that the host does not give us: descriptors, a thread, a signal, a terminal.
    pub(crate) fn lacking(what: &str, error: &io::Error) -> Self {
        match shortage(error) {
            Some(missing) => VerbFailure::Told(ErrorView {
                code: Code::SpawnResources,
                message: format!("{what}: {error}"),
                hint: Some(format!("End other commands or raise the host's limits: {missing}.")),
            }),
            None => Self::by_host(what, error, "See `runward doctor` for what this host can do.".to_owned()),
        }
    }

    /// A server that does not answer.
    pub(crate) fn unheard(what: &str, error: &io::Error) -> Self {
        Self::by_host(what, error, "See `runward ps` for the servers that answer.".to_owned())
    }

    fn by_host(what: &str, error: &io::Error, hint: String) -> Self {
        VerbFailure::Told(ErrorView {
            code: Code::Internal,
            message: format!("{what}: {error}"),
            hint: Some(hint),
        })
    }

    /// The exit code of its band.
    pub(crate) fn exit_code(&self) -> i32 {
        match self {
            VerbFailure::ReaderGone => READER_GONE,
            VerbFailure::Left => LEFT,
            VerbFailure::Told(view) | VerbFailure::Marked(view, _) => i32::from(view.code.exit()),
        }
    }

    /// Reports it in the form that was asked for, and gives the exit code of its band.
    pub(crate) fn tell(&self, format: OutputFormat) -> i32 {
        let (view, mark) = match self {
            VerbFailure::ReaderGone | VerbFailure::Left => return self.exit_code(),
            VerbFailure::Told(view) => (view, None),
            VerbFailure::Marked(view, mark) => (view, Some(&**mark)),
        };
        let place = mark.map(Mark::place);
        if format == OutputFormat::Plain {
            words(view, mark);
        } else if let Err(failure) = emit(&Wrapped { error: Placed { view, place } }, format) {
            return failure.instead_of(view);
        }
        i32::from(view.code.exit())
    }
}

impl VerbFailure {
    /// The result could not be printed in that form: then as text, unless the reader is gone.
    fn instead_of(&self, view: &ErrorView) -> i32 {
        match self {
            VerbFailure::ReaderGone | VerbFailure::Left => self.exit_code(),
            VerbFailure::Told(why) | VerbFailure::Marked(why, _) => {
                words(view, None);
                // If the failure is that standard output takes nothing, it is reported by now.
                if (why.code, &why.hint) != (view.code, &view.hint) {
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
