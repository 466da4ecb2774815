//! The auth family: sign-in in the dialect of `@supabase/auth-js` (decisions, D9).

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub mod authorize;
pub mod jwks;
pub mod logout;
pub mod settings;
pub mod token;
pub mod user;

/// The addresses below `/api/auth/v1`.
pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        // used to sign in; the providers' `GET /callback` joins them with the sign-in issue
        .routes(routes!(authorize::authorize))
        .routes(routes!(token::token))
        // used while signed in
        .routes(routes!(user::read))
        .routes(routes!(logout::logout))
        // used by everybody
        .routes(routes!(settings::read))
        .routes(routes!(jwks::read))
}
