//! All claims of a board about one user: the row in its list, the row requested by id, and the published proofs behind it.

use std::collections::{BTreeMap, HashMap};

use bitcoin::OutPoint;

use super::finding::Finding;
use super::proof::Checked;
use super::responses::Listed;
use super::rows::Row;
use board_log::units::btc_text;
use chain::Tip;

/// A user with a row or a published proof.
#[derive(Clone, Debug, Default)]
pub(super) struct User {
    /// The row in the list.
    pub(super) row: Option<Row>,
    /// What the board answers about the id; `None` when it was not asked.
    pub(super) by_id: Option<ById>,
    pub(super) proofs: Vec<Checked>,
    /// Published proofs in the list that the board does not answer for.
    pub(super) missing: Vec<Listed>,
    /// Whether they joined during the audit. Their rows change while they prove something, and the next audit checks them.
    pub(super) joined: bool,
}

/// What the board answers about an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ById {
    pub(super) row: Option<Row>,
    /// The rank on the user's own page; `None` when there is no such user.
    pub(super) rank: Option<Option<i64>>,
}

/// All users whose rows or proofs were checked.
pub(super) struct Results {
    /// The block at which their coins were looked up.
    pub(super) tip: Tip,
    /// Height of the block up to which the board has followed the chain, according to its summary.
    pub(super) followed: Option<i64>,
    /// By their ids.
    pub(super) users: BTreeMap<String, User>,
    /// Findings about the list as a whole.
    pub(super) list: Vec<Finding>,
}

/// Groups rows and proofs by user.
pub(super) fn group(
    rows: Vec<Row>,
    by_id: HashMap<String, ById>,
    proofs: Vec<Checked>,
    missing: Vec<Listed>,
) -> BTreeMap<String, User> {
    let mut users: BTreeMap<String, User> = BTreeMap::new();
    for row in rows {
        let user = users.entry(row.id.clone()).or_default();
        user.row = Some(row);
    }
    for (id, answers) in by_id {
        users.entry(id).or_default().by_id = Some(answers);
    }
    // Owners are those in the list, so that a proof is found again even when it names another one.
    for proof in proofs {
        let user = users.entry(proof.listed.profile_id.clone()).or_default();
        user.proofs.push(proof);
    }
    for proof in missing {
        let user = users.entry(proof.profile_id.clone()).or_default();
        user.missing.push(proof);
    }
    users
}

impl User {
    /// The value of the user's published proofs according to the board, in sats.
    pub(super) fn published(&self) -> i64 {
        let sats = self.proofs.iter().map(Checked::sats);
        sats.fold(0, i64::saturating_add)
    }

    /// The findings about this user.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.joined {
            return findings;
        }
        for proof in &self.proofs {
            for (code, sentence) in &proof.faults {
                findings.push(proof.finding(code, sentence));
            }
            if let Some(row) = self
                .row
                .as_ref()
                .filter(|row| row.name() != proof.listed.name())
            {
                let sentence = format!("the board calls its owner {}", row.name());
                findings.push(proof.finding("name", &sentence));
            }
        }
        findings.extend(self.missing.iter().map(|listed| {
            let (id, name) = (&listed.id, &listed.name());
            let sentence = format!(
                "proof {id} of {name}: it is in the list of published proofs, and the board does not show it"
            );
            Finding {
                proof: Some(id.clone()),
                ..Finding::for_row("missing", (&listed.profile_id, name), sentence)
            }
        }));
        findings.extend(self.false_sum());
        findings.extend(self.false_row());
        findings
    }

    /// A finding when the list differs from the row requested by id, or that from the rank.
    fn false_row(&self) -> Option<Finding> {
        let ById { row: by_id, rank } = self.by_id.as_ref()?;
        if *by_id == self.row {
            let row = self.row.as_ref().filter(|row| *rank != Some(row.rank))?;
            let sentence = format!(
                "the board shows {} at {}, and answers another rank on their own page",
                row.name(),
                row.rank_in_words()
            );
            return Some(row.finding("rank", sentence));
        }
        let row = self.row.as_ref().or(by_id.as_ref())?;
        let words = |row: &Row| format!("{} at {}", row.words(), row.rank_in_words());
        let [listed, answered] =
            [&self.row, by_id].map(|row| row.as_ref().map_or_else(|| "nobody".to_owned(), words));
        let sentence = format!(
            "the list of rows shows {listed}; asked for {} the board answers {answered}",
            row.id
        );
        Some(row.finding("list", sentence))
    }

    fn false_sum(&self) -> Option<Finding> {
        let sum = self.published();
        let Some(row) = &self.row else {
            let proof = self.proofs.first()?;
            let sentence = "it is published, and nobody on the board has it";
            return Some(proof.finding("row", sentence));
        };
        let (name, worth) = (row.name(), btc_text(sum));
        let published = row.published_sats.unwrap_or(0);
        let shown = row.holdings.unwrap_or(0);
        let (code, sentence) = if published != sum {
            let published = btc_text(published);
            let sentence = format!(
                "the board says that {published} BTC of {name} can be checked, and the coins that count in their published proofs are worth {worth} BTC"
            );
            ("sum", sentence)
        } else if !row.is_range() && shown < sum {
            let shown = btc_text(shown);
            let sentence = format!(
                "the board shows {shown} BTC for {name}, less than the {worth} BTC of their published proofs"
            );
            ("holdings", sentence)
        } else {
            return None;
        };
        Some(row.finding(code, sentence))
    }
}

/// A finding for each coin that counts in two proofs, with the ids of their owners.
pub(super) fn double_counts(users: &BTreeMap<String, User>) -> Vec<([String; 2], Finding)> {
    let mut seen: HashMap<OutPoint, &Checked> = HashMap::new();
    let mut twice = Vec::new();
    for proof in users.values().flat_map(|user| &user.proofs) {
        for coin in proof.coins() {
            let Some(other) = seen.insert(coin, proof) else {
                continue;
            };
            let sentence = format!(
                "it counts the coin {coin}, which proof {} of {} counts as well",
                other.listed.id,
                other.listed.name()
            );
            let owners = [proof, other].map(|it| it.listed.profile_id.clone());
            twice.push((owners, proof.finding("twice", &sentence)));
        }
    }
    twice
}
