//! What an agent wants to be told and was not.

use crate::house::House;
use crate::output::Failure;
use runward_flow::run::Draft;

/// Sees that everything has a value.
pub(super) fn complete(draft: &mut Draft, _house: &House) -> Result<(), Failure> {
    Ok(draft.check_complete()?)
}
