-- Live updates: which changes to profiles have not been told to open pages yet, and how many have.
-- Triggers on profiles fill the first table, in the transaction of the change, so that a server that dies
-- right after it loses nothing. The two databases spell triggers differently: server/src/store/live.rs has them.

-- One row for each transaction that changed profiles (on SQLite, which has one writer, one row for all).
-- Whoever tells the change deletes the row.
create table unsent_changes (
    transaction_id text primary key
);

-- The number of the newest change that has been told; the id of the event.
create table live_sequence (
    id       integer primary key check (id = 1),
    sequence bigint  not null
);
