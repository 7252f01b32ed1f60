//! The sandbox: what a running command may reach, and by which layers (namespaces, Landlock, seccomp) that is kept.
//!
//! [`SandboxSettings`] are the operator's; a [`SandboxWish`] of a project or of one command can only tighten them. Joined
//! with the facts of this host they become a [`SandboxPlan`], which is part of the draft. Whatever cannot be kept is a
//! [`SandboxError`]: nothing is ever weakened in silence.
//!
//! May not look at files but through `Look`, nor make a system call; `runward-os` carries a plan out.
//! Read first: [`SandboxPlan`].

mod calls;
mod error;
mod guards;
mod landlock;
mod own_network;
mod plan;
mod repositories;
mod settings;
mod steps;
mod tighten;

pub use calls::{DeniedCall, UNKNOWN_CALL, When};
pub use error::SandboxError;
pub use guards::{ForbiddenName, HiddenPath, PathGuard};
pub use landlock::{LANDLOCK_NEEDED, LandlockTable};
pub use own_network::{NameServers, OwnSocket};
pub use plan::{KeptHosts, SandboxGround, SandboxPlan, plan};
pub use repositories::Worktrees;
pub use settings::{Layer, Mode, Network, SandboxSettings, SandboxWish};
pub use steps::{Access, FileShape, Means, SandboxStep, WhenMissing};
