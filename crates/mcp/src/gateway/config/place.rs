//! Where in a JSON text something stands: `mcpServers.github.args[2]`.

use std::fmt;

/// A path of keys and indexes, as one would write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath(String);

impl JsonPath {
    /// The whole text.
    pub(super) fn top() -> Self {
        Self(String::new())
    }

    /// The value of a key here. What is no plain word is put in brackets and quotes.
    pub(super) fn key(&self, key: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if key.is_empty() || !key.chars().all(plain) {
            return Self(format!("{}[\"{}\"]", self.0, key.escape_debug()));
        }
        let dot = if self.0.is_empty() { "" } else { "." };
        Self(format!("{}{dot}{key}", self.0))
    }

    /// An item of the list here.
    pub(super) fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "top level" } else { &self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_in_a_program() {
        let place = JsonPath::top().key("mcpServers").key("git-hub").key("args").index(2);
        assert_eq!(place.to_string(), "mcpServers.git-hub.args[2]");
        assert_eq!(JsonPath::top().key("my \"server\"").key("url").to_string(), r#"["my \"server\""].url"#);
        assert_eq!(JsonPath::top().to_string(), "top level");
    }
}
