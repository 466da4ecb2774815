-- Every replica keeps the board in memory, so that it has to know whose rows have changed since it last looked.
--
-- Triggers note each profile that changed as others see it; when a change is told (0006), the row as it is then goes into a
-- log under the number of the change, so that all replicas have the same board at the same number.
drop trigger profiles_inserted;
drop trigger profiles_updated;
drop trigger profiles_deleted;
drop table unsent_changes;

-- Who has changed and has not been told yet: an id, or the start of one when the profile is gone, because nothing may say whose it
-- was. A row is of one transaction, so that on PostgreSQL transactions do not wait for each other; SQLite has one writer at a time, and
-- leaves that empty.
create table unsent_changes (
    transaction_id text not null,
    noted          text not null,
    primary key (transaction_id, noted)
);

-- How far the log goes: a number that a server of an earlier release has told is not in it.
alter table live_sequence add column logged bigint not null default 0;
-- Up to where it has been cut off. Who has seen less reads the board anew.
alter table live_sequence add column forgotten bigint not null default 0;
-- What was noted until now does not say whose it was. Servers of this release begin by reading everything, and open pages, whose
-- streams end with the servers of the one before, fetch again when they come back.
update live_sequence set logged = sequence, forgotten = sequence;

-- The newest told state of every profile that has changed lately; of one that is gone nothing but the start of its
-- id.
create table board_changes (
    profile_id      text   primary key,
    sequence        bigint not null,
    provider        text,
    username        text,
    username_folded text,
    avatar_url      text,
    holdings_sats   bigint,
    last_verified   bigint,
    updated_at      bigint
);

create index board_changes_by_sequence on board_changes (sequence);

create trigger profiles_inserted after insert on profiles
begin
    insert into unsent_changes (transaction_id, noted)
    select '', new.id where not exists (select 1 from unsent_changes where noted = new.id and transaction_id = '');
end;

create trigger profiles_updated after update on profiles
when old.provider is not new.provider or old.username is not new.username or old.username_folded is not new.username_folded
    or old.named is not new.named or old.avatar_url is not new.avatar_url or old.tier is not new.tier
    or old.holdings_sats is not new.holdings_sats or old.last_verified is not new.last_verified
    or old.last_auto_reverify is not new.last_auto_reverify or old.updated_at is not new.updated_at
begin
    insert into unsent_changes (transaction_id, noted)
    select '', new.id where not exists (select 1 from unsent_changes where noted = new.id and transaction_id = '');
end;

create trigger profiles_deleted after delete on profiles
begin
    insert into unsent_changes (transaction_id, noted)
    select '', substr(old.id, 1, 13)
    where not exists (select 1 from unsent_changes where noted = substr(old.id, 1, 13) and transaction_id = '');
end;
