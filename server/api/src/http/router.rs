//! The URL map: every address of the server, and the layers around them, in the order in which they run.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Json, Redirect, Response};
use axum::routing::{any, get};
use axum_extra::routing::RouterExt;
use serde_json::json;
use tower::layer::layer_fn;
use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use utoipa::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::http::cache::{cache_responses, take_turn};
use crate::http::error::{Error, Problem, method_not_allowed};
use crate::http::extract::{MAX_BODY_BYTES, MAX_FILE_BODY_BYTES};
use crate::http::limits::{limit, limit_tokens, wait};
use crate::http::pages::verify;
use crate::http::rest::read_your_writes::wait_for_board;
use crate::http::{
    auth, client_address, cors, encoding, etag, functions, headers, health, log, malformed,
    metrics, openapi, pages, rest, storage,
};
use crate::limits::{
    AUTHORIZE, BOARD_EXPORT, CALLBACK, CLIENT_LOG, LOG_RECEIPTS, LOG_SNAPSHOT, Limit,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Proof of Reserves",
        description = "Prove what Bitcoin you hold with a signed transaction that is never broadcast."
    ),
    components(schemas(Problem))
)]
struct Document;

/// The web app, the API and everything around them.
pub fn app(state: App) -> Router {
    let (api, _) = api(&state).split_for_parts();
    let alive = get(Json(json!({ "status": "ok" })));
    let root = alive.clone().fallback(method_not_allowed);
    let openapi = include_str!("../../openapi.json");
    let openapi = get(([(header::CONTENT_TYPE, "application/json")], openapi));
    let openapi = openapi.fallback(method_not_allowed);
    let around_api = ServiceBuilder::new()
        .layer(headers::no_store())
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    let api = api
        .route("/api", root.clone())
        .route("/api/", root)
        .route("/api/openapi.json", openapi.layer(from_fn(cors::allow_any)))
        .route("/api/{*path}", any(unknown_address))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(around_api);
    let config = state.config.clone();
    let around = ServiceBuilder::new()
        // a client's id must be easy to find in a log; else the server makes one
        .map_request(malformed::drop_odd_id)
        // caches and compression see only encodings of this server
        .map_request(encoding::choose)
        // limits count by it
        .map_request(move |request| client_address::identify(&config.proxies, request))
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        // needs the id, and measures all that follows
        .layer(from_fn(metrics::measure))
        .layer(PropagateRequestIdLayer::x_request_id())
        // refusals and panics have them, too
        .layer(from_fn_with_state(state.config.secure(), headers::security))
        .layer(CatchPanicLayer::custom(panicked))
        // before any work is done for an invalid request
        .layer(from_fn(malformed::refuse))
        .layer_fn(share);
    Router::new()
        .merge(api)
        .route("/healthz", alive)
        .route("/readyz", get(health::get_readiness))
        .nest("/log", log_routes(&state))
        .merge(development_routes(state.development_chain.is_some()))
        .merge(page_routes(&state))
        .layer(around)
        .with_state(state)
}

/// A layer that makes what is inside it cheap to clone. For each request most layers clone what is inside them: without this, every
/// group of layers inside, down to the handler and the rooms in its state.
fn share<S>(
    inner: S,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone
where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    let inner = Arc::new(inner);
    service_fn(move |request| S::clone(&inner).oneshot(request))
}

/// The route groups of decisions, D10.
const GROUPS: [&str; 4] = ["auth", "rest", "functions", "storage"];

fn api(state: &App) -> OpenApiRouter<App> {
    auth_routes(state)
        .merge(rest_routes(state))
        .merge(functions_routes(state))
        .merge(storage_routes(state))
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
fn compress(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    // PostgREST's header would keep the compression from its work, so it is added around it
    let header = map_response(encoding::add_content_range);
    routes.layer(encoding::compression()).layer(header)
}

fn auth_routes(state: &App) -> OpenApiRouter<App> {
    let limited = |kind: Limit| from_fn_with_state((kind, state.rate_limits.clone()), limit);
    let tokens = from_fn_with_state(state.rate_limits.clone(), limit_tokens);
    let layers = ServiceBuilder::new()
        // a new user is on the board with the response
        .layer(from_fn_with_state(state.board.clone(), wait_for_board))
        // refusals of limits have the library's form, too
        .layer(map_response(auth::error::for_auth_js));
    let routes = OpenApiRouter::new()
        // used to sign in
        .routes(routes!(auth::authorize::authorize).layer(limited(AUTHORIZE)))
        .routes(routes!(auth::authorize::callback).layer(limited(CALLBACK)))
        .routes(routes!(auth::token::token).layer(tokens))
        // used while signed in
        .routes(routes!(auth::user::get_user))
        .routes(routes!(auth::user::logout))
        // used by everyone
        .routes(routes!(auth::settings::get_settings))
        .routes(routes!(auth::settings::get_jwks))
        .layer(layers);
    let listed = from_fn_with_state(state.sign_in.clone(), cors::allow_listed);
    with_fallback(routes).layer(listed)
}

fn rest_routes(state: &App) -> OpenApiRouter<App> {
    let read_your_writes = || from_fn_with_state(state.board.clone(), wait_for_board);
    // used by the leaderboard and the profile page
    let profiles = OpenApiRouter::new().routes(routes!(
        rest::profiles::list_profiles,
        rest::profiles::upsert_profile,
        rest::profiles::update_profile
    ));
    let changes = OpenApiRouter::new().routes(routes!(rest::changes::follow_changes));
    // used by a profile's owner
    let proofs = OpenApiRouter::new().routes(routes!(
        rest::psbts::list_proofs,
        rest::psbts::delete_mock_proofs
    ));
    let around = ServiceBuilder::new()
        // before everything that costs something
        .layer(from_fn_with_state(state.responses.clone(), cache_responses))
        .layer_fn(share)
        // cached with the response
        .layer(from_fn(cors::allow_any))
        .layer_fn(share);
    let inside = ServiceBuilder::new()
        .layer(read_your_writes())
        // only what is not cached waits
        .layer(from_fn_with_state(state.responses.clone(), take_turn));
    with_fallback(compress(profiles).layer(inside))
        .layer(around)
        .merge(readable_anywhere(changes))
        .merge(compress(proofs).layer(read_your_writes()))
}

/// Lets pages of any origin read these routes.
fn readable_anywhere(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    with_fallback(routes).layer((from_fn(cors::allow_any), layer_fn(share)))
}

fn functions_routes(state: &App) -> OpenApiRouter<App> {
    let limited = |kind: Limit| from_fn_with_state((kind, state.rate_limits.clone()), limit);
    let waiting = || from_fn_with_state(state.queue.clone(), wait);
    // used by the leaderboard, and by clients that want its data or check what is published
    let export = OpenApiRouter::new()
        .routes(routes!(functions::board_export::get_board_csv))
        .layer(limited(BOARD_EXPORT));
    let published = OpenApiRouter::new()
        .routes(routes!(functions::published_proofs::list_published_proofs))
        .routes(routes!(
            functions::published_proofs::get_published_proof,
            functions::published_proofs::unpublish_proof
        ))
        .layer(waiting());
    let board = OpenApiRouter::new()
        .routes(routes!(functions::board_summary::get_board_summary))
        .merge(compress(export))
        // around the compression: each encoding has a tag of its own
        .merge(compress(published).layer(from_fn(etag::tag)));
    let files = OpenApiRouter::new()
        .routes(routes!(functions::submit_proof::submit_proof))
        .routes(routes!(
            functions::development::sign_with_development_wallet
        ))
        .layer(DefaultBodyLimit::max(MAX_FILE_BODY_BYTES));
    let client_log = routes!(functions::app::write_client_log);
    readable_anywhere(board)
        // used by every page
        .routes(routes!(functions::app::get_app_config).layer(waiting()))
        .routes(routes!(functions::app::get_bitcoin_price))
        .routes(client_log.layer(limited(CLIENT_LOG)))
        // used by the profile page
        .routes(routes!(functions::account::get_user_rank))
        .routes(routes!(functions::account::get_holdings_history))
        .routes(routes!(functions::account::export_account))
        .routes(routes!(functions::account::get_receipt))
        .routes(routes!(functions::account::delete_account))
        // used by the upload page
        .routes(routes!(functions::proof_challenge::get_proof_challenge))
        .merge(files)
        .routes(routes!(functions::development::list_development_samples))
        // used by the leaderboard in development
        .routes(routes!(
            functions::development::count_sample_holders,
            functions::development::remove_sample_holders
        ))
        // used by the plan page
        .routes(routes!(functions::billing::create_stripe_session))
        // used by the payment provider
        .routes(routes!(functions::billing::receive_stripe_event))
        .layer(from_fn_with_state(state.board.clone(), wait_for_board))
}

fn storage_routes(state: &App) -> OpenApiRouter<App> {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(state.queue.clone(), wait))
        .layer(from_fn(etag::tag));
    OpenApiRouter::new()
        // used wherever a profile is shown
        .routes(routes!(storage::get_avatar))
        // used by clients of hosted storage
        .route(
            "/api/storage/v1/object/public/avatars/{profile_id}",
            get(storage::get_avatar),
        )
        .layer(layers)
}

/// The logs of the board, each with the same addresses.
fn log_routes(state: &App) -> Router<App> {
    let limited = |kind: Limit| from_fn_with_state((kind, state.rate_limits.clone()), limit);
    let snapshot = get(log::get_snapshot).layer(limited(LOG_SNAPSHOT));
    let receipts = get(log::list_receipts).layer(limited(LOG_RECEIPTS));
    let one = Router::new()
        .route("/snapshot/{entry}", snapshot)
        .route("/receipts", receipts)
        .route("/checkpoint", get(log::get_checkpoint))
        .route("/key", get(log::get_key))
        .route("/rotations", get(log::list_rotations))
        .route("/tile/{*path}", get(log::get_tile));
    let (policy, cross_origin) = headers::CROSS_ORIGIN;
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(state.queue.clone(), wait))
        .layer(headers::set(policy, cross_origin))
        .layer(headers::set(ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    Router::new()
        .merge(one.clone())
        .nest("/{log}", one)
        .fallback(async || log::missing())
        .layer(layers)
}

/// The embedded chain as an Esplora server, for `/verify`. Nothing where another chain is the source.
fn development_routes(embedded: bool) -> Router<App> {
    if !embedded {
        return Router::new();
    }
    Router::new()
        .route(
            "/development/esplora/blocks/tip/height",
            get(functions::esplora::get_tip_height),
        )
        .route(
            "/development/esplora/block-height/{height}",
            get(functions::esplora::get_block_hash),
        )
        .route(
            "/development/esplora/tx/{txid}",
            get(functions::esplora::get_transaction),
        )
        .route(
            "/development/esplora/tx/{txid}/outspends",
            get(functions::esplora::get_spends),
        )
        .route(
            "/development/esplora/tx/{txid}/outspend/{vout}",
            get(functions::esplora::get_spend),
        )
}

/// The pages and their files.
fn page_routes(state: &App) -> Router<App> {
    let around_cached = ServiceBuilder::new()
        // before everything that costs something
        .layer(from_fn_with_state(state.responses.clone(), cache_responses))
        .layer_fn(share)
        // only what is not cached waits
        .layer(from_fn_with_state(state.responses.clone(), take_turn))
        .layer(encoding::compression());
    let cached = pages::app_pages()
        .fold(Router::new(), |router, page| {
            let router = router.route(page, get(pages::get_app_page));
            router.route(&format!("{page}/"), get(pages::get_app_page))
        })
        .route("/leaderboard", get(pages::get_leaderboard))
        // what other sites put into their pages
        .route("/embed", get(pages::get_embedded_row))
        .layer(around_cached);
    let proof = get(verify::get_proof_page).layer(from_fn_with_state(state.queue.clone(), wait));
    let around_bare = ServiceBuilder::new()
        // around the compression: each encoding has a tag of its own
        .layer(from_fn(etag::tag))
        .layer(encoding::compression());
    let bare = Router::new()
        .route_with_tsr("/verify", get(verify::get_document))
        .route_with_tsr("/verify/{id}", proof)
        .route_with_tsr("/prove", get(verify::get_document))
        .route_with_tsr("/prove/ask", get(verify::get_document))
        .layer(around_bare);
    Router::new()
        .merge(cached)
        .merge(bare)
        // these files would be sent without the policies of their pages
        .route("/verify.html", get(Redirect::temporary("/verify")))
        .route("/prove.html", get(Redirect::temporary("/prove")))
        .route("/", get(pages::redirect_to_leaderboard))
        .route("/index.html", get(pages::redirect_to_leaderboard))
        .route("/privacy", get(Redirect::permanent("/privacy-policy")))
        .route("/terms", get(Redirect::permanent("/terms-of-service")))
        // what social networks show for a shared link
        .route(
            "/card/{file}",
            get(pages::get_card).layer(from_fn(etag::tag)),
        )
        .route("/robots.txt", get(pages::get_robots))
        .route("/sitemap.xml", get(pages::get_sitemap))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(get(pages::get_file_or_page).fallback(method_not_allowed))
}

/// The OpenAPI document of the addresses above, formatted like `server/api/openapi.json`, which the server sends.
pub fn openapi_json(state: &App) -> String {
    let document = OpenApiRouter::with_openapi(Document::openapi());
    let (_, document) = document.merge(api(state)).split_for_parts();
    let text = openapi::complete(document).to_pretty_json();
    text.unwrap_or_default() + "\n"
}

/// Requests outside the route groups are refused without the client marker header (specification, section 7: the request handling quirk).
async fn unknown_address(uri: Uri, headers: HeaderMap) -> Error {
    let segments: Vec<&str> = uri.path().split('/').collect();
    let in_group = matches!(segments[..], ["", "api", group, "v1", ..] if GROUPS.contains(&group));
    if in_group || headers.contains_key("x-client-info") {
        Error::nothing_here()
    } else {
        Error::forbidden("Requests to this address need the header x-client-info.")
    }
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Error::internal("a handler panicked").into_response()
}
