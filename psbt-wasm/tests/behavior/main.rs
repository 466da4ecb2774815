//! What the crate does, seen from outside.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::bip32::{DerivationPath, Fingerprint, KeySource, Xpriv, Xpub};
use bitcoin::consensus::encode::{serialize, serialize_hex};
use bitcoin::hashes::{Hash, hash160, sha256, sha256d};
use bitcoin::hex::{DisplayHex, FromHex};
use bitcoin::key::{Keypair, TapTweak};
use bitcoin::opcodes::Opcode;
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKMULTISIGVERIFY, OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY,
    OP_CLTV, OP_CODESEPARATOR, OP_CSV, OP_DROP, OP_ELSE, OP_ENDIF, OP_IF, OP_NUMEQUAL, OP_RETURN,
    OP_VERIFY,
};
use bitcoin::psbt::raw::{Key, ProprietaryKey};
use bitcoin::psbt::{Input, Output, PsbtSighashType};
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::secp256k1::{Message, SecretKey};
use bitcoin::sighash::{EcdsaSighashType, Prevouts, SighashCache, TapSighashType};
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash, TaprootBuilder, TaprootSpendInfo};
use bitcoin::transaction::Version;
use bitcoin::{
    Address, Amount, OutPoint, Psbt, PublicKey, Script, ScriptBuf, Sequence, TapNodeHash,
    Transaction, TxIn, TxOut, Txid, Witness, XOnlyPublicKey, ecdsa, taproot,
};
use psbt_wasm::statement::{self, CoinNetwork, Person};
use psbt_wasm::{
    Carrier, Combined, Derivations, Encoding, Error, Fault, Form, FurtherFault, FurtherSignature,
    InputSignatures, Keys, LineEndings, MAX_CHECKS, MAX_FILE_BYTES, MadeProof, MakeError,
    MakeOptions, Malformed, Map, MessageCheck, MessageFormat, MessageReason, MessageStatus,
    Network, NoteCode, ProofCheck, ProofFault, PublishedCoin, PublishedProof, Reason, Report,
    SignatureReport, SignatureStatus, SpendingConditions, Warning, WarningCode, check_proof,
    check_signatures, combine, decode, extract, further_signatures, is_key, make_proof, read,
    strip, verify_message,
};
use serde_json::{Value, json};

use current::assert_current;
use finalize::{finalize, pushes};
use fixtures::*;
use kind::{Coin, Kind};
use malformed::malformed;
use oracle::maps;
use reports::report_of;
use signing::{finish, place, sign, signature};
use version2::as_version_2;
use wallet::{Wanted, secp, spent};

mod conformance;
#[path = "../../examples/fixtures/current.rs"]
mod current;
mod differential;
mod extended_keys;
mod field_types;
#[path = "../../examples/fixtures/finalize.rs"]
mod finalize;
mod fixtures;
#[path = "../../examples/fixtures/kind.rs"]
mod kind;
mod make;
mod malformed;
mod messages;
mod node_fixtures;
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../../examples/fixtures/private.rs"]
mod private;
mod public_reports;
mod published;
mod recognize;
mod refusals;
mod reports;
mod signatures;
mod signing;
mod silent_payments;
mod strips;
mod vectors;
#[path = "../../examples/fixtures/version2.rs"]
mod version2;
mod versions;
#[path = "../../examples/fixtures/wallet.rs"]
mod wallet;
mod warnings;
mod wrapped;
