//! Verdicts over coins in memory: what is refused, by which rule, and that nothing honest is. Each forgery in the tables A and B is
//! refused only for its own reason.

#[allow(
    dead_code,
    unused_imports,
    reason = "the integration tests of the API use the rest"
)]
#[path = "../forge/mod.rs"]
mod forge;
mod ledger;

mod anyone_can_spend;
mod beside;
mod binding;
mod bip322;
mod chosen_keys;
mod coins;
mod hints;
mod layers;
mod limits;
mod locks;
mod messages;
mod multisig;
mod script_locks;
mod sighash;
mod signatures;
mod structure;
mod vectors;
