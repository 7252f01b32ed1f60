//! Benchmarks: turns of baseline and product, medians, and the verdict.
//!
//! May not know what is measured.

use std::fmt;
use std::time::{Duration, Instant};

/// What to measure, and how often.
#[derive(Debug)]
pub struct Plan {
    sections: Vec<String>,
    json: bool,
    /// How many times the usual number of turns.
    pub rounds: usize,
}

impl Plan {
    /// The plan that was typed; the sections are those there are.
    pub fn parse(args: &[String], known: &[&str]) -> Result<Self, String> {
        let mut plan = Self { sections: Vec::new(), json: false, rounds: 1 };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--json" => plan.json = true,
                "--rounds" => {
                    let value = rest.next().and_then(|value| value.parse().ok()).filter(|rounds| *rounds > 0);
                    plan.rounds = value.ok_or("`--rounds` takes a whole number from 1")?;
                }
                section if known.contains(&section) => plan.sections.push(section.to_owned()),
                other => return Err(format!("`{other}` is not one of {}", known.join(", "))),
            }
        }
        Ok(plan)
    }

    /// Whether a section is to be measured.
    pub fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|wanted| wanted == section)
    }
}

/// What is measured in a section.
pub type MeasuredSection<'a> = (&'a str, fn(&Plan) -> Vec<ResultRow>);

/// Measures what was asked for on the command line, prints it, and ends with 1 if a target was missed.
pub fn main(sections: &[MeasuredSection<'_>]) {
    tidy_environment();
    crate::place::MEASURES.store(true, std::sync::atomic::Ordering::Relaxed);
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let names: Vec<&str> = sections.iter().map(|(name, _)| *name).collect();
    let plan = Plan::parse(&args, &names).unwrap_or_else(|sentence| {
        eprintln!("bench: {sentence}");
        std::process::exit(2);
    });
    if !plan.json {
        println!(
            "{:<58} {:>12} {:>12} {:>7} {:>19}  target",
            "what", "baseline", "runward", "ratio", "spread"
        );
    }
    let mut missed = false;
    for (name, rows) in sections.iter().filter(|(name, _)| plan.wants(name)) {
        // Each section is told when it is measured: the whole takes minutes.
        for row in rows(&plan) {
            println!("{}", if plan.json { json(name, &row).to_string() } else { text(&row) });
            missed |= !row.passes();
        }
    }
    if missed {
        std::process::exit(1);
    }
}

/// Leaves what programs need. Cargo's own search path for libraries, above all, would slow down every program that
/// the baseline starts.
fn tidy_environment() {
    const NEEDED: [&str; 3] = ["HOME", "PATH", "TMPDIR"];
    for (name, _) in std::env::vars_os().filter(|(name, _)| !NEEDED.iter().any(|needed| name == needed)) {
        // SAFETY: nothing else runs yet that could look at the environment.
        unsafe { std::env::remove_var(name) };
    }
}

/// Something that was measured.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Amount {
    /// How long it took.
    Time(Duration),
    /// How much memory it took.
    Bytes(i64),
    /// How often it happened in a second.
    PerSecond(f64),
    /// How many there were.
    Number(f64),
}

impl Amount {
    /// The number alone: microseconds, bytes, or how often.
    fn number(self) -> f64 {
        match self {
            Amount::Time(time) => time.as_secs_f64() * 1e6,
            #[expect(clippy::cast_precision_loss, reason = "nobody measures so many bytes")]
            Amount::Bytes(bytes) => bytes as f64,
            Amount::PerSecond(number) | Amount::Number(number) => number,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Amount::Time(time) => format!("{time:.1?}"),
            Amount::Bytes(_) => format!("{:.1} KiB", self.number() / 1024.0),
            Amount::PerSecond(often) => format!("{often:.2}/s"),
            Amount::Number(number) => format!("{number:.1}"),
        };
        f.pad(&text)
    }
}

/// Which side of the target is the good one.
#[derive(Debug, Clone, Copy)]
pub enum TargetSide {
    /// So many times the baseline, or less.
    AtMost(f64),
    /// So much of the baseline's speed, or more.
    AtLeast(f64),
    /// The product itself, or less.
    Within(Amount),
    /// The last point of a curve is so many times the one in the middle, or less.
    Flat(f64),
    /// None: it is told to understand the others.
    ToKnow,
}

/// One line of the result.
#[derive(Debug)]
pub struct ResultRow {
    what: String,
    baseline: Option<Amount>,
    product: Amount,
    ratio: Option<f64>,
    spread: (f64, f64),
    target: TargetSide,
    curve: Option<MeasuredCurve>,
}

/// What something costs, depending on how much there is of something else.
#[derive(Debug)]
struct MeasuredCurve {
    over: &'static str,
    points: Vec<(u32, Amount)>,
}

impl ResultRow {
    /// Something that was measured by itself.
    pub fn alone(what: &str, target: TargetSide, values: &mut [Amount]) -> Self {
        let product = median(values);
        let spread = (values[0].number(), values[values.len() - 1].number());
        Self { what: what.to_owned(), baseline: None, product, ratio: None, spread, target, curve: None }
    }

    /// A curve over the number of something. Its ratio is what the last point is to the one in the middle: the first may
    /// pay for what is done once, and would hide how the others grow.
    pub fn curve(what: &str, over: &'static str, target: TargetSide, points: Vec<(u32, Amount)>) -> Self {
        let mut amounts: Vec<Amount> = points.iter().map(|(_, amount)| *amount).collect();
        let (last, middle) = (amounts[amounts.len() - 1], median(&mut amounts));
        let spread = (amounts[0].number(), amounts[amounts.len() - 1].number());
        Self {
            what: what.to_owned(),
            baseline: Some(middle),
            product: last,
            ratio: (middle.number() > 0.0).then(|| last.number() / middle.number()),
            spread,
            target,
            curve: Some(MeasuredCurve { over, points }),
        }
    }

    /// Amounts beside others of their kind, pair by pair. The spread is from the lowest ratio of a pair to the highest.
    pub fn weighed(what: &str, target: TargetSide, pairs: &[(Amount, Amount)]) -> Self {
        let mut ratios: Vec<f64> = pairs.iter().map(|(base, ours)| ours.number() / base.number()).collect();
        median(&mut ratios);
        let mut base: Vec<Amount> = pairs.iter().map(|pair| pair.0).collect();
        let mut ours: Vec<Amount> = pairs.iter().map(|pair| pair.1).collect();
        let (baseline, product) = (median(&mut base), median(&mut ours));
        Self {
            what: what.to_owned(),
            baseline: Some(baseline),
            product,
            ratio: Some(product.number() / baseline.number()),
            spread: (ratios[0], ratios[ratios.len() - 1]),
            target,
            curve: None,
        }
    }

    /// The same with what it is to be seen beside.
    #[must_use]
    pub fn beside(mut self, baseline: Amount) -> Self {
        self.baseline = Some(baseline);
        self
    }

    /// The same under another name, with another target of the same side.
    #[must_use]
    pub fn named(self, what: &str, target: TargetSide) -> Self {
        Self { what: what.to_owned(), target, ..self }
    }

    /// The same without a verdict.
    #[must_use]
    pub fn to_know(mut self) -> Self {
        self.target = TargetSide::ToKnow;
        self
    }

    fn passes(&self) -> bool {
        match (self.target, self.ratio) {
            (TargetSide::AtMost(most) | TargetSide::Flat(most), Some(ratio)) => ratio <= most,
            // From nothing to nothing.
            (TargetSide::Flat(_), None) => self.product.number() <= 0.0,
            (TargetSide::AtLeast(least), Some(ratio)) => ratio >= least,
            (TargetSide::Within(most), _) => self.product <= most,
            (TargetSide::ToKnow, _) => true,
            (TargetSide::AtMost(_) | TargetSide::AtLeast(_), None) => false,
        }
    }
}

/// Times one turn.
pub fn time(turn: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    turn();
    begun.elapsed()
}

/// The median of what was measured; puts it in order.
pub fn median<T: PartialOrd + Copy>(values: &mut [T]) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    values[values.len() / 2]
}

/// The time that such a part of all does not exceed.
fn quantile(part: f64, mut times: Vec<Duration>) -> Duration {
    times.sort();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of a few thousand times"
    )]
    let at = (times.len() as f64 * part) as usize;
    times[at.min(times.len() - 1)]
}

/// The slowest beside the usual of the same: the time that 99 of 100 do not exceed, against the median. The spread is
/// that of the quarters of the run.
pub fn tail(what: &str, target: TargetSide, times: &[Duration]) -> ResultRow {
    let ends = |times: &[Duration]| (quantile(0.5, times.to_vec()), quantile(0.99, times.to_vec()));
    let ratio_of = |(usual, slow): (Duration, Duration)| slow.as_secs_f64() / usual.as_secs_f64();
    let mut quarters: Vec<f64> =
        times.chunks(times.len().div_ceil(4)).map(|part| ratio_of(ends(part))).collect();
    median(&mut quarters);
    let (usual, slow) = ends(times);
    ResultRow {
        what: what.to_owned(),
        baseline: Some(Amount::Time(usual)),
        product: Amount::Time(slow),
        ratio: Some(ratio_of((usual, slow))),
        spread: (quarters[0], quarters[quarters.len() - 1]),
        target,
        curve: None,
    }
}

/// Baseline and product in turns. The ratio is that of the two medians; the spread is that of the quarters
/// of the run, which shows how far it can be trusted.
pub fn in_turns(
    what: &str,
    target: TargetSide,
    turns: usize,
    mut baseline: impl FnMut() -> Duration,
    mut product: impl FnMut() -> Duration,
) -> ResultRow {
    row(what, target, &(0..turns).map(|_| (baseline(), product())).collect::<Vec<_>>())
}

/// The row of pairs that were measured in turns.
pub fn row(what: &str, target: TargetSide, pairs: &[(Duration, Duration)]) -> ResultRow {
    row_at(0.5, what, target, pairs)
}

/// The same of other times than those in the middle: at 0.95, the one that 95 of 100 do not exceed.
pub fn row_at(part: f64, what: &str, target: TargetSide, pairs: &[(Duration, Duration)]) -> ResultRow {
    let medians = |pairs: &[(Duration, Duration)]| {
        let base = pairs.iter().map(|pair| pair.0).collect();
        let ours = pairs.iter().map(|pair| pair.1).collect();
        (quantile(part, base), quantile(part, ours))
    };
    let ratio_of = |(base, ours): (Duration, Duration)| match target {
        // A rate: how much of the baseline's speed is reached.
        TargetSide::AtLeast(_) => base.as_secs_f64() / ours.as_secs_f64(),
        _ => ours.as_secs_f64() / base.as_secs_f64(),
    };
    let mut quarters: Vec<f64> =
        pairs.chunks(pairs.len().div_ceil(4)).map(|part| ratio_of(medians(part))).collect();
    median(&mut quarters);
    let (baseline, product) = medians(pairs);
    ResultRow {
        what: what.to_owned(),
        baseline: Some(Amount::Time(baseline)),
        product: Amount::Time(product),
        ratio: Some(ratio_of((baseline, product))),
        spread: (quarters[0], quarters[quarters.len() - 1]),
        target,
        curve: None,
    }
}

fn text(row: &ResultRow) -> String {
    if let Some(curve) = &row.curve {
        let points: Vec<String> =
            curve.points.iter().map(|(number, amount)| format!("{number}: {amount}")).collect();
        return format!("{:<58} over {}  {}  {}", row.what, curve.over, points.join("  "), verdict(row));
    }
    let baseline = row.baseline.map(|amount| amount.to_string()).unwrap_or_default();
    let ratio = row.ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
    let digits = if row.ratio.is_some() { 2 } else { 0 };
    format!(
        "{:<58} {baseline:>12} {:>12} {ratio:>7} {:>8.digits$} … {:<8.digits$}  {}",
        row.what,
        row.product,
        row.spread.0,
        row.spread.1,
        verdict(row)
    )
}

fn verdict(row: &ResultRow) -> String {
    let word = if row.passes() { "pass" } else { "FAIL" };
    match row.target {
        TargetSide::AtMost(most) => format!("≤ {most} {word}"),
        TargetSide::AtLeast(least) => format!("≥ {least} {word}"),
        TargetSide::Within(most) => format!("≤ {most} {word}"),
        TargetSide::Flat(most) => format!("last ≤ {most} × middle {word}"),
        TargetSide::ToKnow => "–".to_owned(),
    }
}

fn json(section: &str, row: &ResultRow) -> serde_json::Value {
    let (bound, target) = match row.target {
        TargetSide::AtMost(most) => ("at_most", Some(most)),
        TargetSide::AtLeast(least) => ("at_least", Some(least)),
        TargetSide::Within(most) => ("within", Some(most.number())),
        TargetSide::Flat(most) => ("flat", Some(most)),
        TargetSide::ToKnow => ("none", None),
    };
    let unit = match row.product {
        Amount::Time(_) => "us",
        Amount::Bytes(_) => "bytes",
        Amount::PerSecond(_) => "per_second",
        Amount::Number(_) => "number",
    };
    if let Some(curve) = &row.curve {
        let points: Vec<_> = curve
            .points
            .iter()
            .map(|(number, amount)| serde_json::json!([number, amount.number()]))
            .collect();
        return serde_json::json!({
            "section": section, "what": row.what, "unit": unit, "over": curve.over, "points": points,
            "ratio": row.ratio, "bound": bound, "target": target, "pass": row.passes(),
        });
    }
    serde_json::json!({
        "section": section, "what": row.what, "ratio": row.ratio, "spread": [row.spread.0, row.spread.1],
        "baseline": row.baseline.map(Amount::number), "product": row.product.number(), "unit": unit,
        "bound": bound, "target": target, "pass": row.passes(),
    })
}
