-- Binding by an amount is withdrawn: others could bring such transactions about (decisions, D4). A proof is bound by its
-- statement, as a message or in a still transaction (proofs, section 2). What was bound by an amount ends here, and its
-- owner is told why; its transaction never proves again.
alter table claims drop constraint claims_anew_end_reason_check;
alter table claims add constraint claims_end_reason_check
    check (end_reason in ('renewed', 'expired', 'spent', 'taken-over', 'reorganised', 'binding-withdrawn'));

-- The coins of these proofs, also those that wait for a block.
update claims set ended_at = coalesce(ended_at, cast(extract(epoch from now()) as bigint)), end_reason = 'binding-withdrawn'
where (ended_at is null or end_reason = 'reorganised')
  and proof_id in (select id from proofs where binding = 'amount');

-- A file that was not bound kept the strength of the file before it. That of an amount is none; a message may have been
-- before that.
update claims set bound = false
where bound and ended_at is null
  and proof_id in (select id from proofs where binding = 'unbound')
  and not exists (
      select 1 from claims as earlier join proofs on proofs.id = earlier.proof_id
      where earlier.network = claims.network and earlier.txid = claims.txid and earlier.vout = claims.vout
        and earlier.user_id = claims.user_id and proofs.binding = 'message');

-- The board tells open pages of a change only when there is one: a fresh database must stay without rows.
do $$
begin
    if exists (select 1 from proofs where binding = 'amount' and ended_at is null) then
        update profiles set
            holdings_sats = (
                select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null),
            -- A proof counts for 90 days from when it was last verified.
            last_verified = (
                select max(expires_at) - 90 * 24 * 60 * 60 from proofs
                where proofs.user_id = profiles.id and proofs.binding <> 'amount')
        where id in (select user_id from proofs where binding = 'amount' and ended_at is null);
    end if;
end $$;

-- Their time is over, so that no reorganisation brings one back.
update proofs set ended_at = coalesce(ended_at, cast(extract(epoch from now()) as bigint)),
    expires_at = least(expires_at, cast(extract(epoch from now()) as bigint))
where binding = 'amount';

alter table proofs drop constraint proofs_binding_check;
alter table proofs add constraint proofs_binding_check
    check (binding in ('unbound', 'message', 'transaction') or (binding = 'amount' and ended_at is not null));

-- A statement is used as often as one likes, so that nothing about it is remembered.
drop table message_nonces;
delete from server_keys where purpose = 'challenge';
