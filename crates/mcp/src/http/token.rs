//! The token that a request must show. May not be printed by accident, nor told apart by time.

use std::sync::Arc;

/// A bearer token.
#[derive(Clone)]
pub struct BearerToken(Arc<str>);

impl std::fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl BearerToken {
    /// The token that was given.
    pub fn given(text: &str) -> Self {
        Self(text.into())
    }

    /// A new token: 32 random bytes in hexadecimal digits.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(runward_engine::core::render::hex(&bytes).into()))
    }

    /// The token itself, to be shown to its owner once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether this is the token. Takes the same time wherever two of the same length differ.
    pub(super) fn is(&self, shown: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), shown.as_bytes());
        ours.len() == theirs.len() && ours.iter().zip(theirs).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_new_each_time_and_never_printed() {
        let (one, two) = (BearerToken::random().unwrap(), BearerToken::random().unwrap());
        assert_eq!(one.reveal().len(), 64);
        assert_ne!(one.reveal(), two.reveal());
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = BearerToken::given("secret");
        assert!(token.is("secret"));
        assert!(["", "secre", "secrets", "Secret"].iter().all(|shown| !token.is(shown)));
    }
}
