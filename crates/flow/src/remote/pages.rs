//! Pages about files, and where the files themselves lie: GitHub, its gists, and GitLab. May not ask them.

use super::{Address, refused};
use crate::FlowError;

/// Where the text lies that an address is about.
pub(super) fn raw(address: &Address, fragment: Option<&str>) -> Result<Address, FlowError> {
    match address.host() {
        "github.com" | "www.github.com" => github(address),
        "gist.github.com" => gist(address, fragment),
        host => gitlab(address, matches!(host, "gitlab.com" | "www.gitlab.com")),
    }
}

fn github(address: &Address) -> Result<Address, FlowError> {
    match address.parts()[..] {
        [_, _, "tree", ..] => Err(folder(address)),
        [owner, repository, "blob" | "blame", ref file @ ..] if file.len() >= 2 => {
            let parts = [&[owner, repository], file].concat();
            Ok(address.elsewhere("raw.githubusercontent.com", &parts))
        }
        [_, _, "raw", ref file @ ..] if file.len() >= 2 => Ok(address.clone()),
        [_, _, "releases", _, _, _, ..] => Ok(address.clone()),
        _ => Err(page(address)),
    }
}

fn gist(address: &Address, fragment: Option<&str>) -> Result<Address, FlowError> {
    const RAW: &str = "gist.githubusercontent.com";
    let parts = address.parts();
    if parts.contains(&"raw") {
        return Ok(address.clone());
    }
    if fragment.is_some_and(|fragment| fragment.starts_with("file-")) {
        // Dots are dashes there: which file is meant would be a guess.
        let message = format!(
            "`{address}` is a gist, and what stands behind its `#` does not say the file's whole name"
        );
        return Err(refused(message, "Copy the address behind the file's `Raw` button."));
    }
    match parts[..] {
        [id] if is_id(id) => Ok(address.elsewhere("gist.github.com", &[id, "raw"])),
        [user, id] if is_id(id) => Ok(address.elsewhere(RAW, &[user, id, "raw"])),
        [user, id, revision] if is_id(id) && is_id(revision) => {
            Ok(address.elsewhere(RAW, &[user, id, "raw", revision]))
        }
        _ => Err(page(address)),
    }
}

fn is_id(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// GitLab runs on many hosts. Everywhere else only what it alone writes (`/-/`) is taken for one of its pages.
fn gitlab(address: &Address, is_gitlab: bool) -> Result<Address, FlowError> {
    let parts = address.parts();
    let dash = parts.iter().position(|part| *part == "-");
    let old = parts.iter().skip(2).position(|part| matches!(*part, "blob" | "tree" | "raw")).map(|at| at + 2);
    let (before, after) = match (dash, old) {
        (Some(at), _) => (&parts[..=at], &parts[at + 1..]),
        (None, Some(at)) if is_gitlab => (&parts[..at], &parts[at..]),
        (None, _) if is_gitlab => return Err(page(address)),
        (None, _) => return Ok(address.clone()),
    };
    let kept = address.query().find(|word| word.starts_with("ref_type="));
    let moved =
        |after: &[&str]| address.elsewhere(address.host(), &[before, after].concat()).with_query(kept);
    match after {
        ["blob" | "blame", file @ ..] if file.len() >= 2 => Ok(moved(&[&["raw"], file].concat())),
        ["tree", ..] => Err(folder(address)),
        ["snippets", id] if id.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(moved(&["snippets", id, "raw"]))
        }
        ["raw", _, _, ..] | ["snippets", _, "raw", ..] => Ok(address.clone()),
        _ if is_gitlab => Err(page(address)),
        _ => Ok(address.clone()),
    }
}

fn folder(address: &Address) -> FlowError {
    refused(format!("`{address}` is a folder, not a file"), "Name one markdown file in it.")
}

fn page(address: &Address) -> FlowError {
    refused(
        format!("`{address}` is a page, not a file"),
        "Open the file there, and copy the address of its page.",
    )
}
