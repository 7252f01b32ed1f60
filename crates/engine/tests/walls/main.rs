//! What a sandbox must refuse, tried from inside; and what must run in spite of it.

mod files;
mod ground;
mod guards;
mod missing;
mod ordinary;
mod reach;
