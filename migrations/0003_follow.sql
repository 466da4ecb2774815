-- Following the chain (rules B7 to B9), doing each piece of work on one replica, and the daily
-- re-verification of premium users (decisions, D14).

-- A claim can end for one more reason. Neither database changes a check in place in the same words, so the table
-- is made anew.
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
    -- 'reorganised': a block that funded the coin, or spent it, has left the chain, and the coin has not
    -- been seen in a block again.
    end_reason    text   check (end_reason in ('renewed', 'expired', 'spent', 'taken-over', 'reorganised')),
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

-- The rule that no simultaneous submissions can break: one live claim per outpoint, anywhere.
create unique index claims_live on claims (network, txid, vout) where ended_at is null;
create index claims_by_proof on claims (proof_id);
create index claims_by_user on claims (user_id) where ended_at is null;

-- How far the chain is followed, one row for each network. Whatever changes claims because of the
-- chain, and whatever records them, holds this row and wants its block to be the newest one of
-- its own look-up (rule B8).
create table chain_cursor (
    network     text    primary key,
    height      bigint  not null,
    hash        text    not null,
    -- Live claims are being looked up again, one by one: the id of the last one that has been. Null
    -- while none are.
    sweep_after text,
    -- All live claims are to be looked up again, after those that are.
    sweep_due   boolean not null
);

-- The newest blocks that have been followed, to find out where a reorganisation began (rule B9).
create table chain_blocks (
    network text   not null,
    height  bigint not null,
    hash    text   not null,
    primary key (network, height)
);

-- Which claims a block that has left the chain concerns.
create index claims_by_funding on claims (funding_block) where ended_at is null;
create index claims_by_spending on claims (spent_block) where spent_block is not null;
create index claims_undone on claims (network) where end_reason = 'reorganised';

-- Whether somebody has claimed an outpoint since.
create index claims_by_outpoint on claims (network, txid, vout);

-- The order in which all live claims are looked up again.
create index claims_live_by_id on claims (network, id) where ended_at is null;

-- Who does a piece of work that one replica does at a time. A replica that is stuck or gone loses it
-- when its time runs out.
create table leases (
    name       text   primary key,
    holder     text   not null,
    expires_at bigint not null
);

-- When the coins of a premium user are looked up next. Whoever does it moves the time forward first, so
-- that nobody else does meanwhile; it is moved again with the result. Null: never looked up.
alter table profiles add column reverify_at bigint;

create index profiles_to_reverify on profiles (coalesce(reverify_at, 0)) where tier = 'premium';
