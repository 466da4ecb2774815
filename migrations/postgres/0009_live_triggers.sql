-- Changes of what others can see of a profile are noted, so that open pages learn of them (0006). Servers before this
-- migration made this trigger when they started, so it may be there already.
--
-- Once for each statement, in a row of the transaction's own, so that transactions do not wait for each other.
create or replace function note_changed_profiles() returns trigger language plpgsql as $$
begin
    insert into unsent_changes (transaction_id) values (pg_current_xact_id()::text)
    on conflict (transaction_id) do nothing;
    return null;
end $$;

drop trigger if exists profiles_changed on profiles;

create trigger profiles_changed
after insert or delete
or update of username, named, avatar_url, tier, holdings_sats, last_verified, last_auto_reverify
on profiles for each statement execute function note_changed_profiles();
