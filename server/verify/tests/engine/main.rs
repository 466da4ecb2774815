//! Verdicts over coins in memory: what is refused, by which rule, and that nothing honest is. Each forgery in the tables A and B is
//! refused only for its own reason.

use bitcoin::absolute::LockTime;
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::{Hash, hash160, sha256};
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY, OP_CLTV, OP_CSV, OP_DROP,
    OP_DUP, OP_ELSE, OP_ENDIF, OP_EQUAL, OP_EQUALVERIFY, OP_HASH160, OP_IF, OP_NOT, OP_NUMEQUAL,
    OP_SHA256, OP_SIZE, OP_SWAP, OP_VERIFY,
};
use bitcoin::opcodes::{OP_0, OP_TRUE};
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, Script, ScriptBuf, Sequence, Transaction, TxOut, Txid, Witness, ecdsa,
};
use chain::Unspent;
use serde_json::Value;
use verify::bip322::{Fault, message_key};
use verify::{Refusal, UtxoHint, Verified, read};

use crate::beside::{beside, refused, refused_in};
use crate::forge::{
    Coin, Container, FAR, FOREIGN, Key, Leaf, Lock, MESSAGE, Sighash, Single, VALUE, Verdict,
    as_version_2, assert_accepted, assert_refused, assert_verdict, coins, coins_of, finished,
    funding, in_p2sh, in_p2wsh, message, outputs, pay, push_all, script_of, signed, signed_by_each,
    spend, stated, still, text, worth,
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
mod public_reports;
mod script_locks;
mod sighash;
mod signatures;
mod structure;
mod vectors;
