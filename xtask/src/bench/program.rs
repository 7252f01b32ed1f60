//! Running a bench program for one section, and reading its lines as they come.
//!
//! May not hold a line back: each result is shown when it is there.

use super::measured::{MeasuredLine, read};
use super::section::BenchSection;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use serde_json::Value;
use std::io::BufRead;

/// Builds a bench program and says where it is. It is started without cargo in between, which has words of its own about
/// every missed target.
pub(crate) fn build(root: &RepositoryRoot, package: &str, bench: &str) -> Result<String, String> {
    let line = format!("cargo bench --quiet --package {package} --bench {bench} --locked --no-run");
    let said = ChildTool::new(&line).args(["--message-format=json-render-diagnostics"]).read(root)?;
    executable(&said, bench).ok_or_else(|| format!("`{line}` does not say where it put the program"))
}

/// Where cargo says that it put a bench program.
fn executable(said: &str, bench: &str) -> Option<String> {
    let mut artifacts = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    artifacts.find_map(|artifact| {
        let named = artifact["target"]["name"] == bench && artifact["target"]["kind"][0] == "bench";
        artifact["executable"].as_str().filter(|_| named).map(str::to_owned)
    })
}

/// Measures one section with a bench program, and hands on every result. An error says why the section is not whole.
pub(crate) fn measure(
    root: &RepositoryRoot,
    program: &str,
    section: &BenchSection,
    rounds: u32,
    mut each: impl FnMut(MeasuredLine),
) -> Result<(), String> {
    let rounds = rounds.to_string();
    let tool = ChildTool::program(program).args([section.name, "--json", "--rounds", &rounds]);
    let mut missed = false;
    let status = tool.follow(root, |lines| {
        results(lines, section.name, |measured| {
            missed |= misses(&measured);
            each(measured);
        })
    })?;
    // A target that was missed is its way to end, too.
    if status.success() || (missed && status.code() == Some(1)) {
        return Ok(());
    }
    Err(format!("measuring `{}` was not finished ({status})", section.name))
}

fn misses(measured: &MeasuredLine) -> bool {
    match measured {
        MeasuredLine::Row(row) => row.missed(),
        MeasuredLine::Curve(curve) => curve.missed(),
    }
}

/// Hands on every result. What else is printed is passed on to people.
fn results(lines: impl BufRead, section: &str, mut each: impl FnMut(MeasuredLine)) -> Result<(), String> {
    for line in lines.lines() {
        let line = line.map_err(|error| format!("a bench program said no text: {error}"))?;
        match read(&line, section)? {
            Some(measured) => each(measured),
            None => eprintln!("{line}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn results_come_in_order_and_other_words_do_not_disturb() {
        let text = sample::LINES.replacen('\n', "\nwarming up\n\n", 2);
        let mut names = Vec::new();
        let took = |measured| match measured {
            MeasuredLine::Row(row) => names.push(row.what),
            MeasuredLine::Curve(curve) => names.push(curve.what),
        };
        assert_eq!(results(text.as_bytes(), "spawn", took), Ok(()));
        assert_eq!(names.len(), sample::LINES.lines().count());
        assert_eq!(names[1], "/bin/true, one at a time");
    }

    #[test]
    fn the_program_is_found_among_what_cargo_says() {
        let artifact = |kind: &str, name: &str| {
            let target = serde_json::json!({"kind": [kind], "name": name});
            serde_json::json!({"target": target, "executable": format!("/{kind}/{name}")}).to_string()
        };
        let said = [artifact("bin", "road"), "words".to_owned(), artifact("bench", "road")].join("\n");
        assert_eq!(executable(&said, "road").as_deref(), Some("/bench/road"));
        assert_eq!(executable(&said, "door"), None);
    }

    #[test]
    fn half_a_result_ends_the_reading() {
        let mut count = 0;
        let done = results("{\"what\":\"x\"}\n".as_bytes(), "spawn", |_| count += 1);
        assert!(done.is_err() && count == 0);
    }

    #[test]
    fn a_miss_is_seen_in_rows_and_curves() {
        let document = sample::document();
        let rows = document.rows.into_iter().map(MeasuredLine::Row);
        let all: Vec<_> = rows.chain(document.curves.into_iter().map(MeasuredLine::Curve)).collect();
        assert_eq!(all.iter().filter(|measured| misses(measured)).count(), 3);
    }
}
