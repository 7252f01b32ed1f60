//! What stands for the relay where no command has a network of its own. There never is one.

use crate::RelayAccount;

/// The relay of one command. No platform but Linux has one, so this has no value.
#[derive(Debug)]
pub enum NetworkRelay {}

impl NetworkRelay {
    /// The command is over.
    pub async fn end(self) -> Option<RelayAccount> {
        match self {}
    }
}
