//! `cargo xtask counts`: how many instructions the hot paths take, held against the numbers that are kept.
//!
//! Time differs from run to run; the number of instructions that a program runs through on one input hardly does. Each
//! scenario of `crates/core/benches/counts` runs twice under valgrind, the second time doing its work more often. The
//! difference is the work alone, without the start of the program.
//!
//! More than [`compare::TOLERANCE`] above the number that is kept is a failure. So is as much below it: whoever made
//! something cheaper keeps the new number, or the gain could be lost again without anybody seeing it.
//!
//! What is the same everywhere: the input is in the program; the environment is empty; valgrind shows programs one
//! made-up processor, so `memchr` chooses the same routines on every machine with AVX2, and libc is told to take its
//! plainest ones. What is left, with the most that it was seen to move a number by:
//!
//! - Tables that hash with a seed of each process's own, and the addresses at which things lie: 0.2 %.
//! - The folder in which everything is built: 0.1 %.
//! - libc's allocator: 1.8 % from release 2.36 to 2.41.
//! - The compiler. CI has one release of it, and whoever moves to another accepts its numbers.
//!
//! The file of kept numbers says which tools it was made with, and a failure says so where they are others.
//!
//! May not be a measure of time: an instruction may take a fraction of a nanosecond or wait for memory. For time see
//! [`crate::bench`]. Read first: [`compare::CountRow`].

mod compare;
mod kept;
mod measure;

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use compare::{compare, complaints, table};
use kept::KeptCounts;
use measure::CountedProgram;
use std::env::consts::ARCH;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str =
    "count the instructions of the hot paths [--accept: keep the numbers] [--json]";

/// `cargo xtask counts`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let flags = CountsFlags::read(words)?;
    let kept = KeptCounts::read(root);
    let kept = if flags.accept { kept.unwrap_or_else(|_| KeptCounts::nothing()) } else { kept? };
    kept.is_of(ARCH)?;
    let program = CountedProgram::build(root)?;
    let now = KeptCounts::here(root, program.count(root)?)?;
    let rows = compare(&kept.counts, &now.counts);
    if flags.json {
        rows.iter().for_each(|row| println!("{}", row.json()));
    } else {
        print!("{}", table(&rows));
    }
    if flags.accept {
        return now.write(root);
    }
    let complaints = complaints(&rows);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n") + &kept.made_otherwise(&now)) }
}

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct CountsFlags {
    accept: bool,
    json: bool,
}

impl CountsFlags {
    fn read(words: &[String]) -> Result<Self, String> {
        let mut flags = Self::default();
        for word in words {
            match word.as_str() {
                "--accept" => flags.accept = true,
                "--json" => flags.json = true,
                other => return Err(format!("`counts` has no flag `{other}`")),
            }
        }
        Ok(flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_and_unknown_ones_refused() {
        let read =
            |line: &str| CountsFlags::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(read("--json --accept"), Ok(CountsFlags { accept: true, json: true }));
        assert_eq!(read(""), Ok(CountsFlags::default()));
        assert!(read("--fast").unwrap_err().contains("`--fast`"));
    }
}
