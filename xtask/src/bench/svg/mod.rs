//! Pictures of a result, written as text: no font is asked for that may be missing, and both schemes of colour are in
//! the file.
//!
//! May not say anything by colour alone. Read first: [`paper::Paper`].

mod axis;
mod chart;
mod curves;
mod paper;
mod peers;
mod targets;

pub(crate) use curves::curves;
pub(crate) use peers::peers;
pub(crate) use targets::targets;
