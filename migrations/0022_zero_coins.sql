-- A coin of 0 sats is no holding (rule A11; decisions, D20), and what one account's rows break stops nothing that is done for all.

-- Claims on such coins end at the time of their proof: they never counted, nothing brings them back, and the reason shown for a proof
-- that ended stays that of its other coins.
update claims set end_reason = 'expired', spent_block = null,
    ended_at = (select created_at from proofs where proofs.id = claims.proof_id)
where value_sats = 0 and (ended_at is null or end_reason in ('spent', 'reorganised'));

update proofs set ended_at = (select max(claims.ended_at) from claims where claims.proof_id = proofs.id)
where ended_at is null
  and exists (select 1 from claims where claims.proof_id = proofs.id and claims.value_sats = 0)
  and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null);

-- Checkers refuse a file that claims such a coin.
delete from published_proofs where proof_id in (select proof_id from claims where value_sats = 0);

update profiles set
    holdings_sats = (
        select cast(nullif(sum(value_sats), 0) as bigint) from claims
        where claims.user_id = profiles.id and claims.ended_at is null),
    published_sats = (
        select cast(nullif(sum(value_sats), 0) as bigint) from published_proofs
        join claims on claims.proof_id = published_proofs.proof_id
        where published_proofs.user_id = profiles.id and claims.ended_at is null)
where id in (select user_id from claims where value_sats = 0);

-- Counts the claims on one coin, so that the later one is known whatever the clocks of the replicas said: ids begin with the time.
alter table claims add column ordinal bigint not null default 0;

update claims set ordinal = (
    select count(*) from claims as earlier
    where earlier.network = claims.network and earlier.txid = claims.txid and earlier.vout = claims.vout and earlier.id < claims.id)
where ended_at is not null or exists (
    select 1 from claims as other
    where other.network = claims.network and other.txid = claims.txid and other.vout = claims.vout and other.ended_at is not null);

-- Accounts whose totals the database refused to write in work that is done for all. They count nothing until they can be settled, which is
-- tried again every minute.
create table accounts_set_aside (
    user_id text   primary key references profiles (id) on delete cascade,
    since   bigint not null
);

-- Median time past of the newest block, unix seconds. No proof of mainnet expires by a clock that is more than two hours ahead of it.
alter table chain_cursor add column median_time bigint;
