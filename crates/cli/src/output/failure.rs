//! What ends a verb early: something to tell, or nobody left to tell it to.

use super::{ERROR, Format, HINT, READER_GONE, emit, put};
use runward::{Code, Coded, ErrorView};
use serde::Serialize;

/// Why a verb did not come to its own end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something failed or was refused.
    Told(ErrorView),
    /// Whoever read our output is gone.
    ReaderGone,
}

impl<E: Coded> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Told(ErrorView::of(&error))
    }
}

#[derive(Serialize)]
struct Wrapped<'a> {
    error: &'a ErrorView,
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

    /// Tells it in the form that was asked for, and gives the exit code of its band.
    pub(crate) fn tell(&self, format: Format) -> i32 {
        let view = match self {
            Failure::ReaderGone => return READER_GONE,
            Failure::Told(view) => view,
        };
        if format == Format::Plain {
            words(view);
        } else if let Err(failure) = emit(&Wrapped { error: view }, format) {
            return failure.instead_of(view);
        }
        i32::from(view.code.exit())
    }
}

impl Failure {
    /// The result could not even be told as it was asked for: in words, then, unless nobody is there.
    fn instead_of(&self, view: &ErrorView) -> i32 {
        match self {
            Failure::ReaderGone => READER_GONE,
            Failure::Told(why) => {
                words(view);
                if why != view {
                    words(why);
                }
                i32::from(why.code.exit())
            }
        }
    }
}

fn words(view: &ErrorView) {
    put(&format!("{ERROR}runward:{ERROR:#} {} [{}]", view.message, view.code));
    if let Some(hint) = &view.hint {
        put(&format!("{HINT}hint:{HINT:#} {hint}"));
    }
}
