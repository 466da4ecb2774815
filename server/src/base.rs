//! What every room may use and that uses no room: the time, hashes under a secret, and whose an address is.

pub mod clock;
pub mod keyed_hash;
pub mod network;
pub mod next;
