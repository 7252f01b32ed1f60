//! Platform code lives in `crates/os`. Elsewhere no `cfg` names a platform and nothing of `std::os` is used.
//!
//! Test code may say which platform it is for; the test kit and the chores may differ by platform.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const ROOMS: &[&str] = &["crates/os", "crates/testkit", "xtask"];

const PLATFORMS: &[&str] = &[
    "unix",
    "windows",
    "target_os",
    "target_family",
    "target_env",
    "target_arch",
    "target_vendor",
    "target_pointer_width",
];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    house.sources.iter().filter(|source| !source.is_in(ROOMS)).flat_map(check).collect()
}

fn check(source: &RustFile) -> Vec<Breach> {
    let conditions = [&["cfg", "("][..], &["cfg_attr", "("], &["cfg", "!", "("]];
    let conditions = conditions.into_iter().flat_map(|pattern| {
        source.find(pattern).into_iter().filter(move |&at| names_platform(source, at + pattern.len() - 1))
    });
    let apis = source.find(&["std", ":", ":", "os", ":", ":"]);
    let all = conditions
        .map(|at| (at, "a `cfg` names a platform"))
        .chain(apis.into_iter().map(|at| (at, "`std::os` is used")));
    all.filter(|(at, _)| !source.is_test(*at))
        .map(|(at, what)| {
            let sentence = format!("{what}; platform code lives in crates/os");
            Breach::new("platform", &source.path, source.line(at), sentence)
        })
        .collect()
}

fn names_platform(source: &RustFile, open: usize) -> bool {
    PLATFORMS.iter().any(|name| source.holds(open..source.close(open), name))
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    const TEXT: &str =
        "#[cfg(unix)]\nfn a() {}\nfn b() { if cfg!(target_os = \"linux\") {} }\nuse std::os::fd::AsFd;";

    #[test]
    fn platform_code_outside_its_room_is_found() {
        let house = CheckedTree::made_up(&[("crates/engine/src/a.rs", TEXT)]);
        assert_eq!(spots(&rule(&house)), [1, 3, 4].map(|line| format!("crates/engine/src/a.rs:{line}")));
    }

    #[test]
    fn its_rooms_and_tests_are_free() {
        let rooms =
            ["crates/os/src/sys.rs", "crates/testkit/src/a.rs", "xtask/src/a.rs", "crates/engine/tests/a.rs"];
        assert_eq!(rule(&CheckedTree::made_up(&rooms.map(|room| (room, TEXT)))), []);
    }

    #[test]
    fn other_conditions_and_words_are_fine() {
        let text = "#[cfg(feature = \"unix\")]\nfn windows() { unix(); } // cfg(unix)";
        assert_eq!(rule(&CheckedTree::made_up(&[("crates/core/src/a.rs", text)])), []);
    }
}
