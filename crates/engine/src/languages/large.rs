//! Code that is too large for one argument: it goes through a private file, which is gone when the run is.
//!
//! The interpreter still starts with `-c` or `-e`, and is told to read the file, so that names, folders and imports
//! are what they would have been. May not be used for an interpreter that is not known.

use super::LanguageReader;
use runward_core::facts::{Backslashes, HostFacts};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The longest argument that the Linux kernel takes, its final NUL included.
pub(super) const ONE_ARGUMENT: usize = 128 * 1024;

/// A file with code in it, removed when this goes away.
#[derive(Debug)]
pub(super) struct CodeFile(PathBuf);

impl CodeFile {
    /// Writes the code to a new file that only this user may read.
    pub(super) fn write(code: &str, facts: &HostFacts) -> io::Result<Self> {
        let path =
            facts.naming.join(&temporary_folder(facts), format!("runward-code-{}", uuid::Uuid::now_v7()));
        let mut file = runward_os::private_file(&path)?;
        let written = Self(path);
        file.write_all(code.as_bytes())?;
        Ok(written)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The short code that makes an interpreter run what is in the file.
    pub(super) fn loader(&self, reader: LanguageReader) -> Option<String> {
        let path = self.0.to_str()?;
        let literal = serde_json::Value::from(path).to_string();
        match reader {
            LanguageReader::Bash => Some(format!(". '{}'", path.replace('\'', "'\\''"))),
            LanguageReader::Python => {
                Some(format!("exec(compile(open({literal},'rb').read(),'<string>','exec'))"))
            }
            LanguageReader::Node => Some(format!(
                "require('vm').runInThisContext(require('fs').readFileSync({literal},'utf8'),{{filename:'[eval]',\
                 importModuleDynamically:(require('vm').constants||{{}}).USE_MAIN_CONTEXT_DEFAULT_LOADER}})"
            )),
            LanguageReader::Other => None,
        }
    }
}

impl Drop for CodeFile {
    fn drop(&mut self) {
        // If another removed it before us, it is gone all the same.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn temporary_folder(facts: &HostFacts) -> PathBuf {
    let names: &[&str] = match facts.naming.backslashes {
        Backslashes::AreLetters => &["TMPDIR"],
        Backslashes::Separate => &["TEMP", "TMP"],
    };
    let said = names.iter().filter_map(|name| facts.env_var(name)).map(Path::new);
    let folder = said.into_iter().find(|folder| facts.naming.is_absolute(folder));
    folder.unwrap_or(Path::new("/tmp")).to_owned()
}
