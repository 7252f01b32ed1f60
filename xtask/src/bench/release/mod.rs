//! The program as it is shipped: its size, its symbols, and how long it takes to start.
//!
//! May not be slowed down by cargo's environment. Read first: [`rows`].

mod symbols;
mod turns;

use super::measured::{Bound, MeasuredRow};
use crate::root::RepositoryRoot;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// It has 23.8 million bytes. The budget is a little more, so that growth is a decision.
const MOST_BYTES: f64 = 24.0 * 1024.0 * 1024.0;

/// Turns of baseline and product.
const TURNS: u32 = 100;

/// Everything about the file, measured turn by turn where time is measured.
pub(crate) fn rows(root: &RepositoryRoot, program: &Path, rounds: u32) -> Result<Vec<MeasuredRow>, String> {
    let failed = |error: std::io::Error| format!("`{}` cannot be measured: {error}", program.display());
    let bytes = fs::read(program).map_err(failed)?;
    let symbols = symbols::size(&bytes).ok_or_else(|| format!("`{}` is no ELF file", program.display()))?;
    let place = EmptyHome::make(root).map_err(failed)?;
    let timed =
        |what, args| place.against_true(what, &StartedLine { program, args, env: &[] }, TURNS * rounds);
    let exec: &[&str] = &["exec", "--", "/bin/true"];
    let unwritten = StartedLine { program, args: exec, env: &[("RUNWARD_JOURNAL", "off")] };
    let length = turns::number(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    Ok(vec![
        size("size of the program", length, MOST_BYTES),
        size("symbols left in it", turns::number(symbols), 0.0),
        timed("`runward --version`, against `/bin/true`", &["--version"])?,
        timed("`runward exec -- /bin/true`, against `/bin/true`", exec)?,
        place.against_true("  the same without a journal", &unwritten, TURNS * rounds)?,
    ])
}

fn size(what: &str, bytes: f64, most: f64) -> MeasuredRow {
    MeasuredRow {
        section: "release".to_owned(),
        what: what.to_owned(),
        unit: "bytes".to_owned(),
        baseline: None,
        product: bytes,
        ratio: None,
        spread: [bytes, bytes],
        bound: Bound::Within,
        target: Some(most),
        pass: bytes <= most,
    }
}

/// What is started.
struct StartedLine<'a> {
    program: &'a Path,
    args: &'a [&'a str],
    env: &'a [(&'a str, &'a str)],
}

/// A home of its own, empty at first, so that no user's configuration counts and no journal has grown.
struct EmptyHome {
    home: PathBuf,
}

impl EmptyHome {
    fn make(root: &RepositoryRoot) -> std::io::Result<Self> {
        let home = root.join("target/bench/home").join(std::process::id().to_string());
        fs::create_dir_all(&home)?;
        Ok(Self { home })
    }

    fn against_true(&self, what: &str, line: &StartedLine<'_>, turns: u32) -> Result<MeasuredRow, String> {
        let least = StartedLine { program: Path::new("/bin/true"), args: &[], env: &[] };
        let turn = || Ok((self.took(&least)?, self.took(line)?));
        // What is read from disk is read now.
        (0..5).try_for_each(|_| turn().map(drop))?;
        let pairs: Result<Vec<_>, String> = (0..turns).map(|_| turn()).collect();
        Ok(turns::row(what, &pairs?))
    }

    /// How long a program takes from its start to its end.
    fn took(&self, line: &StartedLine<'_>) -> Result<Duration, String> {
        let name = line.program.display();
        let mut command = Command::new(line.program);
        command.args(line.args).env_clear().current_dir(&self.home).env("HOME", &self.home);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).envs(line.env.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let begun = Instant::now();
        let status = command.status().map_err(|error| format!("`{name}` could not be run: {error}"))?;
        let took = begun.elapsed();
        if status.success() { Ok(took) } else { Err(format!("`{name}` ended with {status}")) }
    }
}

impl Drop for EmptyHome {
    fn drop(&mut self) {
        // What is left is below `target`, where it does no harm.
        let _ = fs::remove_dir_all(&self.home);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_over_its_budget_misses_its_target() {
        assert!(size("x", MOST_BYTES, MOST_BYTES).pass);
        assert!(size("x", MOST_BYTES + 1.0, MOST_BYTES).missed());
    }

    #[test]
    fn a_program_that_fails_is_not_measured() {
        let place = EmptyHome::make(&RepositoryRoot::find().unwrap()).unwrap();
        let line = |program| StartedLine { program: Path::new(program), args: &[], env: &[] };
        assert!(place.took(&line("/bin/false")).unwrap_err().contains("/bin/false"));
        let row = place.against_true("x", &line("/bin/true"), 8).unwrap();
        assert!(row.ratio.is_some_and(|ratio| ratio > 0.0) && row.pass);
    }
}
