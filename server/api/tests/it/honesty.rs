//! Everything that a real wallet can sign is accepted, in every form in which people upload it.

mod descriptors;
mod forms;
mod large;
mod locks;
mod wallets;
