//! Starts the server: settings, log, database and chain, then requests until told to stop.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Parser;
use server::config::Config;
use server::state::AppState;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(&config.log))
        .init();
    match run(config).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The server cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> Result<(), Box<dyn std::error::Error>> {
    if let Some(path) = &config.write_openapi {
        std::fs::write(path, server::routes::openapi_json())?;
        return Ok(());
    }
    let listen = config.listen;
    let state = AppState::start(config, server::clock::Clock::System).await?;
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    tracing::info!(
        address = %listener.local_addr()?,
        mode = state.config.app_env.as_str(),
        "listening"
    );
    let open_pages = state.clone();
    let app = server::app(state).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            stopped().await;
            // Live streams never end by themselves, and the server waits for what is under way.
            open_pages.live.close();
        })
        .await?;
    Ok(())
}

/// Resolves when the process is asked to end.
async fn stopped() {
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
