-- The append-only log of the board (proofs, section 6): an entry for each block at which the board changed, and the newest state of a
-- Merkle tree over its rows, so that an entry costs what has changed.

-- Where the log stands: one row, locked by whoever appends, so that no two replicas do.
create table log_state (
    id           integer primary key check (id = 1),
    -- 1 for the first log. A new one is begun only when an old copy of the database would have forked the one before.
    number       bigint  not null,
    -- First line of every checkpoint, and the name of the key.
    origin       text    not null,
    -- Entries, and the root over them, hex.
    size         bigint  not null,
    root         text    not null,
    -- The newest checkpoint, signed, and the key that everybody checks it with.
    checkpoint   text    not null,
    verifier_key text    not null,
    -- The entry that the tree over the rows belongs to, and how many leaves that has. None before the first.
    board_entry  bigint,
    slots        bigint  not null,
    -- Up to which of the board's numbered changes (0015) rows are in it. Less than 0: nobody knows.
    changes      bigint  not null,
    -- Hash of the block of the newest entry about the board.
    block        text,
    -- Whether that entry could not take everything that had changed.
    partial      boolean not null
);

create table log_entries (
    number bigint primary key,
    entry  text   not null
);

-- Tiles of two trees, as they are now: 'log' over the entries, 'rows' over the rows. 256 hashes at most, hex, one behind the
-- other (C2SP tlog-tiles).
create table log_tiles (
    tree   text   not null check (tree in ('log', 'rows')),
    level  bigint not null,
    tile   bigint not null,
    hashes text   not null,
    primary key (tree, level, tile)
);

-- A profile's place among the leaves, its row as the newest entry has it, and the salt without which nobody can tell from the hash what
-- that says. Both go with the profile.
create table log_rows (
    profile_id text   primary key references profiles (id) on delete cascade,
    slot       bigint not null unique,
    salt       text   not null,
    logged     text   not null
);

-- Leaves whose row is gone, which the next entry says.
create table log_gone_slots (
    slot bigint primary key
);

-- A new key, signed by the one before and by itself.
create table log_rotations (
    number bigint primary key,
    note   text   not null
);

create trigger log_rows_deleted after delete on log_rows
begin
    insert into log_gone_slots (slot) values (old.slot);
end;
