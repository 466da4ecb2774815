//! The most work that a file within the limits can ask for: signatures by the key that is tried last.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::key::Keypair;
use bitcoin::opcodes::all::OP_CHECKMULTISIG;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::secp256k1::{All, Message, Secp256k1, SecretKey};
use bitcoin::sighash::{EcdsaSighashType, SighashCache};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness,
    ecdsa,
};
use verify::limits::{MAX_LEGACY_SIGOPS, MAX_WEIGHT};

/// As many keys as one check can try (Core's `MAX_PUBKEYS_PER_MULTISIG`).
const KEYS: usize = 20;

/// A hostile file, final.
pub(crate) struct Worst {
    pub(crate) name: &'static str,
    pub(crate) transaction: Transaction,
    pub(crate) coins: Vec<TxOut>,
}

impl Worst {
    /// As many P2WSH multisigs of 1 of 20 keys as the weight has room for.
    pub(crate) fn witnesses() -> Self {
        let keys = Keys::new();
        let script = keys.multisig();
        let coin = coin(script.to_p2wsh());
        let inputs = fill(|count| keys.with_witnesses(&coin, &script, count));
        Self {
            name: "P2WSH, 1 of 20 keys",
            transaction: keys.with_witnesses(&coin, &script, inputs),
            coins: vec![coin; inputs],
        }
    }

    /// As many bare multisigs of 1 of 20 keys as the limit allows, in a transaction that is as large as
    /// it can be: each of 2,500 checks hashes it.
    pub(crate) fn hashing() -> Self {
        let keys = Keys::new();
        let coin = coin(keys.multisig());
        let inputs = MAX_LEGACY_SIGOPS / KEYS;
        let outputs = fill(|outputs| keys.bare(&coin, inputs, outputs));
        Self {
            name: "bare, 1 of 20 keys, 100 kB",
            transaction: keys.bare(&coin, inputs, outputs),
            coins: vec![coin; inputs],
        }
    }
}

fn coin(script_pubkey: ScriptBuf) -> TxOut {
    TxOut {
        value: Amount::from_sat(100_000),
        script_pubkey,
    }
}

/// How many of what `build` takes there is room for within the weight limit.
fn fill(build: impl Fn(usize) -> Transaction) -> usize {
    let weight = |count: usize| build(count).weight().to_wu();
    let (one, two) = (weight(1), weight(2));
    let mut count = usize::try_from((MAX_WEIGHT - one) / (two - one)).expect("few");
    // Signatures differ by a byte or two.
    while weight(count) > MAX_WEIGHT {
        count -= 1;
    }
    count
}

struct Keys {
    secp: Secp256k1<All>,
    keys: Vec<Keypair>,
}

impl Keys {
    fn new() -> Self {
        let secp = Secp256k1::new();
        let keys = (1..=KEYS)
            .map(|number| {
                let secret = [u8::try_from(number).expect("few"); 32];
                Keypair::from_secret_key(&secp, &SecretKey::from_slice(&secret).expect("a key"))
            })
            .collect();
        Self { secp, keys }
    }

    fn multisig(&self) -> ScriptBuf {
        let mut script = Builder::new().push_int(1);
        for key in &self.keys {
            script = script.push_key(&PublicKey::new(key.public_key()));
        }
        let keys = i64::try_from(KEYS).expect("few");
        script
            .push_int(keys)
            .push_opcode(OP_CHECKMULTISIG)
            .into_script()
    }

    /// The first key is tried last.
    fn sign(&self, digest: [u8; 32]) -> Vec<u8> {
        let message = Message::from_digest(digest);
        let signature = self.secp.sign_ecdsa(&message, &self.keys[0].secret_key());
        let signature = ecdsa::Signature {
            signature,
            sighash_type: EcdsaSighashType::All,
        };
        signature.to_vec()
    }

    fn with_witnesses(&self, coin: &TxOut, script: &ScriptBuf, inputs: usize) -> Transaction {
        let mut transaction = unsigned(coin, inputs, 1);
        let unsigned = transaction.clone();
        let mut cache = SighashCache::new(&unsigned);
        for (index, input) in transaction.input.iter_mut().enumerate() {
            let digest =
                cache.p2wsh_signature_hash(index, script, coin.value, EcdsaSighashType::All);
            let signature = self.sign(digest.expect("the input is there").to_byte_array());
            input.witness = Witness::from_slice(&[&[], signature.as_slice(), script.as_bytes()]);
        }
        transaction
    }

    fn bare(&self, coin: &TxOut, inputs: usize, outputs: usize) -> Transaction {
        let mut transaction = unsigned(coin, inputs, outputs);
        let unsigned = transaction.clone();
        let cache = SighashCache::new(&unsigned);
        for (index, input) in transaction.input.iter_mut().enumerate() {
            let digest = cache.legacy_signature_hash(index, &coin.script_pubkey, 1);
            let signature = self.sign(digest.expect("the input is there").to_byte_array());
            let signature = PushBytesBuf::try_from(signature).expect("short");
            input.script_sig = Builder::new()
                .push_int(0)
                .push_slice(signature)
                .into_script();
        }
        transaction
    }
}

fn unsigned(coin: &TxOut, inputs: usize, outputs: usize) -> Transaction {
    let outpoints = (0..)
        .take(inputs)
        .map(|vout| OutPoint::new(Txid::hash(b"no chain"), vout));
    let output = TxOut {
        value: Amount::from_sat(1_000),
        script_pubkey: ScriptBuf::from_bytes(coin.script_pubkey.as_bytes()[..34].to_vec()),
    };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: outpoints
            .map(|previous_output| TxIn {
                previous_output,
                script_sig: ScriptBuf::new(),
                sequence: Sequence::MAX,
                witness: Witness::new(),
            })
            .collect(),
        output: vec![output; outputs],
    }
}
