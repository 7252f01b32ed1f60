//! What will happen, and leave (permission) to do it.
//!
//! A [`Draft`] is everything that will be done, readable by anyone. Leave to carry out *that* draft is a
//! [`Permit`]. Draft and permit are sealed into an [`ExecPlan`], the only thing that can be launched. There
//! is no other way to make a permit or a plan.
//!
//! A plan cannot be forged:
//!
//! ```compile_fail,E0451
//! let plan = runward_core::plan::ExecPlan { draft: todo!(), permitted_by: todo!() };
//! ```
//!
//! Nor a permit:
//!
//! ```compile_fail,E0451
//! let permit = runward_core::plan::Permit { draft: todo!(), grantor: todo!() };
//! ```

mod draft;
mod imprint;
mod permit;

pub use draft::{CapturePlan, Draft, KeptLimit, PlanDigest, RunId, StopLadder, draft};
pub use permit::{ExecPlan, Grantor, Leave, Permit, PermitMismatch, Person, Question, Refusal};
