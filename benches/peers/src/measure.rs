//! Times of two sides, taken by turns so that both meet the same noise.

use std::time::{Duration, Instant};

/// How long each side runs in one turn at least: a clock cannot measure much less.
const TURN: Duration = Duration::from_millis(20);

/// The medians of two sides, in seconds for one run each.
pub struct Medians {
    pub ours: f64,
    pub theirs: f64,
    /// The median of the ratios of the turns.
    pub ratio: f64,
}

/// Runs both sides in so many turns, each as often in a turn as it takes to fill [`TURN`].
pub fn by_turns(turns: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> Medians {
    let (our_runs, their_runs) = (runs_in_a_turn(&mut ours), runs_in_a_turn(&mut theirs));
    let mut pairs = Vec::new();
    for _ in 0..turns {
        pairs.push((seconds(our_runs, &mut ours), seconds(their_runs, &mut theirs)));
    }
    Medians {
        ours: median(pairs.iter().map(|(ours, _)| *ours).collect()),
        theirs: median(pairs.iter().map(|(_, theirs)| *theirs).collect()),
        ratio: median(pairs.iter().map(|(ours, theirs)| ours / theirs).collect()),
    }
}

/// How many runs fill a turn. The first runs also warm up caches.
fn runs_in_a_turn(run: &mut impl FnMut()) -> usize {
    let mut runs = 1;
    while seconds(runs, run) * (runs as f64) < TURN.as_secs_f64() {
        runs *= 2;
    }
    runs
}

/// The seconds that one of so many runs takes on average.
fn seconds(runs: usize, run: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..runs {
        run();
    }
    start.elapsed().as_secs_f64() / runs as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
