//! Signers from other makers than the node's: Electrum, and embit, a library of devices and wallets.

use std::env;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use bitcoin::base58;
use bitcoin::bip32::{DerivationPath, Xpriv, Xpub};
use bitcoin::secp256k1::Secp256k1;

use crate::support::prelude::*;

/// A program or an interpreter: as `variable` names it, else the copy that `./test` installs. `None`, with a message, where the
/// variable is empty; `./test` empties it where it could not install any.
fn found(variable: &str, copy: &str) -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let program = env::var_os(variable).map_or_else(|| tools.join(copy), PathBuf::from);
    if program.as_os_str().is_empty() {
        println!("skipped: {variable} is empty");
        return None;
    }
    let advice = "run ./test, which gets it; set to nothing, the test is skipped";
    assert!(program.is_file(), "{variable}: {advice}");
    Some(program)
}

/// A wallet's account key, and its origin.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    master: Xpriv,
    path: DerivationPath,
}

impl Account {
    /// A new one at this path.
    pub(crate) fn random(path: &str) -> Self {
        let seed: [u8; 32] = rand::random();
        let master = Xpriv::new_master(Network::Regtest, &seed).unwrap();
        let path = path.parse().unwrap();
        Self { master, path }
    }

    /// Its first key in the notation of descriptors (BIP-0380), for a watch-only wallet.
    pub(crate) fn watched(&self) -> String {
        self.described(&self.public())
    }

    /// The same with its private key, for a wallet that signs.
    pub(crate) fn signing(&self) -> String {
        self.described(&self.private())
    }

    fn described(&self, key: &dyn std::fmt::Display) -> String {
        let fingerprint = self.master.fingerprint(&Secp256k1::new());
        format!("[{fingerprint}/{}]{key}/0/0", self.path)
    }

    fn private(&self) -> Xpriv {
        let derived = self.master.derive_priv(&Secp256k1::new(), &self.path);
        derived.unwrap()
    }

    fn public(&self) -> Xpub {
        Xpub::from_priv(&Secp256k1::new(), &self.private())
    }
}

/// The script types that Electrum distinguishes by the versions of extended keys (SLIP-0132, of test networks): private and public.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versions(&'static str, &'static str);

impl Versions {
    pub(crate) const P2PKH: Self = Self("04358394", "043587cf");
    pub(crate) const P2SH_P2WPKH: Self = Self("044a4e28", "044a5262");
    pub(crate) const P2WPKH: Self = Self("045f18bc", "045f1cf6");
    pub(crate) const P2WSH: Self = Self("02575048", "02575483");

    fn keystore(self, account: &Account, is_own: bool) -> Value {
        let private = is_own.then(|| with_version(account.private().encode(), self.0));
        let public = with_version(account.public().encode(), self.1);
        json!({"type": "bip32", "xprv": private, "xpub": public})
    }
}

fn with_version(mut key: [u8; 78], version: &str) -> String {
    let version = u32::from_str_radix(version, 16).expect("four bytes");
    key[..4].copy_from_slice(&version.to_be_bytes());
    base58::encode_check(&key)
}

/// A wallet of Electrum, which is never online.
pub(crate) struct Electrum {
    program: PathBuf,
    folder: TempDir,
}

impl Electrum {
    /// The wallet of a single account; `None` without Electrum.
    pub(crate) fn single(account: &Account, versions: Versions) -> Option<Self> {
        let keystore = versions.keystore(account, true);
        Self::wallet(json!({"wallet_type": "standard", "keystore": keystore}))
    }

    /// The wallet of one of several cosigners; any two suffice.
    pub(crate) fn cosigner(accounts: &[Account], own: usize) -> Option<Self> {
        let mut wallet = json!({"wallet_type": format!("2of{}", accounts.len())});
        for (at, account) in accounts.iter().enumerate() {
            wallet[format!("x{}/", at + 1)] = Versions::P2WSH.keystore(account, at == own);
        }
        Self::wallet(wallet)
    }

    /// Electrum creates multisig wallets only in its window, but opens the files of its older versions.
    fn wallet(mut wallet: Value) -> Option<Self> {
        let program = found("ELECTRUM_EXE", "electrum/electrum")?;
        let folder = tempfile::tempdir().unwrap();
        wallet["seed_version"] = json!(17);
        wallet["use_encryption"] = json!(false);
        fs::write(folder.path().join("wallet"), wallet.to_string()).expect("a writable folder");
        Some(Self { program, folder })
    }

    /// Signs; returns a transaction in hexadecimal digits or a PSBT in base64.
    pub(crate) fn sign(&self, file: &SomePsbt) -> Vec<u8> {
        let (at, wallet) = (self.folder.path(), self.folder.path().join("wallet"));
        let mut command = Command::new(&self.program);
        let command = command.args(["signtransaction", "--regtest", "--offline", "-D"]);
        let command = command.arg(at).arg("-w").arg(wallet).arg("-");
        output_of(command, file.base64())
    }
}

/// Signs files as devices with embit do, each with the keys of a master key; `None` without embit.
pub(crate) fn embit(files: &[(&Account, &SomePsbt)]) -> Option<Vec<SomePsbt>> {
    let python = found("EMBIT_PYTHON", "embit/bin/python")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signers/with_embit.py");
    let line =
        |(account, file): &(&Account, &SomePsbt)| format!("{} {}\n", account.master, file.base64());
    let lines: String = files.iter().map(line).collect();
    let signed = output_of(Command::new(python).arg(script), &lines);
    let signed = String::from_utf8(signed).expect("lines of base64");
    let signed: Vec<_> = signed.lines().map(SomePsbt::new).collect();
    assert_eq!(signed.len(), files.len());
    Some(signed)
}

/// Runs a program with this input and returns its output. It must succeed.
fn output_of(command: &mut Command, text: &str) -> Vec<u8> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
    // It reads its whole input before it writes.
    let mut input = process.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = process.wait_with_output().expect("it ends");
    let program = command.get_program().display().to_string();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {complaint}");
    output.stdout.trim_ascii().to_vec()
}
