-- How many requests of a kind there were in a window of time, for an account or for a client's address. Both
-- are keyed hashes, and a row is deleted once its window is over. It takes the place of the table that counted
-- refused files alone.
drop table attempts;

create table rate_limits (
    keyed_hash text   not null,
    ends_at    bigint not null,
    used       bigint not null,
    primary key (keyed_hash, ends_at)
);

create index rate_limits_by_end on rate_limits (ends_at);
