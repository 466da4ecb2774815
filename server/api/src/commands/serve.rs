//! The command `serve`: runs until a signal stops it, and completes running requests.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::FutureExt;
use psbt_wasm::statement::LONG_SITE_BYTES;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::open_files;
use crate::app::{App, Failure};
use crate::config::{Config, Unknown};
use crate::http::connections::Connections;
use crate::http::metrics::scrape;
use crate::http::router;
use crate::telemetry::{self, log::Log};
use chain::clock::Clock;

pub(super) async fn run(mut config: Config) -> Result<(), Failure> {
    let log = Log::start(&config.operations);
    for Unknown { name, similar } in Config::unknown_variables() {
        match similar {
            Some(similar) => {
                tracing::warn!("Ignoring unknown variable {name}; did you mean {similar}?");
            }
            None => {
                tracing::warn!("Ignoring unknown variable {name}; .env.example lists all settings");
            }
        }
    }
    if !config.development() && config.history.published_checkpoint.is_none() {
        tracing::warn!(
            "PUBLISHED_CHECKPOINT is not set, so the server cannot notice that its database is an old copy, and its log would \
             contradict what visitors have seen; .env.example explains the setting"
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
    let (sole, state) = App::start_alone(config, Clock::System).await?;
    // Its file must stay open until the process ends (see `Sole`).
    std::mem::forget(sole);
    state.store.forget_leases_of_the_dead().await?;
    let listener = bind(listen).await?;
    tracing::info!(
        address = %listener.local_addr()?,
        mode = <&str>::from(state.config.app_env),
        version = telemetry::VERSION,
        commit = telemetry::COMMIT,
        "listening"
    );
    let connections = Connections::new(&state.config);
    let (stop, stopping) = watch::channel(false);
    let jobs = tokio::spawn({
        let (app, stopping) = (state.clone(), stopping.clone());
        async move { app.work(stopping).await }
    });
    if let Some((listener, handle)) = metrics {
        let rooms = scrape::Rooms {
            health: state.health.clone(),
            jobs: state.job_states.clone(),
            connections: connections.clone(),
            live: state.live.clone(),
            store: state.store.clone(),
            limits: state.config.clone(),
            dropped: log.dropped(),
        };
        let app = scrape::router(rooms, handle);
        tokio::spawn(async move { axum::serve(listener, app).await });
    }
    tokio::spawn(stop_on_signal(state.clone(), stop));

    let app = router::app(state.clone());
    let requests = connections.serve(listener, app, stopped(stopping.clone()));
    let over = async {
        stopped(stopping).await;
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

/// Resolves when the server is stopping.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop as well.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// Waits for the signal, and stops everything that would not end by itself.
async fn stop_on_signal(state: App, stop: watch::Sender<bool>) {
    signal().await;
    tracing::info!("stopping");
    state.health.stop();
    stop.send_replace(true);
    // The server waits for running requests, and live streams never end by themselves.
    state.live.close();
}

/// Resolves when the process gets a signal to end.
async fn signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            let _ = interrupt.await;
            return;
        };
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
}
