//! Addresses of every type, with keys of published seeds.

use bip39::{Language, Mnemonic};

use super::*;

/// Test vectors of BIP-39. Cosigners have one each.
pub(super) const SEEDS: [&str; 3] = [
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
];

/// The point that nobody has the key of (BIP-0341, "Constructing and spending Taproot outputs").
const NOBODY: &str = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";

/// The type of an address. Multisig is 2 of 3; the taproot script is a leaf of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Type {
    P2pkh,
    P2shP2wpkh,
    P2wpkh,
    P2shMultisig,
    P2shP2wshMultisig,
    P2wshMultisig,
    P2tr,
    P2trScript,
}

impl Type {
    fn account(self) -> &'static str {
        match self {
            Self::P2pkh => "44h/0h/0h",
            Self::P2shP2wpkh => "49h/0h/0h",
            Self::P2wpkh => "84h/0h/0h",
            Self::P2shMultisig => "45h/0/0",
            Self::P2shP2wshMultisig => "48h/0h/0h/1h",
            Self::P2wshMultisig => "48h/0h/0h/2h",
            Self::P2tr | Self::P2trScript => "86h/0h/0h",
        }
    }

    fn is_multisig(self) -> bool {
        matches!(
            self,
            Self::P2shMultisig | Self::P2shP2wshMultisig | Self::P2wshMultisig
        )
    }

    /// Whether the simple format may carry its signature.
    pub(super) fn has_simple(self) -> bool {
        matches!(
            self,
            Self::P2wpkh | Self::P2wshMultisig | Self::P2tr | Self::P2trScript
        )
    }
}

#[derive(Clone)]
pub(super) struct Signer {
    pub(super) key: TestKey,
    seed: usize,
    source: KeySource,
}

impl Signer {
    fn new(seed: usize, path: &str) -> Self {
        let words = Mnemonic::parse_in_normalized(Language::English, SEEDS[seed]).expect("words");
        let master = words.to_seed_normalized("");
        let master = Xpriv::new_master(bitcoin::Network::Bitcoin, &master).expect("a master key");
        let path: DerivationPath = path.parse().expect("a path");
        let key = master
            .derive_priv(&secp(), &path)
            .expect("a key")
            .to_keypair(&secp());
        let source = (master.fingerprint(&secp()), path);
        Self {
            key: TestKey(key),
            seed,
            source,
        }
    }

    fn stated(&self) -> Value {
        let key = bitcoin::PrivateKey::new(self.key.0.secret_key(), bitcoin::Network::Bitcoin);
        json!({ "seed": self.seed, "path": format!("m/{}", self.source.1), "key": key.to_wif() })
    }
}

/// An address, and who signs for it.
#[derive(Clone)]
pub(super) struct Owner {
    /// The type of the address.
    pub(super) name: &'static str,
    is_leaf: bool,
    pub(super) script_pubkey: ScriptBuf,
    pub(super) redeem_script: Option<ScriptBuf>,
    pub(super) witness_script: Option<ScriptBuf>,
    pub(super) signers: Vec<Signer>,
}

/// The owner of the address of a type with this index.
pub(super) fn owner(kind: Type, index: u32) -> Owner {
    let path = format!("{}/0/{index}", kind.account());
    let seeds = if kind.is_multisig() { 3 } else { 1 };
    let mut signers: Vec<Signer> = (0..seeds).map(|seed| Signer::new(seed, &path)).collect();
    // In the order of their keys (BIP-0067), as wallets have them.
    signers.sort_by_key(|signer| signer.key.public());
    let keys: Vec<PublicKey> = signers.iter().map(|signer| signer.key.public()).collect();
    let first = &signers[0].key;
    let script = multisig(2, &keys);
    let (script_pubkey, redeem_script, witness_script) = match kind {
        Type::P2pkh => (first.legacy(), None, None),
        Type::P2shP2wpkh => (first.nested(), Some(first.segwit()), None),
        Type::P2wpkh => (first.segwit(), None, None),
        Type::P2shMultisig => (script.to_p2sh(), Some(script), None),
        Type::P2shP2wshMultisig => (
            script.to_p2wsh().to_p2sh(),
            Some(script.to_p2wsh()),
            Some(script),
        ),
        Type::P2wshMultisig => (script.to_p2wsh(), None, Some(script)),
        Type::P2tr => (first.taproot(), None, None),
        Type::P2trScript => (
            ScriptBuf::new_p2tr_tweaked(tree(first).output_key()),
            None,
            None,
        ),
    };
    Owner {
        name: kind.into(),
        is_leaf: kind == Type::P2trScript,
        script_pubkey,
        redeem_script,
        witness_script,
        signers,
    }
}

/// The owner of a witness script that one key signs: the first P2WPKH key.
pub(super) fn of_witness_script(script: impl Fn(&TestKey) -> ScriptBuf) -> Owner {
    let signer = Signer::new(0, "84h/0h/0h/0/0");
    let script = script(&signer.key);
    Owner {
        name: "p2wsh",
        is_leaf: false,
        script_pubkey: script.to_p2wsh(),
        redeem_script: None,
        witness_script: Some(script),
        signers: vec![signer],
    }
}

fn leaf(key: &TestKey) -> ScriptBuf {
    let script = Builder::new().push_x_only_key(&key.x_only());
    script.push_opcode(OP_CHECKSIG).into_script()
}

/// Its only leaf is the script of the key.
fn tree(key: &TestKey) -> TaprootSpendInfo {
    let nobody: XOnlyPublicKey = NOBODY.parse().expect("a point");
    let builder = TaprootBuilder::new()
        .add_leaf(0, leaf(key))
        .expect("one leaf");
    builder.finalize(&secp(), nobody).expect("a whole tree")
}

impl Owner {
    pub(super) fn address(&self) -> String {
        let address = Address::from_script(&self.script_pubkey, bitcoin::Network::Bitcoin);
        address.expect("an address").to_string()
    }

    /// Those that sign: as many as the script needs.
    pub(super) fn needed(&self) -> &[Signer] {
        &self.signers[..self.signers.len().min(2)]
    }

    /// ALL, or taproot's DEFAULT.
    pub(super) fn sighash(&self) -> u8 {
        u8::from(!self.script_pubkey.is_p2tr())
    }

    /// Writes what a signer needs to know about its coin.
    pub(super) fn describe(&self, input: &mut Input) {
        input.redeem_script.clone_from(&self.redeem_script);
        input.witness_script.clone_from(&self.witness_script);
        for Signer { key, source, .. } in &self.signers {
            if !self.script_pubkey.is_p2tr() {
                input
                    .bip32_derivation
                    .insert(key.public().inner, source.clone());
                continue;
            }
            let mut leaves = Vec::new();
            input.tap_internal_key = Some(key.x_only());
            if self.is_leaf {
                let (tree, script) = (tree(key), (leaf(key), LeafVersion::TapScript));
                leaves.push(TapLeafHash::from_script(&script.0, script.1));
                input.tap_internal_key = Some(tree.internal_key());
                input.tap_merkle_root = tree.merkle_root();
                input
                    .tap_scripts
                    .insert(tree.control_block(&script).expect("its leaf"), script);
            }
            input
                .tap_key_origins
                .insert(key.x_only(), (leaves, source.clone()));
        }
    }

    /// Where its keys are from, and the scripts that are hashed in the address.
    pub(super) fn stated(&self) -> Value {
        let hex = |script: &Option<ScriptBuf>| script.as_ref().map(|script| script.to_hex_string());
        let leaf = (self.is_leaf).then(|| leaf(&self.signers[0].key));
        json!({
            "keys": self.signers.iter().map(Signer::stated).collect::<Vec<_>>(),
            "redeemScript": hex(&self.redeem_script),
            "witnessScript": hex(&self.witness_script),
            "tapscript": hex(&leaf),
        })
    }
}
