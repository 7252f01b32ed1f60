//! The account of a command's connections: one record for each, and their sum in the receipt.
//!
//! Records are facts of the keeper of the list: whom a command asked for, by which entry it was let through or why it was
//! not, and how much went each way. May not hold what was sent.

use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// The most different refusals that a report names. Further ones are counted.
const MOST_DENIED: usize = 100;

/// Whether a connection was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionDecision {
    /// By an entry of the list, or by a person.
    Allowed,
    /// Nothing was forwarded.
    Denied,
    /// It was let through, and the host could not be reached.
    Failed,
}

/// One connection that a command asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionRecord {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The name that was asked for, or the address where none was.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The address that was connected to, or was refused for what it is.
    pub address: Option<IpAddr>,
    /// The entry of the list that admits it.
    pub entry: Option<String>,
    /// What was decided.
    pub decision: ConnectionDecision,
    /// Why it was not let through, or failed.
    pub why: Option<String>,
    /// Bytes from the command.
    pub sent: u64,
    /// Bytes to the command.
    pub received: u64,
    /// How long it lasted, in milliseconds.
    pub ms: u64,
}

/// Connections to one port of one host that were refused for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeniedConnection {
    /// The name that was asked for, or the address where none was.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How often.
    pub times: u64,
    /// Why.
    pub why: String,
}

/// What a command did with its list of hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NetworkReport {
    /// Connections that were asked for.
    pub connections: u64,
    /// Those that were refused, in the order in which they first were.
    pub denied: Vec<DeniedConnection>,
    /// Refusals beyond the most that are named.
    #[serde(default, skip_serializing_if = "is_none")]
    pub denied_further: u64,
    /// Bytes from the command.
    pub sent: u64,
    /// Bytes to the command.
    pub received: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl NetworkReport {
    /// Adds one connection.
    pub fn add(&mut self, record: &ConnectionRecord) {
        self.connections = self.connections.saturating_add(1);
        self.sent = self.sent.saturating_add(record.sent);
        self.received = self.received.saturating_add(record.received);
        if record.decision == ConnectionDecision::Denied {
            self.deny(record);
        }
    }

    fn deny(&mut self, record: &ConnectionRecord) {
        let why = record.why.as_deref().unwrap_or("not listed");
        let same =
            |it: &&mut DeniedConnection| it.host == record.host && it.port == record.port && it.why == why;
        if let Some(known) = self.denied.iter_mut().find(same) {
            known.times = known.times.saturating_add(1);
        } else if self.denied.len() < MOST_DENIED {
            self.denied.push(DeniedConnection {
                host: record.host.clone(),
                port: record.port,
                times: 1,
                why: why.to_owned(),
            });
        } else {
            self.denied_further = self.denied_further.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(host: &str, decision: ConnectionDecision, why: Option<&str>) -> ConnectionRecord {
        ConnectionRecord {
            at: 1,
            host: host.to_owned(),
            port: 443,
            address: None,
            entry: None,
            decision,
            why: why.map(str::to_owned),
            sent: 10,
            received: 100,
            ms: 5,
        }
    }

    #[test]
    fn connections_are_summed_and_refusals_named_once_each() {
        let mut report = NetworkReport::default();
        let denied = ConnectionDecision::Denied;
        report.add(&record("a.example", ConnectionDecision::Allowed, None));
        report.add(&record("b.example", ConnectionDecision::Failed, Some("no such name")));
        for _ in 0..3 {
            report.add(&record("evil.example", denied, Some("not listed")));
        }
        report.add(&record("evil.example", denied, Some("tls name other.example")));
        assert_eq!(
            serde_json::to_value(&report).unwrap(),
            serde_json::json!({
                "connections": 6,
                "denied": [
                    {"host": "evil.example", "port": 443, "times": 3, "why": "not listed"},
                    {"host": "evil.example", "port": 443, "times": 1, "why": "tls name other.example"},
                ],
                "sent": 60,
                "received": 600,
            })
        );
    }

    #[test]
    fn a_command_that_tries_many_names_does_not_make_it_long() {
        let mut report = NetworkReport::default();
        for number in 0..5_000 {
            report.add(&record(&format!("n{number}.example"), ConnectionDecision::Denied, None));
        }
        report.add(&record("n7.example", ConnectionDecision::Denied, Some("not listed")));
        assert_eq!((report.denied.len(), report.denied_further, report.denied[7].times), (100, 4_900, 2));
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let one = record("a.example", ConnectionDecision::Allowed, None);
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<ConnectionRecord>(&text).unwrap(), one);
    }
}
