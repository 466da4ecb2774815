//! Everything that a real wallet can sign is accepted, in every form that users upload.

mod descriptors;
mod forms;
mod large;
mod locks;
mod wallets;
