//! The licences of everybody whose code is in the binary, as one text. Equal texts stand there once.

use super::crates::ShippedCrate;
use std::collections::BTreeMap;
use std::fs;

const BEGINNINGS: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The list of crates, then each text with the names of those who ship it.
pub(crate) fn text(crates: &[ShippedCrate]) -> Result<String, String> {
    let mut list = "Runward is built of these crates. Their licences follow.\n\n".to_owned();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in crates.iter().filter(|it| it.sum.is_some()) {
        let name = format!("{} {}", found.name, found.version);
        let own = own_texts(found)?;
        let note = if own.is_empty() { "; it ships no text of it" } else { "" };
        list.push_str(&format!("{name}: {}{note}\n", found.licence));
        own.into_iter().for_each(|text| texts.entry(text).or_default().push(name.clone()));
    }
    let mut parts: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    parts.sort();
    for (names, text) in parts {
        list.push_str(&format!("\n{}\n{}\n\n{}\n", "-".repeat(80), names.join(", "), text.trim_end()));
    }
    Ok(list)
}

fn own_texts(found: &ShippedCrate) -> Result<Vec<String>, String> {
    let failed = |error| format!("`{}` cannot be read: {error}", found.folder.display());
    let mut paths: Vec<_> =
        fs::read_dir(&found.folder).map_err(failed)?.flatten().map(|it| it.path()).collect();
    paths.sort();
    let is_licence = |path: &&std::path::PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_uppercase();
        path.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    };
    let texts = paths.iter().filter(is_licence).map(fs::read);
    texts.map(|bytes| bytes.map_err(failed).map(|bytes| plain(&bytes))).collect()
}

/// With one kind of line ending, so that equal texts are equal.
#[expect(
    clippy::disallowed_methods,
    reason = "a licence in an old encoding is still a licence, for people to read"
)]
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace('\r', "");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::crates;
    use crate::dist::target::DistTarget;
    use crate::root::RepositoryRoot;

    #[test]
    fn everybody_is_named_and_each_text_stands_once() {
        let root = RepositoryRoot::find().unwrap();
        let crates = crates::shipped(&root, DistTarget::find("x86_64-unknown-linux-gnu").unwrap()).unwrap();
        let text = text(&crates).unwrap();
        assert!(text.contains("\nserde 1.") && text.contains("\nring 0."), "{}", &text[..2000]);
        assert!(!text.contains("runward-engine 0."));
        let apache = text.matches("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION").count();
        assert!(apache > 0 && apache < 30, "{apache}");
    }
}
