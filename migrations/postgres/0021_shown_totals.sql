-- How much of a total is shown is its owner's choice: the exact total, or the tier that it is in (decisions, D17).
--
-- What everybody may see of a profile is columns of its own, which the database derives from the others. Nobody can change a total
-- and forget them, and what changes without changing them is no change to anybody.

-- 'exact': the total as it is. 'range': at least where its holder tier begins. What is published shows its coins, so that the two exclude
-- each other.
alter table profiles add column shown_as text not null default 'exact'
    check (shown_as = 'exact' or (shown_as = 'range' and published_sats is null));
-- When that was chosen last.
alter table profiles add column shown_since bigint;
-- What is shown as proven: of a range where its tier begins. The lowest begins with the least that can be proven, one satoshi.
alter table profiles add column shown_sats bigint generated always as (
    case
        when shown_as = 'exact' or holdings_sats is null then holdings_sats
        when holdings_sats >= 10000000000 then 10000000000
        when holdings_sats >= 5000000000 then 5000000000
        when holdings_sats >= 1000000000 then 1000000000
        when holdings_sats >= 100000000 then 100000000
        when holdings_sats >= 10000000 then 10000000
        else 1
    end) stored;
-- A proof that is accepted may have changed a total that is not shown, and so may whatever changes a row: of a range neither time
-- is told.
alter table profiles add column shown_verified bigint generated always as (
    case when shown_as = 'exact' then last_verified end) stored;
alter table profiles add column shown_updated_at bigint generated always as (
    case when shown_as = 'exact' then updated_at else coalesce(shown_since, 0) end) stored;

-- As in 0015, but for what is not shown: a change that nobody sees is not told.
drop trigger profiles_updated on profiles;
create trigger profiles_updated
after update on profiles for each row
when ((old.provider, old.username, old.username_folded, old.named, old.avatar_url, old.shown_as, old.shown_sats, old.shown_verified,
        old.shown_updated_at)
    is distinct from (new.provider, new.username, new.username_folded, new.named, new.avatar_url, new.shown_as, new.shown_sats,
        new.shown_verified, new.shown_updated_at))
execute function note_changed_profile();

-- The log has what is shown, and how.
alter table board_changes add column shown_as text;
update board_changes set shown_as = 'exact' where provider is not null;
