//! A board checked from outside, by whoever wants to (proofs, section 5): every published proof through the engine that takes
//! submissions, every coin at one tip, every sum. Nothing that the board says is believed but what follows from that.
//!
//! A board changes while it is looked at. So what looks false is looked at again, person by person, until it is not or patience
//! is over: a row and the proofs behind it are two questions, and a block reaches the board a little later than its chain.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use uuid::Uuid;

use chain::clock::Clock;
use chain::{Chain, ChainError, Tip};
use verify::processors;

pub mod args;
mod coins;
pub mod command;
mod engine;
mod finding;
pub mod log;
mod person;
mod prepared;
mod report;
mod rows;
mod site;
mod wire;

use engine::Checked;
pub use finding::Finding;
use person::{Person, Seen};
use prepared::Prepared;
pub use report::Report;
use rows::Row;
pub use site::{Site, SiteError};

/// How many proofs are fetched at once.
const AT_ONCE: usize = 8;

/// The pause before something is looked at again.
const PAUSE: Duration = Duration::from_secs(2);

/// What it takes to check a board.
pub struct Audit<'a> {
    pub site: Site,
    pub chain: Chain,
    pub clock: Clock,
    /// For how long what looks false is looked at again.
    pub patience: Duration,
    /// Is told how far it is.
    pub progress: &'a (dyn Fn(String) + Send + Sync),
}

/// Why a board could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("the chain cannot be asked: {0}")]
    Chain(#[from] ChainError),
    #[error(
        "this board is of {board}, and the chain sources are of {chain}; name its network with --network and sources that follow it"
    )]
    OtherNetwork { board: String, chain: &'static str },
}

impl Audit<'_> {
    /// Checks everything that anybody can check.
    ///
    /// # Errors
    /// When the board or the chain cannot be asked. What is false is no error but in the report.
    pub async fn run(&self) -> Result<Report, AuditError> {
        self.same_network().await?;
        let begin = Instant::now();
        let mut seen = self.everybody().await?;
        while let implicated = implicated(&seen.people)
            && !implicated.is_empty()
        {
            let last = begin.elapsed() >= self.patience;
            if !last {
                sleep(PAUSE).await;
            }
            (self.progress)(format!("looking again at {} people", implicated.len()));
            let again = self.some(&implicated).await?;
            seen.people.extend(again.people);
            if last {
                break;
            }
        }
        Ok(report::of(&self.site, &self.chain, &seen))
    }

    async fn same_network(&self) -> Result<(), AuditError> {
        let board = self.site.network().await?;
        let chain = wire::network(self.chain.network());
        if board == chain {
            Ok(())
        } else {
            Err(AuditError::OtherNetwork { board, chain })
        }
    }

    async fn everybody(&self) -> Result<Seen, AuditError> {
        let fetched = |proofs| (self.progress)(format!("{proofs} proofs fetched"));
        let proofs = self.site.proofs(None, AT_ONCE, &fetched).await?;
        let rows = self.site.rows().await?;
        let ranks = rows.iter().flat_map(rows::ranks).collect();
        let rows = rows.into_iter().flat_map(|page| page.rows);
        let mut rows: HashMap<String, Row> = rows.map(|row| (row.id.clone(), row)).collect();
        let owners: BTreeSet<String> = proofs.iter().map(|it| it.profile.id.clone()).collect();
        // Those who have moved from page to page meanwhile, and those without a place.
        for owner in &owners {
            if !rows.contains_key(owner) {
                let row = self.site.row(owner).await?;
                rows.extend(row.map(|row| (owner.clone(), row)));
            }
        }
        let (tip, checked) = self.check(proofs).await?;
        let people = person::all(rows, checked);
        Ok(Seen { tip, people, ranks })
    }

    /// The same for some people alone.
    async fn some(&self, ids: &BTreeSet<String>) -> Result<Seen, AuditError> {
        let (mut rows, mut proofs) = (HashMap::new(), Vec::new());
        for id in ids {
            proofs.extend(self.site.proofs(Some(id), AT_ONCE, &|_| {}).await?);
            rows.extend(self.site.row(id).await?.map(|row| (id.clone(), row)));
        }
        let (tip, checked) = self.check(proofs).await?;
        let mut people = person::all(rows, checked);
        // Whoever is gone is nobody who says anything.
        for id in ids {
            people.entry(id.clone()).or_default();
        }
        let ranks = Vec::new();
        Ok(Seen { tip, people, ranks })
    }

    /// Every proof through the engine, all coins at one tip.
    async fn check(&self, proofs: Vec<wire::Proof>) -> Result<(Tip, Vec<Checked>), AuditError> {
        let now = self.clock.now();
        let (origin, network) = (self.site.origin(), self.chain.network());
        let prepared = proofs.into_iter();
        let prepared = prepared.map(|proof| prepared::prepare(proof, origin, network, now));
        let prepared: Vec<Prepared> = prepared.collect();
        let wanted: Vec<_> = prepared.iter().flat_map(Prepared::wanted).collect();
        let done = |done| (self.progress)(format!("{done} of {} coins looked up", wanted.len()));
        let known = coins::look_up(&self.chain, &wanted, done).await?;
        let tip = known.tip;
        let mut checked = Vec::with_capacity(prepared.len());
        let total = prepared.len();
        let mut running = tokio::task::JoinSet::new();
        for proof in prepared {
            let snapshot = proof.snapshot(&known);
            let processor = processors::one().await;
            running.spawn_blocking(move || {
                let _processor = processor;
                engine::check(proof, snapshot)
            });
            while let Some(done) = running.try_join_next() {
                checked.extend(done);
            }
            (self.progress)(format!("{} of {total} proofs checked", checked.len()));
        }
        checked.extend(running.join_all().await);
        Ok((tip, checked))
    }
}

/// Those of whom something looks false. Whoever has an id that is none stays as they are.
fn implicated(people: &BTreeMap<String, Person>) -> BTreeSet<String> {
    let twice = person::counted_twice(people).into_iter();
    let twice = twice.flat_map(|it| it.owners);
    let others = people.iter();
    let others = others.filter(|(_, person)| !person.findings().is_empty());
    let all = others.map(|(id, _)| id.clone()).chain(twice);
    all.filter(|id| Uuid::try_parse(id).is_ok()).collect()
}
