//! Proofs as boards publish them, checked by a stranger: right ones of every kind, and what is wrong with others.

#[path = "../../examples/fixtures/current.rs"]
mod current;
mod false_ones;
#[path = "../../examples/fixtures/finalize.rs"]
mod finalize;
#[path = "../../examples/fixtures/kind.rs"]
mod kind;
mod node_fixtures;
mod right_ones;
mod scene;
#[path = "../../examples/fixtures/wallet.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod wallet;
