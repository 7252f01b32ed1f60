//! Asks a command to end, where Windows can ask at all.
//!
//! The only request that a console program hears is Ctrl-Break, and it is sent through a console. Each command
//! has a console of its own without a window, so that it can neither read nor write the person's; to send
//! through it, this process must be attached to it for a moment. A process has one console at most, so that is
//! only done where this process has none; elsewhere nothing is sent and the ladder's next rung ends the
//! command. Programs without a console never hear it.
//!
//! Hazards: the console belongs to the whole process, so one request is sent at a time. And attaching may fill
//! standard handles that were empty with ones that end with the console; they are put back as they were.

use std::sync::{Mutex, PoisonError};
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::{
    AttachConsole, CTRL_BREAK_EVENT, FreeConsole, GenerateConsoleCtrlEvent, GetConsoleCP, GetStdHandle,
    STD_ERROR_HANDLE, STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
};

/// Sends Ctrl-Break to the group that a command leads, if that can be done.
pub(super) fn ask_to_end(group: u32) {
    static CONSOLE: Mutex<()> = Mutex::new(());
    let _one_at_a_time = CONSOLE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: only asks; a process without a console has no code page.
    if unsafe { GetConsoleCP() } != 0 {
        return;
    }
    let standard = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE].map(remember);
    // SAFETY: takes a number. It fails where the process is gone or has no console.
    if unsafe { AttachConsole(group) } == 0 {
        return;
    }
    // SAFETY: takes two numbers. Only the command's group is sent to, and this process is not in it.
    unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, group) };
    // SAFETY: gives back the console that was just taken.
    unsafe { FreeConsole() };
    for (which, handle) in standard {
        // SAFETY: puts back what stood there before.
        unsafe { SetStdHandle(which, handle) };
    }
}

fn remember(which: STD_HANDLE) -> (STD_HANDLE, HANDLE) {
    // SAFETY: only asks.
    (which, unsafe { GetStdHandle(which) })
}
