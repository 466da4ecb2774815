//! The development chain and the samples that it is made for.

use std::collections::HashSet;

use api::development::{MOCK_AMOUNT, MOCK_FILE_NAME, Sample, fund_account, samples};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::hashes::Hash;
use bitcoin::{Amount, BlockHash, Network, OutPoint, Psbt, Txid};
use chain::sources::development::DevelopmentChain;
use chain::{ChainError, ChainSource, Coin, Snapshot};
use psbt_wasm::Carrier;
use verify::binding::{self, NotBound};
use verify::bip322::message_key;
use verify::{Refusal, Verified, read, verify};

mod wallet;

const ACCOUNT: &str = "0193a6f0-0000-7000-8000-000000000001";
const STATEMENT: &str = "Proof of Reserves b.example mock:hal abcdefghijklmnopqrst";

fn sample(samples: &[Sample], id: &str) -> Psbt {
    let sample = samples
        .iter()
        .find(|sample| sample.id == id)
        .expect("a sample");
    let binary = STANDARD
        .decode(&sample.psbt)
        .unwrap_or_else(|_| sample.psbt.clone());
    Psbt::deserialize(&binary).expect("a PSBT")
}

/// The coins of a sample; the first input of a signed message spends none.
fn outpoints(psbt: &Psbt) -> Vec<OutPoint> {
    let message = psbt.unknown.contains_key(&message_key());
    let inputs = psbt.unsigned_tx.input.iter().skip(usize::from(message));
    inputs.map(|input| input.previous_output).collect()
}

/// What the server makes of a sample for the account with the statement.
async fn verdict(chain: &DevelopmentChain, psbt: &Psbt) -> Result<Verified, Refusal> {
    let candidate = read(&STANDARD.encode(psbt.serialize()), Vec::new())?;
    let coins = chain.coins(&candidate.outpoints()).await;
    let snapshot = Snapshot {
        tip: chain.tip().await.expect("a tip"),
        coins: coins.expect("an answer"),
        median_times: Default::default(),
    };
    verify(candidate, &snapshot, 6)
}

async fn values(chain: &DevelopmentChain, psbt: &Psbt) -> Vec<Amount> {
    let coins = chain.coins(&outpoints(psbt)).await.expect("an answer");
    coins
        .into_iter()
        .map(|coin| match coin {
            Coin::Unspent(coin) => coin.output.value,
            coin => panic!("{coin:?}"),
        })
        .collect()
}

#[tokio::test]
async fn the_chain_stands_still() {
    let chain = DevelopmentChain::new();
    let genesis = bitcoin::constants::genesis_block(Network::Regtest).block_hash();
    assert_eq!(chain.block_hash_at(0).await, Ok(Some(genesis)));
    let tip = chain.tip().await.expect("a tip");
    assert_eq!(tip.height, 1_000);
    assert_eq!(DevelopmentChain::new().tip().await, Ok(tip));
    let spends = chain.spent_in_block(tip.hash).await.expect("an answer");
    let spends = spends.expect("it has blocks");
    assert_eq!(spends.outpoints, []);
    let before = chain.block_hash_at(tip.height - 1).await;
    assert_eq!(before, Ok(Some(spends.previous)));
    let unknown = chain.spent_in_block(BlockHash::hash(b"unknown")).await;
    assert!(matches!(unknown, Err(ChainError::Unreachable { .. })));
}

#[tokio::test]
async fn only_funded_outputs_are_coins() {
    let chain = DevelopmentChain::new();
    let samples = samples(&chain, ACCOUNT, None);
    let psbt = sample(&samples, "legacy-wallet");
    let funding = psbt.inputs[0]
        .non_witness_utxo
        .clone()
        .expect("the previous transaction");
    let txid = funding.compute_txid();
    let asked = [0, 1, 2].map(|vout| OutPoint::new(txid, vout));
    let coins = chain.coins(&asked).await.expect("an answer");
    let Coin::Unspent(first) = &coins[0] else {
        panic!("{coins:?}");
    };
    assert_eq!(first.output, funding.output[0]);
    assert!(first.confirmations(&chain.tip().await.expect("a tip")) >= 100);
    assert_eq!(first.block.is_some(), first.height.is_some());
    assert!(!first.coinbase);
    assert_eq!(coins[2], Coin::Missing);
    let nowhere = OutPoint::new(Txid::hash(b"nowhere"), 0);
    assert_eq!(chain.coins(&[nowhere]).await, Ok(vec![Coin::Missing]));
}

#[test]
fn the_same_account_gets_the_same_files() {
    let first = samples(&DevelopmentChain::new(), ACCOUNT, Some(STATEMENT));
    assert_eq!(
        first,
        samples(&DevelopmentChain::new(), ACCOUNT, Some(STATEMENT))
    );
    let ids: Vec<_> = first.iter().map(|sample| sample.id).collect();
    let expected = [
        "self-transfer",
        "cold-storage-multisig",
        "legacy-wallet",
        "shared-wallet",
        "unbound",
    ];
    assert_eq!(ids[..5], expected);
    assert_eq!(ids[5..], ["unsigned", "mock-proof"]);
}

#[test]
fn shared_coins_are_the_same_for_everybody() {
    let coins = [ACCOUNT, "0193a6f0-0000-7000-8000-000000000002"].map(|account| {
        let samples = samples(&DevelopmentChain::new(), account, None);
        outpoints(&sample(&samples, "shared-wallet"))
    });
    assert_eq!(coins[0], coins[1]);
}

#[test]
fn no_two_accounts_share_a_coin() {
    let mut seen = HashSet::new();
    for account in [ACCOUNT, "0193a6f0-0000-7000-8000-000000000002"] {
        let samples = samples(&DevelopmentChain::new(), account, None);
        for sample_of in [
            "self-transfer",
            "cold-storage-multisig",
            "legacy-wallet",
            "unbound",
            "mock-proof",
        ] {
            for outpoint in outpoints(&sample(&samples, sample_of)) {
                assert!(seen.insert(outpoint), "{sample_of}");
            }
        }
    }
}

#[tokio::test]
async fn coins_come_back_after_a_restart() {
    let before = samples(&DevelopmentChain::new(), ACCOUNT, Some(STATEMENT));
    let restarted = DevelopmentChain::new();
    fund_account(&restarted, ACCOUNT);
    for sample_of in before.iter().map(|sample| sample.id) {
        values(&restarted, &sample(&before, sample_of)).await;
    }
}

#[tokio::test]
async fn samples_have_their_amounts() {
    let chain = DevelopmentChain::new();
    let samples = samples(&chain, ACCOUNT, Some(STATEMENT));
    for (id, sats) in [
        ("self-transfer", 225_000_000),
        ("cold-storage-multisig", 1_250_000_000),
        ("legacy-wallet", 100_000_000),
        ("shared-wallet", 20_000_000),
        ("unbound", 50_000_000),
        ("unsigned", 225_000_000),
        ("mock-proof", 125_000_000),
    ] {
        let total: Amount = values(&chain, &sample(&samples, id))
            .await
            .into_iter()
            .sum();
        assert_eq!(total, Amount::from_sat(sats), "{id}");
    }
    let mock = samples
        .iter()
        .find(|sample| sample.file_name == MOCK_FILE_NAME);
    assert_eq!(mock.map(|sample| sample.id), Some("mock-proof"));
    assert_eq!(MOCK_AMOUNT, Amount::from_btc(1.25).expect("an amount"));
}

#[test]
fn samples_are_really_signed() {
    let samples = samples(&DevelopmentChain::new(), ACCOUNT, Some(STATEMENT));
    for (id, partial, finals) in [
        ("self-transfer", 0, 2),
        ("cold-storage-multisig", 4, 0),
        // The message is signed for as well.
        ("legacy-wallet", 0, 3),
        ("shared-wallet", 0, 1),
        ("unbound", 0, 1),
        ("unsigned", 0, 0),
        ("mock-proof", 0, 1),
    ] {
        let psbt = sample(&samples, id);
        let partial_of = |input: &bitcoin::psbt::Input| {
            input.partial_sigs.len() + usize::from(input.tap_key_sig.is_some())
        };
        let is_final = |input: &&bitcoin::psbt::Input| {
            input.final_script_sig.is_some() || input.final_script_witness.is_some()
        };
        assert_eq!(
            psbt.inputs.iter().map(partial_of).sum::<usize>(),
            partial,
            "{id}"
        );
        assert_eq!(psbt.inputs.iter().filter(is_final).count(), finals, "{id}");
    }
    assert_eq!(sample(&samples, "cold-storage-multisig").xpub.len(), 3);
    let legacy = samples
        .iter()
        .find(|sample| sample.id == "legacy-wallet")
        .expect("a sample");
    assert!(legacy.psbt.starts_with(b"cHNidP"));
}

/// The same code as in production checks them; only the unsigned one is refused.
#[tokio::test]
async fn signed_samples_are_proofs() {
    let chain = DevelopmentChain::new();
    for statement in [None, Some(STATEMENT)] {
        let samples = samples(&chain, ACCOUNT, statement);
        for id in samples.iter().map(|sample| sample.id) {
            let verdict = verdict(&chain, &sample(&samples, id)).await;
            match id {
                "unsigned" => assert!(matches!(verdict, Err(Refusal::NotSigned { input: 0 }))),
                _ => assert!(verdict.is_ok(), "{id}: {verdict:?}"),
            }
        }
    }
}

/// D4: the statement, in either carrier.
#[tokio::test]
async fn the_statement_binds() {
    let chain = DevelopmentChain::new();
    let lines = [
        STATEMENT,
        "Proof of Reserves b.example mock:hal tsrqponmlkjihgfedcba",
    ];
    let without = samples(&chain, ACCOUNT, None);
    let with = samples(&chain, ACCOUNT, Some(STATEMENT));
    for (id, bound) in [
        ("self-transfer", Ok(Carrier::Transaction)),
        ("cold-storage-multisig", Ok(Carrier::Transaction)),
        ("legacy-wallet", Ok(Carrier::Message)),
        ("shared-wallet", Ok(Carrier::Transaction)),
        ("unbound", Err(NotBound::NoStatement)),
        ("mock-proof", Ok(Carrier::Transaction)),
    ] {
        let verified = verdict(&chain, &sample(&with, id)).await.expect(id);
        assert_eq!(binding::of(&verified, &lines), bound, "{id}");
        let verified = verdict(&chain, &sample(&without, id)).await.expect(id);
        let nothing = binding::of(&verified, &lines);
        assert_eq!(nothing, Err(NotBound::NoStatement), "{id}");
        assert_eq!(verified.final_at_next_block(), Ok(()), "{id}");
    }
}
