//! The rules that a vector is about.

use bitcoinkernel::{
    ScriptVerificationFlags, VERIFY_CHECKLOCKTIMEVERIFY, VERIFY_CHECKSEQUENCEVERIFY, VERIFY_DERSIG,
    VERIFY_NONE, VERIFY_NULLDUMMY, VERIFY_P2SH, VERIFY_TAPROOT, VERIFY_WITNESS,
};

/// The consensus rules among the names, and whether there are names of other rules, which nodes
/// use only for relaying.
pub(super) fn parse(names: &str) -> (ScriptVerificationFlags, bool) {
    let (mut flags, mut policy) = (VERIFY_NONE, false);
    for name in names.split(',').filter(|name| !["", "NONE"].contains(name)) {
        flags |= match name {
            "P2SH" => VERIFY_P2SH,
            "DERSIG" => VERIFY_DERSIG,
            "NULLDUMMY" => VERIFY_NULLDUMMY,
            "CHECKLOCKTIMEVERIFY" => VERIFY_CHECKLOCKTIMEVERIFY,
            "CHECKSEQUENCEVERIFY" => VERIFY_CHECKSEQUENCEVERIFY,
            "WITNESS" => VERIFY_WITNESS,
            "TAPROOT" => VERIFY_TAPROOT,
            _ => {
                policy = true;
                VERIFY_NONE
            }
        };
    }
    (flags, policy)
}

/// Whether the engine accepts the input under exactly these rules.
pub(super) fn accepts(
    transaction: &bitcoin::Transaction,
    coins: &[bitcoin::TxOut],
    input: usize,
    flags: ScriptVerificationFlags,
) -> bool {
    use bitcoinkernel::prelude::*;
    use bitcoinkernel::{PrecomputedTransactionData, ScriptPubkey, Transaction, TxOut, verify};

    let transaction = bitcoin::consensus::encode::serialize(transaction);
    let transaction = Transaction::new(&transaction).expect("a transaction");
    let coins: Vec<TxOut> = coins
        .iter()
        .map(|coin| {
            let script = ScriptPubkey::new(coin.script_pubkey.as_bytes()).expect("a script");
            TxOut::new(&script, coin.value.to_sat().cast_signed())
        })
        .collect();
    let precomputed = PrecomputedTransactionData::new(&transaction, &coins).expect("as many");
    let coin = &coins[input];
    let (script, value) = (coin.script_pubkey(), Some(coin.value()));
    verify(
        &script,
        value,
        &transaction,
        input,
        Some(flags),
        &precomputed,
    )
    .is_ok()
}
