-- no-transaction
-- Binding by an amount is withdrawn: others could bring such transactions about (decisions, D4). A proof is bound by its
-- statement, as a message or in a still transaction (proofs, section 2). What was bound by an amount ends here, and its
-- owner is told why; its transaction never proves again.
--
-- SQLite changes a check only by making the table anew, outside of a transaction of its migrations: see 0010. Done once
-- more, it comes to the same.
pragma foreign_keys = off;

begin immediate;

-- A statement is used as often as one likes, so that nothing about it is remembered.
drop table if exists message_nonces;
delete from server_keys where purpose = 'challenge';

create table claims_anew (
    id            text   primary key,
    proof_id      text   not null references proofs (id) on delete cascade,
    user_id       text   not null references profiles (id) on delete cascade,
    network       text   not null,
    txid          text   not null,
    vout          bigint not null,
    value_sats    bigint not null,
    -- Hash of the block that created the coin.
    funding_block text   not null,
    -- Whether the file said for whom it was signed. A bound proof takes the coin over from another
    -- user's claim that is not bound (decisions, D4).
    bound         boolean not null,
    ended_at      bigint,
    -- 'reorganised': a block that funded the coin, or spent it, has left the chain, and the coin has not been seen in a
    -- block again. 'binding-withdrawn': the proof was bound in a way that no longer counts.
    end_reason    text   check (end_reason in
        ('renewed', 'expired', 'spent', 'taken-over', 'reorganised', 'binding-withdrawn')),
    -- Hash of the block that spent the coin, or of the newest one when it was found spent, when that
    -- is why the claim ended.
    spent_block   text
);

insert into claims_anew
    (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound, ended_at, end_reason, spent_block)
select id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound, ended_at, end_reason, spent_block
from claims;

drop table claims;
alter table claims_anew rename to claims;

-- As in 0003.
create unique index claims_live on claims (network, txid, vout) where ended_at is null;
create index claims_by_proof on claims (proof_id);
create index claims_by_user on claims (user_id) where ended_at is null;
create index claims_by_funding on claims (funding_block) where ended_at is null;
create index claims_by_spending on claims (spent_block) where spent_block is not null;
create index claims_undone on claims (network) where end_reason = 'reorganised';
create index claims_by_outpoint on claims (network, txid, vout);
create index claims_live_by_id on claims (network, id) where ended_at is null;

-- The coins of these proofs, also those that wait for a block.
update claims set ended_at = coalesce(ended_at, unixepoch()), end_reason = 'binding-withdrawn'
where (ended_at is null or end_reason = 'reorganised')
  and proof_id in (select id from proofs where binding = 'amount');

-- A file that was not bound kept the strength of the file before it. That of an amount is none; a message may have been
-- before that.
update claims set bound = false
where bound and ended_at is null
  and proof_id in (select id from proofs where binding = 'unbound')
  and not exists (
      select 1 from claims as earlier join proofs on proofs.id = earlier.proof_id
      where earlier.network = claims.network and earlier.txid = claims.txid and earlier.vout = claims.vout
        and earlier.user_id = claims.user_id and proofs.binding = 'message');

update profiles set
    holdings_sats = (
        select cast(sum(value_sats) as bigint) from claims
        where claims.user_id = profiles.id and claims.ended_at is null),
    -- A proof counts for 90 days from when it was last verified.
    last_verified = (
        select max(expires_at) - 90 * 24 * 60 * 60 from proofs
        where proofs.user_id = profiles.id and proofs.binding <> 'amount')
where id in (select user_id from proofs where binding = 'amount' and ended_at is null);

-- Their time is over, so that no reorganisation brings one back.
update proofs set ended_at = coalesce(ended_at, unixepoch()), expires_at = min(expires_at, unixepoch())
where binding = 'amount';

create table proofs_anew (
    id          text    primary key,
    user_id     text    not null references profiles (id) on delete cascade,
    -- Keyed hash of the transaction without scriptSigs and witnesses.
    tx_hash     text    not null,
    file_name   text    not null,
    amount_sats bigint  not null check (amount_sats > 0),
    status      text    not null check (status in ('verified', 'reverified', 'partial-reverify')),
    -- How the file is tied to the account (decisions, D4). An amount once was a way as well.
    binding     text    not null check (binding in ('unbound', 'message', 'transaction')
        or (binding = 'amount' and ended_at is not null)),
    mock        boolean not null,
    created_at  bigint  not null,
    expires_at  bigint  not null,
    -- When it stopped counting: its time was over, or its last coin moved. Null while active.
    ended_at    bigint
);

insert into proofs_anew
    (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at)
select id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at
from proofs;

drop table proofs;
alter table proofs_anew rename to proofs;

-- As in 0001.
create index proofs_by_user on proofs (user_id, created_at);
create index proofs_by_expiry on proofs (expires_at) where ended_at is null;

commit;

pragma foreign_keys = on;
