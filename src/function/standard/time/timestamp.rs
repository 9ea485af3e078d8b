//! Times by RFC 3339, read strictly and with the words of cty for what is wrong.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use crate::text::Quoted;

/// A time with its offset from UTC in minutes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timestamp {
    pub(super) civil: DateTime,
    pub(super) offset: i32,
}

impl Timestamp {
    pub(super) fn read(text: &str) -> Result<Timestamp, String> {
        let mut rest = Rest(text);
        let year = rest.number(4, "year")?;
        rest.literal('-')?;
        let month = rest.within(1, 12, "month")?;
        rest.literal('-')?;
        let day = rest.number(2, "day of month")?;
        if !rest.take('T') {
            return Err("missing required time introducer 'T'".to_owned());
        }
        let hour = rest.time("hour", 23)?;
        rest.literal(':')?;
        let minute = rest.time("minute", 59)?;
        rest.literal(':')?;
        let second = rest.within(0, 59, "second")?;
        let fraction = rest.fraction();
        let offset = rest.offset()?;
        let civil = narrow(year).zip(narrow(month)).zip(narrow(day)).and_then(|((year, month), day)| {
            let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
            let (hour, minute, second) =
                (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, i8::try_from(second).ok()?);
            Some(DateTime::from_parts(date, Time::new(hour, minute, second, fraction.1).ok()?))
        });
        let civil = civil.ok_or("day out of range")?;
        if fraction.0 == Some(',') {
            return Err("cannot use \",\" as timestamp segment".to_owned());
        }
        Ok(Timestamp { civil, offset })
    }

    /// The time so many nanoseconds later.
    pub(super) fn after(self, nanoseconds: i64) -> Option<Timestamp> {
        let civil = self.civil.checked_add(SignedDuration::from_nanos(nanoseconds)).ok()?;
        Some(Timestamp { civil, ..self })
    }

    /// The time since the beginning of the calendar, in UTC: equal for the same instant in two time zones.
    pub(super) fn instant(self) -> SignedDuration {
        let local = self.civil.duration_since(DateTime::MIN);
        local.saturating_sub(SignedDuration::from_mins(self.offset.into()))
    }

    /// `±hh:mm`, with this between hours and minutes.
    pub(super) fn offset_text(&self, between: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs();
        let (hours, minutes) = (minutes.checked_div(60).unwrap_or(0), minutes.checked_rem(60).unwrap_or(0));
        format!("{sign}{hours:02}{between}{minutes:02}")
    }
}

fn narrow(number: u32) -> Option<i16> {
    i16::try_from(number).ok()
}

/// Without what is below a second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = (self.civil.date(), self.civil.time());
        write!(f, "{:04}-{:02}-{:02}T", date.year(), date.month(), date.day())?;
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
        if self.offset == 0 { f.write_str("Z") } else { f.write_str(&self.offset_text(":")) }
    }
}

/// What has not been read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, c: char) -> bool {
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn literal(&mut self, c: char) -> Result<(), String> {
        match self.take(c) {
            true => Ok(()),
            false if self.0.is_empty() => Err(format!("end of string where \"{c}\" is expected")),
            false => Err(format!("found {} where \"{c}\" is expected", Quoted(self.0))),
        }
    }

    /// The number that so many digits make, which come next.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        self.0 = rest;
        Some(number)
    }

    fn unfit(&self, what: &str) -> String {
        match self.0 {
            "" => format!("end of string before {what}"),
            rest => format!("cannot use {} as {what}", Quoted(rest)),
        }
    }

    fn number(&mut self, count: usize, what: &str) -> Result<u32, String> {
        self.digits(count).ok_or_else(|| self.unfit(what))
    }

    /// A number of two digits. What is told of one that is too large is what follows it.
    fn within(&mut self, least: u32, most: u32, what: &str) -> Result<u32, String> {
        let number = self.number(2, what)?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(self.unfit(what)) }
    }

    fn time(&mut self, what: &str, most: u32) -> Result<u32, String> {
        if self.0.is_empty() {
            return Err(self.unfit(what));
        }
        let mut chars = self.0.chars();
        if chars.next().is_some_and(|c| c.is_ascii_digit()) && chars.next() == Some(':') {
            return Err(format!("{what} must have exactly two digits"));
        }
        let number = self.digits(2).filter(|number| *number <= most);
        number.ok_or_else(|| format!("{what} must be between 0 and {most} inclusive"))
    }

    /// Nanoseconds, and what stands before them. Further digits do not count.
    fn fraction(&mut self) -> (Option<char>, i32) {
        let mut chars = self.0.chars();
        let point = chars.next().filter(|c| matches!(c, '.' | ','));
        let rest = chars.as_str();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if point.is_none() || end == 0 {
            return (None, 0);
        }
        let digits = rest.get(..end.min(9)).unwrap_or_default();
        self.0 = rest.get(end..).unwrap_or_default();
        (point, format!("{digits:0<9}").parse().unwrap_or(0))
    }

    /// Minutes.
    fn offset(&mut self) -> Result<i32, String> {
        if self.0 == "Z" {
            return Ok(0);
        }
        let unfit = self.unfit("UTC offset");
        let sign = if self.0.starts_with('-') { -1 } else { 1 };
        let signed = self.take('+') || self.take('-');
        let hours = self.digits(2).filter(|hours| signed && *hours <= 23);
        let separated = self.take(':');
        let minutes = self.digits(2).filter(|minutes| separated && *minutes <= 59);
        let offset = hours.zip(minutes).filter(|_| self.0.is_empty()).and_then(|(hours, minutes)| {
            i32::try_from(hours.checked_mul(60)?.checked_add(minutes)?).ok()?.checked_mul(sign)
        });
        offset.ok_or(unfit)
    }
}
