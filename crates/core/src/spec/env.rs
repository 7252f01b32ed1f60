//! The environment a command asks for, and the names no caller may set.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};

/// What the environment starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnvBase {
    /// Whatever the configuration says; `Inherit` where it says nothing.
    #[default]
    Configured,
    /// Runward's own environment.
    Inherit,
    /// Nothing but the names the configuration lists.
    Clean,
}

/// The environment as asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EnvSpec {
    /// What it starts from.
    pub base: EnvBase,
    /// Set on top of the base.
    #[serde(serialize_with = "crate::os_text::map")]
    pub set: BTreeMap<OsString, OsString>,
    /// Removed from the base.
    #[serde(serialize_with = "unset_names")]
    pub unset: BTreeSet<OsString>,
}

fn unset_names<S: serde::Serializer>(names: &BTreeSet<OsString>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(names.iter().map(|name| crate::os_text::OsText(name)))
}

/// Names that decide what a program *is*: the loader, shells, interpreters and git read code from them.
/// A trailing `*` stands for any ending. Compared without case, because Windows does.
const CHANGES_PROGRAMS: &[&str] = &[
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "DYLD_*",
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_*",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "IFS",
    "GIT_CONFIG*",
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_ASKPASS",
    "GIT_EXEC_PATH",
    "GIT_PROXY_COMMAND",
    "GIT_TEMPLATE_DIR",
    "SSH_ASKPASS",
    "RIPGREP_CONFIG_PATH",
    "LESSOPEN",
    "LESSCLOSE",
    "MANPAGER",
    "PAGER",
    "TAR_OPTIONS",
    "GREP_OPTIONS",
    "MAKEFLAGS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "ZDOTDIR",
    "COMSPEC",
    "PSMODULEPATH",
];

/// Whether setting this variable can make another program run than the one that was judged.
pub fn changes_programs(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return true };
    let name = name.to_ascii_uppercase();
    CHANGES_PROGRAMS.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_change_programs() {
        for name in
            ["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_FUNC_ls%%", "GIT_CONFIG_COUNT", "git_config"]
        {
            assert!(changes_programs(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn everyday_names_are_free() {
        for name in
            ["AWS_PROFILE", "CC", "RUST_LOG", "NODE_ENV", "ENVIRONMENT", "GIT_AUTHOR_NAME", "PATH_INFO"]
        {
            assert!(!changes_programs(OsStr::new(name)), "{name}");
        }
    }
}
