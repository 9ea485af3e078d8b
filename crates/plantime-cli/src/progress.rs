//! How far a run over many plans is, for a person who waits at a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time after which the progress bar appears; a shorter run shows none.
const PATIENCE: Duration = Duration::from_millis(300);

/// A progress bar on standard error, shown if that is a terminal and there is more than one plan.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Whether what the run writes and the bar come to the same screen.
    same_screen: bool,
}

impl Progress {
    /// A progress bar for a run over this number of plans.
    pub(crate) fn of(count: usize) -> Progress {
        let bar = if count > 1 && super::output::is_screen(&std::io::stderr()) {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden())
        } else {
            ProgressBar::hidden()
        };
        let style = "{bar:40} {human_pos} of {human_len} plans, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Progress { bar, start: Instant::now(), same_screen: std::io::stdout().is_terminal() }
    }

    /// Runs `write`, which may write to the same terminal, with the bar cleared meanwhile.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        if self.same_screen { self.bar.suspend(write) } else { write() }
    }

    /// Counts one more plan as done, and shows the bar once the run takes long enough.
    pub(crate) fn one_more(&mut self) {
        if self.bar.is_hidden() && self.bar.length().is_some() && self.start.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
