//! The keys that are known: ours, those of other clients that do no harm, and those that would.
//!
//! May not read values.

use runward_engine::core::resolve::nearest;

/// What the address of a server may be called: ours, and what other clients write.
pub(super) const ADDRESSES: &[&str] = &["url", "serverUrl", "httpUrl"];

/// Keys of a server that are read.
const READ: &[&str] = &[
    "command",
    "args",
    "env",
    "cwd",
    "disabled",
    "enabled",
    "url",
    "headers",
    "timeout_ms",
    "startup_timeout_ms",
    "tools",
    "lazy",
];

/// Keys of other clients that change nothing about what a server is or may do.
const LET_PASS: &[&str] = &[
    "type",
    "transport",
    "transportType",
    "source",
    "settings",
    "name",
    "title",
    "description",
    "note",
    "comment",
    "_comment",
    "icon",
    "version",
    "gallery",
    "dev",
    "autoApprove",
    "alwaysAllow",
    "trust",
    "timeout",
    "initTimeout",
];

/// Keys of other clients that would change what a server is or may do, and what to write instead.
const INSTEAD: &[(&str, &str)] = &[
    ("envFile", "write its variables into `env`"),
    ("includeTools", "write `tools.allow`"),
    ("excludeTools", "write `tools.deny`"),
    ("disabledTools", "write `tools.deny`"),
    ("oauth", "write a header into `headers`"),
];

/// What is wrong with a key of a server, if anything is.
pub(super) fn wrong_key(key: &str) -> Option<String> {
    if [READ, ADDRESSES, LET_PASS].iter().any(|keys| keys.contains(&key)) {
        return None;
    }
    if let Some((_, instead)) = INSTEAD.iter().find(|(name, _)| *name == key) {
        return Some(format!("expected no key `{key}`, which is not read here; {instead}"));
    }
    Some(unknown(key, READ))
}

/// Whether a key of a server is not known here, not even as one that would do harm.
pub(super) fn is_strange(key: &str) -> bool {
    let told = INSTEAD.iter().any(|(name, _)| *name == key);
    !told && wrong_key(key).is_some()
}

/// A key that is not known, and the one that was perhaps meant.
pub(super) fn unknown(key: &str, known: &[&str]) -> String {
    let shown = key.escape_debug();
    match nearest(key, known).first() {
        Some(near) => format!("unknown key `{shown}`; did you mean `{near}`?"),
        None => format!("unknown key `{shown}`; expected one of: {}", known.join(", ")),
    }
}
