//! Checks the coins that a file spends against the chain (rules A3, A11, B1, B2, B3).

use bitcoin::{Amount, TxOut};
use psbt_wasm::Content;

use super::{Candidate, Refusal};
use chain::{Coin, FoundCoins, Unspent};

/// Depth from which a coinbase output can be spent. The consensus rule looks at the block
/// that would spend it: depth 100 counted at the next block.
const COINBASE_MATURITY: u32 = 100;

/// The coins of a file, in the order of its inputs, if each of them could be spent now.
///
/// # Errors
/// For the first input whose coin is missing, spent, worth 0 sats, unconfirmed or immature, or about which the
/// file or the client states something else than the chain.
pub fn spendable(
    candidate: &Candidate,
    found: &FoundCoins,
    min_confirmations: u32,
) -> Result<Vec<Unspent>, Refusal> {
    let inputs = candidate.file.unsigned_transaction().input.len();
    let virtual_inputs = candidate.kind.virtual_inputs();
    if virtual_inputs + found.coins.len() != inputs {
        return Err(Refusal::Uncheckable);
    }
    let mut coins = Vec::with_capacity(inputs);
    if let Some(signed) = candidate.kind.message() {
        // The message's coin is virtual, and in no block.
        let coin = Unspent {
            output: signed.output(),
            height: None,
            block: None,
            coinbase: false,
        };
        if !hints_agree(candidate, 0, &coin.output) {
            return Err(Refusal::HintMismatch { input: 0 });
        }
        coins.push(coin);
    }
    for (input, coin) in (virtual_inputs..).zip(&found.coins) {
        let coin = match coin {
            Coin::Unspent(coin) => coin,
            Coin::Spent => return Err(Refusal::Spent { input }),
            Coin::SpentInMempool => return Err(Refusal::SpentInMempool { input }),
            Coin::Missing => return Err(Refusal::Missing { input }),
            Coin::SpentOrMissing => return Err(Refusal::SpentOrMissing { input }),
            // Callers handle unknown coins before they verify.
            Coin::Unknown => return Err(Refusal::Uncheckable),
        };
        if coin.output.value == Amount::ZERO {
            return Err(Refusal::ZeroValue { input });
        }
        let confirmations = coin.confirmations(&found.tip);
        if confirmations < min_confirmations {
            return Err(Refusal::Unconfirmed {
                input,
                confirmations,
                needed: min_confirmations,
            });
        }
        if coin.coinbase && confirmations < COINBASE_MATURITY {
            return Err(Refusal::Immature {
                input,
                confirmations,
            });
        }
        if !hints_agree(candidate, input, &coin.output) {
            return Err(Refusal::HintMismatch { input });
        }
        coins.push(coin.clone());
    }
    Ok(coins)
}

/// Rule A3: everything that the file and the client state about a coin must be true. The reader has compared the txid of a previous
/// transaction, so that cannot lie.
fn hints_agree(candidate: &Candidate, input: usize, output: &TxOut) -> bool {
    let stated = candidate.hints[input].as_ref().filter(|hint| hint.stated());
    if stated.is_some_and(|hint| {
        hint.value_sats != output.value.to_sat() || hint.script_pubkey != output.script_pubkey
    }) {
        return false;
    }
    let Content::Psbt(psbt) = &candidate.file.content else {
        return true;
    };
    let stated = psbt.inputs[input].witness_utxo.as_ref();
    stated.is_none_or(|stated| stated == output)
}
