//! The head of the chain in a file of its own, so that cutting off the last records is noticed.
//!
//! It is written after the records it names, so it may lag behind them and is never ahead of them, whatever is killed
//! in between. Several processes write it; none moves it back.

use super::chain::Link;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The last record of the chain, by number and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Its number.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) link: Link,
}

impl Head {
    /// What the head of an empty chain is.
    pub(super) const ORIGIN: Head = Head { seq: 0, link: Link::ORIGIN };

    fn parse(text: &str) -> Option<Head> {
        let (seq, link) = text.trim_end().split_once(' ')?;
        Some(Head { seq: seq.parse().ok()?, link: Link::from_hex(link)? })
    }

    /// Always as long, so that a new one covers an old one whole.
    fn text(self) -> String {
        format!("{:020} {}\n", self.seq, self.link)
    }
}

/// The file, held open.
#[derive(Debug)]
pub(super) struct HeadFile(File);

impl HeadFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        runward_os::private_log(path).map(Self)
    }

    /// What it says.
    pub(super) fn read(&mut self) -> io::Result<Option<Head>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        (&mut self.0).take(200).read_to_end(&mut bytes)?;
        // What is no head says nothing, whatever it is.
        Ok(std::str::from_utf8(&bytes).ok().and_then(Head::parse))
    }

    /// Moves it on; somebody else may have moved it further already.
    pub(super) fn advance(&mut self, head: Head) -> io::Result<()> {
        self.0.lock()?;
        let written = self.read().and_then(|there| match there {
            Some(there) if there.seq >= head.seq => Ok(()),
            Some(_) => self.put(head),
            // Garbage may be longer than a head.
            None => self.0.set_len(0).and_then(|()| self.put(head)),
        });
        self.0.unlock()?;
        written
    }

    /// Sets it, also backwards: what it named is not there any more, and that is on record.
    pub(super) fn reset(&mut self, head: Head) -> io::Result<()> {
        self.0.lock()?;
        let written = self.put(head);
        self.0.unlock()?;
        written
    }

    fn put(&mut self, head: Head) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(head.text().as_bytes())
    }
}

/// What the file says, for whoever only looks.
pub(super) fn look(path: &Path) -> Option<Head> {
    Head::parse(&std::fs::read_to_string(path).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_moves_on_and_never_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("head");
        let mut file = HeadFile::open(&path).unwrap();
        assert_eq!(file.read().unwrap(), None);
        let head = |seq| Head { seq, link: Link::ORIGIN.next(seq, "x") };
        file.advance(head(7)).unwrap();
        file.advance(head(3)).unwrap();
        assert_eq!(look(&path), Some(head(7)));
        file.advance(head(120)).unwrap();
        assert_eq!(look(&path), Some(head(120)));
        file.reset(head(5)).unwrap();
        assert_eq!(HeadFile::open(&path).unwrap().read().unwrap(), Some(head(5)));
    }

    #[test]
    fn a_damaged_head_is_none_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("head");
        let head = Head { seq: 7, link: Link::ORIGIN.next(7, "x") };
        for damage in [&b"\xff\xfe"[..], &[b'0'; 300], &[head.text().as_bytes(), b"more"].concat()] {
            std::fs::write(&path, damage).unwrap();
            let mut file = HeadFile::open(&path).unwrap();
            assert_eq!(file.read().unwrap(), None);
            file.advance(head).unwrap();
            assert_eq!(look(&path), Some(head));
        }
    }
}
