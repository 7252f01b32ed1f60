//! No file names a place that exists on one machine only, nor the host of a package registry.

use super::super::breach::Breach;
use super::super::house::CheckedTree;

/// Written in halves, so that this file keeps its own rule.
const FOLDERS: &[[&str; 2]] = &[["/wo", "rk/"], ["/ro", "ot/"]];
const HOSTS: &[[&str; 2]] = &[
    ["crates", ".io"],
    ["pypi", ".org"],
    ["python", "hosted.org"],
    ["npm", "js.org"],
    ["npm", "js.com"],
    ["deb.deb", "ian.org"],
    ["security.deb", "ian.org"],
];

/// The rule. Lock files name the registry, and are written by tools.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let ours = house.files.iter().filter(|(path, _)| !is_lock(path));
    ours.flat_map(|(path, text)| {
        text.lines().enumerate().filter_map(move |(at, line)| check(path, at + 1, line))
    })
    .collect()
}

fn is_lock(path: &str) -> bool {
    path.ends_with("Cargo.lock") || path.ends_with("package-lock.json")
}

fn check(path: &str, number: usize, line: &str) -> Option<Breach> {
    let folder = FOLDERS.iter().map(|halves| halves.concat()).find(|folder| names_folder(line, folder));
    let host = HOSTS.iter().map(|halves| halves.concat()).find(|host| line.contains(host.as_str()));
    let sentence = match (folder, host) {
        (Some(folder), _) => format!("`{folder}` is a place on one machine"),
        (None, Some(host)) => format!("`{host}` is a registry's address; tools know it themselves"),
        (None, None) => return None,
    };
    Some(Breach::new("places", path, number, sentence))
}

/// Whether a path in this line begins with the folder, rather than having it somewhere inside.
fn names_folder(line: &str, folder: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "._-}$~*".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(inside))
}

#[cfg(test)]
mod tests {
    use super::super::spots;
    use super::*;

    #[test]
    fn machine_paths_and_hosts_are_found() {
        let text =
            [FOLDERS[0], FOLDERS[1], HOSTS[0]].map(|halves| format!("\"{}x\"\n", halves.concat())).concat();
        let house = CheckedTree::made_up(&[("README.md", &text), ("Cargo.lock", &text)]);
        assert_eq!(spots(&rule(&house)), ["README.md:1", "README.md:2", "README.md:3"]);
    }

    #[test]
    fn a_folder_further_down_is_fine() {
        let [first, last] = FOLDERS[0];
        assert!(!names_folder(&format!("/home/u{first}{last}x"), &format!("{first}{last}")));
        assert!(!names_folder("network/", &format!("{first}{last}")));
    }
}
