//! The auth family: sign-in in the dialect of `@supabase/auth-js` (decisions, D9).

pub mod authorize;
pub mod callback;
mod caller;
pub mod cookie;
pub mod dialect;
pub mod error;
mod redirect;
pub mod settings;
pub mod token;
pub mod user;
