//! What `cmd.exe` is told. It reads its command line by rules of its own, so the usual quoting would be read
//! as part of the text.
//!
//! A script follows `/c` byte for byte between two quotes, which `cmd` takes away again (always with `/s`;
//! otherwise unless they enclose nothing but the name of a program). An argument for a batch file is data:
//! it is quoted such that `cmd` finds nothing to act on, or refused where there is no such quoting. A line
//! break always ends what `cmd` reads, so a text that goes on after one is refused rather than cut off.

use super::command_line::UnfitArgument;
use super::quote;
use super::wide::unit;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::OsStrExt;
use std::path::Path;

const BREAKS: &str = "cmd.exe reads nothing after a line break";
const MIXED: &str = "cmd.exe has no way to take spaces and quotes in one argument";

/// The line for `cmd.exe` itself: its switches, and a script if one follows.
pub(super) fn shell(argv: &[OsString]) -> Result<Vec<u16>, UnfitArgument> {
    let at = argv.iter().skip(1).position(|word| is_script_switch(word)).map_or(argv.len(), |at| at + 2);
    let (before, script) = argv.split_at(at);
    let mut line = Vec::new();
    quoted_name(&mut line, before.first().map(OsString::as_os_str).unwrap_or_default())?;
    for (number, word) in before.iter().enumerate().skip(1) {
        line.push(unit(b' '));
        add_loosely(&mut line, word, number)?;
    }
    if !script.is_empty() {
        line.extend(" \"".encode_utf16());
        add_script(&mut line, script, at)?;
        line.push(unit(b'"'));
    }
    Ok(line)
}

/// One word is the whole script; several are its pieces.
fn add_script(line: &mut Vec<u16>, script: &[OsString], at: usize) -> Result<(), UnfitArgument> {
    if let [text] = script {
        in_one_line(text, at)?;
        line.extend(text.encode_wide());
        return Ok(());
    }
    for (number, word) in script.iter().enumerate() {
        if number > 0 {
            line.push(unit(b' '));
        }
        add_loosely(line, word, at + number)?;
    }
    Ok(())
}

/// The line by which `cmd.exe` runs a batch file with arguments that are nothing but data.
pub(super) fn batch(
    interpreter: &Path,
    file: &Path,
    arguments: &[OsString],
) -> Result<Vec<u16>, UnfitArgument> {
    let mut line = Vec::new();
    quoted_name(&mut line, interpreter.as_os_str())?;
    // Extensions on: the spelling of a percent sign needs them. No delayed expansion: `!` means itself.
    line.extend(" /e:on /v:off /d /s /c \"".encode_utf16());
    add_literally(&mut line, file.as_os_str(), 0)?;
    for (number, word) in arguments.iter().enumerate() {
        line.push(unit(b' '));
        add_literally(&mut line, word, number + 1)?;
    }
    line.push(unit(b'"'));
    Ok(line)
}

/// `/c`, `/k` or `/r`: what follows is the script.
fn is_script_switch(word: &OsStr) -> bool {
    ["/c", "/k", "/r"].iter().any(|switch| word.eq_ignore_ascii_case(switch))
}

/// A program's own name, in which quotes cannot be spelled at all.
pub(super) fn quoted_name(line: &mut Vec<u16>, name: &OsStr) -> Result<(), UnfitArgument> {
    if name.encode_wide().any(|letter| letter == unit(b'"')) {
        return Err(UnfitArgument { number: 0, why: "a program's name cannot hold a quote" });
    }
    line.push(unit(b'"'));
    line.extend(name.encode_wide());
    line.push(unit(b'"'));
    Ok(())
}

/// A word of a script that was given in pieces: it means to `cmd` what it says.
fn add_loosely(line: &mut Vec<u16>, word: &OsStr, number: usize) -> Result<(), UnfitArgument> {
    in_one_line(word, number)?;
    let has = |wanted: &[u8]| word.encode_wide().any(|letter| wanted.iter().any(|w| unit(*w) == letter));
    let spaced = word.is_empty() || has(b" \t");
    if spaced && has(b"\"") {
        return Err(UnfitArgument { number, why: MIXED });
    }
    let quote = spaced.then_some(unit(b'"'));
    line.extend(quote);
    line.extend(word.encode_wide());
    line.extend(quote);
    Ok(())
}

/// An argument of a batch file: it means nothing to `cmd`, and itself to whatever the file hands it on to.
fn add_literally(line: &mut Vec<u16>, word: &OsStr, number: usize) -> Result<(), UnfitArgument> {
    if word.encode_wide().any(|letter| [b'\r', b'\n'].map(u16::from).contains(&letter)) {
        return Err(UnfitArgument { number, why: BREAKS });
    }
    if is_harmless(word) {
        line.extend(word.encode_wide());
        return Ok(());
    }
    let mut inside = Vec::new();
    // Two quotes in a row are one quote to most readers, and leave `cmd` inside the quotes.
    quote::inner(&mut inside, word, |line| line.extend([unit(b'"'); 2]));
    line.push(unit(b'"'));
    for letter in inside {
        if letter == unit(b'%') {
            // An expansion that is always empty follows, so that no expansion of the text itself can.
            line.extend("%%cd:~,".encode_utf16());
        }
        line.push(letter);
    }
    line.push(unit(b'"'));
    Ok(())
}

fn is_harmless(word: &OsStr) -> bool {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:\\@+#$".contains(&byte);
    !word.is_empty()
        && !word.as_encoded_bytes().ends_with(b"\\")
        && word.as_encoded_bytes().iter().all(|byte| fine(*byte))
}

fn in_one_line(text: &OsStr, number: usize) -> Result<(), UnfitArgument> {
    let mut letters = text.encode_wide().skip_while(|letter| ![b'\r', b'\n'].map(u16::from).contains(letter));
    if letters.all(|letter| [b'\r', b'\n', b' ', b'\t'].map(u16::from).contains(&letter)) {
        Ok(())
    } else {
        Err(UnfitArgument { number, why: BREAKS })
    }
}

#[cfg(test)]
#[path = "cmd_tests.rs"]
mod tests;
