//! A piece of work that can be done again and again, and what is measured of it.

use std::hint::black_box;

/// Does the work once: only what lies between start and stop counts.
pub type Repeat = Box<dyn FnMut(&mut dyn Watch)>;

/// What is measured: time, or allocations.
pub trait Watch {
    fn start(&mut self);
    fn stop(&mut self);
}

/// Some work, and the same by the nearest program of another kind on the same input.
pub struct Work {
    /// By how many operations what is measured is divided.
    pub operations: usize,
    pub ours: Repeat,
    pub beside: Option<(&'static str, Repeat)>,
}

impl Work {
    /// What comes of it is dropped when the watch has stopped.
    pub fn new<T>(operations: usize, work: impl FnMut() -> T + 'static) -> Work {
        Work { operations, ours: repeat(work), beside: None }
    }

    /// As often as there are operations, each time with the next number.
    pub fn each<T>(operations: usize, mut work: impl FnMut(usize) -> T + 'static) -> Work {
        Work::new(operations, move || {
            for i in 0..operations {
                black_box(work(black_box(i)));
            }
        })
    }

    /// With something made anew each time, which is not measured.
    pub fn with<S, T>(
        operations: usize,
        mut prepare: impl FnMut() -> S + 'static,
        mut work: impl FnMut(S) -> T + 'static,
    ) -> Work {
        let ours: Repeat = Box::new(move |watch| {
            let prepared = prepare();
            watch.start();
            let result = black_box(work(black_box(prepared)));
            watch.stop();
            drop(result);
        });
        Work { operations, ours, beside: None }
    }

    pub fn beside<T>(mut self, name: &'static str, work: impl FnMut() -> T + 'static) -> Work {
        self.beside = Some((name, repeat(work)));
        self
    }

    pub fn beside_with(mut self, name: &'static str, work: Work) -> Work {
        self.beside = Some((name, work.ours));
        self
    }
}

fn repeat<T>(mut work: impl FnMut() -> T + 'static) -> Repeat {
    Box::new(move |watch| {
        watch.start();
        let result = black_box(work());
        watch.stop();
        drop(result);
    })
}
