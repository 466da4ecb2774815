//! Every metric: its name, and what it counts.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

/// By method, route and status.
pub const REQUEST_SECONDS: &str = "http_request_duration_seconds";
/// By source, question and result.
pub const CHAIN_SECONDS: &str = "chain_request_duration_seconds";
/// By outcome.
pub const SUBMISSIONS: &str = "submissions_total";
/// By task and result. Prometheus calls jobs what it asks, so that jobs of ours are tasks here.
pub const JOB_RUNS: &str = "job_runs_total";
/// By task.
pub const JOB_RESTARTS: &str = "job_restarts_total";
pub const CHAIN_ANSWERS: &str = "chain_answers";
pub const TIP_HEIGHT: &str = "chain_tip_height";
pub const FOLLOWER_HEIGHT: &str = "follower_height";
pub const FOLLOWER_LAG: &str = "follower_lag_blocks";
pub const UNKNOWN_COINS: &str = "unknown_coins";
pub const ACCOUNTS_SET_ASIDE: &str = "accounts_set_aside";
pub const CONNECTIONS: &str = "http_connections";
pub const CONNECTIONS_LIMIT: &str = "http_connections_limit";
pub const LIVE_STREAMS: &str = "live_streams";
pub const LIVE_STREAMS_LIMIT: &str = "live_streams_limit";
/// By state, `idle` or `busy`.
pub const DATABASE_CONNECTIONS: &str = "database_connections";
pub const DATABASE_CONNECTIONS_LIMIT: &str = "database_connections_limit";
pub const DATABASE_WRITABLE: &str = "database_writable";
pub const READY: &str = "ready";
/// By version and commit.
pub const BUILD_INFO: &str = "build_info";
pub const LOG_DROPPED: &str = "log_lines_dropped_total";
// As Prometheus' own clients call them.
pub const STARTED: &str = "process_start_time_seconds";
pub const MEMORY: &str = "process_resident_memory_bytes";
pub const OPEN_FILES: &str = "process_open_fds";
pub const MAX_FILES: &str = "process_max_fds";

/// Tells the recorder what each is.
pub fn describe() {
    describe_histogram!(REQUEST_SECONDS, Unit::Seconds, "Requests, by route");
    describe_histogram!(CHAIN_SECONDS, Unit::Seconds, "Questions to chain sources");
    for (counter, meaning) in [
        (SUBMISSIONS, "Files sent as proofs, by what came of them"),
        (JOB_RUNS, "Steps of background work, by how they ended"),
        (
            JOB_RESTARTS,
            "Background work that was started again after a panic",
        ),
        (
            LOG_DROPPED,
            "Lines of the log that could not be written, or that waited for too long",
        ),
    ] {
        describe_counter!(counter, meaning);
    }
    for (gauge, meaning) in [
        (
            CHAIN_ANSWERS,
            "1 while enough chain sources answer and agree, else 0",
        ),
        (TIP_HEIGHT, "Height of the newest block"),
        (
            FOLLOWER_HEIGHT,
            "Height up to which spent coins have ended claims",
        ),
        (FOLLOWER_LAG, "How many blocks that is behind the newest"),
        (
            UNKNOWN_COINS,
            "Proven coins about which too few chain sources say the same",
        ),
        (
            ACCOUNTS_SET_ASIDE,
            "Accounts whose totals cannot be settled, and that the board counts nothing for",
        ),
        (CONNECTIONS, "Open connections of clients"),
        (CONNECTIONS_LIMIT, "How many of them may be open"),
        (LIVE_STREAMS, "Open streams of changes"),
        (LIVE_STREAMS_LIMIT, "How many of them may be open"),
        (
            DATABASE_CONNECTIONS,
            "Connections to the database, by what they do",
        ),
        (
            DATABASE_CONNECTIONS_LIMIT,
            "How many of them are open at most",
        ),
        (
            DATABASE_WRITABLE,
            "1 while a small write succeeds every ten seconds, else 0",
        ),
        (READY, "1 while the board can be served, else 0"),
        (BUILD_INFO, "1, with the release and the commit as labels"),
        (STARTED, "When the process was started, unix seconds"),
        (MEMORY, "Memory that the process holds"),
        (OPEN_FILES, "Open files and connections"),
        (MAX_FILES, "How many of them the system allows"),
    ] {
        describe_gauge!(gauge, meaning);
    }
}
