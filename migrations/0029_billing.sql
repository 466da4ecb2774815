-- One customer per account, in whatever mode the key has, and one date on which the provider is asked about it.

drop table subscriptions;
drop table billing_accounts;

create table billing_accounts (
    id          text   primary key,
    user_id     text   unique references profiles (id) on delete set null,
    customer_id text   unique,
    version     bigint not null,
    due_at      bigint not null,
    created_at  bigint not null,
    closed_at   bigint
);

create index billing_accounts_due on billing_accounts (due_at) where closed_at is null;
create index billing_accounts_closed on billing_accounts (closed_at) where closed_at is not null;

create table subscriptions (
    id         text    primary key,
    account_id text    not null references billing_accounts (id) on delete cascade,
    status     text    not null,
    price_id   text,
    premium    boolean not null,
    running    boolean not null,
    created_at bigint  not null,
    updated_at bigint  not null
);

create index subscriptions_by_account on subscriptions (account_id);
