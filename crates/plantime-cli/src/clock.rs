//! The clock, which only the command reads: what depends on the day takes it as an input.

use std::time::{SystemTime, UNIX_EPOCH};

use plantime_terraform::plan::Day;

/// The day of the check, in UTC: the one that an option names, else today.
pub(crate) fn day(named: Option<Day>) -> Day {
    named.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Day::of_unix_time(since.map_or(0, |since| since.as_secs()))
    })
}

/// Parses the argument of `--now`: a day, or a time in UTC.
pub(crate) fn now(text: &str) -> Result<Day, String> {
    let (day, time) = match text.split_once('T') {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    if time.is_some_and(|time| !is_time_in_utc(time)) {
        return Err("a time is written 2026-12-31T09:30:00Z, in UTC".to_owned());
    }
    day.parse().map_err(|error: plantime::Error| error.to_string())
}

/// Whether a text has the form of a time in UTC: `09:30:00Z`.
fn is_time_in_utc(text: &str) -> bool {
    let numbers = text.strip_suffix('Z').map(|text| text.split(':').collect::<Vec<_>>());
    let is_number =
        |text: &str, below: u8| text.len() == 2 && text.parse::<u8>().is_ok_and(|number| number < below);
    matches!(numbers.as_deref(), Some([hour, minute, second])
        if is_number(hour, 24) && is_number(minute, 60) && is_number(second, 61))
}
