//! The command `serve`: runs until a signal stops it, and completes running requests.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::FutureExt;
use psbt_wasm::statement::LONG_SITE_BYTES;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::open_files;
use crate::app::{App, Failure};
use crate::config::{Config, Switch};
use crate::http::connections::Connections;
use crate::http::metrics::scrape;
use crate::http::router;
use crate::telemetry::{self, server_log::ServerLog};
use chain::clock::Clock;

pub(super) async fn run(mut config: Config) -> Result<(), Failure> {
    let server_log = ServerLog::start(&config.operations);
    for (name, similar) in Config::misspelled_variables() {
        tracing::warn!("Ignoring unknown variable {name}; did you mean {similar}?");
    }
    if !config.development() && config.board_log.published_log.is_none() {
        tracing::warn!(
            "PUBLISHED_LOG is not set, so the server cannot notice that its database is an old copy: its log would contradict what visitors \
             have seen, and erased accounts would come back; .env.example explains the setting"
        );
    }
    if config.site_is_long() {
        tracing::warn!(
            "PUBLIC_URL is long: host and port have more than {LONG_SITE_BYTES} characters, so the line that devices show cuts most holders' names; \
             use a shorter address if you can"
        );
    }
    open_files::reserve(&mut config)?;
    let listen = config.listen;
    let limit = Duration::from_secs(config.operations.shutdown_seconds);
    let metrics = match config.operations.metrics_listen {
        Some(address) => Some((bind(address).await?, scrape::start()?)),
        None => None,
    };
    let state = App::start(config, Clock::System, true).await?;
    state.store.forget_leases_of_the_dead().await?;
    let listener = bind(listen).await?;
    tracing::info!(
        address = %listener.local_addr()?,
        mode = <&str>::from(state.config.app_env),
        version = telemetry::VERSION,
        commit = telemetry::COMMIT,
        "listening"
    );
    let connections = Connections::new(state.config.clone());
    let jobs = tokio::spawn({
        let app = state.clone();
        async move { app.work().await }
    });
    if let Some((listener, handle)) = metrics {
        let rooms = scrape::Rooms {
            health: state.health.clone(),
            connections: connections.clone(),
            live: state.live.clone(),
            limits: state.config.clone(),
            dropped: server_log.dropped(),
        };
        let app = scrape::router(rooms, handle);
        tokio::spawn(async move { axum::serve(listener, app).await });
    }
    if let Some(holders) = state.sample_holders.clone()
        && state.config.samples == Switch::On
    {
        tokio::spawn(async move {
            if let Err(error) = holders.add().await {
                tracing::warn!(%error, "cannot add all sample holders; delete the development database to start over");
            }
        });
    }
    let stopping = state.stopping.clone();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // A terminal that closes.
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        tracing::info!("stopping");
        stopping.cancel();
    });

    let app = router::app(state.clone());
    let requests = connections.serve(listener, app, state.stopping.clone().cancelled_owned());
    let over = async {
        state.stopping.cancelled().await;
        tokio::time::sleep(limit).await;
    }
    .shared();
    tokio::select! {
        () = requests => {}
        () = over.clone() => tracing::warn!(?limit, "aborting requests that are still running"),
    }
    tokio::select! {
        ended = jobs => ended?,
        () = over => tracing::warn!(?limit, "aborting background jobs that are still running"),
    }
    state.store.close().await;
    tracing::info!("stopped");
    Ok(())
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}. Stop the program that uses it, or set another LISTEN or METRICS_LISTEN"))
}
