//! Where and when something is measured, and how the program was built.
//!
//! May not leave out what the machine does not tell: then it says `unknown`.

use super::document::Machine;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::collections::BTreeMap;
use std::fs;

/// This machine.
pub(crate) fn machine(root: &RepositoryRoot) -> Machine {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let kernel = ChildTool::new("uname -sr").read(root);
    Machine {
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        model: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown".to_owned()),
        kernel: kernel.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned()),
        memory_bytes: field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|text| kibibytes(&text))
            .unwrap_or(0),
    }
}

/// Now, as RFC 3339 in UTC.
pub(crate) fn now(root: &RepositoryRoot) -> Result<String, String> {
    Ok(ChildTool::new("date -u +%Y-%m-%dT%H:%M:%SZ").read(root)?.trim().to_owned())
}

/// How what is shipped is built: by the profile `dist` of the workspace's manifest, by the profile `release` that it
/// inherits, and by variables that change what they say.
pub(crate) fn profile(
    manifest: &str,
    vars: impl Iterator<Item = (String, String)>,
) -> BTreeMap<String, String> {
    let vars: Vec<_> = vars.collect();
    let mut said = BTreeMap::new();
    for name in ["release", "dist"] {
        said.extend(written(manifest, name));
        let before = format!("CARGO_PROFILE_{}_", name.to_uppercase());
        said.extend(vars.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(&before)?;
            Some((name.to_lowercase().replace('_', "-"), value.clone()))
        }));
    }
    said.remove("inherits");
    said
}

/// What a manifest says about one profile.
fn written(manifest: &str, profile: &str) -> impl Iterator<Item = (String, String)> {
    let heading = format!("[profile.{profile}]");
    let inside = manifest.lines().skip_while(move |line| line.trim() != heading).skip(1);
    inside
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().trim_matches('"').to_owned()))
}

fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

fn kibibytes(text: &str) -> Option<u64> {
    text.strip_suffix(" kB")?.parse::<u64>().ok().map(|count| count * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_tables_are_read() {
        assert_eq!(field("processor\t: 0\nmodel name\t: A B: C\n", "model name").as_deref(), Some("A B: C"));
        assert_eq!(field("MemTotal:  8 kB\n", "MemTotal").as_deref().and_then(kibibytes), Some(8192));
        assert_eq!(field("processor : 0\n", "model name"), None);
    }

    #[test]
    fn what_is_shipped_is_one_unit_with_link_time_optimisation_and_without_symbols() {
        let manifest = fs::read_to_string(RepositoryRoot::find().unwrap().join("Cargo.toml")).unwrap();
        let profile = profile(&manifest, std::iter::empty());
        let said = |name: &str| profile.get(name).map(String::as_str);
        assert_eq!(said("lto"), Some("fat"));
        assert_eq!(said("codegen-units"), Some("1"));
        assert_eq!(said("strip"), Some("symbols"));
    }

    #[test]
    fn whoever_builds_otherwise_cannot_hide_it() {
        let vars = [
            ("CARGO_PROFILE_DIST_CODEGEN_UNITS", "16"),
            ("CARGO_PROFILE_RELEASE_DEBUG", "1"),
            ("CARGO_PROFILE_RELEASE_LTO", "off"),
            ("PATH", "/bin"),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let manifest = "[profile.release]\nlto = \"off\"\nstrip = \"symbols\"\n\n\
                        [profile.dist]\ninherits = \"release\"\nlto = \"fat\"\ncodegen-units = 1\n";
        let profile = profile(manifest, vars.into_iter());
        let words: Vec<_> = profile.iter().map(|(name, value)| format!("{name} {value}")).collect();
        assert_eq!(words, ["codegen-units 16", "debug 1", "lto fat", "strip symbols"]);
    }

    #[test]
    fn the_time_is_written_as_programs_read_it() {
        let now = now(&RepositoryRoot::find().unwrap()).unwrap();
        assert!(now.len() == 20 && now.ends_with('Z') && now.as_bytes()[10] == b'T', "{now}");
    }
}
