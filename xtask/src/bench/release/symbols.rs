//! How many bytes of symbols an ELF file carries: what is left of a table that a release has no use for.

/// The kind of section that `strip` takes away.
const SYMTAB: u64 = 2;

/// The size of all its symbol tables; nothing if it is no ELF file of 64 bits in this byte order.
pub(crate) fn size(file: &[u8]) -> Option<u64> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (start, each, count) = (number(file, 0x28, 8)?, number(file, 0x3a, 2)?, number(file, 0x3c, 2)?);
    let mut sum = 0;
    for index in 0..count {
        let at = usize::try_from(start + index * each).ok()?;
        if number(file, at + 4, 4)? == SYMTAB {
            sum += number(file, at + 0x20, 8)?;
        }
    }
    Some(sum)
}

/// A number of so many bytes, the lowest first.
fn number(file: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let part = file.get(at..at.checked_add(bytes)?)?;
    Some(part.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of headers alone, with sections of these kinds and sizes.
    fn file(sections: &[(u8, u8)]) -> Vec<u8> {
        let mut file = vec![0; 0x40];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[0x28] = 0x40;
        file[0x3a] = 0x40;
        file[0x3c] = u8::try_from(sections.len()).unwrap();
        for (kind, size) in sections {
            let mut header = [0; 0x40];
            header[4] = *kind;
            header[0x20] = *size;
            file.extend(header);
        }
        file
    }

    #[test]
    fn only_symbol_tables_count() {
        assert_eq!(size(&file(&[(1, 90), (3, 50)])), Some(0));
        assert_eq!(size(&file(&[(1, 90), (2, 24), (11, 50)])), Some(24));
    }

    #[test]
    fn what_is_no_elf_file_or_half_of_one_has_no_answer() {
        assert_eq!(size(b"#!/bin/sh\n"), None);
        let whole = file(&[(2, 24)]);
        assert_eq!(size(&whole[..whole.len() - 40]), None);
    }
}
