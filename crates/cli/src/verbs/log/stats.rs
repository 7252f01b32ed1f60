//! `runward log --stats`: the most frequent, slowest and failing programs; with small bars.

use super::VerbResult;
use crate::output::{OutputFormat, emit, print};
use runward::core::policy::gist_line;
use runward::core::render::duration;
use runward::journal::read::{Share, Stats};
use std::time::Duration;

/// Programs in each list.
const LONGEST: usize = 10;

/// Characters of a full bar.
const BAR: u64 = 20;

/// What a list is ordered by, and how that is shown.
type Measure = (&'static str, fn(&Share) -> u64, fn(u64) -> String);

const LISTS: [Measure; 4] = [
    ("most run", |share| share.runs, |count| count.to_string()),
    ("slowest", |share| share.slowest_ms, |took| duration(Duration::from_millis(took))),
    ("most failing", |share| share.failed, |count| count.to_string()),
    ("most refused", |share| share.refused, |count| count.to_string()),
];

pub(super) fn show(stats: &Stats, format: OutputFormat) -> VerbResult {
    match format {
        OutputFormat::Plain => print(&text(stats))?,
        structured => emit(stats, structured)?,
    }
    Ok(0)
}

fn text(stats: &Stats) -> String {
    let all = &stats.all;
    if all.runs == 0 {
        return "no commands".to_owned();
    }
    let took = duration(Duration::from_millis(all.took_ms));
    let mut parts =
        vec![format!("{} commands, {} failed, {} refused, {took} in all", all.runs, all.failed, all.refused)];
    parts.extend(LISTS.iter().filter_map(|list| self::list(&stats.programs, list)));
    parts.join("\n\n")
}

fn list(programs: &[Share], (title, measure, shown): &Measure) -> Option<String> {
    let mut found: Vec<&Share> = programs.iter().filter(|share| measure(share) > 0).collect();
    found.sort_by_key(|share| std::cmp::Reverse(measure(share)));
    found.truncate(LONGEST);
    let most = measure(found.first()?);
    let name = |share: &Share| match share.program.as_str() {
        "" => "(shell)".to_owned(),
        named => gist_line(&named.split(", ").collect::<Vec<_>>()),
    };
    let wide = found.iter().map(|share| name(share).chars().count()).max().unwrap_or(0);
    let values = found.iter().map(|share| shown(measure(share)).chars().count()).max().unwrap_or(0);
    let lines = found.iter().map(|share| {
        let value = shown(measure(share));
        format!("  {:<wide$}  {value:>values$}  {}", name(share), bar(measure(share), most))
    });
    Some(format!("{title}\n{}", lines.collect::<Vec<_>>().join("\n")))
}

fn bar(value: u64, most: u64) -> String {
    let letters = (value * BAR).div_ceil(most.max(1));
    "█".repeat(usize::try_from(letters).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_bars() {
        let share = |program: &str, runs, failed, slowest_ms| Share {
            program: program.to_owned(),
            runs,
            failed,
            refused: 0,
            took_ms: slowest_ms,
            slowest_ms,
        };
        let programs = vec![share("git", 40, 0, 1200), share("cargo", 10, 5, 65_000), share("ls", 1, 0, 0)];
        let all = Share {
            program: String::new(),
            runs: 51,
            failed: 5,
            refused: 0,
            took_ms: 66_200,
            slowest_ms: 65_000,
        };
        insta::assert_snapshot!(text(&Stats { all, programs }));
        assert_eq!(text(&Stats::default()), "no commands");
    }
}
