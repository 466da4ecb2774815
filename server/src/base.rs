//! What every room may use and that uses no room: the time, hashes under a secret, whose an address is, how
//! many places there are, whose turn it is, what networks are called, and files that are never half
//! written.

pub mod chain_name;
pub mod clock;
pub mod fair;
pub mod keyed_hash;
pub mod network;
pub mod next;
pub mod places;
pub mod together;
pub mod whole_file;
