//! What a new child process is given beyond the ordinary: exactly these handles, and a job object to be born into.

use super::handle::done;
use std::ffi::c_void;
use std::io;
use std::mem::size_of_val;
use std::ptr::{null, null_mut};
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Threading::{
    DeleteProcThreadAttributeList, InitializeProcThreadAttributeList, LPPROC_THREAD_ATTRIBUTE_LIST,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROC_THREAD_ATTRIBUTE_JOB_LIST, UpdateProcThreadAttribute,
};

/// A list of attributes. It points to the handles, which it therefore borrows.
pub(super) struct Attributes<'a> {
    list: Vec<usize>,
    _handles: &'a [HANDLE],
}

impl<'a> Attributes<'a> {
    /// These handles are inherited and no others; the process begins in these jobs.
    pub(super) fn of(inherited: &'a [HANDLE], jobs: &'a [HANDLE]) -> io::Result<Self> {
        let mut size = 0;
        // SAFETY: without a list this only says how much room two attributes need; its "failure" is that.
        unsafe { InitializeProcThreadAttributeList(null_mut(), 2, 0, &raw mut size) };
        let mut list = vec![0_usize; size.div_ceil(size_of::<usize>())];
        // SAFETY: the memory is as large as was asked for, and aligned.
        done(unsafe { InitializeProcThreadAttributeList(list.as_mut_ptr().cast(), 2, 0, &raw mut size) })?;
        let mut attributes = Self { list, _handles: inherited };
        attributes.add(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited)?;
        attributes.add(PROC_THREAD_ATTRIBUTE_JOB_LIST, jobs)?;
        Ok(attributes)
    }

    fn add(&mut self, attribute: u32, handles: &'a [HANDLE]) -> io::Result<()> {
        let (value, size) = (handles.as_ptr().cast::<c_void>(), size_of_val(handles));
        // SAFETY: the list was initialised, and the handles outlive it.
        done(unsafe {
            UpdateProcThreadAttribute(self.as_ptr(), 0, attribute as usize, value, size, null_mut(), null())
        })
    }

    pub(super) fn as_ptr(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.list.as_mut_ptr().cast()
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        // SAFETY: the list was initialised and is not used after this.
        unsafe { DeleteProcThreadAttributeList(self.as_ptr()) };
    }
}
