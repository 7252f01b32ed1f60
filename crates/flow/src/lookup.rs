//! Where a file may lie that was named on the command line. May not look.

use std::path::{Component, Path, PathBuf};

/// The folders in which a file may lie.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// Where Runward was called.
    pub cwd: &'a Path,
    /// The owner's home, for names that begin with `~/`.
    pub home: Option<&'a Path>,
    /// Runward's own folder of configuration.
    pub config: Option<&'a Path>,
    /// The folders of `PATH`.
    pub path: &'a [PathBuf],
}

/// Where a name may lie, in the order in which to look: as given, `./flows`, `./.runward/flows`, the owner's `flows`,
/// `PATH`; each without and with `.md`. The first that is a file is meant.
pub fn candidates(name: &str, places: &Places<'_>) -> Vec<PathBuf> {
    let given = match (name.strip_prefix("~/"), places.home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(name),
    };
    let mut all = spellings(&places.cwd.join(&given));
    if is_elsewhere(&given) {
        return all;
    }
    all.extend(folders(places).iter().flat_map(|folder| spellings(&folder.join(&given))));
    if given.components().count() == 1 {
        // On PATH are programs too, and `runward run ls` does not mean the text of `ls`.
        let found = places.path.iter().filter(|folder| folder.has_root());
        all.extend(found.flat_map(|folder| spellings(&folder.join(&given))).filter(|path| has_md(path)));
    }
    all
}

/// The folders that are there for markdown agents, in the order in which to look.
pub fn folders(places: &Places<'_>) -> Vec<PathBuf> {
    let mut folders = vec![places.cwd.join("flows"), places.cwd.join(".runward").join("flows")];
    folders.extend(places.config.map(|config| config.join("flows")));
    folders
}

/// Whether a name says by itself where its file lies.
fn is_elsewhere(path: &Path) -> bool {
    path.has_root()
        || matches!(path.components().next(), None | Some(Component::CurDir | Component::ParentDir))
}

fn spellings(path: &Path) -> Vec<PathBuf> {
    if has_md(path) {
        return vec![path.to_owned()];
    }
    let mut with = path.as_os_str().to_owned();
    with.push(".md");
    vec![path.to_owned(), PathBuf::from(with)]
}

fn has_md(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"))
}

/// Whether a word looks like a markdown file or the address of one, so that `runward FILE.md` means
/// `runward run FILE.md`.
pub fn looks_like_a_flow(word: &str) -> bool {
    let name = if is_address(word) { word.split(['?', '#']).next().unwrap_or(word) } else { word };
    !word.starts_with('-') && has_md(Path::new(name))
}

/// Whether a word is an address and not a path.
pub fn is_address(word: &str) -> bool {
    let scheme =
        |scheme: &str| word.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
    scheme("https://") || scheme("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(name: &str) -> Vec<String> {
        let path = [PathBuf::from("/usr/bin"), PathBuf::from("relative"), PathBuf::from("/opt/bin")];
        let places = Places {
            cwd: Path::new("/w"),
            home: Some(Path::new("/home/me")),
            config: Some(Path::new("/home/me/.config/runward")),
            path: &path,
        };
        candidates(name, &places).iter().map(|path| path.display().to_string().replace('\\', "/")).collect()
    }

    #[test]
    fn a_name_is_looked_for_in_every_place_in_order() {
        assert_eq!(
            look("review.claude"),
            [
                "/w/review.claude",
                "/w/review.claude.md",
                "/w/flows/review.claude",
                "/w/flows/review.claude.md",
                "/w/.runward/flows/review.claude",
                "/w/.runward/flows/review.claude.md",
                "/home/me/.config/runward/flows/review.claude",
                "/home/me/.config/runward/flows/review.claude.md",
                "/usr/bin/review.claude.md",
                "/opt/bin/review.claude.md",
            ]
        );
    }

    #[test]
    fn a_whole_name_is_not_made_longer() {
        assert_eq!(
            look("a.MD"),
            [
                "/w/a.MD",
                "/w/flows/a.MD",
                "/w/.runward/flows/a.MD",
                "/home/me/.config/runward/flows/a.MD",
                "/usr/bin/a.MD",
                "/opt/bin/a.MD"
            ]
        );
    }

    #[test]
    fn a_path_is_looked_for_where_it_says() {
        assert_eq!(look("/x/a"), ["/x/a", "/x/a.md"]);
        assert_eq!(look("../a.md"), ["/w/../a.md"]);
        assert_eq!(look("./a.md").len(), 1);
        assert_eq!(look("~/a.md"), ["/home/me/a.md"]);
        let inner = look("team/a.md");
        assert_eq!(inner.len(), 4, "not on PATH: {inner:?}");
        assert_eq!(inner[1], "/w/flows/team/a.md");
    }

    #[test]
    fn a_word_is_known_as_a_flow_by_its_end() {
        for word in ["a.md", "x/a.claude.md", "A.MD", "https://e.org/a.md", "https://e.org/a.md?x=1#y"] {
            assert!(looks_like_a_flow(word), "{word}");
        }
        for word in ["a", "md", ".md", "--x.md", "a.mdx", "https://e.org/a.md/raw", "a.md?x"] {
            assert!(!looks_like_a_flow(word), "{word}");
        }
    }
}
