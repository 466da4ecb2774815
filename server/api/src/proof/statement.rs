//! The statement of an account: the line that names the account and the block that dates the proof (proofs, section 1).

use std::fmt;

use bitcoin::Network;
use psbt_wasm::statement::{CoinNetwork, DEPTH, PERIOD_BLOCKS, Person, block_hash};

use board_log::names;
use board_log::units::{day, group_digits};
use chain::clock::{DAY, UnixTime};
use chain::coin_network;
use store::keyed_hash::KeyedHash;
use store::profiles::Profile;
use store::statement_blocks::StatementBlock;
use verify::binding::NotBound;

/// The average time between two blocks, in seconds.
const BLOCK_INTERVAL: i64 = 10 * 60;

/// A block that codes commit to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub height: u32,
    pub header: [u8; 80],
}

impl Block {
    /// The hash in internal order.
    pub fn hash(&self) -> [u8; 32] {
        block_hash(&self.header)
    }

    pub(super) fn from_stored(stored: &StatementBlock) -> Option<Self> {
        Some(Self {
            height: u32::try_from(stored.height).ok()?,
            header: hex::decode(&stored.header).ok()?.try_into().ok()?,
        })
    }
}

/// The blocks to which statements commit at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Height of the newest followed block.
    pub tip: u32,
    /// The blocks that count, the newest first.
    pub counting: Vec<Block>,
    /// Blocks that counted and have left the chain.
    pub gone: Vec<Block>,
}

impl Blocks {
    /// Heights of the blocks that count at this tip, the newest first. Block 0 needs no blocks above it.
    pub fn heights(tip: u32) -> impl Iterator<Item = u32> {
        let newest = tip.saturating_sub(DEPTH) / PERIOD_BLOCKS * PERIOD_BLOCKS;
        let before = newest.checked_sub(PERIOD_BLOCKS);
        std::iter::once(newest).chain(before)
    }
}

/// Derives the statements from the account, a block and a secret.
#[derive(Clone, Debug)]
pub struct Statements {
    secret: KeyedHash,
    network: CoinNetwork,
    origin: String,
}

/// One line of an account, with the values that its code commits to besides the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub nonce: [u8; 16],
    /// The full name.
    pub name: String,
    pub block: Block,
}

/// A future height of the chain, and about when it will be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTime {
    pub height: u32,
    /// Midnight of that day, unix seconds.
    pub day: UnixTime,
}

impl BlockTime {
    fn new(height: u32, tip: u32, now: UnixTime) -> Self {
        let blocks = i64::from(height) - i64::from(tip);
        let at = now + blocks.max(0) * BLOCK_INTERVAL;
        Self {
            height,
            day: at - at.rem_euclid(DAY),
        }
    }
}

/// "block 975,750, about 7 December 2026".
impl fmt::Display for BlockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let height = group_digits(&self.height.to_string());
        write!(f, "block {height}, about {}", day(self.day))
    }
}

/// The statement of one account at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The lines that count, the newest first.
    pub lines: Vec<Line>,
    /// Lines whose block has left the chain.
    gone: Vec<String>,
    /// The block from which the newest line no longer counts.
    pub counts_until: BlockTime,
    /// The block from which there is a new line.
    pub next_line: BlockTime,
}

impl Statement {
    /// The newest line, as the account's owner sees it.
    pub fn line(&self) -> &str {
        self.lines.first().map_or("", |line| &line.text)
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.text.as_str())
    }

    /// Why a file with a statement is not bound, though none of the lines that count is in it.
    pub(super) fn why_not_bound(&self, is_said: impl Fn(&str) -> bool) -> NotBound {
        match self.gone.iter().any(|line| is_said(line)) {
            true => NotBound::BlockGone,
            false => NotBound::OtherStatement,
        }
    }
}

impl Statements {
    /// Creates the statements of the board at this origin about coins of this network, whose codes are derived from this secret.
    pub fn new(secret: KeyedHash, network: Network, origin: &str) -> Self {
        Self {
            secret,
            network: coin_network(network),
            origin: origin.to_owned(),
        }
    }

    /// The statement of an account while these blocks count.
    pub fn for_account(&self, account: &Profile, blocks: &Blocks, now: UnixTime) -> Statement {
        let name = self
            .person(account)
            .full_name(signed_name(account).as_deref());
        let line = |block: &Block| self.line(account, &name, block);
        let newest = blocks.counting.first().map_or(0, |block| block.height);
        let after = |periods| {
            let height = newest + periods * PERIOD_BLOCKS + DEPTH;
            BlockTime::new(height, blocks.tip, now)
        };
        let gone = blocks.gone.iter().map(|block| line(block).text);
        Statement {
            lines: blocks.counting.iter().map(line).collect(),
            gone: gone.collect(),
            counts_until: after(2),
            next_line: after(1),
        }
    }

    /// The line of an account with this full name.
    ///
    /// # Panics
    /// When the origin is invalid, which the configuration excludes.
    pub fn line(&self, account: &Profile, name: &str, block: &Block) -> Line {
        let period = i64::from(block.height / PERIOD_BLOCKS);
        let nonce = self.nonce(&account.id, period);
        let text = self.person(account).statement(name, &nonce, &block.hash());
        Line {
            text: text.expect("the configuration has been validated"),
            nonce,
            name: name.to_owned(),
            block: block.clone(),
        }
    }

    /// The origin that every code commits to.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    fn person<'a>(&'a self, account: &'a Profile) -> Person<'a> {
        Person {
            network: self.network,
            origin: &self.origin,
            provider: &account.provider,
            subject: &account.subject,
            account: &account.id,
        }
    }

    fn nonce(&self, account: &str, period: i64) -> [u8; 16] {
        let hash = self
            .secret
            .hash(&[account.as_bytes(), &period.to_be_bytes()]);
        std::array::from_fn(|at| hash[at])
    }
}

fn signed_name(account: &Profile) -> Option<String> {
    let named = account.named.then_some(account.username.as_str());
    names::signed_name(&account.provider, named?)
}

#[cfg(test)]
mod tests;
