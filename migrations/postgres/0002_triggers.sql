-- A change of what others can see of a profile is noted in unsent_changes, in its own transaction, so a server that dies right after it loses
-- nothing. What no one can see is no change. Each transaction has rows of its own, so that transactions do not wait for each other.

-- Of a deleted profile only the start of its id, because nothing may say whose it was.
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
when ((old.provider, old.username, old.username_folded, old.named, old.avatar_url, old.shown_as, old.shown_sats, old.published_sats,
        old.shown_verified, old.shown_updated_at)
    is distinct from (new.provider, new.username, new.username_folded, new.named, new.avatar_url, new.shown_as, new.shown_sats,
        new.published_sats, new.shown_verified, new.shown_updated_at))
execute function note_changed_profile();
