//! Marks: an argument that no other process on the machine has, so that survivors can be found.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A number that stands in the argument list of every process of one test's tree.
///
/// It also is a duration that `sleep` takes: `sleep 300.<digits>`.
#[derive(Debug, Clone)]
pub struct TreeMark(String);

impl Default for TreeMark {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeMark {
    /// A new mark.
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("300.{}{nanos:09}{count}", std::process::id()))
    }

    /// The mark as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The processes that carry the mark, other than this one. Zombies have no arguments and do not count.
    pub fn carriers(&self) -> Vec<u32> {
        let own = std::process::id();
        // Without it none would ever be found, and a test that looks for survivors would always pass.
        fs::read_dir("/proc")
            .expect("processes are listed in /proc")
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| *pid != own && self.is_on(*pid))
            .collect()
    }

    fn is_on(&self, pid: u32) -> bool {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| line.windows(self.0.len()).any(|part| part == self.0.as_bytes()))
    }
}
