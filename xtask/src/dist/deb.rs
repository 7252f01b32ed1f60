//! Debian: one package without scripts, with what the binary needs of the C library as a dependency.

use super::bundle::Bundle;
use super::channel::NamedFile;
use super::pack::{PackedFile, ar, gzip, sorted, tar};
use super::version;
use crate::root::RepositoryRoot;

/// The licences that Debian has a text of are named, not repeated.
const COPYRIGHT: &str = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: runward
Source: https://github.com/runward/runward

Files: *
Copyright: The Runward maintainers
License: MIT or Apache-2.0

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: MIT
";

/// What Debian's checker takes for a call is a name in a list of programs that are refused or described.
const OVERRIDES: &str = "runward: missing-depends-on-sensible-utils *\n";

/// One package, where Debian has the processor.
pub(crate) fn make(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let Some(processor) = bundle.target.debian else { return Ok(Vec::new()) };
    let version = version::debian(&bundle.version);
    let files = sorted(files(bundle)?);
    let control = control(bundle, &version, processor, &files);
    let parts = [PackedFile::plain("control", control)];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&tar::tar_with_folders(&parts, bundle.time)?)?),
        ("data.tar.gz", gzip(&tar::tar_with_folders(&files, bundle.time)?)?),
    ];
    Ok(vec![(format!("runward_{version}_{processor}.deb"), ar::ar(&members, bundle.time))])
}

fn control(bundle: &Bundle, version: &str, processor: &str, files: &[PackedFile]) -> String {
    let size: usize = files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum();
    format!(
        "Package: runward\nVersion: {version}\nArchitecture: {processor}\n\
         Maintainer: The Runward maintainers <runward@users.noreply.github.com>\nInstalled-Size: {size}\n\
         Depends: {}\nSection: utils\nPriority: optional\nHomepage: {}\n\
         Description: command-execution layer for AI agents\n \
         Every command is judged, limited, killed whole and accounted for. Serves the\n \
         Model Context Protocol and works from the command line.\n",
        depends(bundle),
        super::HOME
    )
}

/// What the binary itself says that it needs.
fn depends(bundle: &Bundle) -> String {
    let mut all: Vec<_> = bundle.glibc.iter().map(|glibc| format!("libc6 (>= {glibc})")).collect();
    if bundle.libraries.iter().any(|name| name == "libgcc_s.so.1") {
        all.push("libgcc-s1 | libgcc1".to_owned());
    }
    all.join(", ")
}

fn files(bundle: &Bundle) -> Result<Vec<PackedFile>, String> {
    let licence = |name: &str| {
        let found = bundle.licences.iter().find(|file| file.path == name);
        let text = found.and_then(|file| String::from_utf8(file.bytes.clone()).ok());
        text.ok_or_else(|| format!("there is no text `{name}` for the package"))
    };
    let indented = |text: &str| -> String {
        text.lines()
            .map(|line| if line.is_empty() { " .\n".to_owned() } else { format!(" {line}\n") })
            .collect()
    };
    let doc = "usr/share/doc/runward";
    let copyright = format!("{COPYRIGHT}{}", indented(&licence("LICENSE-MIT")?));
    let changes = format!(
        "runward ({}) unstable; urgency=medium\n\n  * See {}/blob/main/CHANGELOG.md\n\n -- The Runward maintainers <runward@users.noreply.github.com>  {}\n",
        version::debian(&bundle.version),
        super::HOME,
        "Thu, 01 Jan 1970 00:00:00 +0000"
    );
    let mut files = vec![
        PackedFile::program("usr/bin/runward", bundle.binary.clone()),
        PackedFile::plain("usr/share/lintian/overrides/runward", OVERRIDES),
        PackedFile::plain(format!("{doc}/copyright"), copyright),
        PackedFile::plain(format!("{doc}/THIRD-PARTY.txt.gz"), gzip(licence("THIRD-PARTY.txt")?.as_bytes())?),
        PackedFile::plain(format!("{doc}/changelog.Debian.gz"), gzip(changes.as_bytes())?),
    ];
    for page in &bundle.pages {
        files.push(PackedFile::plain(format!("usr/share/man/man1/{}.gz", page.path), gzip(&page.bytes)?));
    }
    for (name, place) in [
        ("runward.bash", "usr/share/bash-completion/completions/runward"),
        ("runward.fish", "usr/share/fish/vendor_completions.d/runward.fish"),
        ("_runward", "usr/share/zsh/vendor-completions/_runward"),
    ] {
        let found = bundle.completions.iter().find(|file| file.path == name);
        files.extend(found.map(|file| PackedFile::plain(place, file.bytes.clone())));
    }
    Ok(files)
}
