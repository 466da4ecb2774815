//! An instant as people and RFC 3339 write it, with its time zone.

/// A text that is no instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidInstant {
    /// It does not say in which time zone.
    #[error(
        "The date lacks its time zone. Write the offset from UTC behind the time: 2027-01-01T00:00:00+01:00, or Z for UTC."
    )]
    NoZone,
    /// It has another form.
    #[error("The date must look like 2027-01-01T00:00:00+01:00.")]
    Form,
    /// There is no such day or time.
    #[error("There is no such day, time or time zone.")]
    NoSuchTime,
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The farthest time zone from UTC, in hours.
const MAX_OFFSET: i64 = 14;

/// The Unix time of an instant such as `2027-01-01T00:00:00+01:00` or `2026-12-31T23:00Z`. 24:00 is the end of its day.
///
/// # Errors
/// [`InvalidInstant`]; also for `-00:00`, by which RFC 3339 says that the zone is unknown.
pub fn read_instant(text: &str) -> Result<i64, InvalidInstant> {
    use InvalidInstant::{Form, NoSuchTime, NoZone};
    let bytes = text.as_bytes();
    let (date, rest) = bytes.split_at_checked(10).ok_or(Form)?;
    let [year, month, day] = match date {
        [year @ .., b'-', m1, m2, b'-', d1, d2] => {
            [number(year)?, number(&[*m1, *m2])?, number(&[*d1, *d2])?]
        }
        _ => return Err(Form),
    };
    let rest = match rest {
        [] => return Err(NoZone),
        [b'T', rest @ ..] => rest,
        _ => return Err(Form),
    };
    let (time, zone) = rest.split_at_checked(5).ok_or(Form)?;
    let [hour, minute] = clock(time)?;
    let (second, zone) = match zone {
        [b':', s1, s2, zone @ ..] => (number(&[*s1, *s2])?, zone),
        zone => (0, zone),
    };
    let offset = match zone {
        [] => return Err(NoZone),
        b"-00:00" => return Err(NoZone),
        b"Z" => 0,
        [sign @ (b'+' | b'-'), zone @ ..] => {
            let [hours, minutes] = clock(zone)?;
            let offset = hours * HOUR + minutes * MINUTE;
            if minutes > 59 || offset > MAX_OFFSET * HOUR {
                return Err(NoSuchTime);
            }
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return Err(Form),
    };
    let in_day = hour * HOUR + minute * MINUTE + second;
    let is_time = minute < 60 && second < 60 && in_day <= DAY;
    let is_day = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    if !is_time || !is_day {
        return Err(NoSuchTime);
    }
    Ok(days_before(year, month, day) * DAY + in_day - offset)
}

/// Hours and minutes, `hh:mm`.
fn clock(text: &[u8]) -> Result<[i64; 2], InvalidInstant> {
    match text {
        [h1, h2, b':', m1, m2] => Ok([number(&[*h1, *h2])?, number(&[*m1, *m2])?]),
        _ => Err(InvalidInstant::Form),
    }
}

fn number(digits: &[u8]) -> Result<i64, InvalidInstant> {
    let mut number = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return Err(InvalidInstant::Form);
        }
        number = 10 * number + i64::from(digit - b'0');
    }
    Ok(number)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to this one, in the Gregorian calendar.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leaps = |year: i64| year / 4 - year / 100 + year / 400;
    let years = 365 * (year - 1970) + leaps(year - 1) - leaps(1969);
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_in_any_time_zone_are_read() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2009-01-03T18:15:05Z", 1_231_006_505),
            ("2027-01-01T00:00:00+01:00", 1_798_758_000),
            ("2026-12-31T23:00Z", 1_798_758_000),
            ("2026-12-31T24:00+01:00", 1_798_758_000),
            ("2026-12-31T24:00:00+01:00", 1_798_758_000),
            ("2027-01-01T04:45:00+05:45", 1_798_758_000),
            ("2026-12-31T18:00:00-05:00", 1_798_758_000),
            ("2027-01-01T13:00:00+14:00", 1_798_758_000),
            // The same minute twice, when clocks are set back.
            ("2026-10-25T02:30:00+02:00", 1_792_888_200),
            ("2026-10-25T02:30:00+01:00", 1_792_891_800),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("2028-02-29T00:00:00Z", 1_835_395_200),
            ("1969-12-31T23:59:59Z", -1),
        ] {
            assert_eq!(read_instant(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_instant_or_lack_a_zone_are_refused() {
        use InvalidInstant::{Form, NoSuchTime, NoZone};
        for (text, error) in [
            ("2027-01-01T00:00:00", NoZone),
            ("2027-01-01T00:00", NoZone),
            ("2027-01-01", NoZone),
            ("2027-01-01T00:00:00-00:00", NoZone),
            ("2027-01-01T00:00:00 CET", Form),
            ("2027-01-01 00:00:00Z", Form),
            ("2027-01-01T00:00:00z", Form),
            ("2027-01-01T00:00:00.5Z", Form),
            ("2027-01-01T0:00:00Z", Form),
            ("2027-1-1T00:00:00Z", Form),
            ("01.01.2027 00:00", Form),
            ("+027-01-01T00:00:00Z", Form),
            ("2027-01-01T00:00:00+0100", Form),
            ("2027-01-01T00:00:00+01", Form),
            ("2027-01-01T00:00:00+01:00 ", Form),
            ("", Form),
            ("2027-01-01T24:00:01Z", NoSuchTime),
            ("2027-01-01T24:30Z", NoSuchTime),
            ("2027-01-01T23:60:00Z", NoSuchTime),
            ("2026-12-31T23:59:60Z", NoSuchTime),
            ("2027-02-29T00:00:00Z", NoSuchTime),
            ("2100-02-29T00:00:00Z", NoSuchTime),
            ("2027-04-31T00:00:00Z", NoSuchTime),
            ("2027-13-01T00:00:00Z", NoSuchTime),
            ("2027-00-01T00:00:00Z", NoSuchTime),
            ("2027-01-00T00:00:00Z", NoSuchTime),
            ("2027-01-01T00:00:00+14:01", NoSuchTime),
            ("2027-01-01T00:00:00+01:60", NoSuchTime),
        ] {
            assert_eq!(read_instant(text), Err(error), "{text}");
        }
    }
}
