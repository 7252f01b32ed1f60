//! PyPI: a wheel whose only script is the binary itself.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::pack::{PackedFile, sorted, zip};
use super::sum::wheel_sum;
use super::target::DistTarget;
use super::version;
use crate::root::RepositoryRoot;

/// One wheel.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let version = version::python(&bundle.version)?;
    let tag = bundle.target.wheel_tag(bundle.glibc);
    let notes = format!("runward-{version}.dist-info");
    let script = format!("runward-{version}.data/scripts/{}", bundle.target.program());
    let mut files = vec![
        PackedFile::program(script, bundle.binary.clone()),
        PackedFile::plain(format!("{notes}/METADATA"), metadata(bundle, &version)),
        PackedFile::plain(format!("{notes}/WHEEL"), wheel(&tag)),
    ];
    files.extend(bundle.licences.iter().map(|file| file.below(&format!("{notes}/licenses"))));
    let mut files = sorted(files);
    // The record is the last, as installers expect it, and cannot have a sum of itself.
    let record = format!("{notes}/RECORD");
    let line = |file: &PackedFile| format!("{},{},{}\n", file.path, wheel_sum(&file.bytes), file.bytes.len());
    let lines: String = files.iter().map(line).chain([format!("{record},,\n")]).collect();
    files.push(PackedFile::plain(record, lines));
    Ok(vec![(format!("runward-{version}-py3-none-{tag}.whl"), zip::zip(&files)?)])
}

/// Whether a file is the wheel for this target.
pub(crate) fn is_for(name: &str, target: &DistTarget) -> bool {
    let ending = target.wheel_tag(None);
    name.strip_suffix(".whl").is_some_and(|stem| {
        stem.ends_with(&format!("_{ending}")) && stem.contains("manylinux") == target.is_glibc()
            || stem.ends_with(&format!("-{ending}"))
    })
}

fn wheel(tag: &str) -> String {
    let mut text = "Wheel-Version: 1.0\nGenerator: runward xtask\nRoot-Is-Purelib: false\n".to_owned();
    // A tag with dots is several tags.
    tag.split('.').for_each(|tag| text.push_str(&format!("Tag: py3-none-{tag}\n")));
    text
}

fn metadata(bundle: &Bundle, version: &str) -> String {
    let licences: String =
        bundle.licences.iter().map(|file| format!("License-File: {}\n", file.path)).collect();
    let home = super::HOME;
    format!(
        "Metadata-Version: 2.4\nName: runward\nVersion: {version}\nSummary: {}\n\
         License-Expression: MIT OR Apache-2.0\n{licences}Project-URL: Homepage, {home}\n\
         Project-URL: Changelog, {home}/blob/main/CHANGELOG.md\nKeywords: mcp,agent,command,sandbox\n\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n<!-- mcp-name: {} -->\n\n{}",
        super::SUMMARY,
        super::MCP_NAME,
        bundle.readme
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::target::TARGETS;

    #[test]
    fn a_wheel_of_two_tags_names_both() {
        let text = wheel("manylinux_2_17_x86_64.manylinux2014_x86_64");
        assert_eq!(text.matches("Tag: py3-none-manylinux").count(), 2);
    }

    #[test]
    fn a_wheel_is_for_one_target() {
        for (name, triple) in [
            (
                "runward-1.0.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
                "x86_64-unknown-linux-gnu",
            ),
            ("runward-1.0.0-py3-none-musllinux_1_2_x86_64.whl", "x86_64-unknown-linux-musl"),
            ("runward-1.0.0-py3-none-win_arm64.whl", "aarch64-pc-windows-msvc"),
            ("runward-1.0.0-py3-none-macosx_10_12_x86_64.whl", "x86_64-apple-darwin"),
        ] {
            let found: Vec<_> = TARGETS.iter().filter(|it| is_for(name, it)).map(|it| it.triple).collect();
            assert_eq!(found, [triple], "{name}");
        }
    }
}
