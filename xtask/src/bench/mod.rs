//! `cargo xtask bench`: how much the road and its doors cost, as ratios to the least that could be done.
//!
//! May not be a test: machines differ, ratios within one run much less. The measuring itself is in
//! `crates/engine/benches/road` and `crates/mcp/benches/door`. Read first: [`document::Document`].

mod amount;
mod asked;
mod clients;
mod document;
mod kept;
mod machine;
mod measured;
mod newcomer;
mod page;
mod passes;
mod peers;
mod program;
mod release;
mod rest;
#[cfg(test)]
mod sample;
mod section;
mod svg;
mod table;

use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use asked::BenchFlags;
use document::{Absent, Document};
use measured::MeasuredLine;
use passes::Passes;
use section::{BenchSection, MeasuredBy, PassCount};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::{env, fs};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "measure ratios [spawn|capture|kill|policy|journal|sandbox|curves|start|hook|mcp|answers|sessions|scale|flow|gateway|build|release|peers] \
     [--json] [--rounds N: turns] [--passes N: of each result the middle one of N] [--peers] [--write: docs/performance.md] [--from FILE: draw what was kept]";

/// `cargo xtask bench`.
pub(crate) fn run(root: &RepositoryRoot, flags: &[String]) -> ChoreResult {
    let asked = asked::parse(flags)?;
    let (document, broken) = match &asked.from {
        Some(path) => (kept::load(root, path)?, Vec::new()),
        None => measure(root, &asked)?,
    };
    if asked.json {
        print!("{}", document.json()?);
    } else {
        if asked.from.is_some() || asked.passes > 1 {
            show(&document);
        }
        print!("{}", table::end(&document));
    }
    // A missed target is reported at the end, so that one does not hide the others.
    let mut told: Vec<String> = document::verdict(&document).err().into_iter().collect();
    if asked.write && broken.is_empty() {
        kept::publish(root, &document)?;
    } else if asked.write {
        told.push("the page is not written, because something is not whole".to_owned());
    }
    told.extend(broken);
    if told.is_empty() { Ok(()) } else { Err(told.join("; ")) }
}

/// Measures what was asked for, and keeps it. Sections that could not be measured come beside the document.
fn measure(root: &RepositoryRoot, asked: &BenchFlags) -> Result<(Document, Vec<String>), String> {
    let manifest =
        fs::read_to_string(root.join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let programs = build(root, asked)?;
    let mut document = Document::new(&machine::now(root)?, machine::machine(root));
    let vars = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    document.profile = machine::profile(&manifest, vars);
    let (mut broken, mut passes) = (Vec::new(), Passes::default());
    for pass in 1..=asked.passes {
        for section in asked.sections.iter().filter(|section| pass == 1 || section.pass == PassCount::Each) {
            tell(&format!("measuring {}: {} ({pass} of {})", section.name, section.about, asked.passes));
            rest::rest();
            if let Err(sentence) = part(root, section, &programs, asked, &mut passes) {
                eprintln!("{sentence}");
                document
                    .absent
                    .push(Absent::new(format!("{}: a part of it, or all", section.name), sentence.clone()));
                broken.push(sentence);
            }
        }
    }
    passes.middle().for_each(|measured| document.add(measured));
    if asked.sections.iter().any(|section| section.name == "peers") {
        peers::name_absent(root, &mut document)?;
    }
    if asked.sections.iter().any(|section| section.name == "start") {
        peers::name_unstarted(&mut document);
    }
    if asked.sections.iter().any(|section| section.name == "answers") {
        clients::name_absent(&mut document);
    }
    document.judge();
    kept::keep(root, &document)?;
    Ok((document, broken))
}

/// Bench programs by name.
type Programs = BTreeMap<&'static str, String>;

/// Builds everything before anything is measured.
fn build(root: &RepositoryRoot, asked: &BenchFlags) -> Result<Programs, String> {
    tell("building the programs");
    ChildTool::new("cargo build --quiet --profile dist --package runward --package testkit --bins --locked")
        .args(["--features", "testkit/rmcp"])
        .run(root)?;
    let mut programs = Programs::new();
    for section in &asked.sections {
        if let MeasuredBy::Bench(package, bench) = section.by
            && !programs.contains_key(bench)
        {
            programs.insert(bench, program::build(root, package, bench)?);
        }
    }
    if asked.sections.iter().any(|section| section.name == "peers") {
        peers::install(root)?;
    }
    Ok(programs)
}

/// One section, shown as it comes.
fn part(
    root: &RepositoryRoot,
    section: &BenchSection,
    programs: &Programs,
    asked: &BenchFlags,
    passes: &mut Passes,
) -> ChoreResult {
    if !asked.json {
        println!("{}", table::heading(section.name));
    }
    let mut take = |measured: MeasuredLine| {
        if !asked.json {
            println!("{}", table::line(&measured));
        }
        passes.add(measured);
    };
    match section.by {
        MeasuredBy::Here => {
            let rows = if section.name == "build" {
                newcomer::rows(root)
            } else {
                release::rows(root, &root.join("target/dist/runward"), asked.rounds)
            };
            rows.map(|rows| rows.into_iter().for_each(|row| take(MeasuredLine::Row(row))))
        }
        MeasuredBy::Bench(_, bench) => program::measure(root, &programs[bench], section, asked.rounds, take),
    }
}

/// Shows a document that was kept.
fn show(document: &Document) {
    for name in document.sections() {
        println!("{}", table::heading(name));
        let rows = document.rows.iter().filter(|row| row.section == name).cloned().map(MeasuredLine::Row);
        let curves =
            document.curves.iter().filter(|curve| curve.section == name).cloned().map(MeasuredLine::Curve);
        rows.chain(curves).for_each(|measured| println!("{}", table::line(&measured)));
    }
}

/// This machine and this moment in words, for a page.
pub(crate) fn here(root: &RepositoryRoot) -> Result<String, String> {
    Ok(format!("On {}, {}.", page::words(&machine::machine(root)), machine::now(root)?))
}

/// Tells a person at a terminal what is waited for.
fn tell(words: &str) {
    if std::io::stderr().is_terminal() {
        eprintln!("{words} …");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_about_it_names_every_section() {
        for section in section::SECTIONS {
            assert!(ABOUT.contains(section.name), "{}", section.name);
        }
    }
}
