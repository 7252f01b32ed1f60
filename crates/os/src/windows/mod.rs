//! Windows: a job object, assigned while the process is suspended.
