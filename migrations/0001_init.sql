-- The whole schema, in SQL that SQLite and PostgreSQL both understand (see README.md beside this file).
-- Times are unix seconds in UTC, amounts are sats, hashes are lower-case hex.

-- What this database is for. A database made in development mode is marked for good: its proofs are
-- worth nothing, so production refuses to serve them (decisions, D11).
create table instance (
    id          integer primary key check (id = 1),
    environment text    not null check (environment in ('development', 'production'))
);

-- Keys made on first start: those that sign access tokens, and the secrets that other values derive
-- from. They live here so that every replica has the same ones.
create table server_keys (
    id         text   primary key,
    purpose    text   not null,
    material   text   not null,
    created_at bigint not null
);

create table profiles (
    id                 text    primary key,
    provider           text    not null check (provider in ('twitter', 'google', 'github', 'mock')),
    -- The provider's own stable id of the account; names change, this does not.
    subject            text    not null,
    username           text    not null,
    -- The same name in lower case, for searching and for telling names apart on both databases.
    username_folded    text    not null,
    -- False while the name is our own 'user_' one, which need not be unique.
    named              boolean not null,
    email              text,
    avatar_url         text,
    -- Null until a plan is chosen (decisions, D6).
    tier               text    check (tier in ('free', 'premium')),
    -- Sum over the live claims, kept by the transaction that changes them. Null: nothing proven.
    holdings_sats      bigint  check (holdings_sats > 0),
    last_verified      bigint,
    last_auto_reverify bigint,
    created_at         bigint  not null,
    updated_at         bigint  not null,
    unique (provider, subject)
);

-- A name is unique within its provider (decisions, D7).
create unique index profiles_by_name on profiles (provider, username_folded) where named;

-- The leaderboard's order, and what a rank counts.
create index profiles_by_holdings on profiles (holdings_sats desc, last_verified, id);

-- One sign-in on one device. The refresh token is derived from the family's id and its counter, so
-- nothing in this table lets its reader sign in.
create table sessions (
    id         text    primary key,
    user_id    text    not null references profiles (id) on delete cascade,
    -- True when the real refresh token lives in a cookie of our own origin (decisions, D9).
    cookie     boolean not null,
    -- How often the refresh token has been rotated, and when last: an older one is reuse.
    counter    bigint  not null,
    rotated_at bigint  not null,
    created_at bigint  not null,
    expires_at bigint  not null,
    revoked_at bigint
);

create index sessions_by_user on sessions (user_id);

-- The single-use code that /auth/callback exchanges for a session (RFC 7636).
create table auth_codes (
    code_hash      text    primary key,
    user_id        text    not null references profiles (id) on delete cascade,
    code_challenge text    not null,
    cookie         boolean not null,
    expires_at     bigint  not null
);

create table proofs (
    id          text    primary key,
    user_id     text    not null references profiles (id) on delete cascade,
    -- Keyed hash of the transaction without scriptSigs and witnesses.
    tx_hash     text    not null,
    file_name   text    not null,
    amount_sats bigint  not null check (amount_sats > 0),
    status      text    not null check (status in ('verified', 'reverified', 'partial-reverify')),
    -- How the file is tied to the account (decisions, D4).
    binding     text    not null check (binding in ('unbound', 'amount', 'message')),
    mock        boolean not null,
    created_at  bigint  not null,
    expires_at  bigint  not null,
    -- When it stopped counting: its time was over, or its last coin moved. Null while active.
    ended_at    bigint
);

create index proofs_by_user on proofs (user_id, created_at);
create index proofs_by_expiry on proofs (expires_at) where ended_at is null;

-- Which coins a proof stands on. The history stays, so that a claim can come back when a
-- reorganisation undoes the spending.
create table claims (
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
    end_reason    text   check (end_reason in ('renewed', 'expired', 'spent', 'taken-over')),
    -- Hash of the block that spent the coin, when that is why the claim ended.
    spent_block   text
);

-- The rule that no simultaneous submissions can break: one live claim per outpoint, anywhere.
create unique index claims_live on claims (network, txid, vout) where ended_at is null;
create index claims_by_proof on claims (proof_id);
create index claims_by_user on claims (user_id) where ended_at is null;

-- Every transaction that ever proved something, without saying for whom. It never proves again, not
-- after expiry and not after the account is gone (decisions, D3).
create table recorded_transactions (
    tx_hash     text   primary key,
    recorded_at bigint not null
);

-- The single-use numbers in messages that bind a proof to an account (BIP-0322). A used one stays
-- while its proof does, so that the same file again is recognised.
create table message_nonces (
    nonce      text   primary key,
    user_id    text   not null references profiles (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    -- The proof that used it; null while unused.
    proof_id   text   references proofs (id) on delete cascade
);

create index message_nonces_by_user on message_nonces (user_id, created_at);

-- How many files were refused in a window of time, for an account at its provider or for a client's
-- address. Both are keyed hashes, and a row is deleted once its window is over.
create table attempts (
    keyed_hash  text   not null,
    time_window bigint not null,
    attempts    bigint not null,
    primary key (keyed_hash, time_window)
);
