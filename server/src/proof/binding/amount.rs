//! Binding by amount: one output is exactly the account's challenge amount.

use std::collections::HashSet;

use bitcoin::{Amount, Denomination, ScriptBuf, TxOut};

use crate::proof::challenge::Challenge;

/// What keeps a transaction from being bound by amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No output has the amount.
    Amount,
    /// The output with the amount pays a script that no input spends.
    OwnScript {
        /// The output, from 0.
        output: usize,
    },
    /// The inputs spend several scripts, and an output pays a script that is none of them.
    OwnOutputs {
        /// The output, from 0.
        output: usize,
    },
}

impl Missing {
    /// The stable kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Amount => "amount",
            Self::OwnScript { .. } => "own-script",
            Self::OwnOutputs { .. } => "own-outputs",
        }
    }

    /// The output that is to blame, from 0.
    #[must_use]
    pub fn output(self) -> Option<usize> {
        match self {
            Self::Amount => None,
            Self::OwnScript { output } | Self::OwnOutputs { output } => Some(output),
        }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Amount => f.write_str("no output has that amount"),
            Self::OwnScript { output } => write!(
                f,
                "output {} has that amount, but it pays an address that the file does not spend from",
                output + 1
            ),
            Self::OwnOutputs { output } => write!(
                f,
                "output {} pays an address that the file does not spend from",
                output + 1
            ),
        }
    }
}

/// Why a file is not bound, and how to bind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "This file does not say that it is yours: {missing}. In your wallet, send exactly {} BTC ({} sats) \
     to one of the addresses that you spend from, and the rest (Max) back to one of them. Sign it, do \
     not broadcast it, and upload it here.",
    btc(*.amount), .amount.to_sat()
)]
pub struct NotBound {
    /// What the file lacks.
    pub missing: Missing,
    /// The account's challenge amount.
    pub amount: Amount,
}

fn btc(amount: Amount) -> String {
    format!("{:.8}", amount.display_in(Denomination::Bitcoin))
}

/// Whether `outputs` bind a transaction whose inputs spend `scripts` (decisions, D4; rule C2).
///
/// The amount alone would let the other party of a payjoin or coinjoin make *his* output the
/// amount, so it has to come back to a script that is spent; and with inputs of several scripts,
/// which may be several people's, nothing may leave them. An `OP_RETURN` without value is no
/// payment to anybody. One with a value is: it is burnt, and nobody does that to his own coins.
///
/// # Errors
/// The first demand that is not met.
pub fn check<'a>(
    outputs: &[TxOut],
    scripts: impl Iterator<Item = &'a ScriptBuf>,
    challenge: &Challenge,
) -> Result<(), Missing> {
    let scripts: HashSet<&ScriptBuf> = scripts.collect();
    let comes_back = |output: &TxOut| scripts.contains(&output.script_pubkey);
    let with_amount = || {
        let numbered = outputs.iter().enumerate();
        numbered.filter(|(_, output)| challenge.accepts(output.value))
    };
    let (output, _) = with_amount().next().ok_or(Missing::Amount)?;
    if !with_amount().any(|(_, output)| comes_back(output)) {
        return Err(Missing::OwnScript { output });
    }
    let pays_nobody =
        |output: &TxOut| output.value == Amount::ZERO && output.script_pubkey.is_op_return();
    let leaves = outputs
        .iter()
        .position(|output| !comes_back(output) && !pays_nobody(output));
    match leaves {
        Some(output) if scripts.len() > 1 => Err(Missing::OwnOutputs { output }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMOUNT: u64 = 54_321;
    const PREVIOUS: u64 = 12_345;

    fn script(number: u8) -> ScriptBuf {
        ScriptBuf::from(vec![0x51, number])
    }

    fn op_return() -> ScriptBuf {
        ScriptBuf::from(vec![0x6a, 0x01, 0xff])
    }

    fn checked(inputs: &[u8], outputs: &[(u64, ScriptBuf)]) -> Result<(), Missing> {
        let challenge = Challenge {
            amount: Amount::from_sat(AMOUNT),
            previous: Some(Amount::from_sat(PREVIOUS)),
            changes_at: 0,
        };
        let inputs: Vec<_> = inputs.iter().map(|number| script(*number)).collect();
        let outputs: Vec<_> = outputs
            .iter()
            .map(|(sats, script_pubkey)| TxOut {
                value: Amount::from_sat(*sats),
                script_pubkey: script_pubkey.clone(),
            })
            .collect();
        check(&outputs, inputs.iter(), &challenge)
    }

    #[test]
    fn the_amount_comes_back_to_a_script_that_is_spent() {
        assert_eq!(checked(&[1], &[(AMOUNT, script(1))]), Ok(()));
        assert_eq!(
            checked(&[1, 2], &[(AMOUNT, script(2)), (9, script(1))]),
            Ok(())
        );
        assert_eq!(
            checked(&[1], &[(PREVIOUS, script(1)), (9, script(1))]),
            Ok(())
        );
        assert_eq!(
            checked(&[1], &[(AMOUNT + 1, script(1))]),
            Err(Missing::Amount)
        );
        assert_eq!(
            checked(&[1], &[(9, script(1)), (AMOUNT, script(7))]),
            Err(Missing::OwnScript { output: 1 })
        );
        // One of two outputs with the amount is enough.
        assert_eq!(
            checked(&[1], &[(AMOUNT, script(7)), (AMOUNT, script(1))]),
            Ok(())
        );
    }

    #[test]
    fn coins_of_one_script_may_pay_somebody_else() {
        let outputs = [(AMOUNT, script(1)), (500_000, script(7))];
        assert_eq!(checked(&[1, 1], &outputs), Ok(()));
        assert_eq!(
            checked(&[1, 2], &outputs),
            Err(Missing::OwnOutputs { output: 1 })
        );
    }

    #[test]
    fn an_op_return_without_value_pays_nobody() {
        let own = (AMOUNT, script(1));
        assert_eq!(checked(&[1, 2], &[own.clone(), (0, op_return())]), Ok(()));
        assert_eq!(
            checked(&[1, 2], &[own, (1, op_return())]),
            Err(Missing::OwnOutputs { output: 1 })
        );
        assert_eq!(
            checked(&[1], &[(AMOUNT, op_return())]),
            Err(Missing::OwnScript { output: 0 })
        );
    }

    #[test]
    fn the_message_says_what_is_missing_and_what_to_send() {
        let refusal = NotBound {
            missing: Missing::OwnOutputs { output: 1 },
            amount: Amount::from_sat(54_320),
        };
        let sentence = refusal.to_string();
        assert!(sentence.contains("output 2 pays an address"), "{sentence}");
        assert!(
            sentence.contains("exactly 0.00054320 BTC (54320 sats)"),
            "{sentence}"
        );
    }
}
