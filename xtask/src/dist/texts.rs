//! Texts for other package managers, and scripts that install without one: filled from the sums of the archives.

use super::channel::NamedFile;
use super::folder::PackageFolder;
use super::registry::download;
use super::target::DistTarget;
use super::template::fill;
use super::version;
use crate::root::RepositoryRoot;
use serde_json::{Map, Value, json};

type FoundArchive = (&'static DistTarget, String, String);

/// Those of which the archives lie in the folder. The others are named, not written.
pub(crate) fn make(_: &RepositoryRoot, folder: &PackageFolder) -> Result<Vec<NamedFile>, String> {
    let version = folder.version.as_str();
    let archives = folder.archives()?;
    let (windows, unix): (Vec<_>, Vec<_>) =
        archives.into_iter().partition(|(target, _, _)| target.is_windows());
    let mut files = vec![
        filled("install.sh", include_str!("../../dist/install.sh"), version, "")?,
        filled("install.ps1", include_str!("../../dist/install.ps1"), version, "")?,
        filled("Dockerfile", include_str!("../../dist/Dockerfile"), version, "")?,
    ];
    let blocks = formula_blocks(version, &unix);
    if blocks.is_empty() {
        println!("texts: no formula, because there is no archive for Homebrew's systems in the folder");
    } else {
        files.push(filled("runward.rb", include_str!("../../dist/runward.rb"), version, &blocks)?);
    }
    if windows.is_empty() {
        println!(
            "texts: nothing for winget and scoop, because there is no archive for Windows in the folder"
        );
    } else {
        files.push(("runward.json".to_owned(), super::registry::pretty(&scoop(version, &windows))));
        let installers = winget_installers(version, &windows);
        let (text, locale) =
            (include_str!("../../dist/winget.yaml"), include_str!("../../dist/winget.locale.yaml"));
        let installer = include_str!("../../dist/winget.installer.yaml");
        files.push(filled("Runward.Runward.yaml", text, version, "")?);
        files.push(filled("Runward.Runward.locale.en-US.yaml", locale, version, "")?);
        files.push(filled("Runward.Runward.installer.yaml", installer, version, &installers)?);
    }
    Ok(files)
}

fn filled(name: &str, text: &str, version: &str, archives: &str) -> Result<NamedFile, String> {
    let fields = [
        ("VERSION", version),
        ("DEBIAN_VERSION", &version::debian(version)),
        ("HOME", super::HOME),
        ("SUMMARY", super::SUMMARY),
        ("MCP_NAME", super::MCP_NAME),
        ("ARCHIVES", archives),
    ];
    Ok((name.to_owned(), fill(name, text, &fields)?.into_bytes()))
}

/// Homebrew's systems: macOS, and Linux with glibc.
fn formula_blocks(version: &str, archives: &[FoundArchive]) -> String {
    let systems = [("darwin", "on_macos"), ("linux", "on_linux")];
    let mut blocks = Vec::new();
    for (system, word) in systems {
        let ours = archives.iter().filter(|(it, _, _)| it.system == system && it.libc() != Some("musl"));
        let inner: Vec<_> = ours
            .map(|(target, file, sum)| {
                let cpu = if target.processor == "arm64" { "on_arm" } else { "on_intel" };
                let url = download(version, file);
                format!("    {cpu} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n")
            })
            .collect();
        if !inner.is_empty() {
            blocks.push(format!("  {word} do\n{}  end\n", inner.concat()));
        }
    }
    blocks.join("\n")
}

fn scoop(version: &str, archives: &[FoundArchive]) -> Value {
    let names = |processor: &str| if processor == "arm64" { "arm64" } else { "64bit" };
    let mut parts = Map::new();
    let mut later = Map::new();
    for (target, file, sum) in archives {
        let (name, folder) = (names(target.processor), file.trim_end_matches(".zip"));
        parts.insert(
            name.to_owned(),
            json!({ "url": download(version, file), "hash": sum, "extract_dir": folder }),
        );
        let (file, folder) = (file.replace(version, "$version"), folder.replace(version, "$version"));
        later.insert(name.to_owned(), json!({ "url": download("$version", &file), "extract_dir": folder }));
    }
    json!({
        "version": version,
        "description": super::SUMMARY,
        "homepage": super::HOME,
        "license": "MIT|Apache-2.0",
        "architecture": parts,
        "bin": "runward.exe",
        "checkver": "github",
        "autoupdate": {
            "architecture": later,
            "hash": { "url": format!("{}/releases/download/v$version/SHA256SUMS", super::HOME) },
        },
    })
}

fn winget_installers(version: &str, archives: &[FoundArchive]) -> String {
    let one = |(target, file, sum): &FoundArchive| {
        format!(
            "- Architecture: {}\n  InstallerUrl: {}\n  InstallerSha256: {}\n  NestedInstallerFiles:\n  - RelativeFilePath: {}\\runward.exe\n    PortableCommandAlias: runward\n",
            target.processor,
            download(version, file),
            sum.to_uppercase(),
            file.trim_end_matches(".zip"),
        )
    };
    archives.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::archive;
    use crate::dist::target::TARGETS;

    fn folder_with_every_archive(name: &str) -> PackageFolder {
        let root = RepositoryRoot::find().unwrap();
        let folder = PackageFolder::open(&root.join("target/dist-texts").join(name), "1.2.3").unwrap();
        let files = TARGETS.iter().map(|it| (archive::file_name(it, "1.2.3"), it.triple.as_bytes().to_vec()));
        folder.write(&files.collect::<Vec<_>>()).unwrap();
        folder
    }

    #[test]
    fn every_text_carries_the_sums_of_its_archives() {
        let folder = folder_with_every_archive("all");
        let root = RepositoryRoot::find().unwrap();
        let files = make(&root, &folder).unwrap();
        let text = |name: &str| {
            let found = files.iter().find(|file| file.0 == name).unwrap_or_else(|| panic!("{name}"));
            String::from_utf8(found.1.clone()).unwrap().to_lowercase()
        };
        for (target, _, sum) in folder.archives().unwrap() {
            let holders: &[&str] = match (target.system, target.libc()) {
                ("win32", _) => &["runward.json", "Runward.Runward.installer.yaml"],
                (_, Some("musl")) => &[],
                _ => &["runward.rb"],
            };
            assert!(holders.iter().all(|name| text(name).contains(&sum)), "{}", target.triple);
        }
        assert!(files.iter().all(|(_, bytes)| !std::str::from_utf8(bytes).unwrap().contains("{{ ")));
        assert_eq!(files.len(), 8);
    }
}
