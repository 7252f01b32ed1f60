//! Whether a command may run, and by which rule.
//!
//! Policy gives an opinion; it starts nothing and mints no permits. A request comes to one command or to many, each
//! with whatever it starts in turn. The strictest rule that speaks about any of them wins, and where no rule speaks
//! the answer is no.
//! Read first: [`judge()`].

mod activation;
mod allowlist;
mod always;
mod book;
mod cwd_roots;
mod folders;
mod fore;
mod gist;
mod git_front;
mod harmless;
mod identity;
mod judge;
mod means;
mod planting;
mod presets;
mod reading;
mod redirects;
mod repository;
mod rule;
mod ruling;
mod runs_others;
mod settled;
mod spelling;
mod through;
mod unit;
mod word;

pub use allowlist::AllowedCommands;
pub use always::always;
pub use book::{CodeByName, OwnLeave, Policy, Redirecting};
pub use cwd_roots::CwdRoots;
pub use fore::{forejudge, judge_absent};
pub use gist::{MOST_NAMED, gist, gist_line};
pub use identity::{Ground, Identity};
pub use judge::judge;
pub use presets::{AddedArg, Entry, Fit, GitTerms, PRESETS, Preset, Terms, preset};
pub use reading::{Assign, Dialect, Opaque, Reading, Redirect, Simple, read};
pub use repository::Repository;
pub use rule::{ExampleError, Extent, Flags, Interactive, Rule, Standing};
pub use ruling::{Decision, Judged, Match, Ruling, Told};
pub use settled::Settled;
pub use through::{Carried, Started, carried, interactive, runs_code, sways_programs, through};
pub use unit::{Form, Scene, Unit};
pub use word::{Spread, Word};
