//! The limit of open files and connections of a process: reserves those that the server itself needs.

use crate::config::Config;

/// Files and connections that the server needs for itself, without those to the database: chain sources, providers, pictures.
const OWN: u64 = 256;

/// The server does not start with room for fewer clients.
const MIN_CLIENTS: u64 = 64;

/// Raises the limit as far as the system allows, and lowers the limits of connections and live streams to what fits.
///
/// # Errors
/// When fewer than [`MIN_CLIENTS`] fit.
pub(super) fn reserve(config: &mut Config) -> Result<(), String> {
    // A service manager may forbid that; then the present limit counts.
    let allowed = rlimit::increase_nofile_limit(u64::MAX)
        .or_else(|_| rlimit::Resource::NOFILE.get().map(|(soft, _)| soft))
        .map_err(|error| format!("cannot read the limit of open files from the system: {error}"))?;
    let own = OWN + u64::from(config.operations.database_connections);
    let room = allowed.saturating_sub(own);
    if room < MIN_CLIENTS {
        return Err(format!(
            "the system lets this process open {allowed} files and connections; it needs {own} for itself and more for clients. Raise \
             LimitNOFILE in its systemd unit, or `ulimit -n`"
        ));
    }
    let connections = &mut config.connections;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    if room < connections.total {
        tracing::warn!(
            "the system lets this process open {allowed} files and connections: only {room} clients fit, fewer than {}. Raise LimitNOFILE in \
             its systemd unit, or `ulimit -n`",
            connections.total
        );
        connections.total = room;
        // Leaves connections for requests without a stream.
        connections.streams = connections.streams.min(room - room / 4);
    }
    Ok(())
}
