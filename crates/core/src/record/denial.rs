//! What a sandbox denied a command, as far as something saw it do so: whom it asked for, which layer said no, and what it
//! could have had instead.
//!
//! A denial is a fact of whoever keeps the layer. May not be made from what a program printed: "Permission denied" has many
//! causes.

use crate::network::NetworkReport;
use crate::render::{one_line, word};
use crate::sandbox::{Layer, Mode, Network, SandboxPlan};
use serde::Serialize;
use std::path::PathBuf;

/// The most denials that a receipt names one by one.
const MOST: usize = 20;

/// The most that one sentence names.
const TOLD: usize = 3;

/// The longest name of a host that a sentence holds.
const LONGEST: usize = 80;

/// What a command wanted and did not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DeniedThing {
    /// A connection.
    Host {
        /// The name that was asked for, or the address where none was.
        host: String,
        /// The port.
        port: u16,
    },
    /// To change a file.
    File {
        /// Which.
        #[serde(serialize_with = "crate::os_text::path")]
        path: PathBuf,
    },
}

/// One thing that a sandbox denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SandboxDenial {
    /// What.
    #[serde(flatten)]
    pub what: DeniedThing,
    /// The layer that did.
    pub layer: Layer,
    /// How often.
    pub times: u64,
    /// Why.
    pub why: String,
}

/// Everything that a sandbox denied one command, and what it allows instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SandboxDenials {
    /// The mode of the sandbox.
    pub mode: Mode,
    /// What was denied, the first of it one by one.
    pub list: Vec<SandboxDenial>,
    /// How often something was denied that is not in the list.
    #[serde(skip_serializing_if = "is_never")]
    pub further: u64,
    /// The hosts that may be connected to: `on`, `off`, or the entries of the list.
    pub network: Network,
    /// The folders that may be written, beside temporary ones of the command's own.
    #[serde(serialize_with = "crate::os_text::paths")]
    pub writable: Vec<PathBuf>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_never(count: &u64) -> bool {
    *count == 0
}

impl SandboxDenials {
    /// Nothing was denied yet, in the sandbox of this plan.
    fn within(plan: &SandboxPlan) -> Self {
        Self {
            mode: plan.mode(),
            list: Vec::new(),
            further: 0,
            network: plan.network().clone(),
            writable: plan.writable().to_vec(),
        }
    }

    /// The connections that the keeper of the list refused, if it refused any.
    pub fn of_network(report: &NetworkReport, plan: &SandboxPlan) -> Option<Self> {
        let denials = report.denied.iter().map(|denied| SandboxDenial {
            what: DeniedThing::Host { host: denied.host.clone(), port: denied.port },
            // A network of its own is what makes the keeper the only way out.
            layer: Layer::Namespaces,
            times: denied.times,
            why: denied.why.clone(),
        });
        Self::within(plan).with(denials.collect(), report.denied_further)
    }

    /// Files that the command wanted to change outside of the folders that it may write, if there are any. The caller saw it
    /// ask, and that it was not let.
    pub fn of_files(paths: &[PathBuf], layer: Layer, plan: &SandboxPlan) -> Option<Self> {
        let denials = paths.iter().map(|path| SandboxDenial {
            what: DeniedThing::File { path: path.clone() },
            layer,
            times: 1,
            why: "not among the folders that may be written".to_owned(),
        });
        Self::within(plan).with(denials.collect(), 0)
    }

    fn with(mut self, all: Vec<SandboxDenial>, further: u64) -> Option<Self> {
        let beyond: u64 = all.iter().skip(MOST).map(|denial| denial.times).sum();
        self.list = all;
        self.list.truncate(MOST);
        self.further = further.saturating_add(beyond);
        (!self.list.is_empty() || self.further > 0).then_some(self)
    }

    /// The same, with every name of a host as this function has it.
    #[must_use]
    pub fn masked(mut self, mask: impl Fn(&str) -> String) -> Self {
        for denial in &mut self.list {
            denial.why = mask(&denial.why);
            if let DeniedThing::Host { host, .. } = &mut denial.what {
                *host = mask(host);
            }
        }
        self
    }

    /// For whoever is told each denial already: that a sandbox did it, which one, and what may be had instead.
    pub fn instead(&self) -> String {
        format!("the sandbox ({}) did that: {}", self.mode.name(), self.allowed())
    }

    fn allowed(&self) -> String {
        let is_host = |denial: &SandboxDenial| matches!(denial.what, DeniedThing::Host { .. });
        if self.list.iter().any(is_host) { self.reached() } else { self.written() }
    }

    /// For people and models: that a sandbox did it, which one, and what may be had instead.
    pub fn sentence(&self) -> String {
        let mut told: Vec<String> = self.list.iter().take(TOLD).map(told).collect();
        let rest =
            self.list.iter().skip(TOLD).map(|denial| denial.times).sum::<u64>().saturating_add(self.further);
        if rest > 0 {
            told.push(format!("{rest} more"));
        }
        format!("the sandbox ({}) refused {}: {}", self.mode.name(), told.join(", "), self.allowed())
    }

    fn reached(&self) -> String {
        let may = match &self.network {
            Network::Hosts(list) if list.entries().is_empty() => "no host".to_owned(),
            Network::Hosts(list) => {
                let shown: Vec<String> = list.texts().into_iter().take(8).collect();
                let more = list.entries().len().saturating_sub(shown.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more}", shown.join(", "))
            }
            network => network.name(),
        };
        format!("it may connect to {may}; whoever set it up can add hosts to `sandbox.network`")
    }

    fn written(&self) -> String {
        let folders: Vec<String> = self.writable.iter().map(|path| word(path.as_os_str())).collect();
        let may = if folders.is_empty() { "nothing".to_owned() } else { folders.join(", ") };
        format!(
            "it may write {may}, and /tmp of its own; whoever set it up can add folders to `sandbox.writable`"
        )
    }
}

fn told(denial: &SandboxDenial) -> String {
    match &denial.what {
        DeniedThing::Host { host, port } => {
            let count = if denial.times == 1 {
                "1 connection".to_owned()
            } else {
                format!("{} connections", denial.times)
            };
            format!("{count} to {}:{port} ({})", short(host), short(&denial.why))
        }
        DeniedThing::File { path } => format!("to write {}", word(path.as_os_str())),
    }
}

/// The beginning of what a command chose, on one line.
fn short(text: &str) -> String {
    let end = if text.chars().nth(LONGEST).is_some() { "…" } else { "" };
    one_line(&text.chars().take(LONGEST).collect::<String>()) + end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::DeniedConnection;

    fn report(count: usize) -> NetworkReport {
        let one = |number: usize| DeniedConnection {
            host: format!("n{number}.example"),
            port: 443,
            times: 2,
            why: "not listed".to_owned(),
        };
        NetworkReport { denied: (0..count).map(one).collect(), ..NetworkReport::default() }
    }

    #[test]
    fn where_nothing_was_denied_nothing_is_said() {
        let plan = SandboxPlan::trial(vec![Layer::Namespaces]);
        assert_eq!(SandboxDenials::of_network(&NetworkReport::default(), &plan), None);
        assert_eq!(SandboxDenials::of_files(&[], Layer::Landlock, &plan), None);
    }

    #[test]
    fn a_denial_names_what_was_wanted_the_mode_and_what_may_be_had() {
        let plan = SandboxPlan::trial(vec![Layer::Namespaces]);
        let denied = SandboxDenials::of_network(&report(1), &plan).unwrap();
        assert_eq!(
            denied.sentence(),
            "the sandbox (read-only) refused 2 connections to n0.example:443 (not listed): it may connect to off; whoever \
             set it up can add hosts to `sandbox.network`"
        );
        let denied = SandboxDenials::of_files(&["/etc/x".into()], Layer::Landlock, &plan).unwrap();
        assert_eq!(
            denied.sentence(),
            "the sandbox (read-only) refused to write /etc/x: it may write nothing, and /tmp of its own; whoever set it up \
             can add folders to `sandbox.writable`"
        );
        assert_eq!(serde_json::to_value(&denied.list).unwrap()[0]["kind"], "file");
    }

    #[test]
    fn many_denials_are_few_words_and_a_hostile_name_breaks_no_line() {
        let plan = SandboxPlan::trial(vec![Layer::Namespaces]);
        let many = SandboxDenials::of_network(&report(90), &plan).unwrap();
        assert_eq!((many.list.len(), many.further), (20, 140));
        assert!(many.sentence().contains(", 174 more: "), "{}", many.sentence());
        let mut hostile = report(1);
        hostile.denied[0].host = format!("a\n\u{1b}[31m{}", "x".repeat(500));
        hostile.denied[0].why = "tls name \r\n evil".to_owned();
        let said = SandboxDenials::of_network(&hostile, &plan).unwrap().sentence();
        assert!(!said.contains(['\n', '\r', '\u{1b}']) && said.len() < 400, "{said:?}");
    }

    #[test]
    fn names_are_masked_where_they_are_written() {
        let plan = SandboxPlan::trial(vec![Layer::Namespaces]);
        let masked = SandboxDenials::of_network(&report(1), &plan).unwrap().masked(|_| "…".to_owned());
        assert!(!serde_json::to_string(&masked).unwrap().contains("n0.example"));
    }
}
