//! The table that is printed.

use std::time::Duration;

/// A line of the table; `good` is none where there is no goal.
pub(crate) fn line(what: &str, goal: &str, reached: &str, good: Option<bool>) {
    let mark = good.map_or("", |good| if good { "yes" } else { "**no**" });
    println!("| {what} | {goal} | {reached} | {mark} |");
}

pub(crate) fn text(time: Duration) -> String {
    match time.as_secs_f64() * 1000.0 {
        long @ 1000.0.. => format!("{:.2} s", long / 1000.0),
        some @ 10.0.. => format!("{some:.0} ms"),
        short => format!("{short:.2} ms"),
    }
}
