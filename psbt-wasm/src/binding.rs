//! The rules of the two carriers of a statement: the one source for the board that takes a proof, for its pages and its audit, and for
//! [`check_proof`](crate::check_proof).

mod bound;
mod message;
mod still;

pub use bound::{Binding, binding_of};
pub(crate) use message::only_output;
pub use message::{MessageFault, message_fault, message_hash, spends_message, to_spend};
pub use still::{Motion, is_still};
