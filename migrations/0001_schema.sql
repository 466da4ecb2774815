-- The whole schema, in the order in which a board comes to be: accounts, sessions, proofs, coins, the board, its log, money, jobs. What
-- SQLite and PostgreSQL spell differently, the triggers, is in `sqlite/` and `postgres/`. README.md has the rules.
-- Times are unix seconds in UTC, amounts are sats, hashes and scripts are lower-case hex.

-- ACCOUNTS

-- What this database is for. One that was made in development mode is marked for good: its proofs are worth nothing, so production
-- refuses to serve them (decisions, D11).
create table instance (
    id          integer primary key check (id = 1),
    environment text    not null check (environment in ('development', 'production'))
);

-- Keys that the server makes: those that sign access tokens and the log, and the secrets that other values derive from. They are here so
-- that every replica has the same ones.
create table server_keys (
    id         text   primary key,
    purpose    text   not null,
    material   text   not null,
    created_at bigint not null
);

-- The holders. What everyone may see of one is the columns shown_…, which the database derives from the others, so no change of a
-- total can forget them (decisions, D17).
create table profiles (
    id                 text    primary key,
    provider           text    not null,
    -- The provider's permanent id of the account. Names change, this does not.
    subject            text    not null,
    username           text    not null,
    -- The same name in lower case, for searches.
    username_folded    text    not null,
    -- False while the name is our own 'user_' one, which need not be unique.
    named              boolean not null,
    email              text,
    avatar_url         text,
    -- Null until a plan is chosen (decisions, D6).
    tier               text    check (tier in ('free', 'premium')),
    -- The sum of the live claims, kept by each transaction that changes them. Null: nothing proven.
    holdings_sats      bigint  check (holdings_sats > 0),
    -- How much of it is in published proofs. Null: nothing.
    published_sats     bigint  check (published_sats > 0),
    last_verified      bigint,
    last_auto_reverify bigint,
    -- When the coins of a premium user are looked up next. The replica that does it moves the time first, so that no other one does.
    -- Null: never looked up.
    reverify_at        bigint,
    -- 'exact': the total. 'range': at least where its holder tier begins. A published proof shows its coins, so the two exclude each other.
    shown_as           text    not null default 'exact'
        check (shown_as = 'exact' or (shown_as = 'range' and published_sats is null)),
    -- When that was last chosen.
    shown_since        bigint,
    created_at         bigint  not null,
    updated_at         bigint  not null,
    -- Of a range, where its tier begins. The lowest tier begins with one satoshi.
    shown_sats         bigint  generated always as (
        case
            when shown_as = 'exact' or holdings_sats is null then holdings_sats
            when holdings_sats >= 10000000000 then 10000000000
            when holdings_sats >= 5000000000 then 5000000000
            when holdings_sats >= 1000000000 then 1000000000
            when holdings_sats >= 100000000 then 100000000
            when holdings_sats >= 10000000 then 10000000
            else 1
        end) stored,
    -- Of a range neither time is shown, because a new proof may have changed the hidden total.
    shown_verified     bigint  generated always as (
        case when shown_as = 'exact' then last_verified end) stored,
    shown_updated_at   bigint  generated always as (
        case when shown_as = 'exact' then updated_at else coalesce(shown_since, 0) end) stored,
    unique (provider, subject)
);

-- A name is unique within its provider (decisions, D7).
create unique index profiles_by_name on profiles (provider, username_folded) where named;
create index profiles_by_folded_name on profiles (username_folded);
create index profiles_to_reverify on profiles (coalesce(reverify_at, 0)) where tier = 'premium';

-- Users' pictures as fetched from their provider: re-encoded, at most 400 pixels, without metadata.
create table pictures (
    profile_id  text   primary key references profiles (id) on delete cascade,
    -- Where it came from. When the provider gives another address, this row is worthless.
    source_url  text   not null,
    -- Until then the provider is not asked again, whether or not it had a picture.
    fresh_until bigint not null,
    -- Null: there is no picture, or it could not be fetched.
    media_type  text   check (media_type in ('image/png', 'image/jpeg')),
    -- Base64.
    content     text   check (length(content) <= 1000000)
);

-- Users whom the operator keeps out, by keyed hashes of their accounts at the providers. They stay out when their account here is deleted.
create table blocked_people (
    keyed_hash text   primary key,
    blocked_at bigint not null
);

-- What must not come back with a restored copy of the database (decisions, D24): keyed hashes of accounts, blocked people, totals and proofs.
-- The rows are copied to the folder in PUBLISHED_LOG, and deleted after 30 days.
create table removals (
    keyed_hash text   primary key,
    what       text   not null check (what in ('erased', 'blocked', 'hidden', 'unpublished', 'undone')),
    at         bigint not null
);

-- SESSIONS

-- Sign-ins that are under way at a provider. A row is deleted when the browser comes back.
create table sign_in_flows (
    -- SHA-256 of the state that travels through the provider (RFC 6749, section 10.12).
    state_hash     text    primary key,
    provider       text    not null,
    -- SHA-256 of a secret in a cookie of the browser that began.
    browser_hash   text    not null,
    -- Our own proof to the provider (RFC 7636). Worth nothing without the provider's code.
    pkce_verifier  text    not null,
    -- What the page that began will prove to us, and where it waits.
    code_challenge text    not null,
    redirect_to    text    not null,
    cookie         boolean not null,
    expires_at     bigint  not null
);

create index sign_in_flows_by_expiry on sign_in_flows (expires_at);

-- The single-use code that /auth/callback exchanges for a session (RFC 7636).
create table auth_codes (
    code_hash      text    primary key,
    user_id        text    not null references profiles (id) on delete cascade,
    code_challenge text    not null,
    cookie         boolean not null,
    expires_at     bigint  not null
);

-- One sign-in on one device. The refresh token derives from the id and the counter, so a reader of this table cannot sign in.
create table sessions (
    id                text    primary key,
    user_id           text    not null references profiles (id) on delete cascade,
    -- SHA-256 of the code that it began with. When that code comes again, someone else has it, and the session ends (RFC 6749,
    -- section 4.1.2).
    code_hash         text    not null,
    -- True when the real refresh token is in a cookie of our own origin (decisions, D9).
    cookie            boolean not null,
    -- How often the refresh token has been rotated, when last, and when before that. An older token is reuse, except for a moment.
    counter           bigint  not null,
    rotated_at        bigint  not null,
    rotated_before_at bigint  not null,
    -- The newest rotation whose access token has been used. Until then the response may have been lost, and the token before it gets the
    -- same one again.
    seen              bigint  not null,
    created_at        bigint  not null,
    expires_at        bigint  not null
);

create unique index sessions_by_code on sessions (code_hash);
create index sessions_by_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

-- PROOFS

-- The blocks that date statements, each agreed on by the chain sources (decisions, D4). They are kept so that a line can be shown while a
-- source is away, and a published proof has the block's header.
create table statement_blocks (
    network text    not null,
    -- Divisible by 2,016: the first block of a difficulty period.
    height  bigint  not null,
    hash    text    not null,
    -- 80 bytes, hex.
    header  text    not null,
    -- A reorganization has taken it out of the chain.
    gone    boolean not null,
    primary key (network, hash)
);

-- What a file has proven for its user.
create table proofs (
    id               text    primary key,
    user_id          text    not null references profiles (id) on delete cascade,
    -- Keyed hash of the transaction without scriptSigs and witnesses.
    tx_hash          text    not null,
    file_name        text    not null,
    amount_sats      bigint  not null check (amount_sats > 0),
    status           text    not null check (status in ('verified', 'reverified', 'partial-reverify')),
    -- Where the statement is that ties the file to the account (decisions, D4).
    binding          text    not null check (binding in ('unbound', 'message', 'transaction')),
    -- Height of the statement's block, and the full name as signed. Null in an unbound proof.
    statement_height bigint,
    statement_name   text,
    mock             boolean not null,
    created_at       bigint  not null,
    expires_at       bigint  not null,
    -- When it stopped counting: its time was over, or its last coin moved. Null while active.
    ended_at         bigint
);

create index proofs_by_user on proofs (user_id, created_at);
create index proofs_by_expiry on proofs (expires_at) where ended_at is null;

-- Every transaction that ever proved something, without its user. It never proves again, not after expiry and not after the account is
-- gone (decisions, D3).
create table recorded_transactions (
    tx_hash     text   primary key,
    recorded_at bigint not null
);

-- Proofs that their owners have published: what everyone needs to check them, as long as they count and the owner wants it (decisions, D16).
create table published_proofs (
    proof_id          text   primary key references proofs (id) on delete cascade,
    user_id           text   not null references profiles (id) on delete cascade,
    published_at      bigint not null,
    network           text   not null,
    -- As it was checked, with every signature; hex.
    final_transaction text   not null,
    -- What its inputs spend, in their order: a list of outputs in the consensus encoding; hex.
    previous_outputs  text   not null,
    -- The line that was signed, and what its code commits to. The account is user_id.
    statement         text   not null,
    origin            text   not null,
    provider          text   not null,
    subject           text   not null,
    nonce             text   not null,
    statement_name    text   not null,
    block_height      bigint not null,
    block_header      text   not null
);

create index published_proofs_by_user on published_proofs (user_id, proof_id);

-- COINS

-- The coins of each proof. Ended claims stay, because a reorganization may undo the end.
create table claims (
    id             text    primary key,
    proof_id       text    not null references proofs (id) on delete cascade,
    user_id        text    not null references profiles (id) on delete cascade,
    network        text    not null,
    txid           text    not null,
    vout           bigint  not null,
    value_sats     bigint  not null,
    -- The block that created the coin.
    funding_block  text    not null,
    funding_height bigint  not null,
    -- Whether the file was bound to the account. A bound proof takes the coin over from another user's claim that is not
    -- (decisions, D4).
    bound          boolean not null,
    -- Counts the claims on one coin: the later claim has the larger number, whatever the clocks of the replicas said.
    ordinal        bigint  not null,
    ended_at       bigint,
    -- 'reorganized': a block that funded the coin, or spent it, has left the chain, and the coin is in no block yet.
    end_reason     text    check (end_reason in ('renewed', 'expired', 'spent', 'taken-over', 'reorganized')),
    -- The block that spent the coin, or the newest one when it was found spent, when that is why the claim ended.
    spent_block    text,
    -- Since when too few chain sources agree about the coin, and when they are asked again (decisions, D12). Null: they agree.
    unknown_since  bigint,
    ask_again_at   bigint
);

-- The rule that no simultaneous submissions can break: one live claim per outpoint.
create unique index claims_live on claims (network, txid, vout) where ended_at is null;
create index claims_live_by_id on claims (network, id) where ended_at is null;
create index claims_by_outpoint on claims (network, txid, vout);
create index claims_by_proof on claims (proof_id);
create index claims_by_user on claims (user_id, ended_at);
create index claims_by_funding on claims (funding_block) where ended_at is null;
create index claims_by_spending on claims (spent_block) where spent_block is not null;
create index claims_undone on claims (network) where end_reason = 'reorganized';
create index claims_unknown on claims (network, ask_again_at) where unknown_since is not null;

-- How far each chain is followed. A transaction that changes claims because of the chain, or records them, locks this row and requires that
-- its block is the newest one of its own look-up (rule B8).
create table chain_cursor (
    network     text    primary key,
    height      bigint  not null,
    hash        text    not null,
    -- Median time past of the newest block. No proof of mainnet expires by a clock that is more than two hours ahead of it.
    median_time bigint,
    -- During a sweep over all live claims, the id of the last one that was looked up. Null: no sweep.
    sweep_after text,
    -- Whether a sweep is to begin.
    sweep_due   boolean not null
);

-- The newest blocks that were followed, to find where a reorganization began (rule B9).
create table chain_blocks (
    network text   not null,
    height  bigint not null,
    hash    text   not null,
    primary key (network, height)
);

-- Accounts whose totals the database refuses to write. They count nothing until they can be settled, which is tried every minute
-- (decisions, D20).
create table accounts_set_aside (
    user_id text   primary key references profiles (id) on delete cascade,
    since   bigint not null
);

-- THE BOARD

-- The profiles whose shown columns a transaction has changed, noted by triggers; of a deleted profile only the start of its id. One
-- row of each transaction, so that on PostgreSQL transactions do not wait for each other; SQLite leaves transaction_id empty.
create table unsent_changes (
    transaction_id text not null,
    noted          text not null,
    primary key (transaction_id, noted)
);

-- The number of the newest change of the board, and up to which number board_changes has been cut off.
create table live_sequence (
    id        integer primary key check (id = 1),
    sequence  bigint  not null,
    forgotten bigint  not null
);

-- The newest shown state of each profile that changed recently, under the number of the change: every replica has the same board at the
-- same number. Of a deleted profile only the start of its id.
create table board_changes (
    profile_id      text   primary key,
    sequence        bigint not null,
    provider        text,
    username        text,
    username_folded text,
    avatar_url      text,
    shown_as        text,
    holdings_sats   bigint,
    published_sats  bigint,
    last_verified   bigint,
    updated_at      bigint
);

create index board_changes_by_sequence on board_changes (sequence);

-- THE LOG

-- The append-only log of the board (proofs, section 6), as it is written. One row, locked by the replica that appends.
create table log_state (
    id           integer primary key check (id = 1),
    -- 1 for the first log. The next one begins when this one is lost.
    number       bigint  not null,
    -- First line of every checkpoint, and the name of the key.
    origin       text    not null,
    -- How many entries there are.
    size         bigint  not null,
    -- The newest checkpoint, signed, and the key that everyone checks it with.
    checkpoint   text    not null,
    verifier_key text    not null,
    -- The newest entry about the board, and the block that it is of. Null: none yet.
    board_entry  bigint,
    height       bigint,
    block        text,
    -- The secret from which the salts of its rows derive, hex.
    salt_key     text,
    -- The newest change of the board that is in the log; below 0: unknown.
    changes      bigint  not null,
    -- How many rows have been withdrawn since that entry.
    withdrawn    bigint  not null,
    -- The newest entry about the files of the verify page.
    page         bigint,
    -- `unconfirmed` after `restore-log` until the witnesses were asked, then `waiting` until the next entry; else `no`.
    restored     text    not null,
    -- The witness that knows another history of this log. While this is set, nothing is added.
    forked       text
);

-- The same as it is issued to readers. Witnesses cosign in between; their cosignatures are below the log's signature.
create table log_issued (
    id           integer primary key check (id = 1),
    number       bigint  not null,
    origin       text    not null,
    size         bigint  not null,
    checkpoint   text    not null,
    verifier_key text    not null,
    board_entry  bigint,
    height       bigint,
    block        text,
    salt_key     text,
    changes      bigint  not null,
    withdrawn    bigint  not null,
    page         bigint,
    restored     text    not null
);

create table log_entries (
    log    bigint not null,
    number bigint not null,
    entry  text   not null,
    primary key (log, number)
);

-- The rows of the issued snapshot, without their salts. A row whose owner deletes the account or hides the exact total becomes its leaf
-- hash at once, with no more of its id than its place needs.
create table log_lines (
    profile_id text primary key,
    line       text,
    withdrawn  text,
    check ((line is null) <> (withdrawn is null))
);

-- How log_lines changes when the newest entry is issued: a new line, a withdrawn one, or neither for a row that is gone.
create table log_next_lines (
    profile_id text primary key,
    line       text,
    withdrawn  text
);

-- New keys, each signed by the key before and by itself.
create table log_rotations (
    log    bigint not null,
    number bigint not null,
    note   text   not null,
    primary key (log, number)
);

-- Earlier logs: the last checkpoint, and the key that signed it.
create table ended_logs (
    number       bigint primary key,
    checkpoint   text   not null,
    verifier_key text   not null
);

-- MONEY

-- Customers at the payment provider. When the profile is deleted the row stays as a billing record that names no user, and its subscriptions
-- are canceled.
create table billing_accounts (
    -- The only id of ours that the provider stores. Random, so nothing there leads back to a user.
    id          text   primary key,
    user_id     text   unique references profiles (id) on delete set null,
    -- Null until the provider has made the customer.
    customer_id text   unique,
    -- Increases with every change: of two responses of the provider the older one is dropped.
    version     bigint not null,
    -- When the provider is asked about the customer next.
    due_at      bigint not null,
    created_at  bigint not null,
    -- When everything was canceled at the provider.
    closed_at   bigint
);

create index billing_accounts_due on billing_accounts (due_at) where closed_at is null;
create index billing_accounts_closed on billing_accounts (closed_at) where closed_at is not null;

-- The subscriptions as the provider last returned them.
create table subscriptions (
    id         text    primary key,
    account_id text    not null references billing_accounts (id) on delete cascade,
    -- The provider's word.
    status     text    not null,
    -- The premium plan's price; null for another product.
    price_id   text,
    -- Whether it makes its owner premium: our price, and paid for.
    premium    boolean not null,
    -- False once the provider will never charge for it again.
    running    boolean not null,
    created_at bigint  not null,
    updated_at bigint  not null
);

create index subscriptions_by_account on subscriptions (account_id);

-- JOBS

-- Work that one replica does at a time. A replica that is stuck or gone loses it when its time is over.
create table leases (
    name       text   primary key,
    holder     text   not null,
    expires_at bigint not null
);

-- How many requests of a kind an account or a client address has made in a window of time. Both are keyed hashes, and a row is deleted once
-- its window is over.
create table rate_limits (
    keyed_hash text   not null,
    ends_at    bigint not null,
    used       bigint not null,
    primary key (keyed_hash, ends_at)
);

create index rate_limits_by_end on rate_limits (ends_at);
