-- The log commits to a snapshot that everyone can download (proofs, section 6), instead of to a tree of salted hashes that only the owner of
-- a row could open. The server ends a log of format 1 with an entry that says so, and begins the next one. Logs that have ended stay readable.

drop table log_rows;
drop table log_gone_slots;

-- A row of the snapshot of the newest `board` entry, without its salt. A row whose owner deletes the account or hides the exact total
-- becomes its leaf hash at once, with no more of its id than says where it was.
create table log_lines (
    profile_id text primary key,
    line       text,
    withdrawn  text,
    check ((line is null) <> (withdrawn is null))
);

create table entries_of_logs (
    log    bigint not null,
    number bigint not null,
    entry  text   not null,
    primary key (log, number)
);
insert into entries_of_logs (log, number, entry)
    select log_state.number, log_entries.number, log_entries.entry from log_entries, log_state;
drop table log_entries;
alter table entries_of_logs rename to log_entries;

-- Tiles over the entries. There is no other stored tree.
create table tiles_of_logs (
    log    bigint not null,
    level  bigint not null,
    tile   bigint not null,
    hashes text   not null,
    primary key (log, level, tile)
);
insert into tiles_of_logs (log, level, tile, hashes)
    select log_state.number, level, tile, hashes from log_tiles, log_state where tree = 'log';
drop table log_tiles;
alter table tiles_of_logs rename to log_tiles;

create table rotations_of_logs (
    log    bigint not null,
    number bigint not null,
    note   text   not null,
    primary key (log, number)
);
insert into rotations_of_logs (log, number, note)
    select log_state.number, log_rotations.number, note from log_rotations, log_state;
drop table log_rotations;
alter table rotations_of_logs rename to log_rotations;

alter table log_state drop column slots;
alter table log_state drop column partial;
alter table log_state add column format bigint not null default 1;
-- Height of the block of the newest `board` entry, and the secret from which the salts of its rows derive, hex.
alter table log_state add column height bigint;
alter table log_state add column salt_key text;
-- How many rows have been withdrawn since that entry.
alter table log_state add column withdrawn bigint not null default 0;
-- The newest entry about the files of the verify page.
alter table log_state add column page bigint;
