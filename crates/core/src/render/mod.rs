//! Words for people and models.
//!
//! May not decide anything: no code reads what is written here.
//! Read first: [`sentence()`].

mod amount;
mod base64;
mod hex;
mod ids;
mod sentence;
mod words;
mod yaml;
mod yaml_value;

pub use amount::{bytes, duration};
pub use base64::base64;
pub use hex::hex;
pub use ids::{SHORT_ID, letters_of_ids, may_mean_id, short_id, some_ids};
pub use sentence::{notes, sentence};
pub use words::{command_line, one_line, one_short_line, word};
pub use yaml::Yaml;
pub(crate) use yaml::is_shown;
