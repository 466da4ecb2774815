//! Bitcoin Core's `tx_valid.json` and `tx_invalid.json`.

use std::collections::HashMap;

use bitcoin::Txid;
use verify::consensus;

use super::*;

const SOURCE: &str = "bitcoin/bitcoin src/test/data";

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
        let coins: HashMap<OutPoint, TxOut> = array(coins)
            .iter()
            .map(|coin| read_coin(array(coin)))
            .collect();
        let inputs = transaction.input.iter();
        let coins = inputs
            .map(|input| coins.get(&input.previous_output).cloned())
            .collect::<Option<_>>()?;
        Some(Self {
            transaction,
            coins,
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
}

fn read_coin(coin: &[Value]) -> (OutPoint, TxOut) {
    let txid: Txid = text(&coin[0]).parse().expect("a txid");
    let vout = coin[1].as_i64().expect("an index");
    let output = TxOut {
        value: Amount::from_sat(coin.get(3).and_then(Value::as_u64).unwrap_or_default()),
        script_pubkey: asm::parse(text(&coin[2])),
    };
    // A coinbase's outpoint has the index -1.
    (
        OutPoint::new(txid, u32::try_from(vout).unwrap_or(u32::MAX)),
        output,
    )
}

#[test]
fn valid_transactions_are_valid() {
    let Some(file) = vectors("core/tx_valid.json", SOURCE) else {
        return;
    };
    let (mut valid, mut proofs) = (0, 0);
    for vector in array(&file)
        .iter()
        .filter_map(|vector| Vector::read(array(vector)))
    {
        let (excluded, _) = flags::kinds(vector.flags);
        assert_eq!(vector.well_formed(), Ok(()), "{:?}", vector.transaction);
        let mut inputs = 0..vector.coins.len();
        let accepted = inputs.all(|it| flags::accepts(&vector.transaction, &vector.coins, it));
        assert!(accepted || excluded, "{:?}", vector.transaction);
        valid += 1;
        proofs +=
            usize::from(scripts::check(&vector.transaction, &vector.coins, &no_lock()).is_ok());
    }
    println!("{valid} valid transactions, of which {proofs} would be proofs");
    assert!(valid > 100, "{valid}");
}

#[test]
fn invalid_transactions_are_refused() {
    let Some(file) = vectors("core/tx_invalid.json", SOURCE) else {
        return;
    };
    let mut invalid = 0;
    for vector in array(&file)
        .iter()
        .filter_map(|vector| Vector::read(array(vector)))
    {
        let (_, policy) = flags::kinds(vector.flags);
        let whole = vector
            .well_formed()
            .and_then(|()| scripts::check(&vector.transaction, &vector.coins, &no_lock()));
        if vector.flags == "BADTX" {
            assert_eq!(vector.well_formed(), Err(Refusal::InvalidTransaction));
        } else if policy {
            continue;
        } else {
            let mut inputs = 0..vector.coins.len();
            let accepted = inputs.all(|it| flags::accepts(&vector.transaction, &vector.coins, it));
            assert!(!accepted, "{:?}", vector.transaction);
        }
        assert!(whole.is_err(), "{:?}", vector.transaction);
        invalid += 1;
    }
    println!("{invalid} invalid transactions");
    assert!(invalid > 60, "{invalid}");
}
