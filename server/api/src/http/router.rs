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
use futures_util::TryFutureExt;
use serde_json::json;
use tower::layer::layer_fn;
use tower::util::MapRequestLayer;
use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::http::cache::{ResponseCache, cache_responses};
use crate::http::error::{Error, Problem, method_not_allowed};
use crate::http::extract::{MAX_BODY_BYTES, MAX_FILE_BODY_BYTES};
use crate::http::limits::{limit, limit_tokens, wait};
use crate::http::pages::verify;
use crate::http::rest::read_your_writes::wait_for_board;
use crate::http::stops::named;
use crate::http::{
    auth, board_log, client_address, cors, encoding, error_body, etag, functions, headers, health,
    malformed, metrics, openapi, pages, request_id, rest, storage,
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
    let responses = response_cache(&state);
    let (api, _) = api(&state, &responses).split_for_parts();
    let alive = get(Json(json!({ "status": "ok" })));
    let root = alive.clone().fallback(method_not_allowed);
    let openapi = include_str!("../../openapi.json");
    let openapi = get(([(header::CONTENT_TYPE, "application/json")], openapi));
    let openapi = openapi.fallback(method_not_allowed);
    let openapi = openapi.layer(named("cors::allow_any", from_fn(cors::allow_any)));
    let around_api = ServiceBuilder::new()
        .layer(named("headers::no_store", headers::no_store()))
        .layer(named("body limit", DefaultBodyLimit::max(MAX_BODY_BYTES)));
    let api = api
        .route("/api", root.clone())
        .route("/api/", root)
        .route("/api/openapi.json", openapi)
        .route("/api/{*path}", any(unknown_address))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(around_api);
    let config = state.config.clone();
    let identify = move |request| client_address::identify(&config.proxies, request);
    let security = from_fn_with_state(state.config.secure(), headers::security);
    let around = ServiceBuilder::new()
        .layer(named("request_id::set", from_fn(request_id::set)))
        // caches and compression see only encodings of this server
        .layer(named(
            "encoding::choose",
            MapRequestLayer::new(encoding::choose),
        ))
        // limits count by it
        .layer(named(
            "client_address::identify",
            MapRequestLayer::new(identify),
        ))
        // needs the id, and measures all that follows
        .layer(named("metrics::measure", from_fn(metrics::measure)))
        // refusals and panics have them, too
        .layer(named("headers::security", security))
        // of everything inside, in the words of the route group
        .layer(named("error_body::write", from_fn(error_body::write)))
        .layer(named("catch panics", CatchPanicLayer::custom(panicked)))
        // before any work is done for an invalid request
        .layer(named("malformed::refuse", from_fn(malformed::refuse)))
        .layer(named("share", layer_fn(share)));
    Router::new()
        .merge(api)
        .route("/healthz", alive)
        .route("/readyz", get(health::get_readiness))
        .nest("/log", board_log_routes(&state))
        .merge(development_routes(state.sample_holders.is_some()))
        .merge(page_routes(&state, &responses))
        .layer(around)
        .with_state(state)
}

fn response_cache(state: &App) -> Arc<ResponseCache> {
    let network = state.chain.network_name();
    let cache = ResponseCache::new(state.board.clone(), state.price.clone(), network);
    Arc::new(cache)
}

/// A layer that makes what is inside it cheap to clone. For each request the layer around it clones what is inside: without this, every
/// group of layers down to the handler and the rooms in its state, which took a third of the time of a cached response. So it stands where
/// every request passes, and inside the cache.
fn share<S>(
    inner: S,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone
where
    S: Service<Request, Response: IntoResponse, Error = Infallible, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    let inner = Arc::new(inner);
    service_fn(move |request| {
        let response = S::clone(&inner).oneshot(request);
        response.map_ok(IntoResponse::into_response)
    })
}

/// The route groups of decisions, D10.
const GROUPS: [&str; 4] = ["auth", "rest", "functions", "storage"];

fn api(state: &App, responses: &Arc<ResponseCache>) -> OpenApiRouter<App> {
    auth_routes(state)
        .merge(rest_routes(state, responses))
        .merge(functions_routes(state))
        .merge(storage_routes())
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
    routes
        .layer(named("compression", encoding::compression()))
        .layer(named("encoding::add_content_range", header))
}

fn auth_routes(state: &App) -> OpenApiRouter<App> {
    let limited = |kind: Limit| {
        let layer = from_fn_with_state((kind, state.rate_limits.clone()), limit);
        named("limits::limit", layer)
    };
    let tokens = from_fn_with_state(state.rate_limits.clone(), limit_tokens);
    let tokens = named("limits::limit_tokens", tokens);
    // a new user is on the board with the response
    let on_the_board = from_fn_with_state(state.board.clone(), wait_for_board);
    let on_the_board = named("read_your_writes::wait_for_board", on_the_board);
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
        .layer(on_the_board);
    let listed = from_fn_with_state(state.sign_in.clone(), cors::allow_listed);
    with_fallback(routes).layer(named("cors::allow_listed", listed))
}

fn rest_routes(state: &App, responses: &Arc<ResponseCache>) -> OpenApiRouter<App> {
    let read_your_writes = || {
        let layer = from_fn_with_state(state.board.clone(), wait_for_board);
        named("read_your_writes::wait_for_board", layer)
    };
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
    let cached = from_fn_with_state(responses.clone(), cache_responses);
    let around = ServiceBuilder::new()
        // before everything that costs something
        .layer(named("cache_responses", cached))
        .layer(named("share", layer_fn(share)))
        // cached with the response
        .layer(named("cors::allow_any", from_fn(cors::allow_any)));
    with_fallback(compress(profiles).layer(read_your_writes()))
        .layer(around)
        .merge(readable_anywhere(changes))
        .merge(compress(proofs).layer(read_your_writes()))
}

/// Lets pages of any origin read these routes.
fn readable_anywhere(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    with_fallback(routes).layer(named("cors::allow_any", from_fn(cors::allow_any)))
}

fn functions_routes(state: &App) -> OpenApiRouter<App> {
    let limited = |kind: Limit| {
        let layer = from_fn_with_state((kind, state.rate_limits.clone()), limit);
        named("limits::limit", layer)
    };
    let waiting = || {
        let layer = from_fn_with_state(state.database_queue.clone(), wait);
        named("limits::wait", layer)
    };
    // used by the leaderboard, and by clients that want its data or check what is published
    let export = OpenApiRouter::new()
        .routes(routes!(functions::board_export::get_board_csv))
        .layer(waiting())
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
        .merge(compress(published).layer(named("etag::tag", from_fn(etag::tag))));
    let files = OpenApiRouter::new()
        .routes(routes!(functions::submit_proof::submit_proof))
        .routes(routes!(
            functions::development::sign_with_development_wallet
        ))
        .layer(named(
            "body limit of files",
            DefaultBodyLimit::max(MAX_FILE_BODY_BYTES),
        ));
    let client_log = routes!(functions::app::write_client_log);
    let on_the_board = from_fn_with_state(state.board.clone(), wait_for_board);
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
        .layer(named("read_your_writes::wait_for_board", on_the_board))
}

fn storage_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        // used wherever a profile is shown
        .routes(routes!(storage::get_avatar))
        // used by clients of hosted storage
        .route(
            "/api/storage/v1/object/public/avatars/{profile_id}",
            get(storage::get_avatar),
        )
        .layer(named("etag::tag", from_fn(etag::tag)))
}

/// The logs of the board, each with the same addresses.
fn board_log_routes(state: &App) -> Router<App> {
    let limited = |kind: Limit| {
        let layer = from_fn_with_state((kind, state.rate_limits.clone()), limit);
        named("limits::limit", layer)
    };
    let snapshot = get(board_log::get_snapshot).layer(limited(LOG_SNAPSHOT));
    let receipts = get(board_log::list_receipts).layer(limited(LOG_RECEIPTS));
    let one = Router::new()
        .route("/snapshot/{entry}", snapshot)
        .route("/receipts", receipts)
        .route("/checkpoint", get(board_log::get_checkpoint))
        .route("/key", get(board_log::get_key))
        .route("/rotations", get(board_log::list_rotations))
        .route("/tile/{*path}", get(board_log::get_tile));
    let (policy, cross_origin) = headers::CROSS_ORIGIN;
    let waiting = from_fn_with_state(state.database_queue.clone(), wait);
    let layers = ServiceBuilder::new()
        .layer(named("limits::wait", waiting))
        .layer(named("headers::set", headers::set(policy, cross_origin)))
        .layer(named(
            "headers::set",
            headers::set(ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        ));
    Router::new()
        .merge(one.clone())
        .nest("/{log}", one)
        .fallback(async || board_log::missing())
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
            "/development/esplora/blocks/{height}",
            get(functions::esplora::get_blocks),
        )
        .route(
            "/development/esplora/block/{hash}",
            get(functions::esplora::get_block),
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
fn page_routes(state: &App, responses: &Arc<ResponseCache>) -> Router<App> {
    let caching = from_fn_with_state(responses.clone(), cache_responses);
    let around_cached = ServiceBuilder::new()
        // before everything that costs something
        .layer(named("cache_responses", caching))
        .layer(named("share", layer_fn(share)))
        .layer(named("compression", encoding::compression()));
    let cached = pages::app_pages()
        .fold(Router::new(), |router, page| {
            let router = router.route(page, get(pages::get_app_page));
            router.route(&format!("{page}/"), get(pages::get_app_page))
        })
        .route("/leaderboard", get(pages::get_leaderboard))
        // what other sites put into their pages
        .route("/embed", get(pages::get_embedded_row))
        .layer(around_cached);
    let waiting = from_fn_with_state(state.database_queue.clone(), wait);
    let proof = get(verify::get_proof_page).layer(named("limits::wait", waiting));
    let around_bare = ServiceBuilder::new()
        // around the compression: each encoding has a tag of its own
        .layer(named("etag::tag", from_fn(etag::tag)))
        .layer(named("compression", encoding::compression()));
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
            get(pages::get_card).layer(named("etag::tag", from_fn(etag::tag))),
        )
        .route("/robots.txt", get(pages::get_robots))
        .route("/sitemap.xml", get(pages::get_sitemap))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(get(pages::get_file_or_page).fallback(method_not_allowed))
}

/// The OpenAPI document of the addresses above, formatted like `server/api/openapi.json`, which the server sends.
pub fn openapi_json(state: &App) -> String {
    let document = OpenApiRouter::with_openapi(Document::openapi());
    let api = api(state, &response_cache(state));
    let (_, document) = document.merge(api).split_for_parts();
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
