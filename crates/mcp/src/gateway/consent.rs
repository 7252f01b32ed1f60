//! The servers of project files that a person approved, by the exact command.
//!
//! A project file comes with another person's folder, so what it would start is shown to a person once. An approval is
//! for one digest of everything that makes the process: program and its resolved file, arguments, variables with
//! their values, and folder; or address and headers. One changed byte asks again. A list that the operator named is
//! approved by naming it, as it stands then. May not ask a person, nor read or write the list.

use super::config::{Roster, Server, ServerReach};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is approved: a hash in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConsentDigest(String);

impl ConsentDigest {
    /// The digest of a server of a file in this folder. `program` is the file that its command resolves to.
    ///
    /// The folder counts, because a relative program or `cwd` means something else in another one; and the file does,
    /// because another one of the same name may come to stand before it in PATH.
    pub fn of(server: &Server, folder: &str, program: &str) -> Self {
        let mut sum = Sum(blake3::Hasher::new());
        match &server.reach {
            ServerReach::Command(launch) => {
                sum.text("command").text(folder).text(&launch.command).text(program);
                sum.count(launch.args.len());
                launch.args.iter().for_each(|arg| {
                    sum.text(arg);
                });
                sum.pairs(&launch.env);
                sum.count(usize::from(launch.cwd.is_some())).text(launch.cwd.as_deref().unwrap_or_default());
            }
            ServerReach::Address(remote) => {
                sum.text("address").text(&remote.url).pairs(&remote.headers);
            }
        }
        Self(sum.0.finalize().to_hex().to_string())
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A hash of parts, each with its length, so that they cannot run into each other.
struct Sum(blake3::Hasher);

impl Sum {
    fn count(&mut self, count: usize) -> &mut Self {
        self.0.update(&(count as u64).to_le_bytes());
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.count(text.len());
        self.0.update(text.as_bytes());
        self
    }

    fn pairs(&mut self, pairs: &BTreeMap<String, String>) -> &mut Self {
        self.count(pairs.len());
        for (name, value) in pairs {
            self.text(name).text(value);
        }
        self
    }
}

/// One approval. Only the digest counts; the rest shows a person what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// What was approved.
    pub digest: ConsentDigest,
    /// The key of the server.
    pub server: String,
    /// The file it stood in.
    pub file: String,
}

/// Every approval.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Consents {
    consents: Vec<Consent>,
    /// Files that were named once: what they said then was approved by naming them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    named: Vec<String>,
}

impl Consents {
    /// Whether this was approved.
    pub fn covers(&self, digest: &ConsentDigest) -> bool {
        self.consents.iter().any(|consent| consent.digest == *digest)
    }

    /// Remembers an approval. Once is enough.
    pub fn agree(&mut self, consent: Consent) {
        if !self.covers(&consent.digest) {
            self.consents.push(consent);
        }
    }

    /// Withdraws an approval.
    pub fn withdraw(&mut self, digest: &ConsentDigest) {
        self.consents.retain(|consent| consent.digest != *digest);
    }

    /// All approvals, in the order in which they were made.
    pub fn all(&self) -> &[Consent] {
        &self.consents
    }

    /// Whether a file was named before.
    pub fn was_named(&self, file: &str) -> bool {
        self.named.iter().any(|named| named == file)
    }

    /// Remembers that a file was named.
    pub fn name(&mut self, file: &str) {
        if !self.was_named(file) {
            self.named.push(file.to_owned());
        }
    }

    /// Whether a server of that name in that file was approved once, as it was then.
    pub fn knew(&self, server: &str, file: &str) -> bool {
        self.consents.iter().any(|consent| consent.server == server && consent.file == file)
    }

    /// The servers of a file that a person must be asked about before they are started.
    pub fn missing<'a>(
        &self,
        roster: &'a Roster,
        digest: impl Fn(&Server) -> ConsentDigest,
    ) -> Vec<(&'a Server, ConsentDigest)> {
        let digested = roster.on().map(|server| (server, digest(server)));
        digested.filter(|(_, digest)| !self.covers(digest)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn roster(servers: &str) -> Roster {
        Roster::read("mcp.json", &format!(r#"{{"mcpServers": {{{servers}}}}}"#), &|_| None).unwrap()
    }

    fn digest(server: &str, folder: &str) -> ConsentDigest {
        ConsentDigest::of(&roster(&format!(r#""s": {server}"#)).servers[0], folder, "/bin/x")
    }

    #[test]
    fn every_part_of_a_command_counts() {
        let commands = [
            r#"{"command": "x"}"#,
            r#"{"command": "xa"}"#,
            r#"{"command": "x", "args": ["a"]}"#,
            r#"{"command": "x", "args": ["ab"]}"#,
            r#"{"command": "x", "args": ["a", "b"]}"#,
            r#"{"command": "x", "args": ["b", "a"]}"#,
            r#"{"command": "x", "args": ["a", "b", ""]}"#,
            r#"{"command": "x", "env": {"a": "b"}}"#,
            r#"{"command": "x", "env": {"a": "c"}}"#,
            r#"{"command": "x", "env": {"ab": ""}}"#,
            r#"{"command": "x", "cwd": "a"}"#,
            r#"{"url": "https://x"}"#,
            r#"{"url": "https://x", "headers": {"a": "b"}}"#,
        ];
        let digests: BTreeSet<_> = commands.iter().map(|command| digest(command, "/p")).collect();
        assert_eq!(digests.len(), commands.len());
        assert_ne!(digest(commands[0], "/p"), digest(commands[0], "/q"));
        let server = &roster(r#""s": {"command": "x"}"#).servers[0];
        assert_ne!(
            ConsentDigest::of(server, "/p", "/usr/bin/x"),
            ConsentDigest::of(server, "/p", "/home/u/bin/x")
        );
    }

    #[test]
    fn what_does_not_make_the_process_does_not_count() {
        let plain = digest(r#"{"command": "x", "env": {"a": "1", "b": "2"}}"#, "/p");
        let more = r#"{"lazy": true, "timeout_ms": 5, "env": {"b": "2", "a": "1"}, "command": "x"}"#;
        assert_eq!(digest(more, "/p"), plain);
    }

    #[test]
    fn one_is_asked_once_for_each_exact_command() {
        let roster = roster(
            r#""a": {"command": "x"}, "b": {"command": "y"}, "c": {"command": "z", "disabled": true}"#,
        );
        let mut consents = Consents::default();
        let missing = consents.missing(&roster, |server| ConsentDigest::of(server, "/p", ""));
        assert_eq!(missing.iter().map(|(server, _)| server.key.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let (server, digest) = missing[0].clone();
        let consent = Consent { digest, server: server.key.clone(), file: "/p/mcp.json".to_owned() };
        consents.agree(consent.clone());
        consents.agree(consent.clone());
        assert_eq!(consents.all(), std::slice::from_ref(&consent));
        assert_eq!(consents.missing(&roster, |server| ConsentDigest::of(server, "/p", "")).len(), 1);
        assert_eq!(consents.missing(&roster, |server| ConsentDigest::of(server, "/q", "")).len(), 2);
        consents.withdraw(&consent.digest);
        assert_eq!(consents.missing(&roster, |server| ConsentDigest::of(server, "/p", "")).len(), 2);
    }

    #[test]
    fn agreements_are_remembered_as_text() {
        let digest = digest(r#"{"command": "x"}"#, "/p");
        let mut consents = Consents::default();
        consents.agree(Consent { digest: digest.clone(), server: "s".to_owned(), file: "f".to_owned() });
        let text = serde_json::to_string(&consents).unwrap();
        let same = format!(r#"{{"consents":[{{"digest":"{}","server":"s","file":"f"}}]}}"#, digest.as_str());
        assert_eq!(text, same);
        assert_eq!(serde_json::from_str::<Consents>(&text).unwrap(), consents);
    }
}
