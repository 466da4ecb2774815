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
use crate::http::compression;
use crate::http::cors;
use crate::http::error::{CAUSE, Error, method_not_allowed};
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
        .layer(by_address.clone());
    let around = ServiceBuilder::new()
        .map_request(strict::drop_odd_id)
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
        .merge(pages::router())
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
        .nest("/rest/v1", compressed(rest_routes().fallback(not_found)))
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
        .layer(middleware::map_response(compression::set_aside))
        .layer(compression::layer())
        .layer(middleware::map_response(compression::put_back))
        .layer(middleware::map_request(compression::choose))
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
        .routes(routes!(auth::user::read))
        .routes(routes!(auth::logout::logout))
        // used by everybody
        .routes(routes!(auth::settings::read))
        .routes(routes!(auth::jwks::read))
        .layer(middleware::map_response(auth::error::as_the_library_reads));
    with_fallback(routes).layer(middleware::from_fn(cors::listed))
}

fn rest_routes() -> OpenApiRouter<App> {
    // used by the leaderboard and the profile page
    let board = OpenApiRouter::new()
        .routes(routes!(
            rest::profiles::read,
            rest::profiles::upsert,
            rest::profiles::update
        ))
        .routes(routes!(rest::changes::follow));
    public(board)
        // used by a profile's owner
        .routes(routes!(rest::psbts::read, rest::psbts::clear_mock))
}

fn functions_routes() -> OpenApiRouter<App> {
    // used by the leaderboard, and by clients that want its data or check what is published
    let board = OpenApiRouter::new()
        .routes(routes!(functions::board_summary::read))
        .merge(compressed(limited(BOARD_EXPORT, exports())))
        .routes(routes!(functions::published_proofs::list))
        .routes(routes!(
            functions::published_proof::read,
            functions::published_proof::withdraw
        ));
    public(board)
        // used by every page
        .routes(routes!(functions::app_config::read))
        .routes(routes!(functions::bitcoin_price::read))
        .merge(limited(
            CLIENT_LOG,
            OpenApiRouter::new().routes(routes!(functions::client_log::write)),
        ))
        // used by the profile page
        .routes(routes!(functions::user_rank::read))
        .routes(routes!(functions::holdings_history::read))
        .routes(routes!(functions::export_account::read))
        .routes(routes!(functions::receipt::read))
        .routes(routes!(functions::delete_account::delete))
        // used by the upload page
        .routes(routes!(functions::proof_challenge::read))
        .merge(with_files())
        .routes(routes!(functions::development_samples::read))
        // used by the plan page
        .routes(routes!(functions::stripe_session::create))
        // used by the payment provider
        .routes(routes!(functions::stripe_webhook::receive))
}

/// The whole board.
fn exports() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(functions::board_export::csv))
        .routes(routes!(functions::board_export::json))
}

/// What takes files.
fn with_files() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(functions::submit_proof::submit))
        .routes(routes!(functions::development_sign::sign))
        .layer(DefaultBodyLimit::max(MAX_FILE_BODY_BYTES))
}

fn storage_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used wherever a person is shown
        .routes(routes!(storage::avatar))
        // used by clients of hosted storage
        .routes(routes!(storage::render))
        .routes(routes!(storage::object))
}

/// The OpenAPI document of the addresses above, formatted as it is kept in the repository, which is what a server tells.
#[must_use]
pub fn openapi_json() -> String {
    let document = OpenApiRouter::with_openapi(Document::openapi());
    let (_, document) = document.merge(api()).split_for_parts();
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
    Error::not_found("There is nothing at this address.")
}

/// Requests beside the families are refused without the client marker header (specification,
/// section 7: the request handling quirk).
async fn outside_families(headers: HeaderMap) -> Error {
    if headers.contains_key("x-client-info") {
        Error::not_found("There is nothing at this address.")
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
