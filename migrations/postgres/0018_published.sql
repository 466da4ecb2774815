-- A proof may be published by its owner, so that anybody can check it (decisions, D16; proofs, section 4). What a stranger needs for that is
-- kept as long as the proof counts and its owner wants it, and in no other case.

create table published_proofs (
    proof_id          text   primary key references proofs (id) on delete cascade,
    user_id           text   not null references profiles (id) on delete cascade,
    published_at      bigint not null,
    network           text   not null,
    -- As it was checked, with every signature; hex.
    final_transaction text   not null,
    -- What its inputs spend, in their order: a list of outputs in the consensus encoding; hex.
    previous_outputs  text   not null,
    -- The line that was signed, and all that its code commits to; the account is user_id.
    statement         text   not null,
    origin            text   not null,
    provider          text   not null,
    subject           text   not null,
    nonce             text   not null
);

create index published_proofs_by_user on published_proofs (user_id, proof_id);

-- How much of the holdings stands on published proofs, kept by the transaction that changes either. Null: nothing.
alter table profiles add column published_sats bigint check (published_sats > 0);
alter table board_changes add column published_sats bigint;

-- Open pages learn of it as of every public column (0015).
create trigger profiles_published
after update of published_sats on profiles for each row
when (old.published_sats is distinct from new.published_sats)
execute function note_changed_profile();
