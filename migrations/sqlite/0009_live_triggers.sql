-- Changes of what others can see of a profile are noted, so that open pages learn of them (0006). Servers before this
-- migration made these triggers when they started, so they may be there already.
--
-- One and the same row for all of them: SQLite has one writer at a time anyway. An `insert or ignore` would not do, because
-- under an upsert SQLite takes the outer statement's conflict policy for those inside its triggers too.
drop trigger if exists profiles_inserted;
drop trigger if exists profiles_updated;
drop trigger if exists profiles_deleted;

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
