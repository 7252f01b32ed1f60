//! The head of the chain in a file of its own, so that cutting off the last records is noticed.
//!
//! The race: the database and this file cannot be written in one step, and the writer may be killed in between. So
//! the file names two records: the last that is known to be there, and the last of the transaction that is about to be
//! committed. It is written before the commit, while no other process writes, and once more after it. The last record of
//! the database is one of the two at every moment; anything else is damage.

use super::chain::ChainLink;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A record of the chain, by number and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JournalHead {
    /// Its number.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) link: ChainLink,
}

impl JournalHead {
    /// The head of an empty chain.
    pub(super) const ORIGIN: JournalHead = JournalHead { seq: 0, link: ChainLink::ORIGIN };

    fn parse(line: &str) -> Option<JournalHead> {
        let (seq, link) = line.split_once(' ')?;
        Some(JournalHead { seq: seq.parse().ok()?, link: ChainLink::from_hex(link)? })
    }
}

/// What a head file names: the last record that was there, and the last one of a commit that may have succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadPair {
    pub(super) was: JournalHead,
    pub(super) next: JournalHead,
}

impl HeadPair {
    /// A commit succeeded, and this is the last record.
    pub(super) fn settled(head: JournalHead) -> Self {
        Self { was: head, next: head }
    }

    fn of(was: JournalHead, next: JournalHead) -> Option<HeadPair> {
        (was.seq <= next.seq).then_some(Self { was, next })
    }

    /// Fixed length, so that a new one covers an old one whole.
    fn text(self) -> String {
        let line = |head: JournalHead| format!("{:020} {}\n", head.seq, head.link);
        line(self.was) + &line(self.next)
    }
}

/// What a head file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadSays {
    /// Nothing: it is not there, or empty.
    Nothing,
    /// Nothing that can be understood.
    Garbage,
    /// This record alone, as older rules have it. By newer rules it is half a head.
    NamesOne(JournalHead),
    /// These records.
    Names(HeadPair),
}

impl HeadSays {
    fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes).ok().and_then(Self::parse) {
            Some(says) => says,
            None if bytes.is_empty() => Self::Nothing,
            None => Self::Garbage,
        }
    }

    /// One line for each record; journals of older rules have one.
    fn parse(text: &str) -> Option<Self> {
        let lines: Option<Vec<JournalHead>> =
            text.strip_suffix('\n')?.split('\n').map(JournalHead::parse).collect();
        match lines?[..] {
            [one] => Some(Self::NamesOne(one)),
            [was, next] => HeadPair::of(was, next).map(Self::Names),
            _ => None,
        }
    }

    /// The same, where one line is all there should be, or where anything that is named says enough.
    pub(super) fn by_older_rules(self) -> Self {
        match self {
            Self::NamesOne(head) => Self::Names(HeadPair::settled(head)),
            says => says,
        }
    }
}

/// More than this is no head.
const LONGEST: u64 = 400;

/// The file, held open.
#[derive(Debug)]
pub(super) struct HeadFile(File);

impl HeadFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        runward_os::private_log(path).map(Self)
    }

    /// What it says.
    pub(super) fn read(&mut self) -> io::Result<HeadSays> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        (&mut self.0).take(LONGEST).read_to_end(&mut bytes)?;
        Ok(HeadSays::of(&bytes))
    }

    /// Names what is about to be committed. No other process writes meanwhile, but one that settles a commit before it.
    pub(super) fn announce(&mut self, pair: HeadPair) -> io::Result<()> {
        runward_os::lock_file(&self.0)?;
        let written = self.put(pair);
        self.0.unlock()?;
        written
    }

    /// The commit succeeded. Another process may have announced another since.
    pub(super) fn settle(&mut self, head: JournalHead) -> io::Result<()> {
        runward_os::lock_file(&self.0)?;
        let written = self.read().and_then(|there| match there {
            HeadSays::Names(pair) if pair.next == head => self.put(HeadPair::settled(head)),
            _ => Ok(()),
        });
        self.0.unlock()?;
        written
    }

    fn put(&mut self, pair: HeadPair) -> io::Result<()> {
        let text = pair.text();
        // Garbage may be longer, and an older head is shorter.
        if self.0.metadata()?.len() != text.len() as u64 {
            self.0.set_len(0)?;
        }
        self.0.seek(SeekFrom::Start(0))?;
        self.0.write_all(text.as_bytes())
    }
}

/// What the file says, for a reader. A file that cannot be read is an error, and no missing head.
pub(super) fn look(path: &Path) -> io::Result<HeadSays> {
    let file = match runward_os::regular_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HeadSays::Nothing),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(HeadSays::of(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(seq: u64) -> JournalHead {
        JournalHead { seq, link: ChainLink::ORIGIN.next(seq, "x") }
    }

    #[test]
    fn a_commit_is_announced_and_settled_by_whoever_announced_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("head");
        let mut file = HeadFile::open(&path).unwrap();
        assert_eq!(file.read().unwrap(), HeadSays::Nothing);
        let first = HeadPair { was: JournalHead::ORIGIN, next: head(7) };
        file.announce(first).unwrap();
        assert_eq!(look(&path).unwrap(), HeadSays::Names(first));
        file.settle(head(7)).unwrap();
        assert_eq!(look(&path).unwrap(), HeadSays::Names(HeadPair::settled(head(7))));
        let other = HeadPair { was: head(7), next: head(120) };
        file.announce(other).unwrap();
        file.settle(head(7)).unwrap();
        assert_eq!(look(&path).unwrap(), HeadSays::Names(other), "another commit is announced already");
    }

    #[test]
    fn damage_is_told_apart_from_nothing_and_covered_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("head");
        let pair = HeadPair { was: head(7), next: head(9) };
        let backwards = HeadPair { was: head(9), next: head(7) }.text();
        let more = pair.text() + "more";
        for damage in [&b"\xff\xfe"[..], &[b'0'; 600], more.as_bytes(), backwards.as_bytes(), b"\n"] {
            std::fs::write(&path, damage).unwrap();
            let mut file = HeadFile::open(&path).unwrap();
            assert_eq!(file.read().unwrap(), HeadSays::Garbage);
            file.announce(pair).unwrap();
            assert_eq!(look(&path).unwrap(), HeadSays::Names(pair));
        }
        std::fs::write(&path, format!("{:020} {}\n", 7, head(7).link)).unwrap();
        assert_eq!(look(&path).unwrap(), HeadSays::NamesOne(head(7)), "an older journal's");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(look(&path).unwrap(), HeadSays::Nothing);
        std::fs::create_dir(&path).unwrap();
        look(&path).unwrap_err();
    }
}
