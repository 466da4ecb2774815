//! What happens to claims behind the users' backs: the steps of the stories in `claims.txt`.

use store::chain_cursor::Move;
use store::changes::{Change, Changes};
use store::claims::change::Funding;
use store::reverify::Reverified;

use super::*;

on_both!(the_later_of_two_claims_wins_whatever_the_clocks);

/// From now on the database refuses every change to one account's rows in a table.
pub(super) async fn refuse(store: &Store, table: &str, account: &Profile) {
    let column = if table == "profiles" { "id" } else { "user_id" };
    let refuse = match store.database() {
        Database::Sqlite(_) => "begin select raise(abort, 'refused'); end",
        Database::Postgres(_) => {
            let function = "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$";
            execute(store, function).await;
            "execute function refuse()"
        }
    };
    let theirs = format!("for each row when (new.{column} = '{}')", account.id);
    let trigger = format!("create trigger refusal before update on {table} {theirs} {refuse}");
    execute(store, trigger).await;
}

/// The database accepts the rows again.
pub(super) async fn relent(store: &Store) {
    let relents = match store.database() {
        Database::Sqlite(_) => "drop trigger refusal",
        Database::Postgres(_) => "drop function refuse() cascade",
    };
    execute(store, relents).await;
}

pub(crate) fn block(height: i64) -> Block {
    Block {
        height,
        hash: format!("{height:064x}"),
    }
}

/// The newest block that was followed.
pub(super) async fn cursor(store: &Store) -> Block {
    store.cursor("regtest").await.unwrap().unwrap().block
}

/// Follows a block that spends these coins. Returns how many claims it has ended.
pub(super) async fn spend(store: &Store, coins: &[u64]) -> u64 {
    let outpoint = |number: &u64| OutPoint::new(coin(*number, 1).txid.parse().unwrap(), 0);
    let outpoints: Vec<_> = coins.iter().map(outpoint).collect();
    let next = Move::Next(&outpoints);
    let claims = store.claims_to_look_up("regtest", next).await.unwrap();
    let changes = ClaimChanges {
        spent: claims.into_iter().map(|claim| claim.id).collect(),
        ..ClaimChanges::default()
    };
    let at = cursor(store).await;
    let to = block(at.height + 1);
    let moved = store.move_cursor("regtest", (&at, &to), next, &changes, NOW);
    moved.await.unwrap().unwrap()
}

/// The ids of a user's live claims.
pub(super) async fn live(store: &Store, person: &Profile) -> Vec<String> {
    let of = [person.id.clone()];
    let live = store.live_claims_of("regtest", &of).await.unwrap();
    live.into_iter().map(|claim| claim.id).collect()
}

pub(crate) fn undone(claims: &[String]) -> ClaimChanges {
    ClaimChanges {
        undone: claims.to_vec(),
        ..ClaimChanges::default()
    }
}

/// Their coins are in a block again, so the claims return.
pub(crate) fn back(claims: &[String]) -> ClaimChanges {
    let back = claims.iter().map(|claim| Funding {
        claim: claim.clone(),
        height: 9,
        block: "b9".to_owned(),
    });
    ClaimChanges {
        back: back.collect(),
        ..ClaimChanges::default()
    }
}

/// What the board counts for a user, by each query that reads it.
pub(super) async fn counted(store: &Store, person: &Profile) -> Vec<Option<i64>> {
    store.pass_on_changes().await.unwrap();
    let since = store.changes_since(0).await.unwrap();
    let Changes::Since(_, changes) = since else {
        panic!("{since:?}");
    };
    let changed = changes.into_iter().filter_map(|change| match change {
        Change::Shown(it) if it.id == person.id => Some(it.shown_sats),
        _ => None,
    });
    let shown = store.shown_profiles("", "g", 100).await.unwrap();
    let theirs = shown.into_iter();
    let theirs = theirs.filter(|it| it.id == person.id && it.published_sats.is_none());
    changed.chain(theirs.map(|it| it.shown_sats)).collect()
}

/// Verifies premium users again. Returns their ids.
pub(super) async fn reverify(store: &Store, now: i64) -> Vec<String> {
    let users = store.due_reverifications(now, 10).await.unwrap();
    let result = Reverified {
        users: &users,
        network: "regtest",
        at: &cursor(store).await,
        changes: &ClaimChanges::default(),
        expires_at: now + VALIDITY,
        again_at: now + 60,
        only_bound: false,
    };
    assert_eq!(store.reverify(result, now).await.unwrap(), Some(0));
    users
}

/// Ids of claims begin with the time, by the clock of the replica that wrote them.
async fn the_later_of_two_claims_wins_whatever_the_clocks(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let at = cursor(&store).await;
    proves(&store, &hal, Unbound, "t1", &[(1, 100)]).await;
    // The clock of the replica that recorded his is far ahead.
    execute(&store, "update claims set id = 'f' || substr(id, 2)").await;
    let change = async |changes: &ClaimChanges| {
        let changed = store.change_claims("regtest", &at, changes, NOW);
        changed.await.unwrap().unwrap()
    };
    let his = live(&store, &hal).await;
    assert_eq!(change(&undone(&his)).await, 1);
    proves(&store, &eve, Unbound, "t2", &[(1, 100)]).await;
    let hers = live(&store, &eve).await;
    assert!(hers < his);
    // His claim does not come back, neither while hers is live nor when both wait.
    assert_eq!(change(&back(&his)).await, 0);
    assert_eq!(change(&undone(&hers)).await, 1);
    assert_eq!(change(&back(&[his, hers].concat())).await, 1);
    assert_holdings(&store, [(&hal, None), (&eve, Some(100))]).await;
}
