//! Everything that a real wallet can sign is accepted, in every form in which people upload it.

mod descriptors;
mod forms;
mod large;
mod time_locks;
pub(crate) mod v2;
mod wallets;
