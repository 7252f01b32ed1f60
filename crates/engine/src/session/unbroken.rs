//! Work that is done to its end, also when its caller no longer waits.
//!
//! A start that is given up half way would leave a command that only its warden knows. May not start anything itself.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;

/// A future that is carried on in the background when it is dropped half way.
pub(crate) struct Unbroken<F>(Option<Pin<Box<F>>>)
where
    F: Future<Output: Send> + Send + 'static;

impl<F: Future<Output: Send> + Send + 'static> Unbroken<F> {
    pub(crate) fn new(work: F) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for Unbroken<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // Taken out while it works: one that panics is not tried again. Done, it is not polled again.
        let Some(mut work) = self.0.take() else { return Poll::Pending };
        let done = work.as_mut().poll(cx);
        if done.is_pending() {
            self.0 = Some(work);
        }
        done
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for Unbroken<F> {
    fn drop(&mut self) {
        // Without a runtime nothing can be carried on; then the warden ends what was started.
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(work);
        }
    }
}
