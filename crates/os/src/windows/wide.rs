//! Text as Windows takes it: UTF-16 with a NUL behind it.

use std::ffi::OsStr;
use std::os::windows::ffi::OsStrExt;

/// The text with a NUL behind it. Specs were checked for NUL bytes long before.
pub(super) fn terminated(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// One ASCII character.
pub(super) fn unit(character: u8) -> u16 {
    u16::from(character)
}
