//! The URL map: every address of the server on one screen.

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Request};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{MethodRouter, get};
use axum::{Router, middleware};
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
use crate::http::limits;
use crate::http::log;
use crate::http::metrics::requests;
use crate::http::pages;
use crate::http::{auth, functions, headers, health, openapi, rest, storage, strict};

#[derive(OpenApi)]
#[openapi(info(
    title = "Proof of Reserves",
    description = "Prove what Bitcoin you hold with a signed transaction that is never broadcast."
))]
struct Document;

/// The web app, the API and everything around them.
pub fn app(state: App) -> Router {
    let (api, _) = api().split_for_parts();
    let api = api
        .route("/", get(root))
        .route("/openapi.json", get(openapi))
        .fallback(outside_families)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            limits::by_address,
        ))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            rest::shown::before_answering,
        ))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            cors::by_family,
        ))
        .layer(middleware::map_response(headers::api));
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
        .nest("/log", log::router())
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

/// The families of decisions, D10.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/auth/v1", closed(auth_family()))
        .nest("/rest/v1", compressed(closed(rest_family())))
        .nest("/functions/v1", closed(functions_family()))
        .nest("/storage/v1", closed(storage_family()))
}

/// With a word for whoever asks for another address of the family.
fn closed(family: OpenApiRouter<App>) -> OpenApiRouter<App> {
    family.fallback(not_found)
}

/// Rows compress well, and nothing secret is among them.
fn compressed(family: OpenApiRouter<App>) -> OpenApiRouter<App> {
    family
        .layer(middleware::map_response(compression::set_aside))
        .layer(compression::layer())
        .layer(middleware::map_response(compression::put_back))
        .layer(middleware::map_request(compression::choose))
}

fn auth_family() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used to sign in
        .routes(routes!(auth::authorize::authorize))
        .routes(routes!(auth::callback::callback))
        .routes(routes!(auth::token::token))
        // used while signed in
        .routes(routes!(auth::user::read))
        .routes(routes!(auth::logout::logout))
        // used by everybody
        .routes(routes!(auth::settings::read))
        .routes(routes!(auth::jwks::read))
}

fn rest_family() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used by the leaderboard and the profile page
        .routes(routes!(
            rest::profiles::read,
            rest::profiles::upsert,
            rest::profiles::update
        ))
        .routes(routes!(rest::changes::follow))
        // used by a profile's owner
        .routes(routes!(rest::psbts::read, rest::psbts::clear_mock))
}

fn functions_family() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used by every page
        .routes(routes!(functions::app_config::read))
        .routes(routes!(functions::bitcoin_price::read))
        .routes(routes!(functions::client_log::write))
        // used by the leaderboard, and by whoever wants its data
        .routes(routes!(functions::board_summary::read))
        .merge(compressed(exports()))
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
        // used by whoever checks what is published
        .routes(routes!(functions::published_proofs::list))
        .routes(routes!(
            functions::published_proof::read,
            functions::published_proof::withdraw
        ))
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

fn storage_family() -> OpenApiRouter<App> {
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
    Error::NotFound("There is nothing at this address.".to_owned())
}

/// Requests beside the families are refused without the client marker header (specification,
/// section 7: the request handling quirk).
async fn outside_families(headers: HeaderMap) -> Error {
    if headers.contains_key("x-client-info") {
        Error::NotFound("There is nothing at this address.".to_owned())
    } else {
        Error::Forbidden("This address is not for clients without the marker header.".to_owned())
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
    Error::Internal("a handler panicked".to_owned()).into_response()
}
