//! Runs work on all cores.

use std::num::NonZero;
use std::thread;

/// Computes `f` of each item on all cores; the results are in the order of the items. A chunk whose thread cannot be
/// started is computed on this thread, and a panic is passed on.
pub(super) fn map<T: Sync, U: Send>(items: &[T], f: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let f = &f;
        let all = |share: &[T]| share.iter().map(f).collect::<Vec<U>>();
        let mut shares = items.chunks(share);
        let first = shares.next().unwrap_or_default();
        let others: Vec<_> = shares
            .map(|share| {
                (
                    share,
                    thread::Builder::new()
                        .spawn_scoped(scope, move || share.iter().map(f).collect::<Vec<U>>()),
                )
            })
            .collect();
        let mut done = all(first);
        for (share, thread) in others {
            done.extend(match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(found)) => found,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => all(share),
            });
        }
        done
    })
}
