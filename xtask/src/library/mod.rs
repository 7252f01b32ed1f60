//! What the published packages promise to programs that use them: each feature builds alone, the library stands beside
//! whatever else a program links, and its public names change on purpose only.
//!
//! May not change a manifest. Read first: [`features`], then [`api`].

pub(crate) mod api;
#[cfg(test)]
mod beside;
mod features;
mod html;
#[cfg(test)]
mod packed;

pub(crate) use features::each_builds;
