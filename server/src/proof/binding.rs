//! What ties a proof to the account that sends it (decisions, D4).

pub mod amount;
pub mod message;
