//! The wheel, by pip and without an index, into an environment of its own.

use super::answer::{program, says, serves, succeeds};
use super::{Trial, ensure, files_below, names};
use crate::ChoreResult;
use crate::dist::wheel;
use std::path::Path;

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("wheel")?;
    let file = names(&trial.packages)?.into_iter().find(|name| wheel::is_for(name, trial.target));
    let file = trial.package(&file.ok_or("there is no wheel")?)?;
    let venv = folder.join("venv");
    let python = trial.root.join("target/venv/bin/python");
    succeeds(program(&python, &folder).args(["-m", "venv", "--without-pip", "venv"]))?;
    let before = own_files(&venv)?;
    let pip = |words: &[&str]| {
        let mut command = program(&python, &folder);
        command.args([
            "-m",
            "pip",
            "--python",
            "venv/bin/python",
            "--disable-pip-version-check",
            "--no-input",
        ]);
        command.args(words);
        command
    };
    succeeds(pip(&["install", "--no-index"]).arg(&file))?;
    let installed = venv.join("bin/runward");
    trial.is_the_binary(&installed)?;
    says(program(&installed, &folder).arg("--version"), &format!("runward {}", trial.version))?;
    channel(&installed, &folder)?;
    serves(program(&installed, &folder).arg("mcp"))?;
    succeeds(&mut pip(&["check"]))?;
    succeeds(&mut pip(&["uninstall", "--yes", "runward"]))?;
    let after = own_files(&venv)?;
    let left: Vec<_> = after.iter().filter(|name| !before.contains(name)).collect();
    ensure(left.is_empty(), || format!("pip left {left:?}"))
}

/// It knows where it came from.
fn channel(installed: &Path, folder: &Path) -> ChoreResult {
    let end = super::answer::end_of(program(installed, folder).args(["--version", "--verbose"]))?;
    ensure(end.stdout.contains("channel: pypi"), || format!("it says {end:?}"))
}

/// What Python compiles while it runs is its own.
fn own_files(venv: &Path) -> Result<Vec<String>, String> {
    let all = files_below(venv)?;
    Ok(all.into_iter().filter(|name| !name.contains("__pycache__")).collect())
}
