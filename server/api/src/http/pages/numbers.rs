//! Numbers in writing, as the web app writes them (`web/src/lib/format.ts`).

pub(super) const SATS_PER_BTC: u64 = 100_000_000;

/// An amount in BTC in three parts: up to its point, from there to its last digit that is no zero, and the zeros behind that.
pub(super) fn amount(sats: u64) -> (String, String, String) {
    let (whole, decimals) = (sats / SATS_PER_BTC, format!("{:08}", sats % SATS_PER_BTC));
    let digits = decimals.trim_end_matches('0');
    let zeros = &decimals[digits.len()..];
    let (fraction, zeros) = if digits.is_empty() {
        (String::new(), format!(".{zeros}"))
    } else {
        (format!(".{digits}"), zeros.to_owned())
    };
    (grouped(&whole.to_string()), fraction, zeros)
}

/// A whole number with thousands separators.
pub(super) fn count(number: usize) -> String {
    grouped(&number.to_string())
}

/// `1 holder`, `2 holders`.
pub(super) fn plural(number: usize, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        count(number),
        if number == 1 { "" } else { "s" }
    )
}

pub(super) fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Dollars with three digits from a thousand on, and never more than there are.
pub(super) fn short(amount: f64) -> String {
    for (unit, sign) in [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")] {
        if amount < unit {
            continue;
        }
        let amount = amount / unit;
        let decimals = [(10.0, 2), (100.0, 1)]
            .into_iter()
            .find(|(below, _)| amount < *below);
        let decimals = decimals.map_or(0, |(_, decimals)| decimals);
        let parts = 10_u64.pow(decimals);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least one, and a cast that is too large stops at the largest number"
        )]
        let number = (amount * parts as f64).floor() as u64;
        let whole = grouped(&(number / parts).to_string());
        return match decimals {
            0 => format!("${whole}{sign}"),
            _ => format!(
                "${whole}.{:0width$}{sign}",
                number % parts,
                width = decimals as usize
            ),
        };
    }
    dollars(amount)
}

/// Dollars with two decimals, or none where they are zero; halves of a cent go up. `Intl.NumberFormat` rounds what is the
/// shortest decimal of the number, not the number itself (1.005 is 1.01), so this does as well.
pub(super) fn dollars(amount: f64) -> String {
    let shortest = amount.to_string();
    let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let digit = |at: usize| u64::from(fraction.as_bytes().get(at).map_or(0, |digit| digit - b'0'));
    let cents = digit(0) * 10 + digit(1) + u64::from(digit(2) >= 5);
    let whole = whole.parse::<u64>().unwrap_or(0) + cents / 100;
    let whole = grouped(&whole.to_string());
    match cents % 100 {
        0 => format!("${whole}"),
        cents => format!("${whole}.{cents:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_have_two_decimals_or_none() {
        for (amount, text) in [
            (150_000.0, "$150,000"),
            (149_999.985, "$149,999.99"),
            (1_234.5, "$1,234.50"),
            (0.002, "$0"),
            (0.995, "$1"),
            (1.005, "$1.01"),
        ] {
            assert_eq!(dollars(amount), text);
        }
    }

    #[test]
    fn short_dollars_have_three_digits_and_never_say_more_than_there_are() {
        for (amount, text) in [
            (0.0, "$0"),
            (999.99, "$999.99"),
            (1_000.0, "$1.00K"),
            (999_999.0, "$999K"),
            (61_749_999.0, "$61.7M"),
            (2_059_999_999.0, "$2.05B"),
            (2_100_000_000_000.0, "$2.10T"),
            (2_100_000_000_000_000.0, "$2,100T"),
        ] {
            assert_eq!(short(amount), text);
        }
    }

    #[test]
    fn amounts_are_grouped_and_their_zeros_stand_apart() {
        for (sats, parts) in [
            (0, ("0", "", ".00000000")),
            (1, ("0", ".00000001", "")),
            (30_000_000_000, ("300", "", ".00000000")),
            (2_141_300_017_000, ("21,413", ".00017", "000")),
            (2_100_000_000_000_000, ("21,000,000", "", ".00000000")),
        ] {
            let (whole, fraction, zeros) = amount(sats);
            assert_eq!((whole.as_str(), fraction.as_str(), zeros.as_str()), parts);
        }
    }
}
