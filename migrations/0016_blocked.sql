-- People whom the operator keeps out, by keyed hashes of their accounts at the providers: they stay out when their account here is deleted,
-- and the table names nobody.
create table blocked_people (
    keyed_hash text   primary key,
    blocked_at bigint not null
);
