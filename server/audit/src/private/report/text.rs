//! The report as text.

use std::fmt::{self, Display, Formatter};

use board_log::units::btc_text;
use psbt_wasm::joined::ProofStatus;

use super::{BlockReport, DateReport, FileReport, Report};

fn bitcoin(sats: u64) -> String {
    format!("{} BTC", btc_text(i64::try_from(sats).unwrap_or(i64::MAX)))
}

/// A text without control characters, so that a file cannot move the reader's cursor.
fn plain(text: &str) -> String {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.replace(odd, "\u{fffd}")
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            write!(f, "{file}")?;
        }
        for named in self.joint.iter().flat_map(|joint| &joint.names) {
            if let Some(sats) = &named.amount_sats {
                let sats = sats.parse().unwrap_or_default();
                writeln!(
                    f,
                    "{}: at least {} in {} coins.",
                    plain(&named.name),
                    bitcoin(sats),
                    named.coin_count
                )?;
            }
        }
        if let Some(joint) = &self.joint {
            if let (Some(sats), true) = (&joint.amount_sats, joint.names.len() > 1) {
                let sats = sats.parse().unwrap_or_default();
                writeln!(f, "Together, as one client: at least {}.", bitcoin(sats))?;
            }
            for shared in &joint.shared {
                writeln!(
                    f,
                    "The coin {} is in {} files and counts once.",
                    shared.outpoint,
                    shared.files.len()
                )?;
            }
        }
        let reason = plain(self.reason.as_deref().unwrap_or_default());
        match self.status() {
            ProofStatus::Right => write!(f, "Right: all of it was checked."),
            ProofStatus::False => write!(f, "False: {reason}"),
            ProofStatus::Unchecked => write!(f, "Not everything could be checked: {reason}"),
        }
    }
}

impl Display for FileReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", plain(&self.file))?;
        if !self.sha256.is_empty() {
            writeln!(f, "  SHA-256 {}", self.sha256)?;
        }
        if let (Some(request), Some(name)) = (&self.request, &self.name) {
            writeln!(f, "  Request in the file: {}", plain(request))?;
            writeln!(
                f,
                "  The holder says they are {}. Nobody checked this name.",
                plain(name)
            )?;
        }
        if let Some(network) = self.network.filter(|network| *network != "mainnet") {
            writeln!(f, "  Test coins ({network}): they are worth nothing.")?;
        }
        if let Some(chain) = &self.chain {
            match chain.signed_after {
                Some(height) => writeln!(f, "  Signed after block {height}.")?,
                None => writeln!(f, "  Not dated.")?,
            }
        }
        let (count, sats) = self.counted();
        match &self.date {
            Some(date) => date.write(f, (count, sats))?,
            None if self.status() == ProofStatus::Right => {
                let height = self.chain.as_ref().map_or(0, |chain| chain.height);
                writeln!(
                    f,
                    "  {} in {count} coins, seen unspent at block {height}.",
                    bitcoin(sats)
                )?;
            }
            None => {}
        }
        for coin in &self.coins {
            write!(
                f,
                "  {} {}: {}",
                coin.outpoint,
                bitcoin(coin.value_sats),
                coin.conditions
            )?;
            match coin.state {
                Some(state) => writeln!(f, "; {}", state.replace('-', " "))?,
                None => writeln!(f)?,
            }
        }
        if let Some(wrong) = &self.wrong {
            writeln!(f, "  {}", plain(wrong.sentence()))?;
        }
        writeln!(f)
    }
}

impl DateReport {
    fn write(&self, f: &mut Formatter<'_>, (count, sats): (usize, u64)) -> fmt::Result {
        writeln!(f, "  At {}, Unix time {}:", self.at, self.time)?;
        for (name, block) in [("lower", &self.lower), ("upper", &self.upper)] {
            if let Some(block) = block {
                let BlockReport {
                    height,
                    time,
                    median_time,
                    ..
                } = block;
                writeln!(
                    f,
                    "    {name} block {height}, time {time}, median time past {median_time}"
                )?;
            }
        }
        if self.settled && count > 0 {
            let control = match self.control {
                Some("later") => "Control was shown later than the date.",
                _ => "Existence and control at the date.",
            };
            writeln!(
                f,
                "  At least {} in {count} coins stood at the date. {control}",
                bitcoin(sats)
            )?;
        }
        if self.since_sats != "0" {
            let sats = self.since_sats.parse().unwrap_or_default();
            writeln!(
                f,
                "  Spent since; the signature may be later: {}.",
                bitcoin(sats)
            )?;
        }
        writeln!(
            f,
            "  This shows existence and control, not completeness, debts or sole control."
        )
    }
}
