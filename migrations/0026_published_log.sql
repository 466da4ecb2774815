-- What the log has published, apart from what is written: the server asks the witnesses for their cosignatures in between (proofs, section 6).

-- As log_state, but as it is published. The checkpoint has the cosignatures below the signature of the log.
create table log_published (
    id           integer primary key check (id = 1),
    number       bigint  not null,
    origin       text    not null,
    size         bigint  not null,
    root         text    not null,
    checkpoint   text    not null,
    verifier_key text    not null,
    format       bigint  not null,
    board_entry  bigint,
    changes      bigint  not null,
    height       bigint,
    block        text,
    salt_key     text,
    withdrawn    bigint  not null,
    page         bigint
);
insert into log_published
    (id, number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key, withdrawn, page)
select id, number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key, withdrawn, page
from log_state;

-- How log_lines changes when the newest entry is published: a new line, a withdrawn one, or neither for a row that is gone.
create table log_next_lines (
    profile_id text primary key,
    line       text,
    withdrawn  text
);

-- The witness that knows another history of this log. While this is set, nothing is added.
alter table log_state add column forked text;
