-- Deleting a profile deletes its claims, ended ones too, which an index of the live ones alone does not find: every claim of
-- everybody was read.
drop index claims_by_user;
create index claims_by_user on claims (user_id, ended_at);
