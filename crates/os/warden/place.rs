//! A folder held open by descriptor, and what is done to names in it. Paths are built without allocation.
//!
//! Nothing here follows a link. A folder that its owner shut against us (by taking its own rights away) is opened again
//! with the mode that it had.

use crate::confine::{EEXIST, O_NOFOLLOW, O_PATH};
use crate::sys::{self, O_CLOEXEC, O_RDONLY, O_WRONLY, call};

#[cfg(target_arch = "x86_64")]
mod own {
    pub const FCHMOD: usize = 91;
    pub const READLINKAT: usize = 267;
    pub const FCHMODAT: usize = 268;
    pub const FACCESSAT: usize = 269;
    pub const RENAMEAT2: usize = 316;
}

#[cfg(target_arch = "aarch64")]
mod own {
    pub const FACCESSAT: usize = 48;
    pub const FCHMOD: usize = 52;
    pub const FCHMODAT: usize = 53;
    pub const READLINKAT: usize = 78;
    pub const RENAMEAT2: usize = 276;
}

const EPERM: isize = -1;
const EACCES: isize = -13;
const EINVAL: isize = -22;
const ENOSYS: isize = -38;
const ELOOP: isize = -40;
const O_NONBLOCK: i32 = 0o4000;
const RENAME_NOREPLACE: usize = 1;

/// How much git reads of `HEAD`.
const HEAD: usize = 255;

/// A text that ends in NUL. What does not fit is left out.
#[derive(Clone, Copy)]
pub struct NulText<const N: usize> {
    text: [u8; N],
    len: usize,
}

/// One name, with room for what is added to it.
pub type Name = NulText<320>;
/// A path, for reports.
pub type Path = NulText<4608>;

impl<const N: usize> NulText<N> {
    pub fn of(text: &[u8]) -> Self {
        let mut made = Self { text: [0; N], len: 0 };
        made.extend(trimmed(text));
        made
    }

    pub fn extend(&mut self, more: &[u8]) {
        let len = more.len().min(N - 1 - self.len);
        self.text[self.len..self.len + len].copy_from_slice(&more[..len]);
        self.len += len;
        self.text[self.len] = 0;
    }

    pub fn extend_number(&mut self, number: u32) {
        let mut digits = [0_u8; 10];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.extend(&digits[at..]);
    }

    /// Goes below.
    pub fn push(&mut self, name: &[u8]) {
        self.extend(b"/");
        self.extend(trimmed(name));
    }

    /// With its NUL.
    pub fn text(&self) -> &[u8] {
        &self.text[..=self.len]
    }
}

/// A text without its NUL.
pub fn trimmed(text: &[u8]) -> &[u8] {
    text.strip_suffix(&[0]).unwrap_or(text)
}

/// A folder that is held, with the mode that it had. Names that are handed in end in NUL.
#[derive(Clone, Copy)]
pub struct HeldPlace {
    pub folder: i32,
    pub mode: u32,
}

impl HeldPlace {
    /// Opens a name: a descriptor, or the kernel's error.
    pub fn open(&self, name: &[u8], flags: i32) -> isize {
        let open = || sys::open_at(self.folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) as isize;
        match open() {
            EACCES => {
                self.mend();
                open()
            }
            opened => opened,
        }
    }

    /// Whether there is anything of this name. Doubt is a yes.
    pub fn has(&self, name: &[u8]) -> bool {
        let found = self.open(name, O_PATH);
        if found >= 0 {
            sys::close(found as i32);
        }
        found != crate::confine::ENOENT
    }

    /// The beginning of a file: how many bytes were read.
    pub fn read(&self, name: &[u8], into: &mut [u8]) -> usize {
        let file = self.open(name, O_RDONLY);
        if file < 0 {
            return 0;
        }
        let got = sys::read(file as i32, into);
        sys::close(file as i32);
        got.max(0) as usize
    }

    /// Gives a thing another name, which must be free.
    pub fn rename(&self, from: &[u8], to: &[u8]) -> isize {
        let (folder, from_at, to_at) = (self.folder as usize, from.as_ptr() as usize, to.as_ptr() as usize);
        let rename = |flags| call(own::RENAMEAT2, [folder, from_at, folder, to_at, flags, 0]);
        match rename(RENAME_NOREPLACE) {
            EACCES | EPERM => {
                self.mend();
                rename(RENAME_NOREPLACE)
            }
            // A file system that does not know how to leave alone what is there.
            EINVAL | ENOSYS if self.has(to) => EEXIST,
            EINVAL | ENOSYS => rename(0),
            done => done,
        }
    }

    /// Makes a new file.
    pub fn make(&self, name: &[u8], text: &[u8], mode: u32) {
        const O_CREATE_NEW: i32 = 0o100 | 0o200;
        let flags = (O_CREATE_NEW | O_WRONLY | O_CLOEXEC | O_NOFOLLOW) as usize;
        let arguments = [self.folder as usize, name.as_ptr() as usize, flags, mode as usize, 0, 0];
        let file = call(sys::number::OPENAT, arguments);
        if file >= 0 {
            sys::write(file as i32, text);
            sys::close(file as i32);
        }
    }

    /// Opens the folder again to its owner.
    pub fn mend(&self) {
        call(own::FCHMOD, [self.folder as usize, (self.mode | 0o700) as usize, 0, 0, 0, 0]);
    }

    pub fn change_mode(&self, name: &[u8], mode: u32) {
        call(own::FCHMODAT, [self.folder as usize, name.as_ptr() as usize, mode as usize, 0, 0, 0]);
    }

    /// Whether git would take this folder for a repository, by its own test.
    pub fn is_repository(&self) -> bool {
        const X_OK: usize = 1;
        let enters = |name: &[u8]| {
            call(own::FACCESSAT, [self.folder as usize, name.as_ptr() as usize, X_OK, 0, 0, 0]) >= 0
        };
        self.has_head() && enters(b"objects\0") && enters(b"refs\0")
    }

    pub fn has_head(&self) -> bool {
        let name = b"HEAD\0";
        let mut text = [0_u8; HEAD];
        let file = sys::open_at(self.folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) as isize;
        if file == ELOOP {
            let place =
                [self.folder as usize, name.as_ptr() as usize, text.as_mut_ptr() as usize, HEAD, 0, 0];
            return call(own::READLINKAT, place) > 5 && text.starts_with(b"refs/");
        }
        if file < 0 {
            return false;
        }
        let got = sys::read(file as i32, &mut text).max(0) as usize;
        sys::close(file as i32);
        let text = &text[..got];
        if let Some(name) = text.strip_prefix(b"ref:") {
            return name.trim_ascii_start().starts_with(b"refs/");
        }
        text.len() >= 40 && text[..40].iter().all(u8::is_ascii_hexdigit)
    }
}
