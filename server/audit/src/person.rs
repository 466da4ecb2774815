//! All claims of a board about one user: the row in its list, the row requested by id, and the published proofs behind it.

use std::collections::{BTreeMap, HashMap};

use bitcoin::OutPoint;

use super::engine::Checked;
use super::finding::Finding;
use super::rows::Row;
use board_log::units::btc_text;
use chain::Tip;

/// A user with a row or a published proof.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    /// The row in the list.
    pub(super) row: Option<Row>,
    /// The row requested by id; `None` when it was not requested.
    pub(super) by_id: Option<Option<Row>>,
    pub(super) proofs: Vec<Checked>,
}

/// All users whose rows or proofs were checked.
pub(super) struct Seen {
    /// The block at which their coins were looked up.
    pub(super) tip: Tip,
    /// By their ids.
    pub(super) people: BTreeMap<String, Person>,
    /// Findings about the list as a whole.
    pub(super) list: Vec<Finding>,
    /// How many of its rows were not compared by id.
    pub(super) not_compared: usize,
}

/// A coin that counts in two proofs.
pub(super) struct Twice {
    pub(super) owners: [String; 2],
    pub(super) finding: Finding,
}

/// Groups rows and proofs by user.
pub(super) fn all(
    rows: Vec<Row>,
    by_id: HashMap<String, Option<Row>>,
    proofs: Vec<Checked>,
) -> BTreeMap<String, Person> {
    let mut people: BTreeMap<String, Person> = BTreeMap::new();
    for row in rows {
        people.entry(row.id.clone()).or_default().row = Some(row);
    }
    for (id, row) in by_id {
        people.entry(id).or_default().by_id = Some(row);
    }
    for proof in proofs {
        let person = people.entry(proof.owner.clone()).or_default();
        person.proofs.push(proof);
    }
    people
}

impl Person {
    /// The value of the user's published proofs according to the board, in sats.
    pub(super) fn published(&self) -> i64 {
        let sats = self.proofs.iter().map(|proof| proof.sats);
        sats.fold(0, i64::saturating_add)
    }

    /// The findings about this user.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let faults_of = |proof: &Checked| {
            let faults = proof.faults.clone().into_iter();
            let proof = proof.clone();
            faults.map(move |(code, sentence)| of_proof(code, &proof, &sentence))
        };
        let mut findings: Vec<Finding> = self.proofs.iter().flat_map(faults_of).collect();
        findings.extend(self.false_names());
        findings.extend(self.false_sum());
        findings.extend(self.false_row());
        findings
    }

    /// A finding when the list differs from the row requested by id.
    fn false_row(&self) -> Option<Finding> {
        let by_id = self.by_id.as_ref()?;
        if *by_id == self.row {
            return None;
        }
        let words = |row: &Row| format!("{} at {}", row.amount(), row.place());
        let row = self.row.as_ref().or(by_id.as_ref())?;
        let listed = match &self.row {
            Some(row) => format!("the list of rows shows {} with {}", row.name, words(row)),
            None => format!("the list of rows does not show {}", row.name),
        };
        let answered = match by_id {
            Some(row) => format!(
                "has {} with {}, verified {}",
                row.name,
                words(row),
                row.when()
            ),
            None => "has nobody".to_owned(),
        };
        let sentence = format!("{listed}; asked for {} the board {answered}", row.id);
        Some(Finding::of_row("list", (&row.id, &row.name), sentence))
    }

    fn false_names(&self) -> impl Iterator<Item = Finding> {
        let named = self.row.iter().flat_map(|row| {
            let proofs = self.proofs.iter();
            proofs
                .filter(|proof| proof.name != row.name)
                .map(move |proof| (row, proof))
        });
        named.map(|(row, proof)| {
            let sentence = format!("the board calls its owner {}", row.name);
            of_proof("name", proof, &sentence)
        })
    }

    fn false_sum(&self) -> Option<Finding> {
        let sum = self.published();
        let Some(row) = &self.row else {
            let proof = self.proofs.first()?;
            let sentence = "it is published, and nobody on the board has it";
            return Some(of_proof("row", proof, sentence));
        };
        if row.published != sum {
            let sentence = format!(
                "the board says that {} BTC of {} can be checked, and the coins that count in their published proofs are worth {} BTC",
                btc_text(row.published),
                row.name,
                btc_text(sum),
            );
            return Some(Finding::of_row("sum", (&row.id, &row.name), sentence));
        }
        let shown = row.holdings.unwrap_or(0);
        (!row.range && shown < sum).then(|| {
            let sentence = format!(
                "the board shows {} BTC for {}, less than the {} BTC of their published proofs",
                btc_text(shown),
                row.name,
                btc_text(sum),
            );
            Finding::of_row("holdings", (&row.id, &row.name), sentence)
        })
    }
}

/// The coins that are counted more than once.
pub(super) fn counted_twice(people: &BTreeMap<String, Person>) -> Vec<Twice> {
    let mut seen: HashMap<OutPoint, &Checked> = HashMap::new();
    let mut twice = Vec::new();
    for proof in people.values().flat_map(|person| &person.proofs) {
        for coin in &proof.coins {
            let Some(other) = seen.insert(*coin, proof) else {
                continue;
            };
            let sentence = format!(
                "it counts the coin {coin}, which proof {} of {} counts as well",
                other.id, other.name
            );
            twice.push(Twice {
                owners: [proof.owner.clone(), other.owner.clone()],
                finding: of_proof("twice", proof, &sentence),
            });
        }
    }
    twice
}

/// A finding about a proof.
pub(super) fn of_proof(code: &'static str, proof: &Checked, sentence: &str) -> Finding {
    Finding {
        code,
        profile: proof.owner.clone(),
        name: proof.name.clone(),
        proof: Some(proof.id.clone()),
        sentence: format!("proof {} of {}: {sentence}", proof.id, proof.name),
    }
}
