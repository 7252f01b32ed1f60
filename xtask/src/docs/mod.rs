//! `cargo xtask docs`: the reference pages that are written by code.
//!
//! May not write by hand what a table already says. Read first: [`PAGES`]; a new page is one line there.

mod errors;
mod limits;
mod table;

use crate::Done;
use crate::root::Root;
use std::fs;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "write the generated pages [--check: fail when one is out of date]";

/// A generated page.
struct Page {
    path: &'static str,
    make: fn() -> String,
}

const PAGES: &[Page] = &[
    Page { path: "docs/errors.md", make: errors::page },
    Page { path: "docs/limits.md", make: limits::page },
];

/// `cargo xtask docs`.
pub(crate) fn run(root: &Root, flags: &[String]) -> Done {
    match flags {
        [] => PAGES.iter().try_for_each(|page| write(root, page)),
        [flag] if flag == "--check" => check(root),
        _ => Err("`docs` takes no flag but `--check`".to_owned()),
    }
}

fn write(root: &Root, page: &Page) -> Done {
    let path = root.join(page.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", page.path))?;
    }
    fs::write(&path, (page.make)()).map_err(|error| format!("{}: {error}", page.path))?;
    println!("wrote {}", page.path);
    Ok(())
}

fn check(root: &Root) -> Done {
    let drifted: Vec<String> = PAGES
        .iter()
        .filter_map(|page| drift(&fs::read_to_string(root.join(page.path)).unwrap_or_default(), page))
        .collect();
    if drifted.is_empty() {
        println!("{} generated pages match the code", PAGES.len());
        return Ok(());
    }
    Err(format!("{}\nrun `cargo xtask docs` and commit the result", drifted.join("\n")))
}

/// Says where a page differs from what the code would write. A checkout with CRLF does not differ.
fn drift(there: &str, page: &Page) -> Option<String> {
    let wanted = (page.make)();
    let same = there.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    let differs = there.lines().count() != wanted.lines().count() || same < wanted.lines().count();
    differs.then(|| format!("{}:{}: differs from what the code says", page.path, same + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Page = Page { path: "docs/x.md", make: || "# X\n\none\ntwo\n".to_owned() };

    #[test]
    fn a_page_that_matches_has_no_drift() {
        assert_eq!(drift("# X\n\none\ntwo\n", &PAGE), None);
        assert_eq!(drift("# X\r\n\r\none\r\ntwo\r\n", &PAGE), None);
    }

    #[test]
    fn drift_names_the_first_line_that_differs() {
        let at = |there| drift(there, &PAGE).unwrap();
        assert!(at("").starts_with("docs/x.md:1:"));
        assert!(at("# X\n\nOne\ntwo\n").starts_with("docs/x.md:3:"));
        assert!(at("# X\n\none\ntwo\nthree\n").starts_with("docs/x.md:5:"));
    }
}
