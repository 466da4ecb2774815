//! Verdicts over coins in memory: what is refused, by which rule, and that nothing honest is. Each forgery in the tables A and B is
//! refused only for its own reason.

use bitcoin::absolute::LockTime;
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::{Hash, hash160, sha256};
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_DROP, OP_DUP, OP_ENDIF, OP_EQUAL,
    OP_EQUALVERIFY, OP_HASH160, OP_IF, OP_NUMEQUAL, OP_PUSHNUM_1, OP_PUSHNUM_2, OP_SHA256, OP_SIZE,
};
use bitcoin::opcodes::{OP_0, OP_TRUE};
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxOut, Txid, Witness, ecdsa,
};
use chain::Unspent;
use serde_json::Value;
use verify::bip322::{Fault, message_key};
use verify::{Refusal, UtxoHint, Verified, read};

use crate::beside::refused_in;
use crate::forge::{
    Coin, Container, FOREIGN, Key, Leaf, Lock, MESSAGE, Sighash, Single, VALUE, assert_accepted,
    assert_refused, assert_verdict, finished, in_p2sh, in_p2wsh, message, outputs, p2sh, p2wsh,
    pay, script_of, signed, signed_by_each, spend, still, text, worth,
};
use crate::ledger::{Ledger, verdict_of};

#[allow(
    dead_code,
    unused_imports,
    reason = "the integration tests of the API use the rest"
)]
#[path = "../forge/mod.rs"]
mod forge;
mod ledger;

mod anyone_can_spend;
mod beside;
mod binding;
mod bip322;
mod chosen_keys;
mod coins;
mod hints;
mod layers;
mod limits;
mod locks;
mod messages;
mod multisig;
mod script_locks;
mod sighash;
mod signatures;
mod structure;
mod vectors;
