//! `cargo xtask api`: the public names of the library, kept as text beside each crate, so that no change of them goes
//! unnoticed.
//!
//! Every item with its declaration, its own functions and the traits that it has, read from the pages of rustdoc. May not
//! judge a change: whoever makes one renews the text with `--accept`, and a reviewer reads the difference.

use super::html::{between, line, lines, list};
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "compare the library's public names with the accepted ones [--accept]";

/// What a program sees of the library: `runward` re-exports the engine and the MCP server, and the engine core.
const LISTED: [(&str, &str); 3] =
    [("runward-core", "crates/core"), ("runward-engine", "crates/engine"), ("runward-mcp", "crates/mcp")];

/// Where the pages go: not to `target/doc`, which has private names too. What is built on the way is shared.
const PAGES: &str = "target/api";

/// Lines of a difference that are shown.
const SHOWN: usize = 30;

/// `cargo xtask api`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let accept = match words {
        [] => false,
        [one] if one == "--accept" => true,
        _ => return Err(format!("`api` takes `--accept`, not `{}`", words.join(" "))),
    };
    write_pages(root)?;
    let mut changed = Vec::new();
    for (package, folder) in LISTED {
        let pages = root.join(PAGES).join("doc").join(package.replace('-', "_"));
        let mut names = Vec::new();
        gather(&pages, &package.replace('-', "_"), &mut names)
            .map_err(|error| format!("the pages of `{package}` cannot be read: {error}"))?;
        names.sort();
        let (text, file) = (names.concat(), root.join(folder).join("api.txt"));
        let before = fs::read_to_string(&file).unwrap_or_default();
        if accept {
            fs::write(&file, &text).map_err(|error| format!("`{}`: {error}", file.display()))?;
        } else if before != text {
            changed.push(format!("{package}:\n{}", difference(&before, &text)));
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "public names changed. If that is wanted: `cargo xtask api --accept`\n\n{}",
        changed.join("\n")
    ))
}

fn write_pages(root: &RepositoryRoot) -> ChoreResult {
    // Pages of what is gone would stay.
    let _ = fs::remove_dir_all(root.join(PAGES).join("doc"));
    let packages = LISTED.map(|(package, _)| format!("--package={package}"));
    ChildTool::new("cargo doc --quiet --no-deps --lib --locked")
        .args(packages)
        .env("CARGO_TARGET_DIR", PAGES)
        .env("CARGO_BUILD_BUILD_DIR", "target")
        .run(root)
}

/// Every page of a module, and of those below it.
fn gather(folder: &Path, module: &str, names: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            gather(&path, &format!("{module}::{name}"), names)?;
        } else if name == "index.html" {
            let page = fs::read_to_string(path)?;
            let others = between(&page, "<code>pub use ", "</code>");
            names.extend(others.map(|other| format!("{module}: pub use {}\n", line(other))));
        } else if let Some(item) = name.strip_suffix(".html").and_then(|name| name.split_once('.')) {
            names.push(self::item(item, module, &fs::read_to_string(path)?));
        }
    }
    Ok(())
}

/// One item: its path, its declaration, its own functions, its traits.
fn item((kind, name): (&str, &str), module: &str, page: &str) -> String {
    let mut text = format!("{module}::{name}: {kind}\n");
    let mut add = |line: &str| text.push_str(&format!("    {line}\n"));
    let declared = between(page, "<pre class=\"rust item-decl\">", "</pre>").next().unwrap_or_default();
    lines(declared).iter().for_each(|line| add(line));
    let own = list(page, "implementations-list");
    between(own, "<h4 class=\"code-header\">", "</h4>").for_each(|one| add(&line(one)));
    let traits = list(page, "trait-implementations-list");
    let traits: BTreeSet<_> = between(traits, "<h3 class=\"code-header\">", "</h3>").map(line).collect();
    traits.iter().for_each(|one| add(one));
    text
}

/// What is gone and what is new, in a few lines.
fn difference(before: &str, after: &str) -> String {
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (before.lines().collect(), after.lines().collect());
    let gone = old.difference(&new).map(|line| format!("- {line}"));
    let all: Vec<String> = gone.chain(new.difference(&old).map(|line| format!("+ {line}"))).collect();
    let mut text = all.iter().take(SHOWN).map(|line| format!("{line}\n")).collect::<String>();
    if all.len() > SHOWN {
        text.push_str(&format!("and {} more\n", all.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_its_declaration_its_functions_and_its_traits() {
        let page = "<pre class=\"rust item-decl\"><code>pub struct <a>A</a> {\n    pub b: u8,\n}</code></pre>\
            <div id=\"implementations-list\"><h4 class=\"code-header\">pub fn <a>c</a>()</h4></div>\
            <h2 id=\"x\"></h2><div id=\"trait-implementations-list\"><h3 class=\"code-header\">impl Clone for A</h3></div>\
            <h2 id=\"y\"></h2><h3 class=\"code-header\">impl Send for A</h3>";
        let lines = ["pub struct A {", "    pub b: u8,", "}", "pub fn c()", "impl Clone for A"];
        let expected = format!("m::A: struct\n{}", lines.map(|line| format!("    {line}\n")).concat());
        assert_eq!(item(("struct", "A"), "m", page), expected);
    }

    #[test]
    fn a_difference_says_what_is_gone_and_what_is_new() {
        assert_eq!(difference("a\nb\n", "b\nc\n"), "- a\n+ c\n");
        let many: String = (0..40).map(|number| format!("{number}\n")).collect();
        assert!(difference("", &many).ends_with("and 10 more\n"));
    }
}
