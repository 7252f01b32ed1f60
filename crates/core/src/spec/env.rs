//! The environment variables a command asks for, and the names no caller may set. May not read any value.

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

/// Names that decide what a program *is*: the loader, shells, interpreters and git read code from them, or are told
/// by them what to run, to load or to write. A trailing `*` stands for any ending. Compared without case, because
/// Windows does.
const CHANGES_PROGRAMS: &[&str] = &[
    // The loader.
    "LD_*",
    "DYLD_*",
    "_RLD_*",
    "LIBPATH",
    "SHLIB_PATH",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "MALLOC_CONF",
    // Shells.
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_*",
    "BASH_LOADABLES_PATH",
    "SHELLOPTS",
    "BASHOPTS",
    "BASH_XTRACEFD",
    "PS0",
    "PS4",
    "PROMPT_COMMAND",
    "IFS",
    "CDPATH",
    "GLOBIGNORE",
    "EXECIGNORE",
    "FPATH",
    "ZDOTDIR",
    "FCEDIT",
    "SHELL",
    "COMSPEC",
    "PSMODULEPATH",
    // Editors, pagers and what opens things.
    "EDITOR",
    "VISUAL",
    "SUDO_EDITOR",
    "SUDO_ASKPASS",
    "PAGER",
    "MANPAGER",
    "MANOPT",
    "MANROFFOPT",
    "BROWSER",
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "LESSKEY*",
    "LESS_*",
    "SYSTEMD_PAGER",
    "SYSTEMD_EDITOR",
    "SYSTEMD_LESS",
    "BAT_PAGER",
    "BAT_CONFIG_*",
    "DELTA_PAGER",
    "SSH_ASKPASS",
    "VIMINIT",
    "EXINIT",
    "GVIMINIT",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERMCAP",
    "INPUTRC",
    // Git, but for who writes a commit and when.
    "GIT_*",
    // Options and settings of everyday programs.
    "RIPGREP_CONFIG_PATH",
    "TAR_OPTIONS",
    "TAPE",
    "RSH",
    "RSYNC_RSH",
    "RSYNC_CONNECT_PROG",
    "CVS_RSH",
    "SVN_SSH",
    "HGRCPATH",
    "GREP_OPTIONS",
    "GZIP",
    "XZ_OPT",
    "XZ_DEFAULTS",
    "AWKPATH",
    "AWKLIBPATH",
    "POSIXLY_CORRECT",
    "CURL_HOME",
    "WGETRC",
    "SYSTEM_WGETRC",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "OPENSSL_ENGINES",
    "SSLKEYLOGFILE",
    "PARALLEL*",
    // Build tools.
    "MAKEFLAGS",
    "GNUMAKEFLAGS",
    "MAKEFILES",
    "MFLAGS",
    "MAKE",
    "MAKESHELL",
    "NINJAFLAGS",
    "CMAKE_TOOLCHAIN_FILE",
    "CMAKE_PROJECT_*",
    "CMAKE_*_LAUNCHER",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CCACHE_PREFIX*",
    "CCACHE_COMPILER",
    "PKG_CONFIG*",
    // Rust.
    "CARGO",
    "CARGO_*",
    "RUSTC",
    "RUSTC_*",
    "RUSTDOC",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "RUSTFMT",
    "RUSTUP_*",
    // Go.
    "GOFLAGS",
    "GOENV",
    "GOROOT",
    "GOPATH",
    "GOBIN",
    "GOTOOLDIR",
    "GOTOOLCHAIN",
    "GOPROXY",
    "GONOSUMDB",
    "GOSUMDB",
    "GOINSECURE",
    "GOVCS",
    "GOAUTH",
    "CGO_*",
    // JavaScript.
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "NPM_CONFIG_*",
    "PNPM_*",
    "YARN_*",
    "BUN_*",
    "DENO_*",
    "COREPACK_*",
    "ELECTRON_RUN_AS_NODE",
    // Python, but for how it prints.
    "PYTHON*",
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "PIP_*",
    "UV_*",
    "PYENV_*",
    "MYPYPATH",
    "TOX_*",
    // Perl, Ruby, PHP, Lua, R.
    "PERL5*",
    "PERLLIB",
    "PERL_*",
    "RUBY*",
    "GEM_*",
    "BUNDLE_*",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_PATH*",
    "LUA_CPATH*",
    "LUA_INIT*",
    "R_PROFILE*",
    "R_ENVIRON*",
    "TCLLIBPATH",
    // Java and .NET.
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JAVA_OPTS",
    "CLASSPATH",
    "MAVEN_*",
    "MVN_*",
    "GRADLE_*",
    "ANT_OPTS",
    "ANT_ARGS",
    "SBT_OPTS",
    "DOTNET_STARTUP_HOOKS",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_SHARED_STORE",
    "COR_*",
    "CORECLR_*",
    "MSBUILD*",
];

/// Names that fall under a family above and only say who, when or how it looks.
const HARMLESS: &[&str] = &[
    "GIT_AUTHOR_*",
    "GIT_COMMITTER_*",
    "GIT_TERMINAL_PROMPT",
    "GIT_OPTIONAL_LOCKS",
    "GIT_MERGE_AUTOEDIT",
    "GIT_REFLOG_ACTION",
    "GIT_LITERAL_PATHSPECS",
    "GIT_ADVICE",
    "CARGO_TERM_*",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_BUILD_JOBS",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONHASHSEED",
    "PYTHONFAULTHANDLER",
    "PYTHONDEVMODE",
    "PYTHONTRACEMALLOC",
    "PIP_NO_INPUT",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_COLOR",
    "NPM_CONFIG_LOGLEVEL",
    "NPM_CONFIG_PROGRESS",
    "NPM_CONFIG_COLOR",
    "NPM_CONFIG_AUDIT",
    "NPM_CONFIG_FUND",
    "NPM_CONFIG_UPDATE_NOTIFIER",
    "NPM_CONFIG_OFFLINE",
    "CGO_ENABLED",
    "DENO_NO_UPDATE_CHECK",
    "YARN_ENABLE_COLORS",
    "YARN_ENABLE_TELEMETRY",
    "RUSTC_LOG",
    "RUSTUP_TERM_COLOR",
    "UV_NO_PROGRESS",
    "UV_OFFLINE",
];

/// Whether setting this variable can make another program run than the one that was judged.
///
/// `PATH` is not among them: whether a caller may set it is for policy to say.
pub fn changes_programs(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return true };
    let name = name.to_ascii_uppercase();
    CHANGES_PROGRAMS.iter().any(|known| is(&name, known)) && !only_tells(&name)
}

/// Whether a variable, in capitals, falls under a family of those and yet only says who, when or how it looks.
pub(crate) fn only_tells(name: &str) -> bool {
    HARMLESS.iter().any(|known| is(name, known))
}

/// Whether a name is this one, where `*` stands for anything.
fn is(name: &str, known: &str) -> bool {
    match known.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(names: &str, changes: bool) {
        for name in names.split_whitespace() {
            assert_eq!(changes_programs(OsStr::new(name)), changes, "{name}");
        }
    }

    #[test]
    fn e01_the_loader_and_shells_read_code_from_them() {
        all(
            "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV ENV BASH_FUNC_ls%% \
             SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS ZDOTDIR GCONV_PATH BASH_LOADABLES_PATH",
            true,
        );
    }

    #[test]
    fn e02_programs_take_options_and_helpers_from_them() {
        all(
            "RIPGREP_CONFIG_PATH GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_CONFIG_GLOBAL \
             GIT_CONFIG_PARAMETERS GIT_SSH GIT_SSH_COMMAND GIT_PAGER PAGER GIT_EDITOR GIT_ASKPASS SSH_ASKPASS GIT_EXEC_PATH \
             GIT_DIR GIT_WORK_TREE GIT_TRACE GIT_TRACE2_EVENT GIT_PROXY_COMMAND GIT_TEMPLATE_DIR git_config LESSOPEN LESSCLOSE \
             LESS LESSKEYIN MANPAGER TAR_OPTIONS GREP_OPTIONS MAKEFLAGS MAKEFILES GNUMAKEFLAGS EDITOR VISUAL BROWSER RSYNC_RSH",
            true,
        );
    }

    #[test]
    fn e03_interpreters_and_build_tools_load_code_from_them() {
        all(
            "PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS PERL5OPT PERL5LIB PERL5DB \
             NODE_OPTIONS NODE_PATH RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CARGO_HOME \
             CARGO_BUILD_RUSTC_WRAPPER CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER CARGO_ALIAS_B CARGO_ENCODED_RUSTFLAGS \
             CARGO_TARGET_DIR RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUSTUP_TOOLCHAIN GOFLAGS GOROOT CGO_CFLAGS \
             NPM_CONFIG_SCRIPT_SHELL npm_config_node_options YARN_RC_FILENAME PIP_INDEX_URL PYTEST_ADDOPTS PYTEST_PLUGINS \
             LUA_INIT DOTNET_STARTUP_HOOKS CORECLR_PROFILER CLASSPATH MAVEN_OPTS GRADLE_OPTS CMAKE_C_COMPILER_LAUNCHER",
            true,
        );
    }

    #[test]
    fn e08_everyday_names_are_free() {
        all(
            "AWS_PROFILE CC CXX CFLAGS RUST_LOG RUST_BACKTRACE NODE_ENV ENVIRONMENT GIT_AUTHOR_NAME GIT_COMMITTER_DATE \
             GIT_TERMINAL_PROMPT PATH_INFO CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE \
             CGO_ENABLED GOOS GOARCH JAVA_HOME TERM LANG LC_ALL TZ HOME USER DEBUG CI NO_COLOR FORCE_COLOR PORT HOST \
             DATABASE_URL HTTP_PROXY COLUMNS LINES TMPDIR NEXTEST_PROFILE INSTA_UPDATE EDITION LESSON PAGERDUTY_KEY MAKER",
            false,
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_is_not_known() {
        use std::os::unix::ffi::OsStrExt;
        assert!(changes_programs(OsStr::from_bytes(b"LD_\xff")));
    }
}
