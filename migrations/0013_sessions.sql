-- A session that has ended is not there any more: a row that nobody can go on with tells when somebody was here, and
-- nothing else.
delete from sessions where revoked_at is not null;
alter table sessions drop column revoked_at;

-- SHA-256 of the code that it began with, hex: when that code comes again, somebody else has it, and the session ends (RFC 6749,
-- section 4.1.2).
alter table sessions add column code_hash text;
create unique index sessions_by_code on sessions (code_hash);

-- The newest rotation whose access token has been used. Until then its answer may have been lost, and the token before it
-- is answered with the same one again.
alter table sessions add column seen bigint not null default 0;

create index sessions_by_end on sessions (expires_at);
