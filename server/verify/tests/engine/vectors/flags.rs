//! The rules that a vector is about.

use super::*;

/// The rules of consensus among the names; nodes use all others only for relaying.
const CONSENSUS: &str =
    "P2SH DERSIG NULLDUMMY CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY WITNESS TAPROOT";

/// Whether there is a rule of consensus among the names, and whether there is another one.
pub(super) fn kinds(names: &str) -> (bool, bool) {
    let mut names = names.split(',').filter(|name| !["", "NONE"].contains(name));
    let consensus = |name: &str| CONSENSUS.split(' ').any(|it| it == name);
    (names.clone().any(consensus), !names.all(consensus))
}

/// Whether the engine accepts the input under all rules of consensus.
pub(super) fn accepts(
    transaction: &bitcoin::Transaction,
    coins: &[bitcoin::TxOut],
    input: usize,
) -> bool {
    let spend = Spend::new(transaction, coins).expect("it can be asked");
    spend.accepts(input).expect("a verdict")
}
