-- no-transaction
-- Which providers there are is for the server to say (server/src/providers.rs), so that a new one is no new schema.
--
-- SQLite drops a check only by making the table anew. Dropping a table deletes its rows, and what refers to them, unless
-- foreign keys are off, and those can be switched only outside of a transaction: that is why this file has its own. What is in
-- it happens as a whole; if the process dies before the step is noted, it is done once more, with the same result.
pragma foreign_keys = off;

begin immediate;

create table profiles_anew (
    id                 text    primary key,
    -- The name of the provider that says who somebody is.
    provider           text    not null,
    -- The provider's own stable id of the account; names change, this does not.
    subject            text    not null,
    username           text    not null,
    -- The same name in lower case, for searching and for telling names apart on both databases.
    username_folded    text    not null,
    -- False while the name is our own 'user_' one, which need not be unique.
    named              boolean not null,
    email              text,
    avatar_url         text,
    -- Null until a plan is chosen (decisions, D6).
    tier               text    check (tier in ('free', 'premium')),
    -- Sum over the live claims, kept by the transaction that changes them. Null: nothing proven.
    holdings_sats      bigint  check (holdings_sats > 0),
    last_verified      bigint,
    last_auto_reverify bigint,
    created_at         bigint  not null,
    updated_at         bigint  not null,
    -- When the coins of a premium user are looked up next (0003).
    reverify_at        bigint,
    unique (provider, subject)
);

insert into profiles_anew
    (id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified,
     last_auto_reverify, created_at, updated_at, reverify_at)
select
    id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified,
    last_auto_reverify, created_at, updated_at, reverify_at
from profiles;

drop table profiles;
alter table profiles_anew rename to profiles;

-- As in 0001, 0003, 0007 and 0008.
create unique index profiles_by_name on profiles (provider, username_folded) where named;
create index profiles_to_reverify on profiles (coalesce(reverify_at, 0)) where tier = 'premium';
create index profiles_by_folded_name on profiles (username_folded);
create index profiles_in_board_order
    on profiles (coalesce(holdings_sats, 0) desc, coalesce(last_verified, 9223372036854775807), id);

-- As in 0009.
create trigger profiles_inserted after insert on profiles
begin
    insert into unsent_changes (transaction_id) select '' where not exists (select 1 from unsent_changes);
end;

create trigger profiles_updated
after update of username, named, avatar_url, tier, holdings_sats, last_verified, last_auto_reverify on profiles
begin
    insert into unsent_changes (transaction_id) select '' where not exists (select 1 from unsent_changes);
end;

create trigger profiles_deleted after delete on profiles
begin
    insert into unsent_changes (transaction_id) select '' where not exists (select 1 from unsent_changes);
end;

commit;

pragma foreign_keys = on;
