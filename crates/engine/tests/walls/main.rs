//! What a sandbox must refuse, tried from inside; and what must run in spite of it. Only Linux has a sandbox.
#![cfg(target_os = "linux")]

mod files;
mod ground;
mod guards;
mod hosts;
mod missing;
mod names;
mod ordinary;
mod reach;
