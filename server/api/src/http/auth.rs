//! The auth routes: sign-in in the dialect of `@supabase/auth-js` (decisions, D9).

pub mod authorize;
pub mod cookie;
pub mod error;
pub mod settings;
pub mod token;
pub mod user;
