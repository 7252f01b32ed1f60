//! The policy: whether a command may run, and by which rule (allow, ask, deny).
//!
//! Policy gives an opinion; it starts nothing and mints no permits. A request comes to one command or to many, each
//! with whatever it starts in turn. The strictest rule that speaks about any of them wins, and where no rule speaks
//! the answer is no.
//! Read first: [`judge()`].

mod activation;
mod allowlist;
mod always;
mod cwd_roots;
mod early_refusal;
mod folders;
mod gist;
mod git_front;
mod harmless;
mod identity;
mod judge;
mod means;
mod planting;
#[expect(clippy::module_inception, reason = "it holds `Policy`, which is what a reader looks for")]
mod policy;
mod presets;
mod reading;
mod redirects;
mod repository;
mod rule;
mod ruling;
mod runs_others;
mod settled;
mod spelling;
mod tables;
mod unit;
mod word;
mod wrappers;

pub use allowlist::{AllowedCommands, NO_RULES};
pub use always::always;
pub use cwd_roots::CwdRoots;
pub use early_refusal::{early_refusal, judge_absent};
pub use gist::{MOST_NAMED, commands_of, gist, gist_line};
pub use identity::{PolicyGround, ProgramIdentity};
pub use judge::judge;
pub use policy::{CodeByName, OwnLeave, Policy, Redirecting, SandboxLeave};
pub use presets::{AddedArg, Fit, GitTerms, PRESETS, Preset, PresetEntry, PresetTerms, preset};
pub use reading::{Assignment, Dialect, Opaque, Redirect, ScriptReading, Simple, read};
pub use repository::Repository;
pub use rule::{ExampleError, Extent, Interactive, Rule, RuleFlags, RuleStanding};
pub use ruling::{Decision, Judged, Match, RefusalWords, Ruling};
pub use settled::Additions;
pub use unit::{CommandForm, Scene, Unit};
pub use word::{Spread, Word};
pub use wrappers::{Carried, StartedCommand, carried, interactive, runs_code, sways_programs, through};
