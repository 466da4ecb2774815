-- A change of what others can see of a profile is noted in unsent_changes, in its own transaction, so a server that dies right after it loses
-- nothing. What no one can see is no change.
--
-- SQLite has one writer at a time, so all changes share the empty transaction_id. An `insert or ignore` is no choice: under an upsert SQLite
-- takes the outer statement's conflict policy for those inside its triggers too.

create trigger profiles_inserted after insert on profiles
begin
    insert into unsent_changes (transaction_id, noted)
    select '', new.id where not exists (select 1 from unsent_changes where noted = new.id and transaction_id = '');
end;

create trigger profiles_updated after update on profiles
when old.provider is not new.provider or old.username is not new.username or old.username_folded is not new.username_folded
    or old.named is not new.named or old.avatar_url is not new.avatar_url or old.shown_as is not new.shown_as
    or old.shown_sats is not new.shown_sats or old.published_sats is not new.published_sats
    or old.shown_verified is not new.shown_verified or old.shown_updated_at is not new.shown_updated_at
begin
    insert into unsent_changes (transaction_id, noted)
    select '', new.id where not exists (select 1 from unsent_changes where noted = new.id and transaction_id = '');
end;

-- Of a deleted profile only the start of its id, because nothing may say whose it was.
create trigger profiles_deleted after delete on profiles
begin
    insert into unsent_changes (transaction_id, noted)
    select '', substr(old.id, 1, 13)
    where not exists (select 1 from unsent_changes where noted = substr(old.id, 1, 13) and transaction_id = '');
end;
