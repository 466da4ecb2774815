//! Audits a board from outside (proofs, section 5), with public data only: every published proof through the engine that checks
//! submissions, every coin at one tip, every sum. The board's claims are not trusted, only what the proofs show.
//!
//! The list of rows is requested exactly as the web app requests it: a board could answer honestly to requests that only audits send.
//!
//! A board changes during an audit. So findings are checked again until they disappear or patience is over, together with the whole
//! list: a row, the list and the proofs come from several requests, and a block reaches the board a little later than its chain.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use futures_util::{StreamExt, TryStreamExt, stream};
use rand::seq::IndexedRandom;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use chain::clock::Clock;
use chain::{Chain, ChainError, Tip, network_in_json};

pub mod args;
mod blocks;
mod coins;
pub mod command;
mod engine;
mod failure;
mod finding;
mod first_page;
mod html;
mod list;
pub mod log;
mod pages;
pub mod private;
mod proof;
mod receipt;
mod report;
mod responses;
mod rows;
mod seen;
mod served;
mod site;
mod snapshot;
mod user;

pub use finding::Finding;
use first_page::FirstPage;
use proof::{Checked, Served};
pub use report::Report;
use responses::Listed;
use rows::Row;
pub use site::{Site, SiteError};
use user::{ById, Results, User};

/// How many rows at the top of the list are compared by id, and how many of the others.
const COMPARED: usize = 1_000;

/// How often the leaderboard page is compared with the list, which may change in between.
const MOMENTS: usize = 5;

/// An audit of one board.
pub struct Audit<'a> {
    pub site: Site,
    pub chain: Chain,
    pub clock: Clock,
    /// Receives progress messages.
    pub progress: &'a (dyn Fn(String) + Send + Sync),
}

/// Why a board could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("cannot look up the chain: {0}")]
    Chain(#[from] ChainError),
    #[error(
        "this board uses {board}, but the chain sources use {chain}; pass the board's network with --network and sources for it with --chain"
    )]
    OtherNetwork { board: String, chain: &'static str },
}

impl Audit<'_> {
    /// Checks everything that is public.
    ///
    /// # Errors
    /// When the board or the chain cannot be asked. False claims are no error: they are in the report.
    pub async fn run(&self) -> Result<Report, AuditError> {
        self.same_network().await?;
        let begin = Instant::now();
        let mut results = self.check_all().await?;
        while let suspects = with_findings(&results.users)
            && !(suspects.is_empty() && results.list.is_empty())
        {
            let last = begin.elapsed() >= self.site.patience;
            if !last {
                sleep(self.site.pause()).await;
            }
            (self.progress)(format!(
                "looking again at the list and {} users",
                suspects.len()
            ));
            let again = self.check_again(&suspects, &results.users).await?;
            results.users.extend(again.users);
            (results.list, results.followed) = (again.list, again.followed);
            if last {
                break;
            }
        }
        Ok(Report::new(&self.site, &self.chain, &results))
    }

    async fn same_network(&self) -> Result<(), AuditError> {
        let board = self.site.network().await?;
        let chain = network_in_json(self.chain.network());
        if board == chain {
            Ok(())
        } else {
            Err(AuditError::OtherNetwork { board, chain })
        }
    }

    async fn check_all(&self) -> Result<Results, AuditError> {
        let fetched = |proofs| (self.progress)(format!("{proofs} proofs fetched"));
        let proofs = self.site.proofs(None, &fetched).await?;
        let list = self.list().await?;
        let compared = sample(&list.rows);
        self.check_users(list, compared, proofs).await
    }

    /// Checks these users again, and reads the rows of those who have joined since.
    async fn check_again(
        &self,
        ids: &BTreeSet<String>,
        known: &BTreeMap<String, User>,
    ) -> Result<Results, AuditError> {
        let proofs = self.site.proofs(Some(ids), &|_| {}).await?;
        let mut list = self.list().await?;
        let rows = &mut list.rows;
        rows.retain(|row| ids.contains(&row.id) || !known.contains_key(&row.id));
        let compared = ids.iter().cloned().collect();
        let mut results = self.check_users(list, compared, proofs).await?;
        for (id, user) in &mut results.users {
            user.joined = !ids.contains(id);
        }
        Ok(results)
    }

    /// Looks up the rows of these ids and checks the proofs.
    async fn check_users(
        &self,
        list: List,
        ids: Vec<String>,
        proofs: Vec<(Listed, Option<Served>)>,
    ) -> Result<Results, AuditError> {
        let by_id = self.by_id(ids).await?;
        let (mut shown, mut missing) = (Vec::new(), Vec::new());
        for (listed, proof) in proofs {
            match proof {
                Some(proof) => shown.push((listed, proof)),
                None => missing.push(listed),
            }
        }
        let (tip, checked) = self.check(shown).await?;
        Ok(Results {
            tip,
            followed: list.followed,
            users: user::group(list.rows, by_id, checked, missing),
            list: list.findings,
        })
    }

    /// The list of rows, the block up to which the board has followed the chain, and findings about the list as a whole.
    async fn list(&self) -> Result<List, AuditError> {
        let before = self.site.summary().await?;
        let pages = self.site.rows().await?;
        let (page, wrong) = self.first_page().await?;
        let after = self.site.summary().await?;
        let summary = page.as_ref().map(|page| &page.summary);
        let mut findings = list::findings(&pages, [&before, &after], summary, self.clock.now());
        findings.extend(wrong);
        Ok(List {
            rows: pages.into_iter().flat_map(|page| page.rows).collect(),
            followed: after.block.map(|block| block.height),
            findings,
        })
    }

    /// The leaderboard page, and a finding when its first rows are not those of the list.
    async fn first_page(&self) -> Result<(Option<FirstPage>, Option<Finding>), AuditError> {
        let finding = |sentence| Some(Finding::for_board("first-page", sentence));
        let mut page = None;
        for _ in 0..MOMENTS {
            let listed = self.site.page(0, "").await?;
            page = self.site.first_page().await?;
            let Some(shown) = &page else {
                let sentence = "the page of the leaderboard does not have the rows that every visitor gets in it";
                return Ok((page, finding(sentence)));
            };
            if shown.shows(&listed.rows) {
                return Ok((page, None));
            }
            // Both are from one moment.
            if listed.number == Some(shown.number) {
                break;
            }
        }
        let sentence = "the page of the leaderboard begins with other rows than the list has";
        Ok((page, finding(sentence)))
    }

    /// The board's row and rank for each of these ids.
    async fn by_id(&self, ids: Vec<String>) -> Result<HashMap<String, ById>, AuditError> {
        let answers = stream::iter(ids)
            .map(async |id| {
                let row = self.site.row(&id).await?;
                let rank = match &row {
                    Some(_) => self.site.rank(&id).await?,
                    None => None,
                };
                Ok::<_, SiteError>((id, ById { row, rank }))
            })
            .buffered(site::AT_ONCE);
        Ok(answers.try_collect().await?)
    }

    /// Notes which proofs the chain does not date: it does not have their blocks at the stated heights.
    async fn check_dates(&self, proofs: &mut [Checked]) -> Result<(), AuditError> {
        let dates = proofs.iter().filter_map(Checked::date);
        let heights: BTreeSet<u32> = dates.map(|(height, _)| height).collect();
        let mut hashes = HashMap::new();
        for height in heights {
            hashes.insert(height, self.chain.block_hash_at(height).await?);
        }
        for proof in proofs {
            let Some((height, hash)) = proof.date() else {
                continue;
            };
            if hashes[&height] != Some(hash) {
                let sentence = format!(
                    "proof {} of {}: not dated, because the chain does not have the block that it names, or has it no longer: {hash} at height {height}",
                    proof.listed.id,
                    proof.listed.name()
                );
                proof.not_dated = Some(sentence);
            }
        }
        Ok(())
    }

    /// Checks every proof with the engine, with all coins at one tip.
    async fn check(
        &self,
        proofs: Vec<(Listed, Served)>,
    ) -> Result<(Tip, Vec<Checked>), AuditError> {
        let now = self.clock.now();
        let (origin, network) = (self.site.origin(), self.chain.network());
        let prepared = proofs.into_iter();
        let prepared = prepared.map(|proof| proof::prepare(proof, origin, network, now));
        let mut prepared: Vec<Checked> = prepared.collect();
        self.check_dates(&mut prepared).await?;
        let wanted: Vec<_> = prepared.iter().flat_map(Checked::wanted).collect();
        let done = |done| (self.progress)(format!("{done} of {} coins looked up", wanted.len()));
        let known = Arc::new(coins::look_up(&self.chain, &wanted, done).await?);
        let tip = known.tip;
        let total = prepared.len();
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        let mut running = stream::iter(prepared)
            .map(|proof| {
                let known = Arc::clone(&known);
                spawn_blocking(move || engine::check(proof, &known))
            })
            .buffered(processors);
        let mut checked = Vec::with_capacity(total);
        while let Some(proof) = running.next().await {
            // The engine catches its panics.
            checked.extend(proof);
            (self.progress)(format!("{} of {total} proofs checked", checked.len()));
        }
        Ok((tip, checked))
    }
}

/// The list of rows.
struct List {
    rows: Vec<Row>,
    /// Height of the block up to which the board has followed the chain.
    followed: Option<i64>,
    findings: Vec<Finding>,
}

/// The rows that are compared by id: the first ones, which everyone sees, and as many of the
/// others. Each row has a rank, so a missing or made-up row shows in all ranks below it.
fn sample(rows: &[Row]) -> Vec<String> {
    let (first, others) = rows.split_at(rows.len().min(COMPARED));
    let others = others.choose_multiple(&mut rand::rng(), COMPARED);
    first
        .iter()
        .chain(others)
        .map(|row| row.id.clone())
        .collect()
}

/// The ids of users with findings. Ids that are not UUIDs are left out: the board cannot be asked for them.
fn with_findings(users: &BTreeMap<String, User>) -> BTreeSet<String> {
    let twice = user::double_counts(users).into_iter();
    let twice = twice.flat_map(|(owners, _)| owners);
    let others = users.iter();
    let others = others.filter(|(_, user)| !user.findings().is_empty());
    let all = others.map(|(id, _)| id.clone()).chain(twice);
    all.filter(|id| Uuid::try_parse(id).is_ok()).collect()
}
