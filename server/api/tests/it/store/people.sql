insert into profiles
    (id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified,
     last_auto_reverify, reverify_at, created_at, updated_at)
    values ('hal', 'twitter', '1', 'Hal', 'hal', true, 'hal@mail.example', 'https://pictures.example/1', 'premium', 300, 4,
     5, 6, 7, 8);
insert into profiles (id, provider, subject, username, username_folded, named, created_at, updated_at)
    values ('nobody', 'mock', '2', 'user_nobod', 'user_nobod', false, 9, 10);
insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
    values ('session', 'hal', true, 3, 1, 1, 100);
insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at)
    values ('proof', 'hal', 't', 'cold.psbt', 300, 'verified', 'message', false, 1, 9000000000);
insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound)
    values ('claim', 'proof', 'hal', 'regtest', 'aa', 0, 300, 'bb', true);
insert into pictures (profile_id, source_url, fresh_until) values ('hal', 'https://pictures.example/1', 9);
insert into billing_accounts (id, user_id, version, due_at, created_at)
    values ('account', 'hal', 1, 1, 1)
