//! The archive, unpacked by the system's own tar.

use super::answer::{program, says, succeeds};
use super::{Trial, ensure};
use crate::ChoreResult;

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let folder = trial.folder("archive")?;
    let stem = format!("runward-{}-{}", trial.version, trial.target.triple);
    let file = trial.package(&format!("{stem}.tar.gz"))?;
    succeeds(program("tar", &folder).arg("-xzf").arg(file))?;
    let inside = folder.join(&stem);
    trial.is_the_binary(&inside.join("runward"))?;
    says(program(inside.join("runward"), &inside).arg("--version"), &format!("runward {}", trial.version))?;
    for name in [
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "THIRD-PARTY.txt",
        "man/runward.1",
        "completions/_runward",
    ] {
        ensure(inside.join(name).is_file(), || format!("the archive has no `{name}`"))?;
    }
    Ok(())
}
