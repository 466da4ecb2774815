//! Everything that a real wallet can sign is accepted, in every form that users upload.

mod descriptors;
mod forms;
mod locks;
mod wallets;
