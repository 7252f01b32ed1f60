//! `cargo xtask docs`: the reference pages that are written by code.
//!
//! May not write by hand what a table already says. Read first: [`PAGES`]; a new page is one line there.

mod cli;
mod config;
mod errors;
mod limits;
mod presets;
pub(crate) mod table;

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use std::fs;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "write the generated pages [--check: fail when one is out of date]";

/// A generated page.
struct Page {
    path: &'static str,
    make: fn(&RepositoryRoot) -> Result<String, String>,
}

const PAGES: &[Page] = &[
    Page { path: "docs/errors.md", make: |_| Ok(errors::page()) },
    Page { path: "docs/limits.md", make: |_| Ok(limits::page()) },
    Page { path: "docs/configuration.md", make: |_| Ok(config::page()) },
    Page { path: "docs/presets.md", make: |_| Ok(presets::page()) },
    Page { path: "docs/cli.md", make: cli::page },
];

/// `cargo xtask docs`.
pub(crate) fn run(root: &RepositoryRoot, flags: &[String]) -> ChoreResult {
    match flags {
        [] => PAGES.iter().try_for_each(|page| write(root, page)),
        [flag] if flag == "--check" => check(root),
        _ => Err("`docs` takes no flag but `--check`".to_owned()),
    }
}

fn write(root: &RepositoryRoot, page: &Page) -> ChoreResult {
    let path = root.join(page.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", page.path))?;
    }
    fs::write(&path, (page.make)(root)?).map_err(|error| format!("{}: {error}", page.path))?;
    println!("wrote {}", page.path);
    Ok(())
}

fn check(root: &RepositoryRoot) -> ChoreResult {
    let mut drifted = Vec::new();
    for page in PAGES {
        let there = fs::read_to_string(root.join(page.path)).unwrap_or_default();
        drifted.extend(drift(page.path, &there, &(page.make)(root)?));
    }
    if drifted.is_empty() {
        println!("{} generated pages match the code", PAGES.len());
        return Ok(());
    }
    Err(format!("{}\nrun `cargo xtask docs` and commit the result", drifted.join("\n")))
}

/// Says where a page differs from what the code would write. A checkout with CRLF does not differ.
fn drift(path: &str, there: &str, wanted: &str) -> Option<String> {
    let same = there.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    let differs = there.lines().count() != wanted.lines().count() || same < wanted.lines().count();
    differs.then(|| format!("{}:{}: differs from what the code says", path, same + 1))
}

#[cfg(test)]
mod tests {

    fn drift(there: &str) -> Option<String> {
        super::drift("docs/x.md", there, "# X\n\none\ntwo\n")
    }

    #[test]
    fn a_page_that_matches_has_no_drift() {
        assert_eq!(drift("# X\n\none\ntwo\n"), None);
        assert_eq!(drift("# X\r\n\r\none\r\ntwo\r\n"), None);
    }

    #[test]
    fn drift_names_the_first_line_that_differs() {
        let at = |there| drift(there).unwrap();
        assert!(at("").starts_with("docs/x.md:1:"));
        assert!(at("# X\n\nOne\ntwo\n").starts_with("docs/x.md:3:"));
        assert!(at("# X\n\none\ntwo\nthree\n").starts_with("docs/x.md:5:"));
    }
}
