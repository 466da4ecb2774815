//! Open files and connections, of which the system lets a process have so many: clients never take those that the server itself needs.

use crate::config::Config;

/// What the server has open beside its clients and its connections to the database: files, chain sources, providers, pictures.
const OWN: u64 = 256;

/// The fewest clients that a server is worth starting for.
const FEWEST: u64 = 64;

/// Takes as many as the system gives, and lets in no more clients than there is room for.
///
/// # Errors
/// When there is room for next to none.
pub(super) fn leave_enough(config: &mut Config) -> Result<(), String> {
    // A service manager may forbid it, and then what is there must do.
    let allowed = rlimit::increase_nofile_limit(u64::MAX)
        .or_else(|_| rlimit::Resource::NOFILE.get().map(|(soft, _)| soft))
        .map_err(|error| format!("the system does not say how many files may be open: {error}"))?;
    let own = OWN + u64::from(config.operations.database_connections);
    let room = allowed.saturating_sub(own);
    if room < FEWEST {
        return Err(format!(
            "the system lets this process open {allowed} files and connections, and it needs {own} for itself and some for \
             clients. Raise LimitNOFILE in its systemd unit, or `ulimit -n`"
        ));
    }
    let connections = &mut config.connections;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    if room < connections.max_connections {
        tracing::warn!(
            "MAX_CONNECTIONS is {}, but the system lets this process open {allowed} files and connections: {room} clients are let in. \
             Raise LimitNOFILE in its systemd unit, or `ulimit -n`",
            connections.max_connections
        );
        // Whoever has no stream open is let in as well.
        let streams = connections.max_streams.min(room - room / 4);
        (connections.max_connections, connections.max_streams) = (room, streams);
    }
    Ok(())
}
