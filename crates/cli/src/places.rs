//! Where files are: configuration, project, state. The environment comes from the facts; only a user without a home makes
//! us look further.

use runward::HostFacts;
use runward::core::facts::{Backslashes, FileKind, Look};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The list of child servers, beside the owner's own configuration.
pub(crate) fn servers_file(facts: &HostFacts) -> Option<PathBuf> {
    Some(config_folder(facts)?.join("servers.json"))
}

/// Where the owner's configuration is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UserFile {
    /// It was named, so it must be there.
    Named(PathBuf),
    /// The usual place, where it may be.
    Usual(PathBuf),
    /// There is no usual place: no home.
    Nowhere,
}

/// Where the owner's configuration is, given what was typed.
pub(crate) fn user_file(typed: Option<&Path>, facts: &HostFacts) -> UserFile {
    if let Some(file) = typed.map(Path::to_owned).or_else(|| path_in(facts, "RUNWARD_CONFIG")) {
        return UserFile::Named(facts.cwd.join(file));
    }
    config_folder(facts).map_or(UserFile::Nowhere, |folder| UserFile::Usual(folder.join("runward.toml")))
}

/// The usual place of the owner's configuration.
pub(crate) fn config_folder(facts: &HostFacts) -> Option<PathBuf> {
    let folder = match facts.naming.backslashes {
        Backslashes::Separate => absolute_in(facts, "APPDATA"),
        Backslashes::AreLetters => {
            absolute_in(facts, "XDG_CONFIG_HOME").or_else(|| Some(home(facts)?.join(".config")))
        }
    };
    folder.map(|folder| folder.join("runward"))
}

/// Where the project's configuration would be: at the root of the git work tree around the cwd.
pub(crate) fn project_file(facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    configuration_in(project_root(facts, look)?, look)
}

/// Where the configuration of the cwd would be; at the project's root that is the project's own.
pub(crate) fn here_file(facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    let is_root = project_root(facts, look).is_some_and(|root| root == facts.cwd);
    if is_root { None } else { configuration_in(&facts.cwd, look) }
}

/// The root of the git work tree around the cwd.
pub(crate) fn project_root<'a>(facts: &'a HostFacts, look: &dyn Look) -> Option<&'a Path> {
    facts.cwd.ancestors().find(|folder| look.kind(&folder.join(".git")).is_some())
}

fn configuration_in(folder: &Path, look: &dyn Look) -> Option<PathBuf> {
    Some(folder.join(".runward.toml")).filter(|file| look.kind(file) == Some(FileKind::File))
}

/// The state folder: what must survive this process. Without a home that is a place of last resort, if there is one.
pub(crate) fn state_folder(facts: &HostFacts) -> Option<PathBuf> {
    static FALLBACK: OnceLock<Option<PathBuf>> = OnceLock::new();
    let fallback = || FALLBACK.get_or_init(runward::host::fallback_state).clone();
    usual_state_folder(facts).or_else(fallback)
}

/// A home that is not absolute is none: it would be another one in every folder.
fn home(facts: &HostFacts) -> Option<&PathBuf> {
    facts.home.as_ref().filter(|home| home.is_absolute())
}

/// The state folder of a user with a home.
pub(crate) fn usual_state_folder(facts: &HostFacts) -> Option<PathBuf> {
    if let Some(folder) = path_in(facts, "RUNWARD_STATE_DIR") {
        return Some(facts.cwd.join(folder));
    }
    let folder = match facts.naming.backslashes {
        Backslashes::Separate => absolute_in(facts, "LOCALAPPDATA"),
        Backslashes::AreLetters => {
            absolute_in(facts, "XDG_STATE_HOME").or_else(|| Some(home(facts)?.join(".local/state")))
        }
    };
    folder.map(|folder| folder.join("runward"))
}

/// Files and folders of Runward's own: what is written there decides what may run, and says what ran.
pub(crate) fn own(typed: Option<&Path>, facts: &HostFacts) -> Vec<PathBuf> {
    let named = match user_file(typed, facts) {
        UserFile::Named(file) => Some(file),
        UserFile::Usual(_) | UserFile::Nowhere => None,
    };
    named.into_iter().chain(config_folder(facts)).chain(state_folder(facts)).collect()
}

/// Where running servers offer their sockets: short-lived, and short enough for a socket's name.
pub(crate) fn run_folder(facts: &HostFacts) -> Option<PathBuf> {
    if facts.env_var("RUNWARD_STATE_DIR").is_some_and(|value| !value.is_empty()) {
        return state_folder(facts).map(|folder| folder.join("run"));
    }
    let short = absolute_in(facts, "XDG_RUNTIME_DIR").map(|folder| folder.join("runward"));
    short.or_else(|| state_folder(facts).map(|folder| folder.join("run")))
}

fn path_in(facts: &HostFacts, name: &str) -> Option<PathBuf> {
    facts.env_var(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The XDG rules: a relative path is no path.
fn absolute_in(facts: &HostFacts, name: &str) -> Option<PathBuf> {
    path_in(facts, name).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::core::facts::{Abilities, Naming, System};

    fn facts(env: &[(&str, &str)]) -> HostFacts {
        HostFacts {
            system: System::Linux,
            cwd: "/app/app/src".into(),
            home: Some("/home/u".into()),
            env: env.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            naming: Naming::unix(),
            shell: None,
            node: None,
            abilities: Abilities::default(),
        }
    }

    struct Files(&'static [&'static str]);

    impl Look for Files {
        fn stamp(&self, _: &Path) -> Option<runward::core::facts::FileStamp> {
            None
        }

        fn is_executable(&self, _: &Path) -> bool {
            false
        }
        fn kind(&self, path: &Path) -> Option<FileKind> {
            self.0.iter().any(|known| Path::new(known) == path).then_some(FileKind::File)
        }
        fn real_path(&self, _: &Path) -> Option<PathBuf> {
            None
        }
    }

    #[test]
    fn what_was_typed_comes_before_the_environment_before_the_usual_place() {
        let named = facts(&[("RUNWARD_CONFIG", "/etc/r.toml"), ("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(
            user_file(Some(Path::new("r.toml")), &named),
            UserFile::Named("/app/app/src/r.toml".into())
        );
        assert_eq!(user_file(None, &named), UserFile::Named("/etc/r.toml".into()));
        let usual = facts(&[("RUNWARD_CONFIG", ""), ("XDG_CONFIG_HOME", "/x")]);
        assert_eq!(user_file(None, &usual), UserFile::Usual("/x/runward/runward.toml".into()));
        let relative = facts(&[("XDG_CONFIG_HOME", "x")]);
        assert_eq!(
            user_file(None, &relative),
            UserFile::Usual("/home/u/.config/runward/runward.toml".into())
        );
    }

    #[test]
    fn windows_has_its_own_usual_places() {
        let mut windows = facts(&[("AppData", "/r"), ("LocalAppData", "/l"), ("XDG_STATE_HOME", "/x")]);
        windows.naming = Naming::windows(None);
        assert_eq!(user_file(None, &windows), UserFile::Usual("/r/runward/runward.toml".into()));
        assert_eq!(state_folder(&windows), Some("/l/runward".into()));
        windows.env.clear();
        assert_eq!(user_file(None, &windows), UserFile::Nowhere);
    }

    #[test]
    fn a_project_is_the_nearest_git_root() {
        let here = facts(&[]);
        let both = Files(&["/app/app/.git", "/app/app/.runward.toml", "/app/.git", "/app/.runward.toml"]);
        assert_eq!(project_file(&here, &both), Some("/app/app/.runward.toml".into()));
        let outer_only = Files(&["/app/app/.git", "/app/.git", "/app/.runward.toml"]);
        assert_eq!(project_file(&here, &outer_only), None, "the outer project is another project");
        assert_eq!(project_file(&here, &Files(&["/app/app/.runward.toml"])), None, "no git, no project");
    }

    #[test]
    fn the_folder_itself_counts_too() {
        const OWN: &str = "/app/app/src/.runward.toml";
        let here = facts(&[]);
        assert_eq!(here_file(&here, &Files(&["/app/.git", OWN])), Some(OWN.into()));
        assert_eq!(here_file(&here, &Files(&["/app/app/src/.git", OWN])), None, "it is the project's");
        assert_eq!(here_file(&here, &Files(&[OWN])), Some(OWN.into()), "without a project, too");
        assert_eq!(here_file(&here, &Files(&["/app/.git"])), None);
    }

    #[test]
    fn what_is_runwards_own_is_the_configuration_and_the_state() {
        let shown = |typed: Option<&str>, env: &[(&str, &str)]| {
            let all = own(typed.map(Path::new), &facts(env));
            all.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(None, &[]), "/home/u/.config/runward /home/u/.local/state/runward");
        assert_eq!(
            shown(Some("r.toml"), &[("RUNWARD_STATE_DIR", "s")]),
            "/app/app/src/r.toml /home/u/.config/runward /app/app/src/s"
        );
    }

    #[test]
    fn state_has_a_place() {
        assert_eq!(state_folder(&facts(&[])), Some("/home/u/.local/state/runward".into()));
        assert_eq!(state_folder(&facts(&[("XDG_STATE_HOME", "/x")])), Some("/x/runward".into()));
        assert_eq!(state_folder(&facts(&[("RUNWARD_STATE_DIR", "s")])), Some("/app/app/src/s".into()));
        for home in [None, Some("")] {
            let homeless = HostFacts { home: home.map(PathBuf::from), ..facts(&[]) };
            assert_eq!(usual_state_folder(&homeless), None);
            assert_eq!(config_folder(&homeless), None);
        }
        let relative = HostFacts { home: Some("here".into()), ..facts(&[]) };
        assert_eq!(usual_state_folder(&relative), None);
    }
}
