//! The batteries in one table: name, what it does, how often.
//!
//! May not play: each is a file below `batteries`.

use super::arena::Equipment;
use super::batteries as by;
use super::tally::Tally;
use crate::ChoreResult;

/// One battery.
pub(crate) struct Battery {
    /// Its name, as the verb takes it.
    pub(crate) name: &'static str,
    /// What it does, for the page.
    pub(crate) about: &'static str,
    /// Rounds of a whole run.
    pub(crate) whole: u32,
    /// Rounds of the size that fits into every check.
    pub(crate) part: u32,
    /// Plays so many rounds.
    pub(crate) play: fn(&Equipment, u32, &mut Tally) -> ChoreResult,
}

/// All of them, in the order of the page.
pub(crate) const BATTERIES: &[Battery] = &[
    Battery {
        name: "kills",
        about: "`kill -9` of server, its group, steward, warden, command or client, one to three of them in any order, \
                with and without a sandbox",
        whole: 360,
        part: 24,
        play: by::kills::play,
    },
    Battery {
        name: "journal-taken",
        about: "state folder, journal, database or head deleted, renamed, cut or replaced under a running server and \
                between two, required and not",
        whole: 3,
        part: 1,
        play: by::journal_taken::play,
    },
    Battery {
        name: "journal-crowd",
        about: "20 servers and single commands start together on a busy machine while the journal is locked",
        whole: 5,
        part: 1,
        play: by::journal_crowd::play,
    },
    Battery {
        name: "disk-hangs",
        about: "the state folder, a working directory or a program on a file system that hangs",
        whole: 5,
        part: 1,
        play: by::disk_hangs::play,
    },
    Battery {
        name: "disk-full",
        about: "the disk of the state folder full or read-only, at the start, while running and at the end",
        whole: 5,
        part: 1,
        play: by::disk_full::play,
    },
    Battery {
        name: "no-threads",
        about: "no process and no thread can be made: at the start, and after idleness",
        whole: 3,
        part: 1,
        play: by::no_threads::play,
    },
    Battery {
        name: "floods",
        about: "pipelined pings, calls and large answers that are not read for a while (20 000 each in a whole run)",
        whole: 20_000,
        part: 600,
        play: by::floods::play,
    },
    Battery {
        name: "http",
        about: "300 silent connections, headers byte by byte, requests without a token, then a real call",
        whole: 3,
        part: 1,
        play: by::http::play,
    },
    Battery {
        name: "few-files",
        about: "120 calls at once with 64 descriptors; every verb with 3 to 40",
        whole: 3,
        part: 1,
        play: by::few_files::play,
    },
    Battery {
        name: "small-memory",
        about: "little address space at the start, and a request of 8 MB",
        whole: 3,
        part: 1,
        play: by::small_memory::play,
    },
    Battery {
        name: "forbidden-calls",
        about: "system calls that answer EPERM or ENOSYS, one at a time",
        whole: 3,
        part: 1,
        play: by::forbidden_calls::play,
    },
    Battery {
        name: "bare-hosts",
        about: "no `/proc`, no `/tmp`, no home, a relative home, no working directory, closed streams",
        whole: 5,
        part: 1,
        play: by::bare_hosts::play,
    },
    Battery {
        name: "signals",
        about: "every signal that a process can catch, to a server that runs a command",
        whole: 5,
        part: 1,
        play: by::signals::play,
    },
    Battery {
        name: "full-device",
        about: "every verb writes to a device that is full",
        whole: 5,
        part: 1,
        play: by::full_device::play,
    },
    Battery {
        name: "gateway",
        about: "children that answer 300 MB, flood, stop in the middle of a line, or never start",
        whole: 3,
        part: 1,
        play: by::gateway::play,
    },
    Battery {
        name: "spool",
        about: "40 commands at once that print 2 MB each",
        whole: 5,
        part: 1,
        play: by::spool::play,
    },
    Battery {
        name: "two-containers",
        about: "two servers of the same pid in two pid namespaces, with one state folder",
        whole: 10,
        part: 1,
        play: by::two_containers::play,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_battery_has_a_name_of_its_own_and_a_part_no_larger_than_the_whole() {
        for (at, battery) in BATTERIES.iter().enumerate() {
            assert!(battery.part >= 1 && battery.part <= battery.whole, "{}", battery.name);
            assert!(BATTERIES[..at].iter().all(|other| other.name != battery.name), "{}", battery.name);
            assert!(!battery.about.contains("  "), "{}", battery.about);
        }
    }
}
