//! What this Windows can do, and how things are named on it.

use runward_core::facts::{Abilities, Containment, HostFacts, Keeper, Naming, Shell};
use runward_core::sandbox::Layer;
use std::env;
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::io::{AsRawHandle, RawHandle};
use std::path::{Path, PathBuf};
use windows_sys::Win32::Foundation::{
    CompareObjectHandles, ERROR_COMMITMENT_LIMIT, ERROR_DISK_FULL, ERROR_MAX_THRDS_REACHED,
    ERROR_NO_PROC_SLOTS, ERROR_NO_SYSTEM_RESOURCES, ERROR_NOT_ENOUGH_MEMORY, ERROR_NOT_ENOUGH_QUOTA,
    ERROR_OUTOFMEMORY, ERROR_PAGEFILE_QUOTA, ERROR_TOO_MANY_OPEN_FILES,
};
use windows_sys::Win32::System::Console::GetConsoleMode;
use windows_sys::Win32::System::SystemInformation::GetSystemDirectoryW;

/// What this host can do. A job keeps memory and processes for the whole tree; nothing here keeps limits of
/// single processes, and there is no pseudo-terminal yet.
pub(crate) fn abilities() -> Abilities {
    Abilities {
        containment: vec![Containment::Job],
        memory: Some(Keeper::Job),
        processes: Some(Keeper::Job),
        per_process: None,
        pty: false,
        layers: Some(Vec::new()),
    }
}

/// How names are spelled here.
pub(crate) fn host_naming() -> Naming {
    let endings = env::var_os("PATHEXT").and_then(|endings| endings.into_string().ok());
    Naming::windows(endings.as_deref())
}

/// A file with one of the endings that make a file executable.
pub(crate) fn is_executable(path: &Path) -> bool {
    let Some(ending) = path.extension() else { return false };
    let endings = host_naming().executable_endings;
    endings.iter().any(|known| ending.eq_ignore_ascii_case(known.trim_start_matches('.'))) && path.is_file()
}

/// `cmd.exe`, from the system's own folder: PATH and COMSPEC could name another.
pub(crate) fn host_shell(_: &HostFacts) -> Option<Shell> {
    let path = Some(interpreter()).filter(|path| path.is_file())?;
    Some(Shell { path, before: ["/d", "/s", "/c"].map(str::to_owned).to_vec() })
}

/// Where `cmd.exe` is.
pub(super) fn interpreter() -> PathBuf {
    let mut folder = vec![0_u16; 260];
    // SAFETY: the buffer is as long as is said.
    let len = unsafe { GetSystemDirectoryW(folder.as_mut_ptr(), 260) } as usize;
    // No system lives in a folder with a longer name; an answer of nothing leads to the usual place.
    let folder = match folder.get(..len) {
        Some(name) if len > 0 => PathBuf::from(std::ffi::OsString::from_wide(name)),
        _ => PathBuf::from(r"C:\Windows\System32"),
    };
    folder.join("cmd.exe")
}

/// Whether this process' own stdout and stderr lead to the same file, pipe or console.
pub(crate) fn outputs_share_a_file() -> bool {
    let (stdout, stderr) = (io::stdout().as_raw_handle(), io::stderr().as_raw_handle());
    if stdout.is_null() || stderr.is_null() {
        return false;
    }
    // SAFETY: both belong to this process; a number that is no handle is answered with a no.
    let same = unsafe { CompareObjectHandles(stdout, stderr) } != 0;
    // A process has one console at most.
    same || (is_console(stdout) && is_console(stderr))
}

fn is_console(handle: RawHandle) -> bool {
    let mut mode = 0;
    // SAFETY: a handle that is no console is answered with a no; the mode is ours to write to.
    unsafe { GetConsoleMode(handle, &raw mut mode) != 0 }
}

/// Whether an error says that the host has run out of something.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    let shortages = [
        ERROR_TOO_MANY_OPEN_FILES,
        ERROR_NOT_ENOUGH_MEMORY,
        ERROR_OUTOFMEMORY,
        ERROR_NO_PROC_SLOTS,
        ERROR_DISK_FULL,
        ERROR_MAX_THRDS_REACHED,
        ERROR_NO_SYSTEM_RESOURCES,
        ERROR_PAGEFILE_QUOTA,
        ERROR_COMMITMENT_LIMIT,
        ERROR_NOT_ENOUGH_QUOTA,
    ];
    error.raw_os_error().is_some_and(|code| shortages.contains(&code.cast_unsigned()))
}

/// No layer of a sandbox can be put on here.
pub(crate) fn sandbox_layers() -> Vec<Layer> {
    Vec::new()
}
