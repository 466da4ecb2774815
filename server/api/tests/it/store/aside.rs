//! One account whose rows cannot be written blocks no work on other accounts (decisions, D20).

use store::changes::{Change, Changes};
use store::claims::change::Funding;
use store::follower::Move;
use store::reverify::Reverified;

use super::*;

on_both!(
    a_block_goes_past_an_account_that_cannot_be_settled,
    whatever_ends_claims_goes_past_an_account_that_cannot_be_settled,
    expiry_goes_past_an_account_that_cannot_be_settled,
    one_account_whose_proofs_cannot_be_renewed_keeps_nobody_from_it,
    a_coin_of_nothing_from_before_stops_nobody,
    the_later_of_two_claims_is_known_whatever_the_clocks_said,
);

/// Makes the database refuse every change to one account's rows in this table.
async fn refuse(store: &Store, table: &str, account: &Profile) {
    let column = if table == "profiles" { "id" } else { "user_id" };
    let is_theirs = format!("new.{column} = '{}'", account.id);
    if let Database::Sqlite(_) = store.database() {
        let trigger = format!(
            "create trigger refusal before update on {table} when {is_theirs} begin select raise(abort, 'refused'); end"
        );
        return execute(store, trigger).await;
    }
    let function = "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$";
    execute(store, function).await;
    let trigger = format!(
        "create trigger refusal before update on {table} for each row when ({is_theirs}) execute function refuse()"
    );
    execute(store, trigger).await;
}

/// Lifts that again.
async fn relent(store: &Store, table: &str) {
    if let Database::Sqlite(_) = store.database() {
        return execute(store, "drop trigger refusal").await;
    }
    execute(store, format!("drop trigger refusal on {table}")).await;
    execute(store, "drop function refuse()").await;
}

/// Hal and Eve with a proof of one coin each: 1 and 2.
async fn both_prove(database: &TestDatabase) -> (Store, Profile, Profile) {
    let (store, hal, eve) = hal_and_eve(database).await;
    proves(&store, &hal, "t1", &[(1, 100)]).await;
    proves(&store, &eve, "t2", &[(2, 100)]).await;
    (store, hal, eve)
}

fn outpoint(number: u64) -> OutPoint {
    OutPoint::new(coin(number, 1).txid.parse().unwrap(), 0)
}

fn block(height: i64) -> Block {
    Block {
        height,
        hash: format!("{height:064x}"),
    }
}

/// Follows a block that spends these coins. Returns how many claims it has ended.
async fn spend(store: &Store, height: i64, coins: &[u64]) -> Applied {
    let outpoints: Vec<_> = coins.iter().copied().map(outpoint).collect();
    let next = Move::Next(&outpoints);
    let claims = store.claims_to_look_up("regtest", next).await.unwrap();
    let changes = ClaimChanges {
        spent: claims.into_iter().map(|claim| claim.id).collect(),
        ..ClaimChanges::default()
    };
    let after = store.cursor("regtest").await.unwrap().unwrap().block;
    let to = block(height);
    let moved = store.move_cursor("regtest", (&after, &to), next, &changes, NOW);
    moved.await.unwrap()
}

/// The ids of a user's live claims.
async fn live(store: &Store, person: &Profile) -> Vec<String> {
    let of = [person.id.clone()];
    let live = store.live_claims_of("regtest", &of).await.unwrap();
    live.into_iter().map(|claim| claim.id).collect()
}

/// A claim whose coin is in a block again.
fn funding(claim: &str) -> Funding {
    Funding {
        claim: claim.to_owned(),
        height: Some(9),
        block: "b9".to_owned(),
    }
}

fn undone(claims: &[&String]) -> ClaimChanges {
    ClaimChanges {
        undone: claims.iter().copied().cloned().collect(),
        ..ClaimChanges::default()
    }
}

fn back(claims: &[&String]) -> ClaimChanges {
    ClaimChanges {
        back: claims.iter().map(|claim| funding(claim)).collect(),
        ..ClaimChanges::default()
    }
}

/// Follows the chain again, from the block of the proofs.
async fn rewind(store: &Store) {
    let hash = followed().hash;
    execute(store, format!("update chain_cursor set hash = '{hash}'")).await;
}

/// What the board counts for a user, by each query that reads it.
async fn counted(store: &Store, person: &Profile) -> Vec<Option<i64>> {
    let mut counted = Vec::new();
    store.pass_on_changes().await.unwrap();
    let told = store.changes_since(0).await.unwrap();
    let Changes::Since(_, changes) = told else {
        panic!("{told:?}");
    };
    for change in changes {
        match change {
            Change::Shown(it) if it.id == person.id => counted.push(it.shown_sats),
            _ => {}
        }
    }
    let shown = store.shown_profiles("", "g", 100).await.unwrap();
    let theirs = shown.into_iter();
    let theirs = theirs.filter(|it| it.id == person.id && it.published_sats.is_none());
    counted.extend(theirs.map(|it| it.shown_sats));
    counted
}

async fn a_block_goes_past_an_account_that_cannot_be_settled(database: TestDatabase) {
    let (store, hal, eve) = both_prove(&database).await;
    assert_eq!(counted(&store, &hal).await, [Some(100); 2]);
    refuse(&store, "profiles", &hal).await;
    assert_eq!(spend(&store, 101, &[1, 2]).await, Applied::Done(2));
    assert_eq!(holdings(&store, &eve).await, None);
    // His coin is spent: his claim has ended, and nothing counts for him, although his row is unchanged.
    assert_eq!(live(&store, &hal).await, Vec::<String>::new());
    assert_eq!(holdings(&store, &hal).await, Some(100));
    assert_eq!(counted(&store, &hal).await, [None; 2]);
    assert_eq!(store.set_aside().await.unwrap(), 1);
    assert_eq!(spend(&store, 102, &[3]).await, Applied::Done(0));

    // It is retried until it works.
    store.settle_set_aside(NOW + 60).await.unwrap();
    assert_eq!(store.set_aside().await.unwrap(), 1);
    relent(&store, "profiles").await;
    store.settle_set_aside(NOW + 120).await.unwrap();
    assert_eq!(store.set_aside().await.unwrap(), 0);
    assert_eq!(holdings(&store, &hal).await, None);
    let ended = &store.proofs(&hal.id, 1, 0).await.unwrap()[0];
    assert_eq!(
        (ended.ended_at, ended.ended_reason.as_deref()),
        (Some(Time(NOW + 120)), Some("spent"))
    );
    // And his next proof counts.
    rewind(&store).await;
    proves(&store, &hal, "t3", &[(3, 7)]).await;
    assert_eq!(counted(&store, &hal).await, [Some(7); 2]);
}

async fn whatever_ends_claims_goes_past_an_account_that_cannot_be_settled(database: TestDatabase) {
    let (store, hal, eve) = both_prove(&database).await;
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    let there = block(99);
    let (his, hers) = (
        live(&store, &hal).await.remove(0),
        live(&store, &eve).await.remove(0),
    );
    let (undone, back) = (undone(&[&his, &hers]), back(&[&his, &hers]));
    refuse(&store, "profiles", &hal).await;

    // A reorganization undoes it, and it comes back.
    let gone = Move::Back(std::slice::from_ref(&at));
    let moved = store.move_cursor("regtest", (&at, &there), gone, &undone, NOW);
    assert_eq!(moved.await.unwrap(), Applied::Done(2));
    assert_eq!(holdings(&store, &eve).await, None);
    let changed = store.change_claims("regtest", &there, &back, NOW);
    assert_eq!(changed.await.unwrap(), Applied::Done(2));
    assert_eq!(holdings(&store, &eve).await, Some(100));
    assert_eq!(counted(&store, &hal).await.last(), Some(&None));

    // All claims are looked up again.
    store.begin_sweep("regtest").await.unwrap();
    let swept = store.sweep("regtest", &there, ("", None), &undone, NOW);
    assert_eq!(swept.await.unwrap(), Applied::Done(2));
    let changed = store.change_claims("regtest", &there, &back, NOW);
    assert_eq!(changed.await.unwrap(), Applied::Done(2));

    // Eve takes Hal's coin over.
    let taking = NewProof {
        binding: Binding::Message,
        tip: there.hash.clone(),
        ..proof(&eve, "t3", NOW, &[coin(1, 100)])
    };
    assert_eq!(record(&store, &taking).await, verified(200));
    assert_eq!(live(&store, &hal).await, Vec::<String>::new());
    assert_eq!(store.set_aside().await.unwrap(), 1);
    // Deleting his account ends the retries.
    assert!(store.delete_profile(&hal.id).await.unwrap());
    assert_eq!(store.set_aside().await.unwrap(), 0);
}

async fn expiry_goes_past_an_account_that_cannot_be_settled(database: TestDatabase) {
    let (store, hal, eve) = both_prove(&database).await;
    let late = NOW + VALIDITY;
    refuse(&store, "profiles", &hal).await;
    // Recording a proof first ends the claims that are due.
    let bob = user(&store, "bob").await;
    let new = proof(&bob, "t3", late, &[coin(3, 7)]);
    assert_eq!(record(&store, &new).await, verified(7));
    assert_eq!(holdings(&store, &eve).await, None);
    assert_eq!(counted(&store, &hal).await.last(), Some(&None));
    assert_eq!(store.set_aside().await.unwrap(), 1);
    assert_eq!(store.expire_due(late).await.unwrap(), 0);
    // And so does the job.
    assert_eq!(store.expire_due(late + VALIDITY).await.unwrap(), 1);
    assert_eq!(holdings(&store, &bob).await, None);
    assert_eq!(store.next_expiry(late).await.unwrap(), None);
}

/// Verifies premium users again; `changes` are the changes to their claims.
async fn reverify(store: &Store, now: i64) -> Vec<String> {
    let users = store.due_reverifications(now, 10).await.unwrap();
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    let result = Reverified {
        users: &users,
        network: "regtest",
        at: &at,
        changes: &ClaimChanges::default(),
        expires_at: now + VALIDITY,
        again_at: now + 60,
        only_bound: false,
    };
    assert_eq!(store.reverify(result, now).await.unwrap(), Applied::Done(0));
    users
}

async fn expires(store: &Store, person: &Profile) -> i64 {
    store.proofs(&person.id, 1, 0).await.unwrap()[0]
        .expires_at
        .0
}

async fn one_account_whose_proofs_cannot_be_renewed_keeps_nobody_from_it(database: TestDatabase) {
    let (store, hal, eve) = both_prove(&database).await;
    for person in [&hal, &eve] {
        set_tier(&store, &person.id, "premium").await;
    }
    refuse(&store, "proofs", &hal).await;
    let day = NOW + 24 * 60 * 60;
    assert_eq!(reverify(&store, day).await.len(), 2);
    assert_eq!(expires(&store, &eve).await, day + VALIDITY);
    assert_eq!(expires(&store, &hal).await, NOW + VALIDITY);
    relent(&store, "proofs").await;
    let day = day + 24 * 60 * 60;
    assert_eq!(reverify(&store, day).await.len(), 2);
    assert_eq!(expires(&store, &hal).await, day + VALIDITY);
}

/// An earlier release recorded claims on coins of 0 sats.
async fn a_coin_of_nothing_from_before_stops_nobody(database: TestDatabase) {
    let (store, hal, eve) = both_prove(&database).await;
    let worthless = NewProof {
        binding: Binding::Transaction,
        publication: Some(publication()),
        ..proof(&hal, "t3", NOW, &[coin(3, 0), coin(4, 5_000)])
    };
    record(&store, &worthless).await;
    set_tier(&store, &hal.id, "premium").await;
    assert_eq!(
        spend(&store, 101, &[1, 2, 4]).await,
        Applied::Done(3),
        "what is left of his is worth nothing"
    );
    assert_eq!(holdings(&store, &hal).await, None);
    assert_eq!(holdings(&store, &eve).await, None);
    assert_eq!(store.set_aside().await.unwrap(), 0);
    let published = "update profiles set published_sats = published_sats where published_sats is not null returning id";
    assert_eq!(
        texts(store.database(), published).await,
        Vec::<String>::new()
    );

    // Together with a coin of value the claim is verified again; a proof of only 0 sats is not.
    rewind(&store).await;
    proves(&store, &hal, "t4", &[(5, 9)]).await;
    let day = NOW + 24 * 60 * 60;
    assert_eq!(reverify(&store, day).await, std::slice::from_ref(&hal.id));
    let proofs = store.proofs(&hal.id, 10, 0).await.unwrap();
    let mut times: Vec<_> = proofs.iter().map(|it| it.expires_at.0 - day).collect();
    times.sort_unstable();
    assert_eq!(times.pop(), Some(VALIDITY));
    assert!(times.iter().all(|it| *it < VALIDITY), "{times:?}");
}

/// Ids of claims begin with the time, by the clock of the replica that wrote them.
async fn the_later_of_two_claims_is_known_whatever_the_clocks_said(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    proves(&store, &hal, "t1", &[(1, 100)]).await;
    // The clock of the replica that recorded his is far ahead.
    execute(&store, "update claims set id = 'f' || substr(id, 2)").await;
    let his = live(&store, &hal).await.remove(0);
    let change = async |changes: &ClaimChanges| {
        let changed = store.change_claims("regtest", &at, changes, NOW);
        changed.await.unwrap()
    };
    assert_eq!(change(&undone(&[&his])).await, Applied::Done(1));
    proves(&store, &eve, "t2", &[(1, 100)]).await;
    let hers = live(&store, &eve).await.remove(0);
    assert!(hers < his);
    // His claim does not come back, neither while hers is live nor when both wait.
    assert_eq!(change(&back(&[&his])).await, Applied::Done(0));
    assert_eq!(change(&undone(&[&hers])).await, Applied::Done(1));
    assert_eq!(change(&back(&[&his, &hers])).await, Applied::Done(1));
    hold(&store, [(&hal, None), (&eve, Some(100))]).await;
}
