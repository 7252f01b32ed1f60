//! `runward explain …`: the road up to the draft. Starts nothing, opens nothing.

use super::{Done, exec};
use crate::args::ExecArgs;
use crate::house::{House, Spooling};
use crate::output::draft::DraftView;
use crate::output::{Format, emit, print};
use runward::{Caller, Request};
use std::path::Path;

pub(super) fn run(args: &ExecArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let spec = exec::lower(args);
    let draft = house.engine(Spooling::Off)?.explain(Request::by(Caller::person(), spec))?;
    let view = DraftView::of(&draft, &house.settings);
    match Format::of(&args.format) {
        Format::Plain => print(view.text().trim_end())?,
        structured => emit(&view, structured)?,
    }
    // A refused command is explained too; being refused is not a failure to explain.
    Ok(0)
}
