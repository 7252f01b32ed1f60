//! What models are shown of real tools: nothing that matters is lost, and nothing bad looks good. Read first: [`recording`]
//! (what was recorded), then [`verdict`] (what an answer may not do).

mod checks;
mod mutation;
mod mutations;
mod reconstruction;
mod recording;
mod recordings;
mod shapes;
mod speed;
mod verdict;
