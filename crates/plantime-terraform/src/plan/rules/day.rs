//! Days of the calendar, for exceptions that end.

use std::fmt;
use std::str::FromStr;

use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// A day of the Gregorian calendar, in UTC.
///
/// ```
/// use plantime_terraform::plan::Day;
///
/// let last: Day = "2026-12-31".parse()?;
/// assert_eq!(Day::of_unix_time(1_798_761_599), last);
/// assert!(Day::of_unix_time(1_798_761_600) > last);
/// assert!("2026-02-29".parse::<Day>().is_err() && "2028-02-29".parse::<Day>().is_ok());
/// assert_eq!(last.to_string(), "2026-12-31");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// The seconds of a day.
const SECONDS: u64 = 86_400;

impl Day {
    /// The day of a time in seconds since the start of 1970, UTC. Times after the year 9999 count as its last day.
    ///
    /// [Example](Day)
    pub fn of_unix_time(seconds: u64) -> Day {
        let mut days = seconds / SECONDS;
        let mut year: u16 = 1970;
        while year < 9999 && days >= days_of_year(year) {
            days = days.saturating_sub(days_of_year(year));
            year = year.saturating_add(1);
        }
        let mut month: u8 = 1;
        while month < 12 && days >= u64::from(days_of_month(year, month)) {
            days = days.saturating_sub(u64::from(days_of_month(year, month)));
            month = month.saturating_add(1);
        }
        let last = days_of_month(year, month);
        let day = u8::try_from(days.saturating_add(1)).unwrap_or(last).min(last);
        Day { year, month, day }
    }
}

/// Whether a year has a 29th of February.
fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u16) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Day {
    type Err = Error;

    /// Reads `2026-12-31`.
    ///
    /// # Errors
    ///
    /// When the text has another form, or there is no such day.
    fn from_str(text: &str) -> Result<Day> {
        let invalid = |why: &str| Error::new(Kind::Syntax, format!("{text:?} is no day: {why}"));
        let form = "a day is written 2026-12-31";
        let mut parts = text.split('-');
        let mut number = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u16>().ok())?
        };
        let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else {
            return Err(invalid(form));
        };
        if parts.next().is_some() {
            return Err(invalid(form));
        }
        match (u8::try_from(month), u8::try_from(day)) {
            (Ok(month @ 1..=12), Ok(day)) if (1..=days_of_month(year, month)).contains(&day) => {
                Ok(Day { year, month, day })
            }
            (Ok(1..=12), _) => Err(invalid("the month has no such day")),
            _ => Err(invalid("there is no such month")),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}
