//! The rest routes: PostgREST's conventions for exactly the calls that the product makes.

pub mod changes;
pub mod grammar;
pub mod profile_row;
pub mod profiles;
pub mod psbts;
pub mod read_your_writes;
pub mod row;
