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
    end) virtual;
-- A proof that is accepted may have changed a total that is not shown, and so may whatever changes a row: of a range neither time
-- is told.
alter table profiles add column shown_verified bigint generated always as (
    case when shown_as = 'exact' then last_verified end) virtual;
alter table profiles add column shown_updated_at bigint generated always as (
    case when shown_as = 'exact' then updated_at else coalesce(shown_since, 0) end) virtual;

-- As in 0015, but for what is not shown: a change that nobody sees is not told.
drop trigger profiles_updated;
create trigger profiles_updated after update on profiles
when old.provider is not new.provider or old.username is not new.username or old.username_folded is not new.username_folded
    or old.named is not new.named or old.avatar_url is not new.avatar_url or old.shown_as is not new.shown_as
    or old.shown_sats is not new.shown_sats or old.shown_verified is not new.shown_verified
    or old.shown_updated_at is not new.shown_updated_at
begin
    insert into unsent_changes (transaction_id, noted)
    select '', new.id where not exists (select 1 from unsent_changes where noted = new.id and transaction_id = '');
end;

-- The log has what is shown, and how.
alter table board_changes add column shown_as text;
update board_changes set shown_as = 'exact' where provider is not null;
