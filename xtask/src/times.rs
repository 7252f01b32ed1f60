//! Steps of a longer task: a heading for each, and how long each took, as a small table.

use crate::ChoreResult;
use std::fmt;
use std::time::{Duration, Instant};

/// Steps with their times, in the order of running.
#[derive(Default)]
pub(crate) struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// Takes one more step. One that fails is the last, so the table follows it.
    pub(crate) fn step(
        &mut self,
        name: &'static str,
        about: &str,
        run: impl FnOnce() -> ChoreResult,
    ) -> ChoreResult {
        println!("\n== {name}: {about}");
        let start = Instant::now();
        let done = run();
        self.add(name, start.elapsed());
        done.map_err(|sentence| {
            print!("\n{self}");
            format!("the step `{name}` failed: {sentence}")
        })
    }

    fn add(&mut self, step: &'static str, took: Duration) {
        self.0.push((step, took));
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, took) in &self.0 {
            writeln!(f, "{step:<12} {:>8.1} s", took.as_secs_f64())?;
        }
        let all: Duration = self.0.iter().map(|(_, took)| took).sum();
        writeln!(f, "{:<12} {:>8.1} s", "in all", all.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_is_named() {
        let mut times = Times::default();
        assert_eq!(times.step("one", "it works", || Ok(())), Ok(()));
        let failed = times.step("two", "it does not", || Err("a reason".to_owned()));
        assert_eq!(failed, Err("the step `two` failed: a reason".to_owned()));
        assert!(times.to_string().contains("two"));
    }

    #[test]
    fn steps_and_their_sum() {
        let mut times = Times::default();
        times.add("fmt", Duration::from_millis(700));
        times.add("clippy", Duration::from_millis(12_300));
        assert_eq!(
            times.to_string(),
            "fmt               0.7 s\nclippy           12.3 s\nin all           13.0 s\n"
        );
    }
}
