//! Text that is no JSON at all: a person typed into a server, or a program prints into its pipe. The operator is told once.
//!
//! May not keep a line from the SDK's reader, which decides what it is answered with.

use serde::de::IgnoredAny;

/// Where the operator hears of it.
pub(crate) type Telling = fn(&str);

/// A longer line is known by its first sign alone, so that it is not read twice.
const READ_WHOLE: usize = 64 * 1024;

/// Whether such a line came already.
#[derive(Debug, Default)]
pub(super) struct StrangeLines {
    /// Nobody, once they were told.
    tell: Option<Telling>,
}

impl StrangeLines {
    pub(super) fn told_to(tell: Option<Telling>) -> Self {
        Self { tell }
    }

    /// Looks at a line that is no plain call.
    pub(super) fn look(&mut self, line: &[u8]) {
        if let Some(tell) = self.tell
            && is_strange(line)
        {
            self.tell = None;
            tell(TOLD);
        }
    }
}

const TOLD: &str = "standard input is no MCP: a line came that is no JSON. A client starts this server and speaks \
    JSON-RPC with it; see `runward init`. (Told once.)";

fn is_strange(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    match line.first() {
        None => false,
        Some(b'{' | b'[') if line.len() > READ_WHOLE => false,
        Some(b'{' | b'[') => serde_json::from_slice::<IgnoredAny>(line).is_err(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_messages() {
        for strange in ["hello", "ls -la", "{half", "42", "\u{feff}{}"] {
            assert!(is_strange(strange.as_bytes()), "{strange}");
        }
        for usual in ["", "  \r", "{}", "[]", " {\"a\": 1}\r"] {
            assert!(!is_strange(usual.as_bytes()), "{usual}");
        }
        let long = format!("{{{}", "x".repeat(READ_WHOLE));
        assert!(!is_strange(long.as_bytes()), "its reader finds out");
    }
}
