//! How the databases find what they are asked for when there is a lot: every statement of these rooms, as it is really run, among
//! 100,000 people. One that reads a whole table has to say why.

use std::collections::BTreeMap;

use store::Database;
use store::claims::change::{ClaimChanges, Funding};
use store::follower::{Applied, Fork, NextBlock, SweepStep};
use store::rate_limits::Count;
use store::reverify::Reverified;

use super::aside::{refuse, relent};
use super::*;
use crate::jobs::{execute, set_tier};

mod explained;
mod logging;
mod written;

use explained::{Explained, explained};

/// People, each with a proof of one coin. Most proofs are over, as they are after years.
const PEOPLE: u32 = 100_000;

/// Readings of a whole table or index that are meant: a word of the plan, and why.
const MEANT: [(&str, &str); 16] = [
    ("accounts_set_aside", "the few that cannot be settled"),
    ("auth_codes", "codes of the last minutes"),
    ("chain_cursor", "one row for each network"),
    ("chain_blocks", "a week of blocks"),
    ("leases", "one row for each piece of work"),
    ("live_sequence", "one row"),
    (
        "unsent_changes",
        "what was not told yet, all of which is told",
    ),
    ("changed", "of those, each profile once"),
    (
        "own_changes",
        "what one person's claims have done, each of which is found by an index",
    ),
    ("rate_limits", "counts of windows that are over go"),
    (
        "profiles_to_reverify",
        "those who are due first, up to a limit",
    ),
    ("claims_undone", "the few that wait for a block"),
    (
        "log_lines",
        "a snapshot has every row, and an entry compares all of them",
    ),
    ("log_rotations", "a note for each new key of the log"),
    ("ended_logs", "a row for each time that a log ended"),
    ("server_keys", "one or two for each purpose"),
];

/// Statements that SQLite, which has one writer and one process, is not asked.
const POSTGRES_ALONE: [&str; 7] = [
    "copy (select id, provider,",
    "select hash from chain_cursor where network = $1 for share",
    "select id from log_state where id = 1 for update",
    "select id from profiles where id in ($list) order by id for no key update",
    "select height, hash from chain_cursor where network = $1 for share",
    "select salt_key from log_state where id = 1 for update",
    "select pg_notify($1, '')",
];

/// Statements that read all there is, and why.
const MEANT_STATEMENTS: [(&str, &str); 4] = [
    ("delete from log_lines", "a log ends, and a new one begins"),
    (
        "from profiles left join log_lines",
        "an entry of the log compares all rows with those of the one before",
    ),
    (
        "select id from profiles",
        "development fills its chain anew",
    ),
    (
        "where network = $1 and end_reason = 'spent' and proof_id in",
        "none of the followed blocks is in the chain any more",
    ),
];

#[tokio::test]
async fn sqlite_reads_no_more_than_it_must() {
    reads_no_more_than_it_must(TestDatabase::sqlite().await).await;
}

#[tokio::test]
async fn postgres_reads_no_more_than_it_must() {
    let mut database = TestDatabase::postgres().await;
    let mut url = url::Url::parse(&database.url).unwrap();
    // Tells the client the plan of each statement as it was run, those of foreign keys too.
    url.query_pairs_mut()
        .append_pair("options[session_preload_libraries]", "auto_explain")
        .append_pair("options[auto_explain.log_min_duration]", "0")
        .append_pair("options[auto_explain.log_level]", "notice")
        .append_pair("options[auto_explain.log_nested_statements]", "on");
    database.url = url.into();
    reads_no_more_than_it_must(database).await;
}

async fn reads_no_more_than_it_must(database: TestDatabase) {
    let store = database.store().await;
    fill(&store).await;
    let run = explained(&store, everything(&store)).await;
    let mut unmeant = BTreeMap::new();
    for Explained { sql, plan } in &run {
        let whole: Vec<&String> = plan.iter().filter(|line| !is_meant(sql, line)).collect();
        if !whole.is_empty() {
            unmeant.insert(sql, whole);
        }
    }
    assert!(unmeant.is_empty(), "these read all there is: {unmeant:#?}");

    let run: Vec<&str> = run.iter().map(|it| it.sql.as_str()).collect();
    let sqlite = matches!(store.database(), Database::Sqlite(_));
    let others: &[&str] = if sqlite { &POSTGRES_ALONE } else { &[] };
    let never: Vec<String> = written::statements()
        .into_iter()
        .filter(|written| !run.iter().any(|sql| written::is(written, sql)))
        .filter(|written| !others.iter().any(|part| written.contains(part)))
        .collect();
    assert!(never.is_empty(), "nobody has looked at these: {never:#?}");
}

fn is_meant(sql: &str, line: &str) -> bool {
    let said = |words: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|it| it == words)
    };
    MEANT.iter().any(|(word, _)| said(word))
        || MEANT_STATEMENTS.iter().any(|(part, _)| sql.contains(part))
}

/// People, proofs and claims, by one statement each.
async fn fill(store: &Store) {
    let numbers = format!(
        "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < {PEOPLE})"
    );
    let network = "case when n % 3 = 0 then 'testnet4' else 'regtest' end";
    let ended = "case when n % 20 = 0 then null else 1000 + n end";
    for (table, values) in [
        (
            "profiles (id, provider, subject, username, username_folded, named, tier, holdings_sats, last_verified,
               reverify_at, created_at, updated_at)",
            "'u' || n, 'mock', 'u' || n, 'u' || n, 'u' || n, true, case when n % 50 = 0 then 'premium' end,
             case when n % 20 = 0 then n end, case when n % 20 = 0 then n end,
             case when n % 50 = 0 then 1780000000 + n * 100 end, 1, 1".to_owned(),
        ),
        (
            "proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at)",
            format!("'p' || n, 'u' || n, 't' || n, 'f', 5, 'verified', 'transaction', false, n, 1790000000 + n, {ended}"),
        ),
        (
            "claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, funding_height, bound, ended_at,
               end_reason, spent_block)",
            format!(
                "'c' || n, 'p' || n, 'u' || n, {network}, 'x' || n, n % 5, n, 'b' || n % 1000, n, true, {ended},
                 case when n % 20 = 0 then null else 'spent' end, case when n % 20 = 0 then null else 's' || n % 1000 end"
            ),
        ),
        ("recorded_transactions (tx_hash, recorded_at)", "'t' || n, n".to_owned()),
        (
            "published_proofs (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin,
               provider, subject, nonce)",
            "'p' || n, 'u' || n, 1, 'regtest', 'aa', 'bb', 'line', 'origin', 'mock', 'u' || n, 'cc'".to_owned(),
        ),
        ("log_entries (log, number, entry)", "1, n, 'entry'".to_owned()),
        ("log_tiles (log, level, tile, hashes)", "1, 0, n, 'aa'".to_owned()),
        ("log_lines (profile_id, line)", "'u' || n, 'row'".to_owned()),
    ] {
        execute(store, format!("insert into {table} {numbers} select {values} from numbers")).await;
    }
    let ended = "delete from published_proofs where proof_id in (select id from proofs where ended_at is not null)";
    execute(store, ended).await;
    execute(store, "delete from unsent_changes").await;
    // PostgreSQL does this by itself after a while.
    if let Database::Postgres(_) = store.database() {
        execute(store, "analyze").await;
    }
}

fn block(height: i64) -> Block {
    Block {
        height,
        hash: format!("{height:064x}"),
    }
}

fn coins(from: u32, count: u32) -> Vec<NewClaim> {
    (from..from + count).map(|number| coin(number, 5)).collect()
}

/// Every statement at least once, with what it finds and what it does not.
async fn everything(store: &Store) {
    let person = user(store, "anna").await;
    let other = user(store, "bert").await;
    proofs_and_claims(store, &person, &other).await;
    publishing(store, &person).await;
    logging::logging(store).await;
    following(store, &person).await;
    reverifying(store, &person).await;
    the_rest(store, &person, &other).await;
}

async fn proofs_and_claims(store: &Store, person: &Profile, other: &Profile) {
    let coins = coins(1, 50);
    let first = proof(person, "first", NOW, &coins);
    record(store, &first).await;
    record(store, &first).await;
    let bound = |it| NewProof {
        binding: Binding::Transaction,
        ..it
    };
    record(store, &bound(proof(person, "renewal", NOW, &coins))).await;
    let again = NewProof {
        statement: Some((0, "~name".into())),
        ..bound(proof(person, &first.tx_hash, NOW, &coins))
    };
    record(store, &again).await;
    record(store, &proof(other, "conflict", NOW, &coins)).await;
    store
        .active_proof(&person.id, "renewal", NOW)
        .await
        .unwrap();
    store.proofs(&person.id, 10, 0).await.unwrap();
    store.holdings_changes(&person.id).await.unwrap();
    store.proof_count(&person.id).await.unwrap();
    let mut mock = proof(other, "mock", NOW, &[coin(900, 5)]);
    mock.mock = true;
    record(store, &mock).await;
    store
        .delete_mock_proofs(&other.id, &mock.file_name, NOW)
        .await
        .unwrap();
    let short = NewProof {
        expires_at: NOW + 1,
        ..proof(other, "short", NOW, &[coin(901, 5)])
    };
    record(store, &short).await;
    store.next_expiry(NOW).await.unwrap();
    refuse(store, "profiles", other).await;
    assert_eq!(store.expire_due(NOW + 1).await.unwrap(), 1);
    relent(store, "profiles").await;
    assert_eq!(store.expire_due(NOW + 1).await.unwrap(), 0);
    assert_eq!(store.set_aside().await.unwrap(), 1);
    store.settle_set_aside(NOW).await.unwrap();
    assert_eq!(store.set_aside().await.unwrap(), 0);
}

async fn publishing(store: &Store, person: &Profile) {
    let publication = publication();
    let new = NewProof {
        binding: Binding::Transaction,
        publication: Some(publication.clone()),
        ..proof(person, "published", NOW, &[coin(902, 5)])
    };
    record(store, &new).await;
    record(store, &new).await;
    let (user, id) = (&person.id, &new.id);
    assert!(store.published_proof(id).await.unwrap().is_some());
    assert_eq!(store.counting_coins(id).await.unwrap().len(), 1);
    store.published_proofs(None, "", 10).await.unwrap();
    store.published_proofs(Some(user), "", 10).await.unwrap();
    store.recorded_publications(user).await.unwrap();
    assert!(store.withdraw(user, id, NOW).await.unwrap());
    assert!(store.publish(user, id, &publication, NOW).await.unwrap());
}

async fn following(store: &Store, person: &Profile) {
    let network = "regtest";
    let outpoints: Vec<_> = (1..=30)
        .map(|number| bitcoin::OutPoint::new(coin(number, 1).txid.parse().unwrap(), 0))
        .collect();
    let at = store.cursor(network).await.unwrap().unwrap().block;
    store.note_median_time(network, NOW).await.unwrap();
    assert_eq!(store.followed_to().await.unwrap().len(), 1);
    store.followed_block(network, 100).await.unwrap();
    store.followed_blocks(network).await.unwrap();
    let live = store.live_claims_on(network, &outpoints).await.unwrap();
    assert_eq!(live.len(), 30);
    let id = |index: usize| live[index].id.clone();
    let funding = |index| Funding {
        claim: id(index),
        height: Some(5),
        block: "b1".to_owned(),
    };
    let changes = ClaimChanges {
        spent: vec![id(10)],
        undone: vec![id(11)],
        funded: vec![funding(12)],
        unknown: vec![id(13), id(14)],
        ..ClaimChanges::default()
    };
    let changed = store
        .change_claims(network, &at, &changes, NOW)
        .await
        .unwrap();
    assert_eq!(changed, Applied::Done(2));
    assert_eq!(store.unknown_claims(network, NOW).await.unwrap(), 2);
    assert_eq!(
        store
            .unknown_claims_due(network, NOW + 60, 10)
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(store.undone_claims(network, NOW).await.unwrap().len(), 1);
    let back = ClaimChanges {
        back: vec![funding(11)],
        kept: vec![id(13)],
        ..ClaimChanges::default()
    };
    assert_eq!(
        store.change_claims(network, &at, &back, NOW).await.unwrap(),
        Applied::Done(1)
    );

    let next = block(101);
    let spent = store
        .live_claims_on(network, &outpoints[..2])
        .await
        .unwrap();
    let step = NextBlock {
        network,
        after: &at,
        block: &next,
        outpoints: &outpoints[..2],
        spent: &spent,
        unknown: &[],
    };
    assert_eq!(
        store.follow_block(step, NOW).await.unwrap(),
        Applied::Done(2)
    );
    store
        .live_claims_funded_by(network, &[block(1), block(2)])
        .await
        .unwrap();
    let gone = [next.clone()];
    let fork = Fork {
        network,
        from: &next,
        to: &at,
        gone: &gone,
        changes: &ClaimChanges::default(),
        gap: false,
    };
    assert_eq!(store.go_back(fork, NOW).await.unwrap(), Applied::Done(0));
    assert_eq!(
        store.skip_to(network, &at, &block(500)).await.unwrap(),
        Applied::Done(0)
    );
    store.begin_sweep(network).await.unwrap();
    let some = store.live_claims_after(network, "", 100).await.unwrap();
    let sweep = SweepStep {
        network,
        at: &block(500),
        after: "",
        until: Some(&some[99].id),
        changes: &ClaimChanges::default(),
    };
    assert_eq!(store.sweep(sweep, NOW).await.unwrap(), Applied::Done(0));
    assert_eq!(
        store
            .start_over(network, &block(500), &at, NOW)
            .await
            .unwrap(),
        Applied::Done(0)
    );
    assert!(store.profile(&person.id).await.unwrap().is_some());
}

async fn reverifying(store: &Store, person: &Profile) {
    set_tier(store, &person.id, "premium").await;
    let taken = store.take_due_reverifications(NOW, NOW + 900, 100);
    let mut taken = taken.await.unwrap();
    let kept = store.keep_reverifications(&mut taken, NOW + 910);
    kept.await.unwrap();
    assert_eq!((taken.users.len(), taken.until), (100, NOW + 910));
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    store.live_claims_of("regtest", &taken.users).await.unwrap();
    let result = Reverified {
        taken: &taken,
        network: "regtest",
        at: &at,
        changes: &ClaimChanges::default(),
        expires_at: NOW + VALIDITY,
        again_at: NOW + 60,
        only_bound: false,
    };
    assert_eq!(store.reverify(result, NOW).await.unwrap(), Applied::Done(0));
    store
        .delay_reverifications(&taken, NOW + 300)
        .await
        .unwrap();
}

async fn the_rest(store: &Store, person: &Profile, other: &Profile) {
    store
        .take_lease("follow", "me", NOW, NOW + 5)
        .await
        .unwrap();
    store.try_write().await.unwrap();
    store.release_leases("me").await.unwrap();
    store.pass_on_changes().await.unwrap();
    let seen = store.newest_change().await.unwrap();
    store.changes_since(seen - 1).await.unwrap();
    store.shown_profiles("", "v", 5).await.unwrap();
    let gone = user(store, "gone").await;
    store.delete_profile(&gone.id).await.unwrap();
    store.pass_on_changes().await.unwrap();
    let count = Count {
        keyed_hash: "somebody".to_owned(),
        most: 1,
        ends_at: NOW + 60,
    };
    store
        .count_request(std::slice::from_ref(&count), NOW)
        .await
        .unwrap();
    store.uncount_request(&[count]).await.unwrap();
    store.choose_free_tier(&other.id, NOW).await.unwrap();
    store.profile_ids().await.unwrap();
    assert!(store.delete_profile(&person.id).await.unwrap());
}
