//! What a decision costs: typical lines, and texts that are made to be hard to read.

use runward_engine::core::policy::{Decision, Policy, PolicyGround, judge};
use runward_engine::core::resolve::{Defaults, resolve};
use runward_engine::host::{Disk, probe};
use runward_engine::{Caller, CommandSpec, Door};
use std::time::Duration;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, time};

/// Lines as agents send them.
const TYPICAL: &[&str] = &[
    "ls -la",
    "git status",
    "git log --oneline -5 | head -3",
    "grep -rn 'fn main' src | wc -l",
    "find . -name '*.rs' -type f -maxdepth 3",
    "cd src && cat lib.rs",
    "for f in *.txt; do wc -l \"$f\"; done",
    "sed -n 1,20p README.md && tail -n 5 CHANGELOG.md",
];

/// Where a login looks for programs.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The longest text that is looked at.
const LONG: usize = 10_000;

/// Texts of ten kilobytes that nest, repeat and never end.
fn hostile() -> Vec<String> {
    let filled = |piece: &str| piece.repeat(LONG / piece.len());
    [
        "(", "$(", "${a:-", "{ ", "\"", "`", "ls;", "a|", "<<E\n", "$((", "[[ ", "if ", "'a'", "\\", "ls & ",
        "{a,b}", "x=1 ",
    ]
    .map(filled)
    .into()
}

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let bench = Bench::with(20);
    let rounds = 200 * plan.rounds;
    let mut typical: Vec<Amount> = TYPICAL.iter().map(|line| bench.typical_time(line, rounds)).collect();
    let mut hard: Vec<Amount> =
        hostile().iter().map(|text| bench.typical_time(text, 3 * plan.rounds)).collect();
    let limit = |time| TargetSide::Within(Amount::Time(time));
    vec![
        ResultRow::alone("decision on a typical line", limit(Duration::from_micros(50)), &mut typical),
        // The slowest of them is what counts.
        ResultRow::alone(
            "decision on 10 KB of hostile text",
            limit(Duration::from_millis(10)),
            &mut slowest(&mut hard),
        ),
    ]
}

fn slowest(values: &mut [Amount]) -> [Amount; 1] {
    values.sort_by(|one, other| one.partial_cmp(other).expect("times compare"));
    [*values.last().expect("some text")]
}

pub(crate) struct Bench {
    facts: runward_engine::HostFacts,
    policy: Policy,
}

impl Bench {
    /// A preset, and so many rules that fit nothing.
    pub(crate) fn with(rules: u32) -> Self {
        let mut facts = probe().expect("facts");
        // Each folder that is searched in vain is a system call: as many as after a login, on every machine.
        facts.env.insert("PATH".into(), USUAL_PATH.into());
        let mut policy = Policy { presets: vec!["readonly".to_owned()], ..Policy::default() };
        policy = policy.with(Decision::Deny, (0..rules).map(|number| format!("denied-{number}")));
        Self { policy: policy.found(&facts, &Disk), facts }
    }

    /// The median time of a decision on one text.
    pub(crate) fn typical_time(&self, text: &str, rounds: usize) -> Amount {
        let spec = CommandSpec::shell(text);
        let command = resolve(&spec, &self.facts, &Defaults::default(), &Disk).expect("it resolves");
        let caller = Caller::tool(Door::Mcp, "execute_command");
        let ground = PolicyGround { facts: &self.facts, look: &Disk, contained: false };
        let decide = || drop(std::hint::black_box(judge(&self.policy, &command, &caller, &ground)));
        decide();
        let mut times: Vec<Duration> = (0..rounds).map(|_| time(decide)).collect();
        Amount::Time(testkit::measure::median(&mut times))
    }
}
