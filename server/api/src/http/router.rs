//! The URL map: every address of the server on one screen.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, FromRef};
use axum::http::{HeaderMap, Request};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{MethodRouter, get};
use axum::{Extension, Router, middleware};
use serde_json::json;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::field;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::cache;
use crate::http::cors;
use crate::http::encoding;
use crate::http::error::{CAUSE, Error, method_not_allowed};
use crate::http::etag;
use crate::http::extract::{MAX_BODY_BYTES, MAX_FILE_BODY_BYTES};
use crate::http::limits::{ByAddress, limited, limited_by_grant};
use crate::http::log;
use crate::http::metrics::requests;
use crate::http::pages;
use crate::http::{auth, functions, headers, health, openapi, rest, storage, strict};
use crate::limits::{AUTHORIZE, BOARD_EXPORT, CALLBACK, CLIENT_LOG};

#[derive(OpenApi)]
#[openapi(info(
    title = "Proof of Reserves",
    description = "Prove what Bitcoin you hold with a signed transaction that is never broadcast."
))]
struct Document;

/// The web app, the API and everything around them.
pub fn app(state: App) -> Router {
    let by_address = Extension(ByAddress {
        rate_limits: state.rate_limits.clone(),
        proxies: Arc::from_ref(&state),
    });
    let (api, _) = api().split_for_parts();
    let api = api
        .route("/", get(root))
        .route(
            "/openapi.json",
            get(openapi)
                .fallback(method_not_allowed)
                .layer(middleware::from_fn(cors::public)),
        )
        .fallback(outside_families)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            rest::shown::before_answering,
        ))
        .layer(middleware::map_response(headers::api))
        // For the layers of routes.
        .layer(Extension(state.sign_in.clone()))
        .layer(Extension(state.responses.clone()))
        .layer(by_address.clone());
    let around = ServiceBuilder::new()
        .map_request(strict::drop_odd_id)
        .map_request(encoding::choose)
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_request(())
                .on_response(())
                .on_failure(()),
        )
        .layer(PropagateRequestIdLayer::x_request_id());
    Router::new()
        .nest("/api", api)
        // A nested router does not know its own root with a slash behind it.
        .route("/api/", slashed_root())
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .nest("/log", log::router().layer(by_address))
        .merge(pages::router(state.responses.clone()))
        .layer(middleware::from_fn(etag::not_modified))
        .layer(middleware::from_fn(strict::refuse))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(
            state.config.secure(),
            headers::security,
        ))
        .layer(middleware::from_fn(requests::measure))
        .layer(around)
        .with_state(state)
}

/// The route groups of decisions, D10.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/auth/v1", auth_routes().fallback(not_found))
        .nest("/rest/v1", rest_routes().fallback(not_found))
        .nest("/functions/v1", functions_routes().fallback(not_found))
        .nest("/storage/v1", storage_routes().fallback(not_found))
}

/// Lets pages of any origin read these routes.
fn public(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    with_fallback(routes).layer(middleware::from_fn(cors::public))
}

/// Answers other methods here already, so that layers around these routes see that too: a preflight is such a request.
fn with_fallback(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    let (router, document) = routes.split_for_parts();
    let router = router.method_not_allowed_fallback(method_not_allowed);
    let mut routes = OpenApiRouter::from(router);
    *routes.get_openapi_mut() = document;
    routes
}

/// Rows compress well, and nothing secret is among them.
fn compressed(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    routes
        .layer(encoding::compression())
        .layer(middleware::map_response(encoding::add_content_range))
}

fn auth_routes() -> OpenApiRouter<App> {
    let new = OpenApiRouter::new;
    let routes = new()
        // used to sign in
        .merge(limited(
            AUTHORIZE,
            new().routes(routes!(auth::authorize::authorize)),
        ))
        .merge(limited(
            CALLBACK,
            new().routes(routes!(auth::callback::callback)),
        ))
        .merge(limited_by_grant(new().routes(routes!(auth::token::token))))
        // used while signed in
        .routes(routes!(auth::user::get_user))
        .routes(routes!(auth::user::logout))
        // used by everybody
        .routes(routes!(auth::settings::get_settings))
        .routes(routes!(auth::settings::get_jwks))
        .layer(middleware::map_response(auth::error::as_the_library_reads));
    with_fallback(routes).layer(middleware::from_fn(cors::listed))
}

fn rest_routes() -> OpenApiRouter<App> {
    // used by the leaderboard and the profile page
    let rows = OpenApiRouter::new().routes(routes!(
        rest::profiles::list_profiles,
        rest::profiles::upsert_profile,
        rest::profiles::update_profile
    ));
    let rows = compressed(rows).layer(middleware::from_fn(cache::cached));
    public(rows.routes(routes!(rest::changes::follow_changes)))
        // used by a profile's owner
        .merge(compressed(OpenApiRouter::new().routes(routes!(
            rest::psbts::list_proofs,
            rest::psbts::delete_mock_proofs
        ))))
}

fn functions_routes() -> OpenApiRouter<App> {
    // used by the leaderboard, and by clients that want its data or check what is published
    let board = OpenApiRouter::new()
        .routes(routes!(functions::board_summary::get_board_summary))
        .merge(compressed(limited(BOARD_EXPORT, exports())))
        .merge(compressed(published_proofs()).layer(middleware::from_fn(etag::tag)));
    public(board)
        // used by every page
        .routes(routes!(functions::app::get_app_config))
        .routes(routes!(functions::app::get_bitcoin_price))
        .merge(limited(
            CLIENT_LOG,
            OpenApiRouter::new().routes(routes!(functions::app::write_client_log)),
        ))
        // used by the profile page
        .routes(routes!(functions::account::get_user_rank))
        .routes(routes!(functions::account::get_holdings_history))
        .routes(routes!(functions::account::export_account))
        .routes(routes!(functions::receipt::get_receipt))
        .routes(routes!(functions::account::delete_account))
        // used by the upload page
        .routes(routes!(functions::proof_challenge::get_proof_challenge))
        .merge(with_files())
        .routes(routes!(functions::development::list_development_samples))
        // used by the plan page
        .routes(routes!(functions::billing::create_stripe_session))
        // used by the payment provider
        .routes(routes!(functions::billing::receive_stripe_event))
}

/// The whole board.
fn exports() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(functions::board_export::get_board_csv))
        .routes(routes!(functions::board_export::get_board_json))
}

/// What anybody may check.
fn published_proofs() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(functions::published_proofs::list_published_proofs))
        .routes(routes!(
            functions::published_proof::get_published_proof,
            functions::published_proof::withdraw_published_proof
        ))
}

/// What takes files.
fn with_files() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(functions::submit_proof::submit_proof))
        .routes(routes!(
            functions::development::sign_with_development_wallet
        ))
        .layer(DefaultBodyLimit::max(MAX_FILE_BODY_BYTES))
}

fn storage_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used wherever a person is shown
        .routes(routes!(storage::get_avatar))
        // used by clients of hosted storage
        .routes(routes!(storage::render_avatar))
        .routes(routes!(storage::get_avatar_object))
}

/// The OpenAPI document of the addresses above, formatted as it is kept in the repository, which is what a server tells.
#[must_use]
pub fn openapi_json() -> String {
    let document = OpenApiRouter::with_openapi(Document::openapi());
    let (_, document) = document.nest("/api", api()).split_for_parts();
    let mut text = openapi::complete(document)
        .to_pretty_json()
        .unwrap_or_default();
    text.push('\n');
    text
}

async fn root() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

fn slashed_root() -> MethodRouter<App> {
    let headers = middleware::map_response(headers::api);
    get(root).fallback(method_not_allowed).layer(headers)
}

async fn openapi() -> ([(&'static str, &'static str); 1], &'static str) {
    (
        [("content-type", "application/json")],
        include_str!("../../openapi.json"),
    )
}

async fn not_found() -> Error {
    Error::nothing_here()
}

/// Requests beside the families are refused without the client marker header (specification,
/// section 7: the request handling quirk).
async fn outside_families(headers: HeaderMap) -> Error {
    if headers.contains_key("x-client-info") {
        Error::nothing_here()
    } else {
        Error::forbidden("This address is not for clients without the marker header.")
    }
}

/// A log span with the path alone: query strings can hold codes that sign somebody in. It is there whatever is
/// logged, so that a failure always says of which request it is.
fn span<B>(request: &Request<B>) -> tracing::Span {
    let id = request
        .headers()
        .get("x-request-id")
        .and_then(|id| id.to_str().ok())
        .unwrap_or_default();
    let (method, path) = (request.method(), request.uri().path());
    tracing::error_span!("request", %method, path, id, { CAUSE } = field::Empty)
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Error::internal("a handler panicked").into_response()
}
