-- Every replica keeps the board in memory, so that it has to know whose rows have changed since it last looked.
--
-- Triggers note each profile that changed as others see it; when a change is told (0006), the row as it is then goes into a
-- log under the number of the change, so that all replicas have the same board at the same number.
drop trigger profiles_changed on profiles;
drop function note_changed_profiles();
drop table unsent_changes;

-- Who has changed and has not been told yet: an id, or the start of one when the profile is gone, because nothing may say whose it
-- was. A row is of one transaction, so that transactions do not wait for each other.
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

create function note_changed_profile() returns trigger language plpgsql as $$
begin
    insert into unsent_changes (transaction_id, noted)
    values (pg_current_xact_id()::text, case tg_op when 'DELETE' then substr(old.id, 1, 13) else new.id end)
    on conflict do nothing;
    return null;
end $$;

create trigger profiles_inserted_or_deleted
after insert or delete on profiles for each row execute function note_changed_profile();

create trigger profiles_updated
after update on profiles for each row
when ((old.provider, old.username, old.username_folded, old.named, old.avatar_url, old.tier, old.holdings_sats, old.last_verified,
        old.last_auto_reverify, old.updated_at)
    is distinct from (new.provider, new.username, new.username_folded, new.named, new.avatar_url, new.tier, new.holdings_sats,
        new.last_verified, new.last_auto_reverify, new.updated_at))
execute function note_changed_profile();
