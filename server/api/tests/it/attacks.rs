//! Every attack of the tables A and B, forged on a real node. Each is refused for its own reason and
//! for no other; none is accepted.

mod anyone_can_spend;
mod beside;
mod chosen_keys;
mod coins;
mod file_hints;
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
pub(crate) mod zero;
