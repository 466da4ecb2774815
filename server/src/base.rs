//! What every room may use and that uses no room: the time, hashes under a secret, whose an address is, and
//! how many places there are.

pub mod clock;
pub mod keyed_hash;
pub mod network;
pub mod next;
pub mod places;
