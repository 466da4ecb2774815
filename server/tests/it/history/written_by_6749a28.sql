-- Written by the program of commit 6749a28 in development mode: two people with three proofs, one of them published, and the log of their board.
-- The rows of zoe, kay and lou, who have claims on coins of 0 sats, are as that program recorded such files on a regtest node.
insert into instance (id, environment) values
    (1, 'development');
insert into server_keys (id, purpose, material, created_at) values
    ('rate-limits', 'rate-limits', '278d77311c3a2c5c1423b178c5dca964c45031f6ebd52f6eeddb3fdad8e1b17d', 1795462210),
    ('log', 'log', '3051020101300506032b657004220420f0011f3eada4bf9170a4dcabfff7474c036b444ed4605cccafc3c8750655c50a812100a7316bb5aba4e520dbc3fbc9475a89c753d99157af69cbf30cb4fe2db65a5f76', 1795462210),
    ('jwt', 'jwt', '308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420d8731bcd4771cb1346aacab07d42fc22cd539d01e7bdcf8148bbb5dbaa04b349a14403420004a3601c508e79a1259d78ac1cf5928b5dcc2c5570dc2ccbace09f619dbc312ac63012c77d8d57acf4cca1640f758f81b88ee1ac2a049ca9e23e9330f909d0c755', 1795462210),
    ('refresh', 'refresh', '881c2098c5ed6a7ac42a2d66159649ae66000b6fb126fe7827c3ab8d8e87d6b3', 1795462210),
    ('blocked', 'blocked', '4fd1f8b9f4c788b74cbea72026fe98a7a9734dfd6109ab37a123bd12cb6f2042', 1795462210),
    ('transaction-hash', 'transaction-hash', 'b06295e32c7ef6fd86cafe1b86a0d692fa00cae6ba7ea2f4c63fde9832e73a0c', 1795462210),
    ('statement', 'statement', 'b1b5fb372ffae25908ebe99e9a7f983d8919acf0edb1c8ec176e73ee460fd7a6', 1795462210),
    ('attempts', 'attempts', '1f735f37575cebcf2ba31a41c6cd61f632ecdd9ce3dc86ecc701498af7fdf882', 1795462210);
insert into profiles (id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified, last_auto_reverify, created_at, updated_at, reverify_at, published_sats, shown_as, shown_since) values
    ('abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 'mock', '93f66efa-44d2-44ca-85ec-74813b58ac8b', 'user_abf2d', 'user_abf2d', false, null, null, null, 350000000, 1795462211, null, 1795462211, 1795462211, null, 225000000, 'exact', null),
    ('36acc8ba-57bc-49e2-849c-648d12a921e8', 'mock', 'f0072737-a736-4ac3-b141-a89feed3e9a9', 'user_36acc', 'user_36acc', false, null, null, null, 100000000, 1795462211, null, 1795462211, 1795462211, null, null, 'exact', null),
    ('1ddf1f9c-349e-421a-b611-8dfa4d236c01', 'mock', '1c1b7e73-184d-49d2-8d5e-58cdd8c31c20', 'user_1ddf1', 'user_1ddf1', false, null, null, null, 5000, 1795462211, null, 1795462211, 1795462211, null, 5000, 'exact', null),
    ('1daa70e8-95eb-4404-bf10-1275128945bc', 'mock', '2acdc8cb-189a-46a1-9654-a7dea8e2f964', 'user_1daa7', 'user_1daa7', false, null, null, null, 700, 1795462271, null, 1795462211, 1795462211, null, null, 'exact', null),
    ('33b83f2a-11d7-4e9f-a8d2-1051779d38ea', 'mock', '3ca68e96-a5dd-4dfd-9f1a-5dd9ce7aa15f', 'user_33b83', 'user_33b83', false, null, null, null, 900, 1795462211, null, 1795462211, 1795462211, null, null, 'exact', null);
insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at) values
    ('01a209e3-269e-7162-b55b-c1f9e740bb20', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', '98a536705808d8164f89f3739833f58bc0b4796621de1e42a9a1825e44eada0c', 'self-transfer.psbt', 225000000, 'verified', 'transaction', false, 1795462211, 1803238211, null),
    ('01a209e3-26fb-75c3-9963-4d25b93ff586', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', '0ff8f3e243f7e7cf84f26546e01c90f4973eb0221325cb1fe9cf619fac3ce3c8', 'wallet_verification.psbt', 125000000, 'verified', 'transaction', true, 1795462211, 1803238211, null),
    ('01a209e3-2764-716e-85b2-9e14c1ef0ec0', '36acc8ba-57bc-49e2-849c-648d12a921e8', 'f70d814fbb6969ce020b82ecc35576defc092e2f5ca08560417ec88a898d991f', 'legacy-wallet.psbt', 100000000, 'verified', 'message', false, 1795462211, 1803238211, null),
    ('01a209e3-2000-7000-8000-000000000000', '1ddf1f9c-349e-421a-b611-8dfa4d236c01', '01a209e320007000800000000000000001a209e3200070008000000000000000', 'cold.psbt', 5000, 'verified', 'message', false, 1795462211, 1803238211, null),
    ('01a209e3-2000-7000-8000-000000000001', '1daa70e8-95eb-4404-bf10-1275128945bc', '01a209e320007000800000000000000101a209e3200070008000000000000001', 'cold.psbt', 700, 'verified', 'message', false, 1795462211, 1803238211, null),
    ('01a209e3-2000-7000-8000-000000000002', '1daa70e8-95eb-4404-bf10-1275128945bc', '01a209e320007000800000000000000201a209e3200070008000000000000002', 'cold.psbt', 700, 'verified', 'message', false, 1795462271, 1803238271, null),
    ('01a209e3-2000-7000-8000-000000000003', '33b83f2a-11d7-4e9f-a8d2-1051779d38ea', '01a209e320007000800000000000000301a209e3200070008000000000000003', 'cold.psbt', 900, 'verified', 'message', false, 1795462211, 1803238211, null);
insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound, ended_at, end_reason, spent_block, funding_height, unknown_since, ask_again_at) values
    ('01a209e3-26a1-7594-bf33-7b04188fc655', '01a209e3-269e-7162-b55b-c1f9e740bb20', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 'regtest', 'a69d567aae2fc03fb1b12103fa725720b311c40ad765f07dbc20ab25a003862a', 0, 75000000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-26a1-7594-bf33-7b05ac2953c4', '01a209e3-269e-7162-b55b-c1f9e740bb20', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 'regtest', 'a69d567aae2fc03fb1b12103fa725720b311c40ad765f07dbc20ab25a003862a', 1, 150000000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-26fd-7079-869e-e0039a884ccf', '01a209e3-26fb-75c3-9963-4d25b93ff586', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 'regtest', 'bb06ff3a37ec3919039c7fc633cfd1f2dccb9380a4cbaffc1217502d337f0cdf', 0, 125000000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-2766-7013-b856-3914644bd8c9', '01a209e3-2764-716e-85b2-9e14c1ef0ec0', '36acc8ba-57bc-49e2-849c-648d12a921e8', 'regtest', '44bc29d5c662953952783311a2b7529bc32c1e6e15d0fd930e60580dd8d431d9', 0, 40000000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-2766-7013-b856-39150b628c67', '01a209e3-2764-716e-85b2-9e14c1ef0ec0', '36acc8ba-57bc-49e2-849c-648d12a921e8', 'regtest', '44bc29d5c662953952783311a2b7529bc32c1e6e15d0fd930e60580dd8d431d9', 1, 60000000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000001', '01a209e3-2000-7000-8000-000000000000', '1ddf1f9c-349e-421a-b611-8dfa4d236c01', 'regtest', 'a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1', 0, 0, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000002', '01a209e3-2000-7000-8000-000000000000', '1ddf1f9c-349e-421a-b611-8dfa4d236c01', 'regtest', 'a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1', 1, 5000, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000003', '01a209e3-2000-7000-8000-000000000001', '1daa70e8-95eb-4404-bf10-1275128945bc', 'regtest', 'b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1', 0, 0, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000004', '01a209e3-2000-7000-8000-000000000001', '1daa70e8-95eb-4404-bf10-1275128945bc', 'regtest', 'b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1', 1, 700, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, 1795462271, 'renewed', null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000005', '01a209e3-2000-7000-8000-000000000002', '1daa70e8-95eb-4404-bf10-1275128945bc', 'regtest', 'b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1', 1, 700, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000006', '01a209e3-2000-7000-8000-000000000003', '33b83f2a-11d7-4e9f-a8d2-1051779d38ea', 'regtest', 'c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1', 0, 0, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, null, null, null, 800, null, null),
    ('01a209e3-3000-7000-8000-000000000007', '01a209e3-2000-7000-8000-000000000003', '33b83f2a-11d7-4e9f-a8d2-1051779d38ea', 'regtest', 'c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1', 1, 900, 'f7eba96488ab27f1ea16308338714d300515d32358e7963a560cccc9828331b5', true, 1795462271, 'spent', 'fa9aec69e9d0b787383c55178f5fa6c03715cadfbe0a79037a5e409575b3371a', 800, null, null);
insert into published_proofs (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin, provider, subject, nonce) values
    ('01a209e3-269e-7162-b55b-c1f9e740bb20', 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 1795462211, 'regtest', '020000000001022a8603a025ab20bc7df065d70ac411b3205772fa0321b1b13fc02fae7a569da60000000000fdffffff2a8603a025ab20bc7df065d70ac411b3205772fa0321b1b13fc02fae7a569da60100000000fdffffff03c068780400000000160014def049d25412843ad3f265740127e99f701c1aa880d1f008000000002251201e8d0b1551443038fa57b2528dc75391d03a48844904f90ca0375d4e174aaf780000000000000000426a4050726f6f66206f66205265736572766573203132372e302e302e313a3834373120757365725f6162663264203333777174696470677a357a65356537686333370247304402200b3e4845c4535d3263e383d133edfcf5a3ddc7a662950f94323c1321a52e06fe022060bb1c09dab6427d3c6ce0fb39edb302139491accd119d712f904db0ae48de09012103ad4609bd9b4812e4f49469bef6762df4130659f4079ae99b4dc8fcec7cd1f623014046e3b2cae2b12a76ecb4c8f8854fa3fdc668d76b93be355b7eb59828635f737c1b1183c0b4746c02dc85a6d7a4122a0667f0f18e242e232ec81eca60e842ff4f1291f11a', '02c068780400000000160014def049d25412843ad3f265740127e99f701c1aa880d1f008000000002251201e8d0b1551443038fa57b2528dc75391d03a48844904f90ca0375d4e174aaf78', 'Proof of Reserves 127.0.0.1:8471 user_abf2d 33wqtidpgz5ze5e7hc37', 'http://127.0.0.1:8471', 'mock', '93f66efa-44d2-44ca-85ec-74813b58ac8b', 'ec25b20529626c1e0b7e21bfa9b148d0'),
    ('01a209e3-2000-7000-8000-000000000000', '1ddf1f9c-349e-421a-b611-8dfa4d236c01', 1795462211, 'regtest', '00', '00', 'Proof of Reserves', 'http://127.0.0.1:8471', 'mock', 'zoe', '00000000000000000000000000000000');
insert into recorded_transactions (tx_hash, recorded_at) values
    ('98a536705808d8164f89f3739833f58bc0b4796621de1e42a9a1825e44eada0c', 1795462211),
    ('0ff8f3e243f7e7cf84f26546e01c90f4973eb0221325cb1fe9cf619fac3ce3c8', 1795462211),
    ('f70d814fbb6969ce020b82ecc35576defc092e2f5ca08560417ec88a898d991f', 1795462211),
    ('01a209e320007000800000000000000001a209e3200070008000000000000000', 1795462211),
    ('01a209e320007000800000000000000101a209e3200070008000000000000001', 1795462211),
    ('01a209e320007000800000000000000201a209e3200070008000000000000002', 1795462271),
    ('01a209e320007000800000000000000301a209e3200070008000000000000003', 1795462211);
insert into chain_cursor (network, height, hash, sweep_after, sweep_due) values
    ('regtest', 1000, 'fa9aec69e9d0b787383c55178f5fa6c03715cadfbe0a79037a5e409575b3371a', null, false);
insert into chain_blocks (network, height, hash) values
    ('regtest', 1000, 'fa9aec69e9d0b787383c55178f5fa6c03715cadfbe0a79037a5e409575b3371a');
insert into live_sequence (id, sequence, logged, forgotten) values
    (1, 8, 8, 0);
insert into board_changes (profile_id, sequence, provider, username, username_folded, avatar_url, holdings_sats, last_verified, updated_at, published_sats, shown_as) values
    ('abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 7, 'mock', 'user_abf2d', 'user_abf2d', null, 350000000, 1795462211, 1795462211, 225000000, 'exact'),
    ('36acc8ba-57bc-49e2-849c-648d12a921e8', 8, 'mock', 'user_36acc', 'user_36acc', null, 100000000, 1795462211, 1795462211, null, 'exact'),
    ('1ddf1f9c-349e-421a-b611-8dfa4d236c01', 3, 'mock', 'user_1ddf1', 'user_1ddf1', null, null, null, 1795462211, null, 'exact'),
    ('1daa70e8-95eb-4404-bf10-1275128945bc', 4, 'mock', 'user_1daa7', 'user_1daa7', null, null, null, 1795462211, null, 'exact'),
    ('33b83f2a-11d7-4e9f-a8d2-1051779d38ea', 5, 'mock', 'user_33b83', 'user_33b83', null, null, null, 1795462211, null, 'exact');
insert into log_state (id, number, origin, size, root, checkpoint, verifier_key, board_entry, slots, changes, block, partial) values
    (1, 1, '127.0.0.1:8471/log', 2, '1819224edcc0ac5fba4d822cbc27016e217fc30c6b127cdac80909d63cc79119', '127.0.0.1:8471/log
2
GBkiTtzArF+6TYIsvCcBbiF/wwxrEnzayAkJ1jzHkRk=

— 127.0.0.1:8471/log FD6lz9RFe17R7cU8iSbhZE0m6cbiKYSxM21yLeusiJQvFQxPcuhyQgIG88kpg+HX3MGph9Q2YT7A9FeM/dTfSxtuuQw=
', '127.0.0.1:8471/log+143ea5cf+Aacxa7WrpOUg28P7yUdaicdT2ZFXr2nL8wy0/i22Wl92', 1, 5, 8, 'fa9aec69e9d0b787383c55178f5fa6c03715cadfbe0a79037a5e409575b3371a', false);
insert into log_entries (number, entry) values
    (0, '{"kind":"begin","log":1,"at":"2026-11-23T19:30:10Z"}'),
    (1, '{"kind":"board","height":1000,"block":"fa9aec69e9d0b787383c55178f5fa6c03715cadfbe0a79037a5e409575b3371a","at":"2026-11-23T19:30:12Z","rows":5,"rows_root":"a581a110c58a153e82895654acc2b2a5ed976f8d4527f1e3be56a96908c0a59c","complete":true}');
insert into log_tiles (tree, level, tile, hashes) values
    ('log', 0, 0, '0f3d884d8183c3c7c6d306fa283ff1539890695961f0cd1ab4ee0a725d5b3e7cd4eb235a40b993bb07f9e5f87c7fb9de05ec6f62ad415d1bf29ff46fc5fc3d57'),
    ('rows', 0, 0, '43af3c4c48259b4b050c54b8cc60a8ceafa4336f7ed5fa13c5eff342f60883565804173cfd3d919b0dad8fab91d0fd08ac2b451a1dd02a8722ec13582166bd30f894405af9941b95c5060df27566accdcbcd7abbaf5c1d5d1d65882e03c8b359db6180e427cca63bf0cfa31c3e3040b762e773dda1ce63aa0d9cd011cc94ca499baa2d07205b5f20002c636917812dca49baebcd7ba867213183482aaa76a35e');
insert into log_rows (profile_id, slot, salt, logged) values
    ('1daa70e8-95eb-4404-bf10-1275128945bc', 0, 'ef0bd1453da0bd1fc145fa4464044984', '{"id":"1daa70e8-95eb-4404-bf10-1275128945bc","provider":"mock","username":"user_1daa7","shown_as":"exact","holdings_sats":null,"published_sats":null,"last_verified":null}'),
    ('1ddf1f9c-349e-421a-b611-8dfa4d236c01', 1, 'dd3ca6f04f14a2b0b72681bd0b342fea', '{"id":"1ddf1f9c-349e-421a-b611-8dfa4d236c01","provider":"mock","username":"user_1ddf1","shown_as":"exact","holdings_sats":null,"published_sats":null,"last_verified":null}'),
    ('33b83f2a-11d7-4e9f-a8d2-1051779d38ea', 2, '907a8f402a335e5faf54b7a3654f3122', '{"id":"33b83f2a-11d7-4e9f-a8d2-1051779d38ea","provider":"mock","username":"user_33b83","shown_as":"exact","holdings_sats":null,"published_sats":null,"last_verified":null}'),
    ('36acc8ba-57bc-49e2-849c-648d12a921e8', 3, '8c6c9966eaee3550515b10201ca989ec', '{"id":"36acc8ba-57bc-49e2-849c-648d12a921e8","provider":"mock","username":"user_36acc","shown_as":"exact","holdings_sats":100000000,"published_sats":null,"last_verified":"2026-11-23T19:30:11Z"}'),
    ('abf2d01b-c75f-4da4-aacb-b938dffbc9fe', 4, '838c8110cd602e40dd312b82d56b5d36', '{"id":"abf2d01b-c75f-4da4-aacb-b938dffbc9fe","provider":"mock","username":"user_abf2d","shown_as":"exact","holdings_sats":350000000,"published_sats":225000000,"last_verified":"2026-11-23T19:30:11Z"}');
-- Triggers have noted what is told already.
delete from unsent_changes;
