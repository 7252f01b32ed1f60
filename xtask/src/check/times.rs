//! How long each step took, as a small table.

use std::fmt;
use std::time::Duration;

/// Steps with their times, in the order of running.
#[derive(Default)]
pub(crate) struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// One more step.
    pub(crate) fn add(&mut self, step: &'static str, took: Duration) {
        self.0.push((step, took));
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, took) in &self.0 {
            writeln!(f, "{step:<10} {:>8.1} s", took.as_secs_f64())?;
        }
        let all: Duration = self.0.iter().map(|(_, took)| took).sum();
        writeln!(f, "{:<10} {:>8.1} s", "in all", all.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_their_sum() {
        let mut times = Times::default();
        times.add("fmt", Duration::from_millis(700));
        times.add("clippy", Duration::from_millis(12_300));
        assert_eq!(
            times.to_string(),
            "fmt             0.7 s\nclippy         12.3 s\nin all         13.0 s\n"
        );
    }
}
