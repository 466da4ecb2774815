//! Bitcoin Core's `tx_valid.json` and `tx_invalid.json`.

use std::collections::HashMap;

use bitcoin::Txid;
use verify::consensus;

use super::*;

struct Vector<'a> {
    transaction: Transaction,
    coins: Vec<TxOut>,
    flags: &'a str,
}

impl<'a> Vector<'a> {
    /// `[[[txid, index, scriptPubKey, amount?]…], transaction, flags]`; comments are shorter.
    fn read(vector: &'a [Value]) -> Option<Self> {
        let [coins, transaction, flags] = vector else {
            return None;
        };
        // Some are not transactions: the parser refuses them.
        let transaction: Transaction = deserialize_hex(text(transaction)).ok()?;
        let coins = array(coins).iter().map(|coin| read_coin(array(coin)));
        let coins: HashMap<OutPoint, TxOut> = coins.collect();
        let inputs = transaction.input.iter();
        let coins = inputs.map(|input| coins.get(&input.previous_output).cloned());
        Some(Self {
            coins: coins.collect::<Option<_>>()?,
            transaction,
            flags: text(flags),
        })
    }

    fn well_formed(&self) -> Result<(), Refusal> {
        // Their coins have no amounts, so only the structure is checked.
        let plenty = TxOut {
            value: Amount::MAX_MONEY,
            ..TxOut::NULL
        };
        consensus::structure(&self.transaction, &[plenty])
    }

    fn accepted(&self) -> bool {
        let mut inputs = 0..self.coins.len();
        inputs.all(|input| accepts(&self.transaction, &self.coins, input))
    }

    fn proves(&self) -> Result<(), Refusal> {
        scripts::check(
            scripts::processors(),
            &self.transaction,
            &self.coins,
            &no_lock(),
        )
    }
}

fn read_coin(coin: &[Value]) -> (OutPoint, TxOut) {
    let txid: Txid = text(&coin[0]).parse().expect("a txid");
    let vout = coin[1].as_i64().expect("an index");
    let output = TxOut {
        value: Amount::from_sat(coin.get(3).and_then(Value::as_u64).unwrap_or_default()),
        script_pubkey: asm::parse(text(&coin[2])),
    };
    // A coinbase's outpoint has the index -1.
    let vout = u32::try_from(vout).unwrap_or(u32::MAX);
    (OutPoint::new(txid, vout), output)
}

/// The rules of consensus among the names; nodes use all others only for relaying.
const CONSENSUS: &str =
    "P2SH DERSIG NULLDUMMY CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY WITNESS TAPROOT";

/// Whether there is a rule of consensus among the names, and whether there is another one.
fn kinds(names: &str) -> (bool, bool) {
    let mut names = names.split(',').filter(|name| !["", "NONE"].contains(name));
    let consensus = |name: &str| CONSENSUS.split(' ').any(|it| it == name);
    (names.clone().any(consensus), !names.all(consensus))
}

/// Runs each vector of a file; whether the file exists.
fn each(file: &str, mut check: impl FnMut(&Vector<'_>)) -> bool {
    let Some(file) = vectors(file, "bitcoin/bitcoin src/test/data") else {
        return false;
    };
    let vectors = array(&file).iter().map(array).filter_map(Vector::read);
    vectors.for_each(|vector| check(&vector));
    true
}

#[test]
fn valid_transactions_are_valid() {
    let (mut valid, mut proofs) = (0, 0);
    let found = each("core/tx_valid.json", |vector| {
        let (excluded, _) = kinds(vector.flags);
        assert_eq!(vector.well_formed(), Ok(()), "{:?}", vector.transaction);
        assert!(vector.accepted() || excluded, "{:?}", vector.transaction);
        valid += 1;
        proofs += usize::from(vector.proves().is_ok());
    });
    println!("{valid} valid transactions, of which {proofs} would be proofs");
    assert!(!found || valid > 100, "{valid}");
}

#[test]
fn invalid_transactions_are_refused() {
    let mut invalid = 0;
    let found = each("core/tx_invalid.json", |vector| {
        let (_, policy) = kinds(vector.flags);
        if vector.flags == "BADTX" {
            assert_eq!(vector.well_formed(), Err(Refusal::InvalidTransaction));
        } else if policy {
            return;
        } else {
            assert!(!vector.accepted(), "{:?}", vector.transaction);
        }
        let whole = vector.well_formed().and_then(|()| vector.proves());
        assert!(whole.is_err(), "{:?}", vector.transaction);
        invalid += 1;
    });
    println!("{invalid} invalid transactions");
    assert!(!found || invalid > 60, "{invalid}");
}
