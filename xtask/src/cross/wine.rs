//! Programs for Windows, run by wine in a home of their own.
//!
//! Hazard: a few seconds after its last program ended, wine's server ends itself and kills whatever was started
//! in that very moment. So one server is kept for as long as programs are run. What it starts in the background
//! must not hold a pipe of ours, or its reader would wait for ever; so that is started first, without pipes.
//! May not touch the person's own wine: its folder is below `target/cross`.

use super::toolchain::FOLDER;
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::path::{Path, PathBuf};

/// Where wine's own folder, the stand-in and the files of the checks are.
pub(super) fn folder(root: &RepositoryRoot) -> PathBuf {
    root.join(FOLDER).join("wine")
}

/// Builds the library that Rust programs load and wine 8 lacks.
pub(super) fn stand_in(root: &RepositoryRoot) -> ChoreResult {
    let folder = folder(root);
    std::fs::create_dir_all(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let line = format!(
        "x86_64-w64-mingw32-gcc -shared -O1 -o {FOLDER}/wine/bcryptprimitives.dll \
         crates/testkit/wine/bcryptprimitives.c"
    );
    ChildTool::new(&line).run(root)
}

/// A tool with programs for Windows that run under wine.
pub(super) fn under(tool: ChildTool, root: &RepositoryRoot) -> ChildTool {
    let folder = folder(root);
    tool.env("WINEPREFIX", folder.join("home"))
        .env("WINEPATH", seen(&folder))
        .env("WINEDEBUG", "-all")
        // Otherwise wine asks, in a window, whether it may fetch these two.
        .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
        // Tests compare with files in the repository, which they cannot ask a cargo for.
        .env("INSTA_WORKSPACE_ROOT", seen(root.path()))
        .env("INSTA_UPDATE", "no")
        .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine")
}

/// Does something while wine's server is kept.
pub(super) fn kept(root: &RepositoryRoot, run: impl FnOnce() -> ChoreResult) -> ChoreResult {
    // One may be left from a run that was interrupted.
    quietly("wineserver -k", root)?;
    // It is not ended if we are interrupted, so it ends itself when nothing has run for this many seconds.
    quietly("wineserver -p600", root)?;
    quietly("wine wineboot --init", root)?;
    let done = run();
    quietly("wineserver -k", root)?;
    done
}

/// The result of a call, once wine tells its exit code.
///
/// Wine's server kills the host's process of a program that has ended but is not gone half a second later, and
/// its exit code with it: some three in a hundred on a busy machine. Only that is tried again; a program that
/// crashes has an exit code.
pub(super) fn told<T>(
    call: impl Fn() -> Result<(Option<i32>, T), String>,
) -> Result<(Option<i32>, T), String> {
    for _ in 0..3 {
        let told = call()?;
        if told.0.is_some() {
            return Ok(told);
        }
        println!("wine lost an exit code; once more");
    }
    call()
}

/// The exit code of these says nothing: ending a server that is not there is an error to wine, and none to us.
fn quietly(line: &str, root: &RepositoryRoot) -> ChoreResult {
    let ended = under(ChildTool::new(line), root).start(root)?.wait();
    ended.map(drop).map_err(|error| format!("`{line}` was lost: {error}"))
}

/// A path of this machine as programs under wine see it.
fn seen(path: &Path) -> String {
    format!("Z:{}", path.display().to_string().replace('/', "\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_machine_is_one_drive() {
        assert_eq!(seen(Path::new("/a/b c")), r"Z:\a\b c");
    }
}
