//! Decisions: lines as agents send them, and texts that are made to be hard to read.

use crate::Work;
use crate::host::Host;
use runward_core::facts::HostFacts;
use runward_core::policy::{Decision, Policy, Ruling, judge};
use runward_core::resolve::{Defaults, ResolvedCommand, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};
use std::hint::black_box;

/// Lines as agents send them. Each of them is allowed.
const TYPICAL: &[&str] = &[
    "ls -la",
    "git status",
    "git log --oneline -5 | head -3",
    "grep -rn 'fn main' src | wc -l",
    "find . -name '*.rs' -type f -maxdepth 3",
    "cd src && cat lib.rs",
    "for f in *.txt; do wc -l -- \"$f\"; done",
    "sed -n 1,20p README.md && tail -n 5 CHANGELOG.md",
];

/// How long a hostile text is.
const LONG: usize = 10_000;

/// What hostile texts are filled with: they nest, repeat and never end.
const HOSTILE: &[&str] = &[
    "(", "$(", "${a:-", "{ ", "\"", "`", "ls;", "a|", "<<E\n", "$((", "[[ ", "if ", "'a'", "\\", "ls & ",
    "{a,b}", "x=1 ",
];

/// A decision on each of the typical lines.
pub(crate) fn typical() -> Work {
    let bench = Bench::new(TYPICAL.iter().map(|line| (*line).to_owned()));
    for command in &bench.commands {
        let ruling = bench.decide(command);
        assert_eq!(ruling.decision(), Decision::Allow, "another road is counted: {ruling:?}");
    }
    bench.work()
}

/// A decision on each of the hostile texts.
pub(crate) fn hostile() -> Work {
    Bench::new(HOSTILE.iter().map(|piece| piece.repeat(LONG / piece.len()))).work()
}

struct Bench {
    facts: HostFacts,
    policy: Policy,
    caller: Caller,
    commands: Vec<ResolvedCommand>,
}

impl Bench {
    fn new(texts: impl Iterator<Item = String>) -> Self {
        let facts = Host::facts();
        let policy = Policy { presets: vec!["readonly".to_owned()], ..Policy::default() };
        let policy = policy.with(Decision::Deny, (0..20).map(|number| format!("denied-{number}")));
        let resolved = |text: String| {
            resolve(&CommandSpec::shell(text), &facts, &Defaults::default(), &Host).expect("it resolves")
        };
        let commands = texts.map(resolved).collect();
        let caller = Caller::tool(Door::Mcp, "execute_command");
        Self { policy: policy.found(&facts, &Host), caller, commands, facts }
    }

    fn decide(&self, command: &ResolvedCommand) -> Ruling {
        judge(&self.policy, command, &self.caller, &Host::ground(&self.facts))
    }

    fn work(self) -> Work {
        Box::new(move || {
            for command in &self.commands {
                black_box(self.decide(black_box(command)));
            }
        })
    }
}
