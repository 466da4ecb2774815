//! Who holds a coin, as stories: conflicts, renewals, replays, takeovers, expiry (decisions, D3 and D4; rules of table C that the database
//! decides), and accounts whose rows cannot be written (decisions, D20).

use store::chain_cursor::Move;
use store::claims::Recorded::Replayed;

use super::aside::{back, block, counted, cursor, live};
use super::aside::{refuse, relent, reverify, spend, undone};
use super::*;

on_both!(claims_follow_the_stories);

/// Stories about users, each on an empty board. A line is a proof (who, binding, transaction, coins with their sats, result),
/// or one of these:
/// - `at` a time, in seconds since the beginning or since the `end` of the first proof;
/// - `holds` what a user can hold, `counted` what each query counts for them, `shown` what the rows of the board count;
/// - `proofs` and `live`, how many proofs and live claims a user has; `until`, when each proof ends, the newest first;
/// - `proof` one of them: its number from the newest, its status, why and when it has ended, sats taken over;
/// - `expire`: the number of proofs that expire now; `spend`: these coins in a block, and the number of claims that this ends;
/// - `remember` the live claims of users; then the number that a reorganization (`undo`) or a `sweep` undoes, and that `return`;
/// - `refuse` every change to rows of a user in a table, and `relent`; how many accounts are set `aside`; `settle` them;
/// - whether there is `nothing-due` to expire later, and how many sums of `published` proofs are kept;
/// - `premium` users, whom `reverify` verifies again; `delete` an account.
const STORIES: &str = include_str!("claims.txt");

async fn claims_follow_the_stories(database: TestDatabase) {
    for story in STORIES.split("\n\n") {
        let database = database.alike().await;
        let mut telling = Telling {
            store: database.store().await,
            users: HashMap::new(),
            remembered: Vec::new(),
            now: NOW,
        };
        for line in story.lines().filter(|line| !line.starts_with('#')) {
            println!("{line}");
            let words: Vec<&str> = line.split(' ').collect();
            telling.tell(&words).await;
        }
    }
}

struct Telling {
    store: Store,
    users: HashMap<String, Profile>,
    remembered: Vec<String>,
    now: i64,
}

impl Telling {
    async fn tell(&mut self, words: &[&str]) {
        let store = self.store.clone();
        match words {
            ["at", time] => self.now = moment(time),
            ["expire", ended] => said(store.expire_due(self.now).await.unwrap(), ended),
            ["spend", coins, ended] => said(spend(&store, &numbers(coins)).await, ended),
            ["aside", accounts] => said(store.set_aside().await.unwrap().cast_unsigned(), accounts),
            ["nothing-due"] => assert_eq!(store.next_expiry(self.now).await.unwrap(), None),
            ["published", sums] => {
                let sums_of = "update profiles set published_sats = published_sats where published_sats is not null returning id";
                said(texts(store.database(), sums_of).await.len() as u64, sums);
            }
            ["settle"] => store.settle_set_aside(self.now).await.unwrap(),
            ["relent"] => relent(&store).await,
            ["undo", ended] => said(self.undo().await, ended),
            ["sweep", ended] => said(self.sweep().await, ended),
            ["return", claims] => {
                let (at, back) = (cursor(&store).await, back(&self.remembered));
                let changed = store.change_claims("regtest", &at, &back, self.now);
                said(changed.await.unwrap().unwrap(), claims);
            }
            ["reverify", names] => {
                let verified = BTreeSet::from_iter(reverify(&store, self.now).await);
                let ids = self.people(names).await.into_iter().map(|it| it.id);
                assert_eq!(verified, ids.collect());
            }
            ["premium", names] => {
                for person in self.people(names).await {
                    set_tier(&store, &person.id, "premium").await;
                }
            }
            ["remember", names] => {
                for person in self.people(names).await {
                    self.remembered.extend(live(&store, &person).await);
                }
            }
            ["refuse", table, name] => {
                let person = self.person(name).await;
                refuse(&store, table, &person).await;
            }
            [verb, name, expected @ ..] if VERBS.split(' ').any(|it| it == *verb) => {
                let person = self.person(name).await;
                self.look(verb, &person, expected).await;
            }
            [name, binding, transaction, coins, expected @ ..] => {
                let person = self.person(name).await;
                let proof = self.proof(&person, binding, transaction, coins).await;
                let said = match record(&store, &proof).await {
                    Recorded::Verified { total_sats } => format!("verified {total_sats}"),
                    Recorded::Reverified { total_sats } => format!("reverified {total_sats}"),
                    Conflict => "conflict".to_owned(),
                    Replayed => "replayed".to_owned(),
                    other => panic!("{other:?}"),
                };
                assert_eq!(said, expected.join(" "));
            }
            words => panic!("{words:?}"),
        }
    }

    async fn look(&self, verb: &str, person: &Profile, expected: &[&str]) {
        let store = &self.store;
        let proofs = history(store, person).await;
        let sats = expected.first().and_then(|sats| sats.parse().ok());
        match verb {
            "holds" => assert_eq!(holdings(store, person).await, sats),
            "counted" => assert_eq!(counted(store, person).await, [sats; 2]),
            "shown" => assert_eq!(counted(store, person).await.last(), Some(&sats)),
            "proofs" => said(proofs.len() as u64, expected[0]),
            "live" => said(live(store, person).await.len() as u64, expected[0]),
            "delete" => assert!(store.delete_profile(&person.id, NOW).await.unwrap()),
            "until" => {
                let ends = proofs.iter().map(|proof| proof.expires_at.0 - VALIDITY);
                let expected = expected[0].split(',').map(moment);
                assert_eq!(ends.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            }
            _ => {
                let [index, status, reason, ended, taken] = expected else {
                    panic!("{expected:?}");
                };
                let proof = &proofs[index.parse::<usize>().unwrap()];
                assert_eq!(proof.status, *status);
                assert_eq!(proof.ended_reason.as_deref().unwrap_or("-"), *reason);
                let time = (*ended != "-").then(|| Time(moment(ended)));
                assert_eq!(proof.ended_at, time);
                assert_eq!(proof.taken_over_sats, taken.parse().ok());
            }
        }
    }

    async fn person(&mut self, name: &str) -> Profile {
        if let Some(known) = self.users.get(name) {
            return known.clone();
        }
        let person = user(&self.store, name).await;
        self.users.insert(name.to_owned(), person.clone());
        person
    }

    async fn people(&mut self, names: &str) -> Vec<Profile> {
        let mut people = Vec::new();
        for name in names.split(',') {
            people.push(self.person(name).await);
        }
        people
    }

    /// A proof at the newest block that was followed.
    async fn proof(&self, person: &Profile, binding: &str, name: &str, coins: &str) -> NewProof {
        let coins = coins.split(',').map(|it| {
            let (number, sats) = it.split_once(':').unwrap();
            coin(number.parse().unwrap(), sats.parse().unwrap())
        });
        NewProof {
            binding: match binding {
                "unbound" => Unbound,
                "message" => Binding::Message,
                _ => Binding::Transaction,
            },
            publication: (binding == "published").then(publication),
            tip: cursor(&self.store).await.hash,
            ..proof(person, name, self.now, &coins.collect::<Vec<_>>())
        }
    }

    /// A block leaves the chain, and with it the coins of the remembered claims.
    async fn undo(&self) -> u64 {
        let (at, undone) = (cursor(&self.store).await, undone(&self.remembered));
        let there = block(at.height - 1);
        let gone = Move::Back(std::slice::from_ref(&at));
        let (store, blocks) = (&self.store, (&at, &there));
        let moved = store.move_cursor("regtest", blocks, gone, &undone, self.now);
        moved.await.unwrap().unwrap()
    }

    /// All claims are looked up again.
    async fn sweep(&self) -> u64 {
        let (at, undone) = (cursor(&self.store).await, undone(&self.remembered));
        let part = ("", None);
        let swept = self.store.sweep("regtest", &at, part, &undone, self.now);
        swept.await.unwrap().unwrap()
    }
}

/// Verbs about one user.
const VERBS: &str = "holds counted shown proofs live delete until proof";

fn numbers(text: &str) -> Vec<u64> {
    text.split(',').map(|it| it.parse().unwrap()).collect()
}

#[track_caller]
fn said(count: u64, expected: &str) {
    assert_eq!(count.to_string(), expected);
}

fn moment(text: &str) -> i64 {
    let (begin, rest) = match text.strip_prefix("end") {
        Some(rest) => (NOW + VALIDITY, rest),
        None => (NOW, text),
    };
    begin + rest.parse().unwrap_or(0)
}
