//! Blocking work, which may wait for a disk or take long, on a thread of its own.
//!
//! Not the runtime's pool for blocking work: that panics on a host where no thread can be made. Here such work is then
//! done in place: late is better than never. May not know what is done.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::sync::oneshot;

/// Does blocking work on a thread and waits for it. Nothing if it panics, or its thread is ended with the process.
pub async fn aside<T, F>(work: F) -> Option<T>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    // The one that begins takes it out: the thread, or we ourselves where there is none.
    let work = Arc::new(Mutex::new(Some(work)));
    let taken = |work: &Mutex<Option<F>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (tell, told) = oneshot::channel();
    let theirs = Arc::clone(&work);
    let begun = thread::Builder::new().name("aside".to_owned()).spawn(move || {
        if let Some(work) = taken(&theirs) {
            // A caller that no longer waits needs no answer.
            let _ = tell.send(work());
        }
    });
    match begun {
        Ok(_) => told.await.ok(),
        Err(_) => taken(&work).map(|work| work()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_elsewhere_and_one_that_panics_gives_nothing() {
        let here = thread::current().id();
        assert_ne!(aside(|| thread::current().id()).await, Some(here));
        assert_eq!(aside(|| -> u8 { std::panic::panic_any("as asked") }).await, None);
    }
}
