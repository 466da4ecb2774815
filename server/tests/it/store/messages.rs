//! A message that binds a proof works once (rules C3 and C5).

use server::store::binding::Binding;
use server::store::nonces::MessageNonce;

use server::store::claims::Recorded;

use super::*;

on_both!(
    a_message_works_once,
    a_used_message_belongs_to_its_proof,
    unused_messages_give_way,
);

async fn nonce(store: &Store, user: &Profile, nonce: &str, created_at: i64) {
    let nonce = MessageNonce {
        nonce: nonce.to_owned(),
        user_id: user.id.clone(),
        created_at,
        expires_at: created_at + 100,
    };
    store.add_message_nonce(&nonce).await.unwrap();
}

fn by_message(user: &Profile, transaction: &str, nonce: &str, number: u32) -> NewProof {
    NewProof {
        binding: Binding::Message,
        nonce: Some(nonce.to_owned()),
        ..proof(user, transaction, NOW, &[coin(number, 10)])
    }
}

async fn a_message_works_once(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    nonce(&store, &hal, "n1", NOW).await;
    nonce(&store, &hal, "late", NOW - 100).await;
    // Not for somebody else, not after its time, and not when it never was.
    let others = by_message(&eve, "t1", "n1", 1);
    let late = by_message(&hal, "t2", "late", 2);
    let unknown = by_message(&hal, "t3", "unknown", 3);
    for file in [others, late, unknown] {
        assert_eq!(record(&store, &file).await, Recorded::MessageSpent);
    }
    // Of several files with one message, one is recorded.
    let files: Vec<_> = (0..10)
        .map(|number| by_message(&hal, &format!("m{number}"), "n1", number))
        .collect();
    let attempts = files.iter().map(|file| store.record(file));
    let outcomes = futures_util::future::join_all(attempts).await;
    let count = |wanted| {
        outcomes
            .iter()
            .filter(|outcome| *outcome.as_ref().unwrap() == wanted)
            .count()
    };
    assert_eq!(
        count(Recorded::Verified { total_sats: 10 }),
        1,
        "{outcomes:?}"
    );
    assert_eq!(count(Recorded::MessageSpent), 9, "{outcomes:?}");
    assert_eq!(holdings(&store, &hal).await, Some(10));
}

async fn a_used_message_belongs_to_its_proof(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    nonce(&store, &hal, "n1", NOW).await;
    let file = by_message(&hal, "t1", "n1", 1);
    record(&store, &file).await;
    let again = record(&store, &file).await;
    assert!(
        matches!(
            again,
            Recorded::AlreadyVerified {
                binding: Binding::Message,
                ..
            }
        ),
        "{again:?}"
    );
    // Remembered long after its time, until the proof has ended.
    nonce(&store, &hal, "n2", NOW + VALIDITY - 1).await;
    assert_eq!(store.message_nonces(&hal.id).await.unwrap(), ["n2", "n1"]);
    store.expire_due(NOW + VALIDITY).await.unwrap();
    nonce(&store, &hal, "n3", NOW + VALIDITY).await;
    assert_eq!(store.message_nonces(&hal.id).await.unwrap(), ["n3", "n2"]);
}

async fn unused_messages_give_way(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    nonce(&store, &eve, "eve", NOW).await;
    for number in 0..60 {
        nonce(&store, &hal, &format!("n{number}"), NOW + number).await;
    }
    let kept = store.message_nonces(&hal.id).await.unwrap();
    assert_eq!(
        (kept.len(), kept[0].as_str(), kept[49].as_str()),
        (50, "n59", "n10")
    );
    assert_eq!(store.message_nonces(&eve.id).await.unwrap(), ["eve"]);
    // A week after its time, nobody asks for it any more.
    nonce(&store, &hal, "last", NOW + 59 + 100 + 7 * 24 * 60 * 60).await;
    assert_eq!(store.message_nonces(&hal.id).await.unwrap(), ["last"]);
}
