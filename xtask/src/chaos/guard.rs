//! Cleaning up after a run that was itself killed: a process that notices the end, and then removes what is left.
//!
//! May not touch anything but the folder, the groups and the daemons of that run.

use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Its input ends when the run does, however that comes. In a usual run there is nothing left to do by then.
const SCRIPT: &str = r#"cat >/dev/null
for note in "$2".pids/*; do kill -KILL "$(basename "$note")" 2>/dev/null; done
for round in 1 2 3 4 5 6 7 8 9 10; do
  find "$3" -maxdepth 3 -path "$3/chaos-$1-*" -name cgroup.procs 2>/dev/null | while read -r list; do
    for pid in $(cat "$list"); do kill -KILL "$pid" 2>/dev/null; done
  done
  cut -d' ' -f2 /proc/mounts | grep "^$2/" | sort -r | while read -r at; do umount -l "$at" 2>/dev/null; done
  find "$3" -mindepth 1 -maxdepth 2 -depth -type d -path "$3/chaos-$1-*" -exec rmdir {} + 2>/dev/null
  rm -rf --one-file-system "$2" "$2".pids 2>/dev/null
  [ -e "$2" ] || ls -d "$3/chaos-$1-"* >/dev/null 2>&1 || break
  sleep 1
done
"#;

/// The process.
pub(crate) struct LastGuard {
    process: Child,
    held: Option<ChildStdin>,
}

impl LastGuard {
    /// Watches over this run, its folder and its groups.
    pub(crate) fn new(folder: &Path, cgroups: &Path) -> Result<Self, String> {
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", SCRIPT, "sh", &std::process::id().to_string()]).args([folder, cgroups]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("there would be no clean-up: {error}"))?;
        let held = process.stdin.take();
        Ok(Self { process, held })
    }
}

impl Drop for LastGuard {
    fn drop(&mut self) {
        drop(self.held.take());
        let _ = self.process.wait();
    }
}
