//! Proofs that were bound by an amount, when such a database comes to the schema of this release (0011).

use store::Database;

use super::migrations::{at_version, close, run, texts};
use super::*;

on_both!(
    proofs_bound_by_an_amount_end_and_their_owners_are_told,
    what_an_amount_strengthened_is_weak_again,
    the_step_can_be_done_once_more,
);

const DAY: i64 = 24 * 60 * 60;

/// Far away, so that only what the step itself does ends anything.
const EXPIRES: &str = "9000000000";

/// Hal has proven by an amount and by a message, Eve by an amount alone, and Bob's amount has ended long ago.
const PEOPLE: &str = "
    insert into profiles
        (id, provider, subject, username, username_folded, named, holdings_sats, last_verified, created_at, updated_at) values
        ('hal', 'twitter', '1', 'Hal', 'hal', true, 350, 2000, 1, 1),
        ('eve', 'twitter', '2', 'Eve', 'eve', true, 200, 2000, 1, 1),
        ('bob', 'twitter', '3', 'Bob', 'bob', true, null, 3000, 1, 1),
        ('ann', 'twitter', '4', 'Ann', 'ann', true, 15, 4000, 1, 1);
    insert into proofs
        (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at) values
        ('a', 'hal', 't1', 'amount.psbt', 450, 'verified', 'amount', false, 1500, 9000000000, null),
        ('m', 'hal', 't2', 'message.psbt', 50, 'verified', 'message', false, 1000, 9000000000, null),
        ('e', 'eve', 't3', 'eve.psbt', 200, 'verified', 'amount', false, 2000, 9000000000, null),
        ('b', 'bob', 't4', 'bob.psbt', 7, 'verified', 'amount', false, 3000, 3100, 3100),
        ('s', 'bob', 't5', 'spent.psbt', 7, 'verified', 'amount', false, 3000, 9000000000, 3200),
        ('o', 'ann', 't6', 'old.psbt', 10, 'verified', 'amount', false, 3500, 9000000000, 3600),
        ('p', 'ann', 't7', 'older.psbt', 5, 'verified', 'message', false, 3500, 9000000000, 3600),
        ('u', 'ann', 't8', 'unbound.psbt', 15, 'reverified', 'unbound', false, 4000, 9000000000, null);
    insert into claims
        (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound, ended_at, end_reason, spent_block) values
        ('a1', 'a', 'hal', 'regtest', 'aa', 0, 300, 'f', true, null, null, null),
        ('a2', 'a', 'hal', 'regtest', 'aa', 1, 100, 'f', true, 1600, 'spent', 'x'),
        ('a3', 'a', 'hal', 'regtest', 'aa', 2, 50, 'f', true, 1700, 'reorganised', null),
        ('m1', 'm', 'hal', 'regtest', 'bb', 0, 50, 'f', true, null, null, null),
        ('e1', 'e', 'eve', 'regtest', 'cc', 0, 200, 'f', true, null, null, null),
        ('b1', 'b', 'bob', 'regtest', 'dd', 0, 7, 'f', true, 3100, 'expired', null),
        ('s1', 's', 'bob', 'regtest', 'ee', 0, 7, 'f', true, 3200, 'spent', 'x'),
        ('o1', 'o', 'ann', 'regtest', 'ff', 0, 10, 'f', true, 3600, 'renewed', null),
        ('p1', 'p', 'ann', 'regtest', 'ff', 1, 5, 'f', true, 3600, 'renewed', null),
        ('u1', 'u', 'ann', 'regtest', 'ff', 0, 10, 'f', true, null, null, null),
        ('u2', 'u', 'ann', 'regtest', 'ff', 1, 5, 'f', true, null, null, null);
    insert into recorded_transactions (tx_hash, recorded_at) values ('t1', 1), ('t3', 1);
    insert into server_keys (id, purpose, material, created_at) values ('challenge', 'challenge', '00', 1), ('x', 'x', '00', 1);
    insert into message_nonces (nonce, user_id, created_at, expires_at, proof_id) values ('n', 'hal', 1, 2, 'm')";

const CLAIMS: &str = "select id || case when bound then ' bound ' else ' weak ' end || coalesce(end_reason, 'live') from claims order by 1";

const INDEXES: [&str; 2] = [
    "select name || tbl_name from sqlite_schema where type in ('index', 'trigger') and tbl_name <> 'message_nonces' order by 1",
    "select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'message_nonces'
     union select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1",
];

fn indexes(database: &Database) -> &'static str {
    match database {
        Database::Sqlite(_) => INDEXES[0],
        Database::Postgres(_) => INDEXES[1],
    }
}

/// The database of the release before, with everybody's proofs. Answers its indexes and triggers.
async fn filled(database: &TestDatabase) -> Vec<String> {
    let before = at_version(10, database).await;
    run(&before, PEOPLE).await.unwrap();
    let indexes = texts(&before, indexes(&before)).await;
    close(before).await;
    indexes
}

async fn proofs_bound_by_an_amount_end_and_their_owners_are_told(database: TestDatabase) {
    let indexes_before = filled(&database).await;
    let step = at_version(11, &database).await;
    assert_eq!(texts(&step, indexes(&step)).await, indexes_before);
    close(step).await;
    let store = database.store().await;
    let profile = async |id: &str| store.profile(id).await.unwrap().expect(id);
    let (hal, eve, bob) = (
        profile("hal").await,
        profile("eve").await,
        profile("bob").await,
    );
    // What Hal signed a message for stays, and was verified 90 days before it expires.
    assert_eq!(hal.holdings_sats, Some(50));
    assert_eq!(hal.last_verified, Some(9_000_000_000 - 90 * DAY));
    assert_eq!((eve.holdings_sats, eve.last_verified), (None, None));
    assert_eq!((bob.holdings_sats, bob.last_verified), (None, Some(3000)));

    let history = async |id: &str| store.proofs(id, 10, 0).await.unwrap();
    let [amount, message] = &history("hal").await[..] else {
        panic!("two proofs");
    };
    assert_eq!(amount.ended_reason.as_deref(), Some("binding-withdrawn"));
    assert_eq!(
        (amount.spent_sats, amount.binding.as_str()),
        (Some(100), "amount")
    );
    assert_eq!(amount.ended_at, Some(amount.expires_at));
    assert_eq!(
        (message.ended_at, message.binding.as_str()),
        (None, "message")
    );
    assert_eq!(
        history("eve").await[0].ended_reason.as_deref(),
        Some("binding-withdrawn")
    );
    let reasons: Vec<_> = history("bob").await;
    let reasons = reasons.iter().map(|it| it.ended_reason.as_deref());
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [Some("spent"), Some("expired")]
    );

    // Nothing that a reorganisation does brings one back: their time is over.
    let after = store.database();
    let open = "select id from proofs where binding = 'amount' and (ended_at is null or expires_at = EXPIRES)";
    let open = texts(after, open.replace("EXPIRES", EXPIRES).leak()).await;
    assert_eq!(open, Vec::<String>::new());
    let revived = run(after, "update proofs set ended_at = null where id = 'e'").await;
    assert!(revived.is_err());
    let waiting = "select id from claims where end_reason = 'reorganised'";
    assert_eq!(texts(after, waiting).await, Vec::<String>::new());

    // What was recorded never proves again, and somebody else may prove the coins.
    store.start_following("regtest", &followed()).await.unwrap();
    let free = NewClaim {
        txid: "cc".to_owned(),
        ..coin(1, 200)
    };
    let again = proof(&eve, "t3", NOW, std::slice::from_ref(&free));
    assert_eq!(record(&store, &again).await, Recorded::Replayed);
    let bound = NewProof {
        binding: Binding::Transaction,
        ..proof(&bob, "t9", NOW, &[free])
    };
    let taken = record(&store, &bound).await;
    assert_eq!(taken, Recorded::Verified { total_sats: 200 });

    let keys = "select id from server_keys where id in ('challenge', 'x')";
    assert_eq!(texts(after, keys).await, ["x"]);
    assert!(
        run(after, "select nonce from message_nonces")
            .await
            .is_err()
    );
    // Open pages are told.
    let told = store.pass_on_changes().await.unwrap();
    assert!(told > 0, "{told}");
    store.delete_profile("hal").await.unwrap();
    let left = "select proof_id from claims where user_id = 'hal' union select id from proofs where user_id = 'hal'";
    assert_eq!(texts(after, left).await, Vec::<String>::new());
    if let Database::Sqlite(_) = after {
        let broken = texts(after, "select \"table\" from pragma_foreign_key_check").await;
        assert_eq!(broken, Vec::<String>::new());
    }
}

async fn what_an_amount_strengthened_is_weak_again(database: TestDatabase) {
    filled(&database).await;
    let store = database.store().await;
    let claims = texts(store.database(), CLAIMS).await;
    assert!(claims.contains(&"u1 weak live".to_owned()), "{claims:?}");
    // A message was there before.
    assert!(claims.contains(&"u2 bound live".to_owned()), "{claims:?}");
    let ann = store.profile("ann").await.unwrap().expect("ann");
    assert_eq!(
        (ann.holdings_sats, ann.last_verified),
        (Some(15), Some(4000))
    );
}

/// SQLite notes a step after its own transaction: a process may die in between.
async fn the_step_can_be_done_once_more(database: TestDatabase) {
    filled(&database).await;
    let once = at_version(11, &database).await;
    let Database::Sqlite(_) = once else {
        return close(once).await;
    };
    let everything = "select id || coalesce(ended_at, '-') || expires_at || binding from proofs
        union all select id || coalesce(holdings_sats, '-') || coalesce(last_verified, '-') from profiles
        union all select id || proof_id || coalesce(end_reason, '-') || coalesce(ended_at, '-') || bound from claims order by 1";
    let (first, shape) = (
        texts(&once, everything).await,
        texts(&once, INDEXES[0]).await,
    );
    let forget = "delete from _sqlx_migrations where version = 11";
    run(&once, forget).await.unwrap();
    close(once).await;
    let twice = at_version(11, &database).await;
    assert_eq!(texts(&twice, everything).await, first);
    assert_eq!(texts(&twice, INDEXES[0]).await, shape);
    close(twice).await;
}
