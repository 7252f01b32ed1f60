//! What is made inside a command's own network: addresses and routes (rtnetlink), and sockets that are handed out.
//!
//! A socket belongs to the network in which it was made, for ever, whoever holds it. May not decide anything: which
//! addresses and which sockets are rows of the table.

use crate::sys::{self, O_CLOEXEC, call};

#[cfg(target_arch = "x86_64")]
mod own {
    pub const SOCKET: usize = 41;
    pub const BIND: usize = 49;
    pub const LISTEN: usize = 50;
}

#[cfg(target_arch = "aarch64")]
mod own {
    pub const SOCKET: usize = 198;
    pub const BIND: usize = 200;
    pub const LISTEN: usize = 201;
}

const STREAM: usize = 1;
const DATAGRAM: usize = 2;
const RAW: usize = 3;

const EINVAL: isize = -22;
const EBADMSG: isize = -74;
const ENFILE: isize = -23;

/// Connections that may wait to be accepted.
const WAITING: usize = 128;

/// The most sockets that one command's network hands out.
const MOST: usize = 512;

/// Sends requests, and reads until the last of them was confirmed or one was refused: zero, or the kernel's error.
pub fn tell_kernel(requests: usize, len: usize) -> isize {
    const AF_NETLINK: usize = 16;
    const ROUTES: usize = 0;
    let socket = call(own::SOCKET, [AF_NETLINK, RAW | O_CLOEXEC as usize, ROUTES, 0, 0, 0]);
    if socket < 0 {
        return socket;
    }
    // SAFETY: Runward sends as many bytes as it says, and they stay there until the command was started.
    let requests = unsafe { core::slice::from_raw_parts(requests as *const u8, len) };
    let mut done = sys::write(socket as i32, requests);
    if done >= 0 {
        done = confirmed(socket as i32, count(requests));
    }
    sys::close(socket as i32);
    done
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_ne_bytes([four[0], four[1], four[2], four[3]]))
}

/// Messages are one behind the other, each with its length first, on places that four divides.
fn next(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    const HEAD: usize = 16;
    let len = word(bytes, 0)? as usize;
    if len < HEAD || len > bytes.len() {
        return None;
    }
    let padded = (len + 3 & !3).min(bytes.len());
    Some((&bytes[..len], &bytes[padded..]))
}

fn count(mut requests: &[u8]) -> usize {
    let mut count = 0;
    while let Some((_, rest)) = next(requests) {
        count += 1;
        requests = rest;
    }
    count
}

fn confirmed(socket: i32, mut wanted: usize) -> isize {
    const ERROR: u32 = 2;
    let mut buffer = [0_u8; 4096];
    while wanted > 0 {
        let got = sys::read(socket, &mut buffer);
        if got <= 0 {
            return if got == 0 { EBADMSG } else { got };
        }
        let mut answers = &buffer[..got as usize];
        while let Some((answer, rest)) = next(answers) {
            let kind = word(answer, 4).map(|word| word & 0xffff);
            let error = word(answer, 16).map_or(EBADMSG, |error| error as i32 as isize);
            if kind != Some(ERROR) {
                return EBADMSG;
            }
            if error != 0 {
                return error;
            }
            wanted = wanted.saturating_sub(1);
            answers = rest;
        }
    }
    0
}

/// The sockets that were made for one command. Executing closes them here.
pub struct MadeSockets {
    fds: [i32; MOST],
    count: usize,
}

impl MadeSockets {
    pub const fn new() -> Self {
        Self { fds: [-1; MOST], count: 0 }
    }

    /// Those of the last command are gone.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// Makes one: `kind` is its family and type, and it gets the address, if one is said.
    pub fn make(&mut self, kind: u64, address: usize, len: usize) -> isize {
        let (family, kind) = (kind as usize >> 32, kind as usize & 0xffff_ffff);
        if self.count == MOST {
            return ENFILE;
        }
        let socket = call(own::SOCKET, [family, kind | O_CLOEXEC as usize, 0, 0, 0, 0]);
        if socket < 0 {
            return socket;
        }
        let mut done = 0;
        if len > 0 {
            done = call(own::BIND, [socket as usize, address, len, 0, 0, 0]);
        }
        if done >= 0 && len > 0 && kind == STREAM {
            done = call(own::LISTEN, [socket as usize, WAITING, 0, 0, 0, 0]);
        }
        if done < 0 || (kind != STREAM && kind != DATAGRAM) {
            sys::close(socket as i32);
            return if done < 0 { done } else { EINVAL };
        }
        self.fds[self.count] = socket as i32;
        self.count += 1;
        0
    }

    /// Sends all of them, with as many messages as it takes. An empty one ends them.
    pub fn hand_over(&self, hand: i32) -> isize {
        for some in self.fds[..self.count].chunks(sys::MOST_SENT) {
            let sent = sys::send_all_with(hand, b"s", some);
            if sent < 0 {
                return sent;
            }
        }
        sys::send_all_with(hand, b"e", &[])
    }
}
