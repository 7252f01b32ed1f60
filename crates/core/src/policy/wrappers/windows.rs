//! The shells of Windows: `cmd /c` and `powershell -Command`.
//!
//! May not read their languages: a text is handed on, and only plain words of it are understood.

use super::texts::joined;
use super::{Opaque, StartedCommand, Word, script};
use crate::policy::tables::TableSection;

/// `cmd /d /s /c TEXT…`
pub(super) fn cmd(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    for (at, word) in words.iter().enumerate().skip(1) {
        let Some(text) = word.text() else {
            return Err(Opaque::because("an option is only known when it runs"));
        };
        match text.to_ascii_lowercase().as_str() {
            "/d" | "/s" | "/q" | "/a" | "/u" | "/e:on" | "/e:off" => {}
            "/?" => return Ok(Vec::new()),
            "/c" | "/r" if at + 1 < words.len() => {
                return Ok(vec![script("cmd", &joined(&words[at + 1..])?)?]);
            }
            _ => return Err(Opaque::because(format!("what `cmd` does with `{text}` is not known here"))),
        }
    }
    Ok(Vec::new())
}

/// `powershell -NoProfile -Command TEXT…`
pub(super) fn powershell(_: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    for (at, word) in words.iter().enumerate().skip(1) {
        let Some(text) = word.text() else {
            return Err(Opaque::because("an option is only known when it runs"));
        };
        match text.to_ascii_lowercase().as_str() {
            "-noprofile" | "-nop" | "-nologo" | "-noninteractive" => {}
            "-version" | "-help" | "-?" | "--version" | "--help" if words.len() == 2 => return Ok(Vec::new()),
            "-command" | "-c" if at + 1 < words.len() => {
                let text = joined(&words[at + 1..])?;
                if text.may_be_option() || text.exact().is_some_and(|text| text == "-") {
                    return Err(Opaque::because("it runs what it is fed"));
                }
                return Ok(vec![script("powershell", &text)?]);
            }
            // A file of code; what it holds is not in the words.
            "-file" | "-f" if at + 1 < words.len() => return Ok(Vec::new()),
            _ => return Err(Opaque::because(format!("what it does with `{text}` is not known here"))),
        }
    }
    Ok(Vec::new())
}
