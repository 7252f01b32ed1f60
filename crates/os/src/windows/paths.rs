//! Real paths in the spelling that programs understand.
//!
//! Windows' own answer begins with `\\?\`, which `cmd.exe` and many others refuse as a working directory. The
//! plain spelling is given wherever it means the same file; where it would not (a name that is too long or
//! reserved, or that ends with a dot), the long one stays.

use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

/// Paths from this length on need the long spelling. Working directories need room for one name more.
const LONGEST: usize = 247;

/// The path with every link followed.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    Ok(plain(std::fs::canonicalize(path)?))
}

fn plain(path: PathBuf) -> PathBuf {
    shortened(&path).filter(|short| short.as_os_str().len() <= LONGEST).unwrap_or(path)
}

fn shortened(path: &Path) -> Option<PathBuf> {
    let mut components = path.components();
    let Some(Component::Prefix(prefix)) = components.next() else { return None };
    let start = match prefix.kind() {
        Prefix::VerbatimDisk(letter) => format!(r"{}:\", char::from(letter)).into(),
        Prefix::VerbatimUNC(server, share) => {
            let mut start = std::ffi::OsString::from(r"\\");
            start.push(server);
            start.push(r"\");
            start.push(share);
            start.push(r"\");
            PathBuf::from(start)
        }
        _ => return None,
    };
    let mut short: PathBuf = start;
    for component in components.filter(|component| *component != Component::RootDir) {
        let Component::Normal(name) = component else { return None };
        if !means_itself(name.to_str()?) {
            return None;
        }
        short.push(name);
    }
    Some(short)
}

/// Whether a name is not changed on its way through the plain spelling.
fn means_itself(name: &str) -> bool {
    const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = ["COM", "LPT"]
        .iter()
        .any(|kind| stem.strip_prefix(kind).is_some_and(|number| number.chars().count() == 1));
    let forbidden = |c: char| c < ' ' || r#"<>:"/\|?*"#.contains(c);
    !name.ends_with(['.', ' ']) && !name.contains(forbidden) && !numbered && !DEVICES.contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(long: &str, expected: &str) {
        assert_eq!(plain(PathBuf::from(long)), PathBuf::from(expected));
    }

    #[test]
    fn an_ordinary_path_is_spelled_plainly() {
        check(r"\\?\C:\Users\me", r"C:\Users\me");
        check(r"\\?\C:\", r"C:\");
        check(r"\\?\UNC\server\share\x", r"\\server\share\x");
    }

    #[test]
    fn a_path_that_would_mean_another_file_stays() {
        for long in [r"\\?\C:\a\nul", r"\\?\C:\a\com1.txt", r"\\?\C:\a.", r"\\?\C:\a \b"] {
            check(long, long);
        }
        let deep = format!(r"\\?\C:\{}", "long\\".repeat(60));
        check(&deep, &deep);
    }
}
