//! A crate that is published comes with everything that belongs to it: the texts of its licences, a readme, what its page is
//! made of. It pins nothing, because cargo could not join it with a program that has another version.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::packages::{PublishedManifest, WorkspaceCrate};

const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let published = house.packages.iter().filter_map(|package| Some((package, package.published.as_ref()?)));
    published.flat_map(|(package, manifest)| check(house, package, manifest)).collect()
}

fn check(house: &CheckedTree, package: &WorkspaceCrate, manifest: &PublishedManifest) -> Vec<Breach> {
    let WorkspaceCrate { name, manifest: path, .. } = package;
    let folder = path.trim_end_matches("Cargo.toml");
    let lacks = manifest.lacks.iter().map(|field| format!("`{name}` is published without `{field}`"));
    let pinned = manifest.pinned.iter().map(|need| {
        format!(
            "`{name}` is published and takes one version of `{need}` only; the lock file pins the program"
        )
    });
    let licences = LICENCES.iter().filter(|file| {
        let own = house.text(&format!("{folder}{file}"));
        own.is_none() || own != house.text(file)
    });
    let licences = licences.map(|file| format!("`{name}` is published without the text of `{file}`"));
    let sentences: Vec<String> = lacks.chain(pinned).chain(licences).collect();
    sentences.into_iter().map(|sentence| Breach::new("published", path, 1, sentence).about(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(files: &[(&str, &str)], manifest: PublishedManifest) -> CheckedTree {
        let package = WorkspaceCrate {
            name: "a".to_owned(),
            manifest: "crates/a/Cargo.toml".to_owned(),
            needs: Vec::new(),
            published: Some(manifest),
        };
        CheckedTree { packages: vec![package], ..CheckedTree::made_up(files) }
    }

    #[test]
    fn what_is_missing_is_named() {
        let files = [("LICENSE-MIT", "m"), ("LICENSE-APACHE", "a"), ("crates/a/LICENSE-MIT", "m")];
        let manifest = PublishedManifest { lacks: vec!["keywords"], pinned: vec!["b".to_owned()] };
        let found = rule(&house(&files, manifest));
        let all = found.iter().map(|breach| breach.sentence.as_str()).collect::<Vec<_>>().join("; ");
        assert_eq!(found.len(), 3, "{all}");
        assert!(
            ["`keywords`", "one version of `b`", "LICENSE-APACHE"].iter().all(|it| all.contains(it)),
            "{all}"
        );
    }

    #[test]
    fn a_licence_with_other_words_is_none() {
        let files = [
            ("LICENSE-MIT", "m"),
            ("LICENSE-APACHE", "a"),
            ("crates/a/LICENSE-MIT", "other"),
            ("crates/a/LICENSE-APACHE", "a"),
        ];
        assert_eq!(rule(&house(&files, PublishedManifest::default())).len(), 1);
    }
}
