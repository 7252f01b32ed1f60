//! A markdown agent on disk: found, read, taken apart. May not expand anything.

use super::list::markdown_in;
use crate::FlowError;
use crate::front::{self, Flow};
use crate::lookup::{Places, candidates};
use runward_engine::Code;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most that a markdown agent may hold.
const LARGEST: u64 = 10 * 1024 * 1024;

/// A markdown agent that was read.
#[derive(Debug, Clone)]
pub struct AgentFile {
    /// The file taken apart.
    pub flow: Flow,
    /// Where it lies, unless it lies elsewhere than on this machine.
    pub path: Option<PathBuf>,
    /// The address it came from, if it lies elsewhere.
    pub address: Option<String>,
    /// The folder that its imports are read from.
    pub folder: PathBuf,
}

impl AgentFile {
    /// Finds a file by the name that was typed, and reads it.
    pub fn find(name: &str, places: &Places<'_>) -> Result<Self, FlowError> {
        let all = candidates(name, places);
        let Some(path) = all.iter().find(|path| path.is_file()) else {
            return Err(not_found(name, &all));
        };
        Self::load(path, &shown(path, places.cwd))
    }

    /// Reads the file that lies there, known to people by this name.
    pub fn load(path: &Path, shown: &str) -> Result<Self, FlowError> {
        let text = text(path, shown)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        Ok(Self { flow: front::read(shown, &text)?, path: Some(path.to_owned()), address: None, folder })
    }

    /// Takes a text apart that lies elsewhere. Its imports are read from this folder.
    pub fn of_text(shown: &str, text: &str, folder: &Path) -> Result<Self, FlowError> {
        Ok(Self { flow: front::read(shown, text)?, path: None, address: None, folder: folder.to_owned() })
    }

    /// What it is remembered by: where it really lies, here or elsewhere.
    pub fn identity(&self) -> String {
        match (&self.path, &self.address) {
            (Some(path), _) => path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
            (None, Some(address)) => address.clone(),
            (None, None) => self.flow.file.clone(),
        }
    }
}

/// A path as a person would type it from where they stand.
pub(super) fn shown(path: &Path, cwd: &Path) -> String {
    path.strip_prefix(cwd).unwrap_or(path).display().to_string()
}

fn text(path: &Path, shown: &str) -> Result<String, FlowError> {
    let bad = |why: String| {
        FlowError::new(Code::FlowBadFile, format!("`{shown}` {why}"))
            .hint("Name a markdown file that can be read.")
    };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| bad(format!("could not be read: {error}")))?;
    // One byte more than may be there tells a file that is too large from one that just fits.
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(format!("could not be read: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(bad("is larger than 10 MB".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| bad("is not UTF-8 text".to_owned()))
}

/// Here and the folders for agents; what comes behind them is `PATH`, which everybody knows.
const NAMED_FOLDERS: usize = 4;

fn not_found(name: &str, looked: &[PathBuf]) -> FlowError {
    let mut folders: Vec<&Path> = Vec::new();
    for folder in looked.iter().filter_map(|path| path.parent()) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let near = near(name, &folders).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    let mut searched: Vec<String> =
        folders.iter().take(NAMED_FOLDERS).map(|folder| folder.display().to_string()).collect();
    if folders.len() > NAMED_FOLDERS {
        searched.push("and PATH".to_owned());
    }
    FlowError::new(Code::FlowBadFile, format!("there is no markdown agent `{name}`")).hint(format!(
        "Name a file, or put it into one of the folders that were searched: {}.{near}",
        searched.join(", ")
    ))
}

/// The markdown file in the searched folders whose name is most alike.
fn near(name: &str, folders: &[&Path]) -> Option<String> {
    let name = Path::new(name).file_name()?.to_str()?;
    let files = folders.iter().flat_map(|folder| markdown_in(folder));
    let names: Vec<String> = files.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect();
    runward_engine::core::resolve::nearest(name, &names).into_iter().next()
}
