//! The container of wheels, MCP bundles and archives for Windows: `zip`, with Unix modes.

use super::PackedFile;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// The first moment that a zip can tell: midnight, 1 January 1980.
const FIRST_DAY: u16 = 1 << 5 | 1;

/// Made on Unix, after version 2.0 of the format, so that modes are read.
const MADE_BY: u16 = 3 << 8 | 20;

/// The files in this order.
pub(crate) fn zip(files: &[PackedFile]) -> Result<Vec<u8>, String> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = size(bytes.len())?;
        let deflated = deflate(&file.bytes)?;
        let about = about(file, &deflated)?;
        words(&mut bytes, &[0x0403_4b50]);
        bytes.extend(&about);
        bytes.extend(file.path.bytes());
        bytes.extend(&deflated);

        words(&mut directory, &[0x0201_4b50]);
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&about);
        // No comment, first disk, no attributes of other systems.
        directory.extend([0; 6]);
        words(&mut directory, &[(0o100_000 | file.mode) << 16, offset]);
        directory.extend(file.path.bytes());
    }
    let count = u16::try_from(files.len()).map_err(|_| "too many files for a zip".to_owned())?;
    let (start, length) = (size(bytes.len())?, size(directory.len())?);
    bytes.extend(directory);
    words(&mut bytes, &[0x0605_4b50, 0]);
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    words(&mut bytes, &[length, start]);
    bytes.extend([0; 2]);
    Ok(bytes)
}

/// The part that a file's own header and the directory have in common.
fn about(file: &PackedFile, deflated: &[u8]) -> Result<Vec<u8>, String> {
    let mut crc = Crc::new();
    crc.update(&file.bytes);
    let name = u16::try_from(file.path.len()).map_err(|_| format!("`{}` is too long a name", file.path))?;
    let mut bytes = Vec::new();
    // Version needed, no flags, deflated, midnight, the day.
    for word in [20, 0, 8, 0, FIRST_DAY] {
        bytes.extend(u16::to_le_bytes(word));
    }
    words(&mut bytes, &[crc.sum(), size(deflated.len())?, size(file.bytes.len())?]);
    bytes.extend([name.to_le_bytes(), [0; 2]].concat());
    Ok(bytes)
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| format!("deflate: {error}"))
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}

fn size(length: usize) -> Result<u32, String> {
    u32::try_from(length).map_err(|_| "a zip of more than 4 GiB cannot be written".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_where_its_end_says() {
        let bytes =
            zip(&[PackedFile::program("a", "aaaa".repeat(100)), PackedFile::plain("b/c", "")]).unwrap();
        let end = bytes.len() - 22;
        assert_eq!(bytes[end..end + 4], 0x0605_4b50_u32.to_le_bytes());
        let start = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap()) as usize;
        assert_eq!(bytes[start..start + 4], 0x0201_4b50_u32.to_le_bytes());
        let mode = u32::from_le_bytes(bytes[start + 38..start + 42].try_into().unwrap()) >> 16;
        assert_eq!(mode, 0o100_755);
    }
}
