//! Proofs that are made of wallets' files, and the files that several signers give back.

mod combining;
mod fields;
#[path = "../../examples/fixtures/finalize.rs"]
mod finalize;
#[path = "../../examples/fixtures/kind.rs"]
mod kind;
mod locks;
mod message;
#[path = "../../examples/fixtures/private.rs"]
mod private;
mod refusals;
mod scene;
mod signers;
mod splitting;
mod still;
#[path = "../../examples/fixtures/version2.rs"]
mod version2;
#[path = "../../examples/fixtures/wallet.rs"]
mod wallet;
