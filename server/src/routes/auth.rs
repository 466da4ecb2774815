//! The auth family: sign-in in the dialect of `@supabase/auth-js` (decisions, D9).

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub mod authorize;
pub mod callback;
pub mod jwks;
pub mod logout;
mod redirect;
pub mod settings;
pub mod token;
pub mod user;

/// The addresses below `/api/auth/v1`.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        // used to sign in
        .routes(routes!(authorize::authorize))
        .routes(routes!(callback::callback))
        .routes(routes!(token::token))
        // used while signed in
        .routes(routes!(user::read))
        .routes(routes!(logout::logout))
        // used by everybody
        .routes(routes!(settings::read))
        .routes(routes!(jwks::read))
}
