//! Sums of files, in the ways that the channels write them.

use sha2::{Digest, Sha256, Sha512};

/// As `sha256sum` prints it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As the record of a wheel has it.
pub(crate) fn wheel_sum(bytes: &[u8]) -> String {
    let text = base64(&Sha256::digest(bytes)).replace('+', "-").replace('/', "_");
    format!("sha256={}", text.trim_end_matches('='))
}

/// As npm's registry has it.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha512-{}", base64(&Sha512::digest(bytes)))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = bytes.chunks(3).flat_map(|chunk| {
        let three = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        (0..4).map(move |place: usize| {
            let index = (bits >> (18 - 6 * place)) & 63;
            if place > chunk.len() { '=' } else { char::from(LETTERS[index as usize]) }
        })
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums_are_found() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(wheel_sum(b""), "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
        assert!(integrity(b"").starts_with("sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP"));
    }

    #[test]
    fn base64_pads() {
        assert_eq!([base64(b"f"), base64(b"fo"), base64(b"foo")], ["Zg==", "Zm8=", "Zm9v"]);
    }
}
