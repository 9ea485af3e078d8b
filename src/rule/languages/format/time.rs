//! Leap seconds: they occur only in the last minute of a UTC day.

/// Whether the seconds of a time are below 60, or it is 23:59 UTC. The rest of the time has been checked.
pub(super) fn has_valid_leap_second(text: &str) -> bool {
    let time = text.rsplit(['T', 't']).next().unwrap_or(text);
    let (Some(hours), Some(minutes), Some(seconds)) =
        (number(time.get(..2)), number(time.get(3..5)), number(time.get(6..8)))
    else {
        return false;
    };
    if seconds < 60 {
        return true;
    }
    let offset = offset(time).unwrap_or_default();
    let local = hours.saturating_mul(60).saturating_add(minutes);
    local.saturating_sub(offset).rem_euclid(DAY) == DAY.saturating_sub(1)
}

/// The number of minutes of a day.
const DAY: i32 = 24 * 60;

/// The offset in minutes east of UTC.
fn offset(time: &str) -> Option<i32> {
    let start = time.rfind(['+', '-'])?;
    let hours = number(time.get(start.checked_add(1)?..start.checked_add(3)?))?;
    let minutes = number(time.get(start.checked_add(4)?..start.checked_add(6)?))?;
    let offset = hours.saturating_mul(60).saturating_add(minutes);
    Some(if time.get(start..)?.starts_with('-') { offset.saturating_neg() } else { offset })
}

/// Reads a number.
fn number(text: Option<&str>) -> Option<i32> {
    text?.parse().ok()
}
