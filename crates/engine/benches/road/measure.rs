//! Turns of baseline and product, medians, and the verdict.

use std::time::{Duration, Instant};

/// What to measure, and how often.
pub(crate) struct Plan {
    sections: Vec<String>,
    pub(crate) json: bool,
    pub(crate) rounds: usize,
}

const SECTIONS: [&str; 3] = ["spawn", "capture", "kill"];

impl Plan {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut plan = Self { sections: Vec::new(), json: false, rounds: 1 };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--json" => plan.json = true,
                "--rounds" => {
                    let value = rest.next().and_then(|value| value.parse().ok()).filter(|rounds| *rounds > 0);
                    plan.rounds = value.ok_or("`--rounds` takes a whole number from 1")?;
                }
                section if SECTIONS.contains(&section) => plan.sections.push(section.to_owned()),
                other => return Err(format!("`{other}` is not one of {}", SECTIONS.join(", "))),
            }
        }
        Ok(plan)
    }

    pub(crate) fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|wanted| wanted == section)
    }
}

/// Which side of the target is the good one.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

/// One line of the result.
pub(crate) struct Row {
    pub(crate) what: String,
    baseline: Duration,
    product: Duration,
    ratio: f64,
    spread: (f64, f64),
    target: Target,
}

impl Row {
    pub(crate) fn passes(&self) -> bool {
        match self.target {
            Target::AtMost(most) => self.ratio <= most,
            Target::AtLeast(least) => self.ratio >= least,
        }
    }
}

/// Times one turn.
pub(crate) fn time(turn: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    turn();
    begun.elapsed()
}

/// The median of what was measured.
pub(crate) fn median<T: PartialOrd + Copy>(values: &mut [T]) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    values[values.len() / 2]
}

/// Baseline and product in turns. The ratio is that of the two medians; the spread is that of the quarters
/// of the run, which shows how far it can be trusted.
pub(crate) fn in_turns(
    what: &str,
    target: Target,
    turns: usize,
    mut baseline: impl FnMut() -> Duration,
    mut product: impl FnMut() -> Duration,
) -> Row {
    row(what, target, &(0..turns).map(|_| (baseline(), product())).collect::<Vec<_>>())
}

/// The row of pairs that were measured in turns.
pub(crate) fn row(what: &str, target: Target, pairs: &[(Duration, Duration)]) -> Row {
    let medians = |pairs: &[(Duration, Duration)]| {
        let mut base: Vec<_> = pairs.iter().map(|pair| pair.0).collect();
        let mut ours: Vec<_> = pairs.iter().map(|pair| pair.1).collect();
        (median(&mut base), median(&mut ours))
    };
    let ratio_of = |(base, ours): (Duration, Duration)| match target {
        // A rate: how much of the baseline's speed is reached.
        Target::AtLeast(_) => base.as_secs_f64() / ours.as_secs_f64(),
        Target::AtMost(_) => ours.as_secs_f64() / base.as_secs_f64(),
    };
    let mut quarters: Vec<f64> =
        pairs.chunks(pairs.len().div_ceil(4)).map(|part| ratio_of(medians(part))).collect();
    median(&mut quarters);
    let (baseline, product) = medians(pairs);
    Row {
        what: what.to_owned(),
        baseline,
        product,
        ratio: ratio_of((baseline, product)),
        spread: (quarters[0], quarters[quarters.len() - 1]),
        target,
    }
}

pub(crate) fn print(rows: &[Row], plan: &Plan) {
    if plan.json {
        for row in rows {
            let (bound, value) = match row.target {
                Target::AtMost(most) => ("at_most", most),
                Target::AtLeast(least) => ("at_least", least),
            };
            println!(
                "{}",
                serde_json::json!({
                    "what": row.what, "ratio": row.ratio, "spread": [row.spread.0, row.spread.1],
                    "baseline_us": row.baseline.as_secs_f64() * 1e6, "product_us": row.product.as_secs_f64() * 1e6,
                    "bound": bound, "target": value, "pass": row.passes(),
                })
            );
        }
        return;
    }
    println!("{:<52} {:>12} {:>12} {:>7} {:>15}  target", "what", "baseline", "runward", "ratio", "spread");
    for row in rows {
        let target = match row.target {
            Target::AtMost(most) => format!("≤ {most} {}", verdict(row)),
            Target::AtLeast(least) => format!("≥ {least} {}", verdict(row)),
        };
        println!(
            "{:<52} {:>12.1?} {:>12.1?} {:>7.2} {:>6.2} … {:<6.2}  {target}",
            row.what, row.baseline, row.product, row.ratio, row.spread.0, row.spread.1
        );
    }
}

fn verdict(row: &Row) -> &'static str {
    if row.passes() { "pass" } else { "FAIL" }
}
