//! Which mounted file systems of this host may hang: those behind a network or another process.
//!
//! `/proc/self/mountinfo` lists them, and reading it touches none of them. May not ask a file system: it could hang.

use std::path::PathBuf;

/// A file system that may hang.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubtfulMount {
    /// Where it is.
    pub at: PathBuf,
    /// Its kind, as the kernel names it.
    pub kind: String,
}

#[cfg(target_os = "linux")]
pub use linux::Mounts;

#[cfg(target_os = "linux")]
mod linux {
    use super::DoubtfulMount;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom};
    use std::os::unix::ffi::OsStringExt;
    use std::sync::{Mutex, PoisonError};

    /// The mounts of this host, read again when they change.
    #[derive(Debug)]
    pub struct Mounts(Mutex<Seen>);

    #[derive(Debug)]
    struct Seen {
        /// Nothing where the list cannot be had: then every file system may be one that does not answer.
        list: Option<File>,
        doubtful: Option<Vec<DoubtfulMount>>,
    }

    impl Default for Mounts {
        fn default() -> Self {
            let list = File::open("/proc/self/mountinfo").ok();
            let mut seen = Seen { list, doubtful: None };
            seen.read();
            Self(Mutex::new(seen))
        }
    }

    impl Mounts {
        /// Whether any file system here may not answer. Costs one system call that waits for nothing.
        pub fn any_doubtful(&self) -> bool {
            let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if seen.changed() {
                seen.read();
            }
            seen.doubtful.as_ref().is_none_or(|all| !all.is_empty())
        }

        /// Those that may not answer, as last seen.
        pub fn doubtful(&self) -> Vec<DoubtfulMount> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).doubtful.clone().unwrap_or_default()
        }
    }

    impl Seen {
        /// The kernel tells each reader once of each change.
        fn changed(&self) -> bool {
            let Some(list) = &self.list else { return false };
            let mut asked = [PollFd::new(list, PollFlags::PRI | PollFlags::ERR)];
            poll(&mut asked, Some(&Timespec::default())).is_ok_and(|told| told > 0)
        }

        fn read(&mut self) {
            let mut bytes = Vec::new();
            let read = self.list.as_mut().map(|list| {
                list.seek(SeekFrom::Start(0))?;
                list.read_to_end(&mut bytes)
            });
            self.doubtful = matches!(read, Some(Ok(_))).then(|| doubtful(&bytes));
        }
    }

    /// Kinds that answer from memory or from a device of this host. What is not listed may be anything.
    const LOCAL: &[&str] = &[
        "adfs",
        "affs",
        "bcachefs",
        "bdev",
        "befs",
        "bfs",
        "binder",
        "binfmt_misc",
        "bpf",
        "btrfs",
        "cgroup",
        "cgroup2",
        "configfs",
        "cpuset",
        "cramfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "efs",
        "erofs",
        "exfat",
        "ext2",
        "ext3",
        "ext4",
        "f2fs",
        "functionfs",
        "fusectl",
        "hfs",
        "hfsplus",
        "hpfs",
        "hugetlbfs",
        "iso9660",
        "jffs2",
        "jfs",
        "minix",
        "mqueue",
        "msdos",
        "nilfs2",
        "nsfs",
        "ntfs",
        "ntfs3",
        "omfs",
        "overlay",
        "pipefs",
        "proc",
        "pstore",
        "qnx4",
        "qnx6",
        "ramfs",
        "reiserfs",
        "resctrl",
        "romfs",
        "rootfs",
        "rpc_pipefs",
        "securityfs",
        "selinuxfs",
        "smackfs",
        "sockfs",
        "squashfs",
        "sysfs",
        "tmpfs",
        "tracefs",
        "ubifs",
        "udf",
        "ufs",
        "vfat",
        "xenfs",
        "xfs",
        "zfs",
        "zonefs",
    ];

    /// Folders of the kernel's own: what is mounted below them is no place for programs or for work, and most hosts
    /// have something there that would count (`binfmt_misc` by `autofs`).
    const KERNELS: &[&[u8]] = &[b"/proc/", b"/sys/", b"/dev/"];

    /// The lines of `/proc/self/mountinfo` with a kind that is not known to be local.
    pub(super) fn doubtful(list: &[u8]) -> Vec<DoubtfulMount> {
        let of = |line: &[u8]| {
            let mut fields = line.split(|byte| *byte == b' ');
            let at = fields.nth(4)?;
            let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
            let kind = std::str::from_utf8(kind).unwrap_or("unknown");
            let of_kernel = KERNELS.iter().any(|folder| at.starts_with(folder));
            if LOCAL.contains(&kind) || of_kernel {
                return None;
            }
            let at = std::ffi::OsString::from_vec(unescaped(at)).into();
            Some(DoubtfulMount { at, kind: kind.to_owned() })
        };
        list.split(|byte| *byte == b'\n').filter_map(of).collect()
    }

    /// A blank, a tab, a line's end and a backslash stand as three octal digits.
    fn unescaped(text: &[u8]) -> Vec<u8> {
        let mut plain = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((first, after)) = rest.split_first() {
            let octal = after.get(..3).filter(|_| *first == b'\\').and_then(|digits| {
                let text = std::str::from_utf8(digits).ok()?;
                u8::from_str_radix(text, 8).ok()
            });
            match octal {
                Some(byte) => {
                    plain.push(byte);
                    rest = &after[3..];
                }
                None => {
                    plain.push(*first);
                    rest = after;
                }
            }
        }
        plain
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_is_behind_a_network_or_another_process_may_not_answer() {
            let list = b"21 26 0:19 / /sys rw - sysfs sysfs rw\n\
                29 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                40 29 0:35 / /proc/sys/fs/binfmt_misc rw shared:7 - autofs systemd-1 rw\n\
                61 29 0:52 / /mnt/far\\040away rw shared:9 master:3 - nfs4 host:/x rw\n\
                62 29 0:53 / /home/me/fuse rw - fuse.sshfs me@host rw\n\
                63 29 0:54 / /new rw - something-new none rw\n\
                a line that says nothing\n";
            let found: Vec<_> = doubtful(list).into_iter().map(|one| (one.at, one.kind)).collect();
            let named = |at: &str, kind: &str| (at.into(), kind.to_owned());
            assert_eq!(
                found,
                [
                    named("/mnt/far away", "nfs4"),
                    named("/home/me/fuse", "fuse.sshfs"),
                    named("/new", "something-new")
                ]
            );
        }

        #[test]
        fn a_backslash_that_begins_nothing_stays() {
            assert_eq!(unescaped(b"a\\"), b"a\\");
            assert_eq!(unescaped(b"a\\09x\\134040"), b"a\\09x\\040");
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::Mounts;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::DoubtfulMount;

    /// The mounts of a host that has no list which can be read without asking them: any may be one that does not answer.
    #[derive(Debug, Default)]
    pub struct Mounts;

    impl Mounts {
        /// Whether any file system here may not answer.
        pub fn any_doubtful(&self) -> bool {
            true
        }

        /// Those that are known not to.
        pub fn doubtful(&self) -> Vec<DoubtfulMount> {
            Vec::new()
        }
    }
}
