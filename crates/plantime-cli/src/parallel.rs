//! Processes many inputs at once and passes on their answers in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

/// The maximum number of answers, for each thread, that wait for an earlier one. It bounds the memory, however many
/// inputs there are.
const AHEAD: usize = 8;

/// The state that the threads share: which input comes next, and the answers that wait to be passed on, by input
/// index.
struct State<A> {
    /// The input that is looked at next.
    next: usize,
    /// The answer that is taken next.
    taken: usize,
    answers: BTreeMap<usize, A>,
}

/// Computes `answer` for each input, on as many threads as the machine runs at once, and calls `take` with the
/// answers in the order of the inputs, each as soon as those before it were taken. If `answer` panics, `lost` gives
/// the answer.
pub(crate) fn in_order<I: Sync, A: Send>(
    inputs: &[I],
    answer: impl Fn(&I) -> A + Sync,
    lost: impl Fn(&I) -> A + Sync,
    mut take: impl FnMut(A),
) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    let ahead = threads.saturating_mul(AHEAD);
    let state = Mutex::new(State { next: 0, taken: 0, answers: BTreeMap::new() });
    let changed = Condvar::new();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        loop {
            let mut now = lock();
            while now.next < inputs.len() && now.next >= now.taken.saturating_add(ahead) {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            }
            let at = now.next;
            let Some(input) = inputs.get(at) else { break };
            now.next = at.saturating_add(1);
            drop(now);
            let found = catch_unwind(AssertUnwindSafe(|| answer(input))).unwrap_or_else(|_| lost(input));
            lock().answers.insert(at, found);
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
        for at in 0..inputs.len() {
            let mut now = lock();
            let found = loop {
                if let Some(found) = now.answers.remove(&at) {
                    break found;
                }
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            };
            now.taken = at.saturating_add(1);
            drop(now);
            changed.notify_all();
            take(found);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn answers_come_in_order_and_few_wait() {
        let inputs: Vec<usize> = (0..1000).collect();
        let (waiting, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let answer = |input: &usize| {
            let now = waiting.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            *input
        };
        let mut taken = Vec::new();
        in_order(
            &inputs,
            answer,
            |_| usize::MAX,
            |answer| {
                waiting.fetch_sub(1, Ordering::SeqCst);
                taken.push(answer);
            },
        );
        assert_eq!(taken, inputs);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        // Beside those that wait, one is being taken.
        assert!(most.into_inner() <= threads * AHEAD + 1);
    }

    #[test]
    fn an_answer_that_panics_is_lost_alone() {
        let answer =
            |input: &u8| if *input == 1 { std::panic::resume_unwind(Box::new(())) } else { Some(*input) };
        let mut taken = Vec::new();
        in_order(&[0, 1, 2], answer, |_| None, |answer| taken.push(answer));
        assert_eq!(taken, [Some(0), None, Some(2)]);
    }

    #[test]
    fn nothing_is_answered_of_nothing() {
        in_order(&[], |_: &u8| (), |_| (), |()| unreachable!("there is no answer"));
    }
}
