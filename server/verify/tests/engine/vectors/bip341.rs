//! BIP-0341's wallet vectors: one transaction whose inputs have every signature type.

use super::*;
use crate::layers::layers;

#[test]
fn each_layer_judges_each_input() {
    let file = "bips/bip-0341_wallet-test-vectors.json";
    let Some(file) = vectors(file, "bitcoin/bips bip-0341/wallet-test-vectors.json") else {
        return;
    };
    for vector in array(&file["keyPathSpending"]) {
        let signed = text(&vector["auxiliary"]["fullySignedTx"]);
        let transaction: Transaction = deserialize_hex(signed).expect("a transaction");
        let coins: Vec<TxOut> = array(&vector["given"]["utxosSpent"])
            .iter()
            .map(|coin| TxOut {
                value: Amount::from_sat(coin["amountSats"].as_u64().expect("an amount")),
                script_pubkey: ScriptBuf::from_hex(text(&coin["scriptPubKey"])).expect("hex"),
            })
            .collect();
        for input in 0..coins.len() {
            assert!(accepts(&transaction, &coins, input), "input {input}");
        }
        for spending in array(&vector["inputSpending"]) {
            let given = &spending["given"];
            let number = |name: &str| given[name].as_u64().expect("a number");
            let input = usize::try_from(number("txinIndex")).expect("few");
            let refused = ["foreign-sighash", "not-committed", "foreign-sighash"];
            let expected = match number("hashType") {
                0 | 1 => [None; 3],
                _ => refused.map(Some),
            };
            let [_, others @ ..] = layers(&transaction, &coins, input);
            assert_eq!(others, expected, "input {input}");
        }
        let refusal = scripts::check(scripts::processors(), &transaction, &coins, &no_lock());
        let refusal = refusal.expect_err("input 0 signs one output");
        let found = (refusal.code(), refusal.input());
        assert_eq!(found, ("foreign-sighash", Some(0)));
    }
}
