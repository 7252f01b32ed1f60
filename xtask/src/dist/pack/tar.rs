//! The container of archives, npm packages and Debian's parts: `tar`, in the form that POSIX calls ustar.

use super::PackedFile;
use std::collections::BTreeSet;

const BLOCK: usize = 512;

/// The files, owned by nobody in particular, all of one time.
pub(crate) fn tar(files: &[PackedFile], time: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for file in files {
        bytes.extend(header(&file.path, file.mode, file.bytes.len(), b'0', time)?);
        bytes.extend(&file.bytes);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    Ok(bytes)
}

/// As [`tar`], with each folder before what is in it and every name below `./`: so Debian's installer wants it.
pub(crate) fn tar_with_folders(files: &[PackedFile], time: u64) -> Result<Vec<u8>, String> {
    let mut bytes = header("./", 0o755, 0, b'5', time)?.to_vec();
    let mut made = BTreeSet::new();
    for file in files {
        for (at, _) in file.path.match_indices('/') {
            let folder = &file.path[..at];
            if made.insert(folder.to_owned()) {
                bytes.extend(header(&format!("./{folder}/"), 0o755, 0, b'5', time)?);
            }
        }
        bytes.extend(header(&format!("./{}", file.path), file.mode, file.bytes.len(), b'0', time)?);
        bytes.extend(&file.bytes);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    Ok(bytes)
}

fn header(path: &str, mode: u32, length: usize, kind: u8, time: u64) -> Result<[u8; BLOCK], String> {
    let (prefix, name) = split(path).ok_or_else(|| format!("`{path}` is too long a name for a package"))?;
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, &format!("{mode:07o}"));
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{length:011o}"));
    put(136, &format!("{time:011o}"));
    put(148, "        ");
    put(257, "ustar");
    put(263, "00");
    put(265, "root");
    put(297, "root");
    put(345, prefix);
    block[156] = kind;
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    Ok(block)
}

/// A name of more than 100 bytes is cut in two at a folder.
fn split(path: &str) -> Option<(&str, &str)> {
    if path.len() <= 100 {
        return Some(("", path));
    }
    let cut = path.match_indices('/').map(|(at, _)| at).find(|at| path.len() - at - 1 <= 100)?;
    (cut <= 155).then(|| (&path[..cut], &path[cut + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_the_sum_of_its_bytes() {
        let block = header("a/b", 0o755, 10, b'0', 0).unwrap();
        let said = u32::from_str_radix(std::str::from_utf8(&block[148..154]).unwrap(), 8).unwrap();
        let mut blank = block;
        blank[148..156].fill(b' ');
        assert_eq!(said, blank.iter().map(|byte| u32::from(*byte)).sum::<u32>());
        assert_eq!(&block[124..135], b"00000000012");
    }

    #[test]
    fn long_names_are_cut_at_a_folder_and_longer_ones_refused() {
        let long = format!("{}/{}", "a".repeat(90), "b".repeat(90));
        assert_eq!(split(&long).unwrap().1, "b".repeat(90));
        assert!(tar(&[PackedFile::plain("c".repeat(101), "")], 0).unwrap_err().contains("too long"));
    }

    #[test]
    fn folders_come_once_and_before_their_files() {
        let files = [PackedFile::plain("usr/bin/a", "1"), PackedFile::plain("usr/bin/b", "2")];
        let bytes = tar_with_folders(&files, 0).unwrap();
        let names: Vec<_> = bytes
            .chunks(BLOCK)
            .filter(|block| block[257..262] == *b"ustar")
            .map(|block| std::str::from_utf8(&block[..20]).unwrap().trim_end_matches('\0'))
            .collect();
        assert_eq!(names, ["./", "./usr/", "./usr/bin/", "./usr/bin/a", "./usr/bin/b"]);
    }
}
