//! Providers: what git, the folder and its lines say. May not run git but along the road.

use super::expand::{FetchedImport, blocking};
use super::{Surroundings, search, tree};
use crate::FlowError;
use crate::imports::Provider;
use crate::run::road::Road;
use runward_engine::{Code, CommandSpec};

/// Asks a provider.
pub(super) async fn ask<R: Road>(
    provider: Provider,
    surroundings: &Surroundings<R>,
) -> Result<FetchedImport, FlowError> {
    let name = provider.to_string();
    let folder = surroundings.folder.clone();
    let arguments = match provider {
        Provider::Tree => return Ok(fetched(name, blocking(move || tree::draw(&folder)).await)),
        Provider::Search(pattern) => {
            let found = blocking(move || search::search(&folder, &pattern)).await?;
            let nothing = found.is_empty().then(|| format!("@{name}: no line matches"));
            return Ok(FetchedImport { notes: nothing.into_iter().collect(), ..fetched(name, found) });
        }
        Provider::GitDiff => "diff".to_owned(),
        Provider::GitStaged => "diff --staged".to_owned(),
        Provider::GitStatus => "status --short --branch".to_owned(),
        Provider::GitLog(count) => format!("log --oneline --max-count={count}"),
    };
    let Some(road) = &surroundings.road else {
        let text = format!("[@{name} is not run by --dry-run]");
        return Ok(fetched(name, text));
    };
    let printed = road.run(CommandSpec::exec("git").args(arguments.split(' ')).cwd(folder)).await?;
    if printed.exit_code != 0 {
        // Of its usage, only the first line says what is wrong.
        let said = printed.stderr.trim().lines().next().unwrap_or_default();
        let message = format!("`@{name}` failed with exit code {}: {said}", printed.exit_code);
        let hint = "Run Runward in a git repository, or remove the import.";
        return Err(FlowError::new(Code::FlowCommandFailed, message).hint(hint));
    }
    Ok(fetched(name, printed.stdout))
}

fn fetched(from: String, text: String) -> FetchedImport {
    FetchedImport { text, from, notes: Vec::new() }
}
