//! The container of a Debian package: `ar`, with short names only.

/// Members in their own order, because Debian asks for one.
pub(crate) fn ar(members: &[(&str, Vec<u8>)], time: u64) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, held) in members {
        bytes.extend(
            format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", held.len()).bytes(),
        );
        bytes.extend(held);
        if held.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_begins_at_an_even_place() {
        let bytes = ar(&[("one", b"1".to_vec()), ("two", b"22".to_vec())], 0);
        assert_eq!(bytes.len(), 8 + 60 + 2 + 60 + 2);
        assert!(bytes[70..].starts_with(b"two "));
    }
}
