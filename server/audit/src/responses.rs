//! The parts of a board's responses that the audit reads.

use bitcoin::{Amount, Denomination};
use serde::Deserialize;
use serde_json::value::RawValue;

use board_log::names::shown_name;

/// A page of the list of published proofs.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) proofs: Vec<Listed>,
    pub(super) next: Option<String>,
}

/// A published proof in the list.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) id: String,
    /// The id of its owner.
    pub(super) profile_id: String,
    pub(super) username: String,
    pub(super) provider: String,
    pub(super) named: bool,
    /// What counts of it now.
    pub(super) amount_sats: i64,
    pub(super) published_at: String,
}

impl Listed {
    /// Its owner's name, as the board shows it.
    pub(super) fn name(&self) -> String {
        shown_name(&self.provider, &self.username, self.named)
    }
}

/// The rank of a user.
#[derive(Debug, Deserialize)]
pub(super) struct Rank {
    pub(super) rank: Option<i64>,
}

/// The settings of a board.
#[derive(Debug, Deserialize)]
pub(super) struct Settings {
    pub(super) network: String,
    /// The address of its current log.
    pub(super) log: String,
}

/// What a board says of all its rows together.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Summary {
    pub(super) people: i64,
    pub(super) holders: i64,
    pub(super) bitcoin: Box<RawValue>,
    pub(super) tiers: Vec<Tier>,
    /// The block up to which coins were seen unspent.
    pub(super) block: Option<Followed>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Tier {
    pub(super) name: String,
    pub(super) holders: i64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Followed {
    pub(super) height: i64,
}

/// BTC as JSON has it, in sats.
pub(super) fn sats(btc: &RawValue) -> Option<i64> {
    let amount = Amount::from_str_in(btc.get(), Denomination::Bitcoin);
    // What has passed another program may have an exponent: `1e-8`. All amounts that there are fit a double.
    let amount = amount.or_else(|error| btc.get().parse().map_or(Err(error), Amount::from_btc));
    i64::try_from(amount.ok()?.to_sat()).ok()
}
