//! The hash chain: each record's hash covers the one before it. Pure.
//!
//! It shows that records were changed, removed or inserted after they were written. It does not prevent that the
//! whole journal is written again: a user with write access to its files can do that.

use runward_core::render::hex;

/// The hash of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ChainLink([u8; 32]);

impl ChainLink {
    /// What the first record is chained to.
    pub(super) const ORIGIN: ChainLink = ChainLink([0; 32]);

    /// The hash of the record that follows this one: its place, and its text byte for byte.
    #[must_use]
    pub(super) fn next(self, seq: u64, body: &str) -> ChainLink {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0);
        hasher.update(&seq.to_le_bytes());
        hasher.update(body.as_bytes());
        ChainLink(*hasher.finalize().as_bytes())
    }

    /// A hash as it was stored.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<ChainLink> {
        bytes.try_into().ok().map(ChainLink)
    }

    /// A hash as text.
    pub(super) fn from_hex(text: &str) -> Option<ChainLink> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
        }
        Some(ChainLink(bytes))
    }

    /// As it is stored.
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Display for ChainLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_link_is_written_and_read() {
        let link = ChainLink::ORIGIN.next(1, "{}");
        assert_eq!(ChainLink::from_hex(&link.to_string()), Some(link));
        assert_eq!(ChainLink::from_bytes(link.as_bytes()), Some(link));
        assert_eq!(ChainLink::from_hex("zz"), None);
        assert_eq!(ChainLink::from_hex(&"é".repeat(32)), None);
    }

    proptest! {
        #[test]
        fn any_change_breaks_the_chain(
            texts in prop::collection::vec("\\PC{0,12}", 1..8), at in any::<prop::sample::Index>(), other in "\\PC{0,12}",
        ) {
            let chained = |texts: &[String]| {
                (1..).zip(texts).fold(ChainLink::ORIGIN, |link, (seq, text)| link.next(seq, text))
            };
            let mut changed = texts.clone();
            let at = at.index(changed.len());
            prop_assume!(changed[at] != other);
            changed[at] = other;
            prop_assert_ne!(chained(&texts), chained(&changed));
            prop_assert_ne!(chained(&texts), chained(&texts[1..]));
        }
    }
}
