-- When the rotation before the last one was: a token that was exchanged a moment ago is answered, also when what it was
-- exchanged for has been exchanged meanwhile.
alter table sessions add column rotated_before_at bigint not null default 0;
