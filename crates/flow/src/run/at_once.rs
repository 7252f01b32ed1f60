//! Things that are done at once and told in their order. May not decide how many at a time: each waits for its own turn.
//!
//! Hazard: of several that fail, which comes first is chance. So the error that is told is the first in order, as if they
//! had been done one after the other. What stands behind a failure is called off and waited for, so that nothing is left
//! of it; what stands before it comes to its own end, because its failure would count more.

use crate::FlowError;
use futures_util::future::join_all;
use tokio::sync::watch;

/// Tells one of them that another before it has failed.
#[derive(Debug)]
pub(super) struct Halt {
    place: usize,
    failed: watch::Receiver<usize>,
}

impl Halt {
    /// Over as soon as one before it has failed.
    pub(super) async fn called(mut self) {
        if self.failed.wait_for(|failed| *failed < self.place).await.is_err() {
            // Whoever could call it off is gone.
            std::future::pending::<()>().await;
        }
    }
}

/// Does all of it at once, and gives the answers in their order, or the first error in that order. What is called off
/// may answer anything: nobody looks at it.
pub(super) async fn in_order<I, T, F>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I, Halt) -> F,
) -> Result<Vec<T>, FlowError>
where
    F: Future<Output = Result<T, FlowError>>,
{
    let (first, _) = watch::channel(usize::MAX);
    let each = items.into_iter().enumerate().map(|(place, item)| {
        let coming = work(item, Halt { place, failed: first.subscribe() });
        let first = &first;
        async move {
            let done = coming.await;
            if done.is_err() {
                first.send_if_modified(|failed| std::mem::replace(failed, place.min(*failed)) > place);
            }
            done
        }
    });
    join_all(each).await.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::Code;

    fn failure(place: usize) -> FlowError {
        FlowError::new(Code::FlowCommandFailed, place.to_string())
    }

    #[tokio::test]
    async fn answers_come_in_order() {
        let answers = in_order(0..100, |place, _| async move {
            for _ in place..100 {
                tokio::task::yield_now().await;
            }
            Ok(place)
        });
        assert_eq!(answers.await, Ok((0..100).collect()));
    }

    #[tokio::test]
    async fn all_behind_a_failure_are_called_off_and_none_before_it() {
        let done = in_order(0..9, |place, halt| async move {
            match place {
                // Fails long after the one that calls the others off.
                2 => {
                    for _ in 0..100 {
                        tokio::task::yield_now().await;
                    }
                    Err(failure(2))
                }
                5 => Err(failure(5)),
                0 | 1 | 3 | 4 => Ok(()),
                _ => {
                    halt.called().await;
                    Err(failure(place))
                }
            }
        });
        assert_eq!(done.await, Err(failure(2)));
    }
}
