insert into instance (id, environment) values (1, 'production');
insert into server_keys (id, purpose, material, created_at) values ('key', 'transaction-hash', 'ab', 1);
insert into profiles
    (id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified,
     last_auto_reverify, reverify_at, created_at, updated_at)
    values ('hal', 'twitter', '1', 'Hal', 'hal', true, 'hal@mail.example', 'https://pictures.example/1', 'premium', 300, 4,
     5, 6, 7, 8),
    ('eve', 'github', '2', 'user_eve', 'user_eve', false, null, null, null, null, null, null, null, 9, 10);
insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at, code_hash, seen)
    values ('session', 'hal', true, 3, 1, 1, 100, 'hash', 2), ('another', 'eve', false, 0, 1, 1, 100, null, 0);
insert into auth_codes (code_hash, user_id, code_challenge, cookie, expires_at) values ('code', 'hal', 'c', true, 5);
insert into sign_in_flows
    (state_hash, provider, browser_hash, pkce_verifier, code_challenge, redirect_to, cookie, expires_at)
    values ('state', 'github', 'b', 'v', 'c', 'https://here.example', true, 5);
insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at)
    values ('proof', 'hal', 't', 'cold.psbt', 300, 'verified', 'transaction', false, 1, 9000000000, null),
     ('over', 'hal', 'o', 'old.psbt', 5, 'reverified', 'message', false, 1, 2, 2);
insert into published_proofs
    (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin, provider, subject, nonce)
    values ('proof', 'hal', 5, 'regtest', '00', '00', 's', 'https://here.example', 'twitter', '1', 'n');
insert into claims
    (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, funding_height, bound, ended_at, end_reason,
     spent_block, unknown_since, ask_again_at)
    values ('claim', 'proof', 'hal', 'regtest', 'aa', 0, 300, 'bb', 7, true, null, null, null, 3, 4),
     ('spent', 'over', 'hal', 'regtest', 'cc', 1, 5, 'bb', 7, true, 2, 'spent', 'dd', null, null);
insert into recorded_transactions (tx_hash, recorded_at) values ('t', 1), ('o', 1);
insert into chain_cursor (network, height, hash, sweep_after, sweep_due) values ('regtest', 9, 'ff', 'claim', true);
insert into chain_blocks (network, height, hash) values ('regtest', 9, 'ff');
insert into statement_blocks (network, height, hash, header, gone) values ('regtest', 0, 'ff', '00', false);
insert into leases (name, holder, expires_at) values ('follow', 'replica', 5);
insert into accounts_set_aside (user_id, since) values ('eve', 5);
insert into billing_accounts (id, user_id, version, due_at, created_at)
    values ('account', 'hal', 1, 1, 1);
insert into rate_limits (keyed_hash, ends_at, used) values ('who', 9000000000, 3);
insert into blocked_people (keyed_hash, blocked_at) values ('word', 3);
insert into log_state
    (id, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, format, salt_key,
     withdrawn, page)
    values (1, 1, 'here.example/log', 2, 'note', 'key', 1, 41, 9, 'ff', 2,
     'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 0, null);
insert into log_entries (log, number, entry) values (1, 0, 'begin'), (1, 1, 'board');
insert into log_published
    (id, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, format, salt_key,
     withdrawn, page)
    select id, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, format, salt_key,
     withdrawn, page from log_state;
insert into log_next_lines (profile_id, line, withdrawn) values ('eve', '{}', null);
insert into log_lines (profile_id, line, withdrawn) values ('hal', '{}', null);
insert into log_rotations (log, number, note) values (1, 1, 'note');
insert into ended_logs (number, checkpoint, verifier_key) values (0, 'note', 'key');
insert into pictures (profile_id, source_url, fresh_until) values ('hal', 'https://pictures.example/1', 9);
insert into live_sequence (id, sequence) values (1, 41);
insert into board_changes
    (profile_id, sequence, provider, username, username_folded, avatar_url, holdings_sats, last_verified, updated_at)
    values ('hal', 41, 'twitter', 'Hal', 'hal', 'https://pictures.example/1', 300, 4, 8)
