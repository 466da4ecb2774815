//! The board as people see it: rows and ranks, and how names, tiers and amounts are worded.

use std::sync::Arc;

use futures_util::FutureExt;

use crate::base::clock::{Clock, UnixTime};
use crate::price::Price;
use crate::store::Store;
use crate::store::board::{BoardFilter, BoardRow};

pub mod person;
pub mod units;

use person::Person;

/// Who is on the board. Whatever it says is of proofs whose time is not over.
#[derive(Debug)]
pub struct Board {
    store: Store,
    clock: Clock,
    price: Arc<Price>,
}

impl Board {
    #[must_use]
    pub fn new(store: Store, clock: Clock, price: Arc<Price>) -> Self {
        Self {
            store,
            clock,
            price,
        }
    }

    /// Ends proofs whose time is over, before anything is read that depends on them.
    pub async fn settle(&self) -> sqlx::Result<()> {
        self.store.expire_due(self.clock.now()).await?;
        Ok(())
    }

    /// Rows in the board's order.
    pub async fn rows(
        &self,
        filter: &BoardFilter,
        limit: i64,
        offset: i64,
    ) -> sqlx::Result<Vec<BoardRow>> {
        self.settle().await?;
        self.store.board(filter, limit, offset).await
    }

    /// How many rows a filter lets through.
    pub async fn count(&self, filter: &BoardFilter) -> sqlx::Result<i64> {
        self.store.board_count(filter).await
    }

    /// The rank of somebody, which is none when nothing is proven; none when there is no such profile.
    pub async fn rank(&self, profile_id: &str) -> sqlx::Result<Option<Option<i64>>> {
        self.settle().await?;
        Ok(match self.store.rank(profile_id).await? {
            Some(rank) => Some(Some(rank)),
            None => self.store.profile(profile_id).await?.map(|_| None),
        })
    }

    /// The profile that a link names, as `name`, `@name` or `provider:name`. A bare name is an X name first of all.
    pub async fn person(&self, handle: &str) -> sqlx::Result<Option<Person>> {
        person::find(&self.store, handle).await
    }

    /// US dollars for one bitcoin, when that is known without waiting. What is not known yet is asked for.
    #[must_use]
    pub fn price_at_hand(&self) -> Option<f64> {
        self.price.usd().now_or_never().flatten()
    }

    #[must_use]
    pub fn now(&self) -> UnixTime {
        self.clock.now()
    }
}
