//! BIP-0341's wallet vectors: one transaction whose inputs have every signature type.

use verify::commitment::Alterations;
use verify::policy;

use super::*;

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
        let engine = Spend::new(&transaction, &coins).expect("it can be asked");
        for input in 0..coins.len() {
            assert_eq!(engine.accepts(input), Ok(true), "input {input}");
        }
        let oracle = Alterations::new(&transaction, &coins).expect("it can be asked");
        for spending in array(&vector["inputSpending"]) {
            let given = &spending["given"];
            let number = |name: &str| given[name].as_u64().expect("a number");
            let input = usize::try_from(number("txinIndex")).expect("few");
            let commits_to_all = [0, 1].contains(&number("hashType"));
            let script = &coins[input].script_pubkey;
            let types = policy::signature_types(input, &transaction.input[input], script);
            let signers = policy::conditions(input, &transaction, script, &no_lock());
            if commits_to_all {
                assert_eq!((types, signers), (Ok(()), Ok(())), "input {input}");
                assert_eq!(oracle.check(input), Ok(()), "input {input}");
            } else {
                let code = |verdict: Result<(), Refusal>| verdict.map_err(|refusal| refusal.code());
                assert_eq!(code(types), Err("foreign-sighash"), "input {input}");
                assert_eq!(code(signers), Err("foreign-sighash"), "input {input}");
                assert_eq!(oracle.check(input), Err(Refusal::NotCommitted { input }));
            }
        }
        let refusal =
            scripts::check(&transaction, &coins, &no_lock()).expect_err("input 0 signs one output");
        assert_eq!(
            (refusal.code(), refusal.input()),
            ("foreign-sighash", Some(0))
        );
    }
}
