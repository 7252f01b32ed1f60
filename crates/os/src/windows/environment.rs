//! The environment as Windows takes it: one block of `NAME=value` texts, in the order that it expects.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::OsStrExt;
use windows_sys::Win32::Globalization::{CSTR_GREATER_THAN, CSTR_LESS_THAN, CompareStringOrdinal};

/// The block. Names are ordered without regard to case, as programs that use a binary search rely on.
pub(super) fn block(env: &BTreeMap<OsString, OsString>) -> Vec<u16> {
    let mut entries: Vec<(Vec<u16>, &OsStr)> =
        env.iter().map(|(name, value)| (name.encode_wide().collect(), value.as_os_str())).collect();
    entries.sort_by(|a, b| order(&a.0, &b.0));
    let mut block = Vec::new();
    for (name, value) in entries {
        block.extend_from_slice(&name);
        block.push(u16::from(b'='));
        block.extend(value.encode_wide());
        block.push(0);
    }
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    block
}

fn order(a: &[u16], b: &[u16]) -> Ordering {
    let length = |text: &[u16]| i32::try_from(text.len()).unwrap_or(i32::MAX);
    // SAFETY: both texts are as long as is said.
    match unsafe { CompareStringOrdinal(a.as_ptr(), length(a), b.as_ptr(), length(b), 1) } {
        CSTR_LESS_THAN => Ordering::Less,
        CSTR_GREATER_THAN => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pairs: &[(&str, &str)]) -> String {
        let env = pairs.iter().map(|(name, value)| (name.into(), value.into())).collect();
        String::from_utf16(&block(&env)).unwrap()
    }

    #[test]
    fn names_stand_in_order_whatever_their_case() {
        assert_eq!(text(&[("b", "2"), ("A", "1"), ("C", "3"), ("_x", "4")]), "A=1\0b=2\0C=3\0_x=4\0\0");
    }

    #[test]
    fn an_empty_environment_is_two_ends() {
        assert_eq!(text(&[]), "\0\0");
    }
}
