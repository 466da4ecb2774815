//! Coins that a script locks, and what spends them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::opcodes::all::{OP_CHECKSIGVERIFY, OP_CLTV};
use bitcoin::script::Builder;
use bitcoin::{Psbt, ScriptBuf, Transaction, TxIn};
use verify::{Refusal, Verified, read};

use Carrier::{Message, Still};

use crate::forge::{Coin, Container, Key, Lock, MESSAGE, Sighash, Single, coins, message, still};
use crate::support::node::Node;
use crate::verdict::verdict_of_candidate;

pub(super) const CONTAINERS: [Container; 4] = Container::WRAPPED;

/// A script with a lock and a key.
pub(super) struct Locked {
    pub(super) container: Container,
    pub(super) key: Key,
    pub(super) script: ScriptBuf,
}

impl Locked {
    /// `rest` follows the check of the key.
    pub(super) fn new(container: Container, rest: impl FnOnce(Builder) -> Builder) -> Self {
        Self::of(container, |key| rest(key.push_opcode(OP_CHECKSIGVERIFY)))
    }

    /// Locked until a height or a time.
    pub(super) fn until(container: Container, lock: u32) -> Self {
        Self::new(container, |script| {
            script.push_int(i64::from(lock)).push_opcode(OP_CLTV)
        })
    }

    /// The script is what `rest` makes of a push of the key.
    pub(super) fn of(container: Container, rest: impl FnOnce(Builder) -> Builder) -> Self {
        let key = Key::random();
        let script = rest(container.push_key(Builder::new(), &key)).into_script();
        Self {
            container,
            key,
            script,
        }
    }

    fn script_pubkey(&self) -> ScriptBuf {
        self.container.script_pubkey(&self.script)
    }

    /// Signs `input`; `rest` lies above the signature.
    fn sign(&self, transaction: &mut Transaction, coins: &[Coin], input: usize, rest: &[Vec<u8>]) {
        let sighash = Sighash {
            transaction,
            coins,
            input,
            byte: 0x01,
        };
        let (container, script) = (self.container, &self.script);
        let signature = container.signature(&sighash, script, &self.key);
        let elements = [&[signature], rest].concat();
        container.place(&mut transaction.input[input], &elements, script);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    Still,
    Message,
}

impl Carrier {
    /// The index of the locked input.
    pub(super) fn input(self) -> usize {
        match self {
            Still => 1,
            Message => 2,
        }
    }
}

/// Locked coins, each of which is spent beside an honest one.
pub(super) struct Coins<'n> {
    node: &'n Node,
    owner: Single,
    honest: Coin,
    pub(super) locked: Vec<(Locked, Coin)>,
}

impl<'n> Coins<'n> {
    pub(super) async fn new(node: &'n Node, locked: impl IntoIterator<Item = Locked>) -> Self {
        let owner = Single::new(Lock::Wpkh);
        let locked: Vec<Locked> = locked.into_iter().collect();
        let mut scripts = vec![owner.script_pubkey()];
        scripts.extend(locked.iter().map(Locked::script_pubkey));
        let mut coins = coins(node, &scripts).await;
        let honest = coins.remove(0);
        Self {
            node,
            owner,
            honest,
            locked: locked.into_iter().zip(coins).collect(),
        }
    }

    /// What becomes of one of the coins after a change to the transaction and its input. `rest` lies above the
    /// signature.
    pub(super) async fn verdict(
        &self,
        carrier: Carrier,
        index: usize,
        rest: &[Vec<u8>],
        change: impl FnOnce(&mut Transaction, usize),
    ) -> Result<Verified, Refusal> {
        let (locked, coin) = &self.locked[index];
        let coins = [self.honest.clone(), coin.clone()];
        let (mut transaction, coins) = match carrier {
            Still => (still(&coins), coins.to_vec()),
            Message => message(self.owner.script_pubkey(), &coins),
        };
        change(&mut transaction, carrier.input());
        for input in 0..carrier.input() {
            self.owner.sign(&mut transaction, &coins, input, 0x01);
        }
        locked.sign(&mut transaction, &coins, carrier.input(), rest);
        match carrier {
            Still => {
                let candidate = read(&hex(&transaction), Vec::new())?;
                verdict_of_candidate(self.node, candidate).await
            }
            Message => verdict_of_message(self.node, &transaction, &coins).await,
        }
    }

    /// The same under a lock time.
    pub(super) async fn with_lock_time(
        &self,
        carrier: Carrier,
        index: usize,
        lock_time: u32,
    ) -> Result<Verified, Refusal> {
        let change = |transaction: &mut Transaction, _| {
            transaction.lock_time = LockTime::from_consensus(lock_time);
        };
        self.verdict(carrier, index, &[], change).await
    }
}

pub(super) fn hex(transaction: &Transaction) -> String {
    bitcoin::consensus::encode::serialize_hex(transaction)
}

/// As the server goes it: a message is recognised before anything is looked up.
async fn verdict_of_message(
    node: &Node,
    transaction: &Transaction,
    coins: &[Coin],
) -> Result<Verified, Refusal> {
    let candidate = read(
        &STANDARD.encode(message_file(transaction, coins)),
        Vec::new(),
    )?;
    assert!(candidate.kind.message().is_some_and(|it| it.signs(MESSAGE)));
    verdict_of_candidate(node, candidate).await
}

/// The PSBT that carries a message, finalised.
fn message_file(transaction: &Transaction, coins: &[Coin]) -> Vec<u8> {
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        *input = TxIn {
            previous_output: input.previous_output,
            sequence: input.sequence,
            ..TxIn::default()
        };
    }
    let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        let (script_sig, witness) = (input.script_sig.clone(), input.witness.clone());
        fields.final_script_sig = (!script_sig.is_empty()).then_some(script_sig);
        fields.final_script_witness = (!witness.is_empty()).then_some(witness);
    }
    psbt.inputs[0].witness_utxo = Some(coins[0].output.clone());
    psbt.serialize()
}
