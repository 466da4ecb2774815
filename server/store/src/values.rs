//! Values of rows that responses write in another form.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use board_log::units::{btc, iso};
use chain::clock::UnixTime;

/// A time in RFC 3339, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type, ToSchema)]
#[sqlx(transparent)]
#[schema(value_type = String)]
pub struct Time(pub UnixTime);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&iso(self.0))
    }
}

/// An amount of sats, which is written in BTC with exactly 8 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type, ToSchema)]
#[sqlx(transparent)]
#[schema(value_type = f64)]
pub struct Btc(pub i64);

impl Serialize for Btc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        btc(self.0).serialize(serializer)
    }
}
