//! Environment variables that decide which program runs, or what a program does with its words.
//!
//! May not judge: the caller that looks through an assignment says what it means.

use crate::policy::Opaque;
use crate::spec::{changes_programs, only_tells};
use std::ffi::OsStr;

/// Besides those that no caller may set at all: where programs are looked for, what they call, where they are told what
/// to do. A trailing `*` stands for any ending.
const SWAYS: &str = "PATH PATHEXT SHELL HOME USERPROFILE XDG_CONFIG_* XDG_DATA_* EDITOR VISUAL BROWSER LD_* BASH_* GIT_* LESS \
    LESSEDIT LESSKEY* MORE MAN* SYSTEMD_* SUDO_* CARGO_* RUSTC* RUSTFLAGS RUSTDOC* GOFLAGS GOROOT \
    NPM_CONFIG_* YARN_* PIP_* UV_* PYTHON* PERL* RUBY* GEM_* BUNDLE_* NODE_OPTIONS LUA_* PHPRC PHP_INI* R_* \
    JULIA_* CLASSPATH MAVEN_* GRADLE_* MAKEFILES MFLAGS GNUMAKEFLAGS RSYNC_* PSQLRC PSQL_* VIMINIT EXINIT \
    VIMRUNTIME NVIM_* AWKPATH AWKLIBPATH OPENSSL_* GCONV_PATH LOCPATH TERMINFO* DOCKER_* TMUX* ZDOTDIR FPATH \
    CDPATH GLOBIGNORE POSIXLY_CORRECT TMPDIR LS_OPTIONS UNZIP* ZIPOPT GZIP XZ_* BZIP* ZSTD_* CURL_HOME \
    WGETRC SYSTEM_WGETRC COMPILER_PATH GCC_* JAVA_* DOTNET_* COR_* CORECLR_* ERL_* ELIXIR_* GAWK_* PMA_* BAT_OPTS \
    BAT_PAGER BAT_CONFIG_* FZF_DEFAULT_* GH_BROWSER GH_EDITOR GH_PAGER GH_CONFIG_DIR GH_PATH KUBECONFIG KUBE_EDITOR \
    KUBECTL_* HELM_PLUGINS HELM_BIN AWS_CONFIG_FILE AWS_PAGER AWS_SHARED_* TF_CLI_* ANSIBLE_* SSH_SK_HELPER \
    SSH_PKCS11_HELPER SSH_ASKPASS* GETCONF_DIR GNUPGHOME ACK_* ACKRC BORG_RSH BORG_PASSCOMMAND \
    RESTIC_PASSWORD_COMMAND HGEDITOR HGMERGE SVN_EDITOR P4EDITOR P4DIFF P4MERGE P4PAGER P4CONFIG MALLOC_TRACE";

/// Whether setting this variable for a command can make something else run than the command's words say.
pub fn sways_programs(name: &OsStr) -> bool {
    if changes_programs(name) {
        return true;
    }
    let Some(name) = name.to_str() else { return true };
    let name = name.to_ascii_uppercase();
    let among = |list: &str| {
        list.split_whitespace().any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == known,
        })
    };
    among(SWAYS) && !only_tells(&name)
}

/// Refuses to understand a command that is given such a variable.
pub(super) fn is_free(name: &str) -> Result<(), Opaque> {
    if name.is_empty() || sways_programs(OsStr::new(name)) {
        return Err(Opaque::because(format!("`{name}` decides what programs do")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_which_program_runs_is_known() {
        for name in
            ["PATH", "Path", "SHELL", "LD_PRELOAD", "GIT_DIR", "HOME", "npm_config_script_shell", "ENV"]
        {
            assert!(sways_programs(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn everyday_variables_are_free() {
        for name in
            ["AWS_PROFILE", "CC", "RUST_LOG", "NODE_ENV", "GIT_AUTHOR_NAME", "A", "LANG", "LC_ALL", "TZ"]
        {
            assert!(!sways_programs(OsStr::new(name)), "{name}");
        }
    }
}
