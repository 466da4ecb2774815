//! Formats of amounts and times.

use serde_json::value::RawValue;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// For how many days a proof counts.
pub const PROOF_DAYS: i64 =
    match i64::from_str_radix(include_str!("../lists/proof-days.json").trim_ascii(), 10) {
        Ok(days) => days,
        Err(_) => panic!("it is not a number of days"),
    };

/// Sats as a JSON number in BTC, with exactly 8 decimals and without ever being a float.
pub fn btc(sats: i64) -> Box<RawValue> {
    RawValue::from_string(btc_text(sats)).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Sats as text in BTC, with exactly 8 decimals.
pub fn btc_text(sats: i64) -> String {
    const SATS_PER_BTC: u64 = 100_000_000;
    let sign = if sats < 0 { "-" } else { "" };
    let sats = sats.unsigned_abs();
    format!("{sign}{}.{:08}", sats / SATS_PER_BTC, sats % SATS_PER_BTC)
}

/// The day of a time in UTC, in words: 7 December 2026.
pub fn day(time: i64) -> String {
    OffsetDateTime::from_unix_timestamp(time)
        .map(|time| format!("{} {} {}", time.day(), time.month(), time.year()))
        .unwrap_or_default()
}

/// The same as a row says it: Dec 7, 2026.
pub fn short_day(time: i64) -> Option<String> {
    let day = OffsetDateTime::from_unix_timestamp(time).ok()?.date();
    let month = day.month().to_string();
    Some(format!("{} {}, {}", &month[..3], day.day(), day.year()))
}

/// A number with separators of thousands: 1,234,567.89. The text has digits and at most one point.
pub fn group_digits(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// A time in unix seconds as RFC 3339 text in UTC.
pub fn iso(time: i64) -> String {
    OffsetDateTime::from_unix_timestamp(time)
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_default()
}

/// The time of such a text, unix seconds.
pub fn unix_time(text: &str) -> Option<i64> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    Some(time.unix_timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcoin_amounts_have_eight_decimals() {
        assert_eq!(btc_text(0), "0.00000000");
        assert_eq!(btc_text(1), "0.00000001");
        assert_eq!(btc_text(125_000_000), "1.25000000");
        assert_eq!(btc_text(2_100_000_000_000_000), "21000000.00000000");
    }

    #[test]
    fn times_are_rfc_3339_in_utc() {
        assert_eq!(iso(1_700_000_000), "2023-11-14T22:13:20Z");
        assert_eq!(unix_time("2023-11-14T22:13:20Z"), Some(1_700_000_000));
        assert_eq!(unix_time("yesterday"), None);
        assert_eq!(day(1_701_907_200), "7 December 2023");
        assert_eq!(short_day(1_795_305_599).as_deref(), Some("Nov 21, 2026"));
        assert_eq!(short_day(1_795_305_600).as_deref(), Some("Nov 22, 2026"));
    }

    #[test]
    fn thousands_are_separated() {
        for (number, text) in [
            ("0.00000001", "0.00000001"),
            ("999", "999"),
            ("21413.00017000", "21,413.00017000"),
            ("1234567", "1,234,567"),
        ] {
            assert_eq!(group_digits(number), text);
        }
    }
}
