-- Who pays for the premium plan, as the payment provider tells it. The tier itself stays in profiles.

-- A customer at the payment provider. When the profile is deleted the row stays as a billing record that
-- names nobody, and is due for closing: whatever still runs at the provider is cancelled then.
create table billing_accounts (
    -- What the provider knows the account by; random, so nothing there leads back to a person.
    id              text    primary key,
    user_id         text    references profiles (id) on delete set null,
    -- Whether real money moves. Test customers and real ones never mix.
    livemode        boolean not null,
    -- Null until the provider has made the customer.
    customer_id     text    unique,
    -- The checkout that was begun last.
    checkout_id     text,
    -- Moves with every change, so that of two readers of the provider the one with older news gives way.
    version         bigint  not null,
    -- When closing is tried next, and how often it has failed.
    next_attempt_at bigint  not null,
    attempts        bigint  not null,
    created_at      bigint  not null,
    -- When everything was cancelled at the provider. Null while a profile is linked, and until then.
    closed_at       bigint,
    unique (user_id, livemode)
);

create index billing_accounts_to_close on billing_accounts (next_attempt_at) where user_id is null and closed_at is null;
create index billing_accounts_closed on billing_accounts (closed_at) where closed_at is not null;

-- What the provider said about a subscription when it was last asked.
create table subscriptions (
    id              text    primary key,
    account_id      text    not null references billing_accounts (id) on delete cascade,
    -- The provider's word.
    status          text    not null,
    price_id        text,
    -- Whether it is what makes its owner premium: our price, our mode, and paid for.
    premium         boolean not null,
    -- False once the provider will never charge for it again.
    running         boolean not null,
    created_at      bigint  not null,
    updated_at      bigint  not null,
    -- When the provider is asked again, in case an event was lost.
    next_refresh_at bigint  not null
);

create index subscriptions_by_account on subscriptions (account_id);
create index subscriptions_to_refresh on subscriptions (next_refresh_at) where running;

-- Events that have been dealt with. Deleted after two months; the provider sends none again after one.
create table billing_events (
    id          text   primary key,
    received_at bigint not null
);

create index billing_events_by_time on billing_events (received_at);
