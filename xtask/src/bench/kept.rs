//! Where results are kept: every run below `target/bench`, the one that the page shows below `docs`.

use super::document::Document;
use super::{page, svg};
use crate::ChoreResult;
use crate::root::RepositoryRoot;
use std::fs;

const PAGE: &str = "docs/performance.md";
const PEERS: &str = "docs/performance-peers.svg";
const PLACE: &str = "target/bench";

/// Keeps the result of a run, under its time and as the latest.
pub(crate) fn keep(root: &RepositoryRoot, document: &Document) -> ChoreResult {
    let failed = |error| format!("`{PLACE}` cannot be written: {error}");
    fs::create_dir_all(root.join(PLACE)).map_err(failed)?;
    let (text, time) = (document.json()?, document.when.replace(':', ""));
    for name in [time.as_str(), "latest"] {
        let path = format!("{PLACE}/{name}.json");
        write(root, &path, &text)?;
    }
    eprintln!("kept {PLACE}/{time}.json");
    Ok(())
}

/// A result that was kept.
pub(crate) fn load(root: &RepositoryRoot, path: &str) -> Result<Document, String> {
    // Relative to where it was typed, or to the repository.
    let text = fs::read_to_string(path).or_else(|_| fs::read_to_string(root.join(path)));
    let text = text.map_err(|error| format!("`{path}` cannot be read: {error}"))?;
    Document::read(&text).map_err(|error| format!("{path}: {error}"))
}

/// Writes the page, its picture and its numbers.
pub(crate) fn publish(root: &RepositoryRoot, document: &Document) -> ChoreResult {
    let there =
        fs::read_to_string(root.join(PAGE)).map_err(|error| format!("`{PAGE}` cannot be read: {error}"))?;
    let whole = page::renew(&there, &page::part(document)).ok_or_else(|| format!("`{PAGE}` has no marks"))?;
    for (path, text) in [(PAGE, whole)].into_iter().chain(beside(document)?) {
        write(root, path, &text)?;
        eprintln!("wrote {path}");
    }
    let old = root.join(PEERS);
    if svg::peers(document).is_none() && old.exists() {
        return fs::remove_file(old).map_err(|error| format!("`{PEERS}` cannot be removed: {error}"));
    }
    Ok(())
}

/// What stands beside the page. Peers are not always measured.
fn beside(document: &Document) -> Result<Vec<(&'static str, String)>, String> {
    let mut all = vec![("docs/performance.json", document.json()?)];
    all.extend(svg::peers(document).map(|picture| (PEERS, picture)));
    Ok(all)
}

fn write(root: &RepositoryRoot, path: &str, text: &str) -> ChoreResult {
    fs::write(root.join(path), text).map_err(|error| format!("`{path}` cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are not edited by hand, and the picture is not forgotten.
    #[test]
    fn the_page_and_its_picture_show_the_document_beside_them() {
        let root = RepositoryRoot::find().unwrap();
        let read = |path: &str| fs::read_to_string(root.join(path)).map(|text| text.replace("\r\n", "\n"));
        let page = read(PAGE).unwrap();
        let part = match read("docs/performance.json") {
            Ok(text) => {
                let document = Document::read(&text).unwrap();
                for (path, wanted) in beside(&document).unwrap() {
                    assert!(read(path).unwrap() == wanted, "{path} is not drawn from docs/performance.json");
                }
                page::part(&document)
            }
            Err(_) => page::NOTHING.to_owned(),
        };
        assert!(page::renew(&page, &part).unwrap() == page, "{PAGE} does not show docs/performance.json");
    }
}
