//! Signatures that are not valid, each for one reason.

use MessageReason as Reason;

use super::*;

mod scripts;

type Change = fn(&mut Psbt);

const FUNDS: &str = "BIP-322, Full (Proof of Funds)";

pub(super) fn cases() -> Vec<Value> {
    let mut cases = others();
    cases.extend(encodings());
    cases.extend(forms());
    cases.extend(signatures());
    cases.extend(scripts::cases());
    cases.extend(funds());
    cases
}

/// A right signature of an address of this type.
fn of(kind: Type) -> (Owner, Transaction) {
    let signer = owner(kind, 0);
    let signed = signed_text(&signer, TEXT);
    (signer, signed)
}

/// Right signatures, and another message or address.
fn others() -> Vec<Value> {
    let source = "BIP-322, Verification Process, 1 (to_spend)";
    let (key, of_key) = of(Type::P2wpkh);
    let (legacy, of_legacy) = of(Type::P2pkh);
    let (taproot, of_taproot) = of(Type::P2tr);
    let (_, compact) = right::legacy();
    let another = "I hold those coins.";
    let compact = Signature {
        carrier: "legacy",
        ..Signature::new(&legacy, compact)
    };
    let mut cases = Vec::new();
    for (id, right, reason) in [
        (
            "wrong-message-simple",
            Signature::new(&key, simple(&of_key)),
            Reason::WrongSignature,
        ),
        (
            "wrong-message-taproot",
            Signature::new(&taproot, simple(&of_taproot)),
            Reason::WrongSignature,
        ),
        (
            "wrong-message-full",
            Signature::new(&legacy, full(&of_legacy)),
            Reason::OtherMessage,
        ),
        ("wrong-message-legacy", compact, Reason::WrongSignature),
    ] {
        let because = "It signs another message.";
        cases.push(right.of(another).wrong(reason).case(id, because, source));
    }
    let because = "It signs for another address of the same wallet.";
    let (key, legacy) = (owner(Type::P2wpkh, 1), owner(Type::P2pkh, 1));
    let wrong = Signature::new(&key, simple(&of_key)).wrong(Reason::WrongSignature);
    cases.push(wrong.case("wrong-address-simple", because, source));
    let wrong = Signature::new(&legacy, full(&of_legacy)).wrong(Reason::OtherMessage);
    cases.push(wrong.case("wrong-address-full", because, source));
    cases
}

/// Texts that are no signatures.
fn encodings() -> Vec<Value> {
    let (key, signed) = of(Type::P2wpkh);
    let (witness, whole) = (simple(&signed), full(&signed));
    let bytes = STANDARD.decode(&witness[3..]).expect("base64");
    let simple_of = |bytes: &[u8]| format!("smp{}", STANDARD.encode(bytes));
    let (shorter, longer) = (&bytes[..bytes.len() - 1], [&bytes[..], &[0]].concat());
    let cases = [
        ("empty", String::new(), "The signature is empty."),
        ("characters", "smp!!!".into(), "This is not Base64."),
        ("short", simple_of(shorter), "The witness is cut short."),
        ("long", simple_of(&longer), "A byte follows the witness."),
        (
            "prefix-simple",
            whole.replacen("ful", "smp", 1),
            "The prefix says simple, and it is a transaction.",
        ),
        (
            "prefix-full",
            witness.replacen("smp", "ful", 1),
            "The prefix says full, and it is a witness.",
        ),
    ];
    let case = |(name, signature, because)| {
        let wrong = Signature::new(&key, signature).wrong(Reason::Encoding);
        wrong.case(
            &format!("encoding-{name}"),
            because,
            "BIP-322, Simple and Full",
        )
    };
    cases.map(case).into()
}

/// Changes of the transaction before it is signed.
fn forms() -> Vec<Value> {
    let form = "BIP-322, Verification Process, 1.3 (to_sign)";
    let more: Change = |psbt| {
        let bare = output(0, ScriptBuf::from(vec![0x6a]));
        psbt.unsigned_tx.output.push(bare);
        psbt.outputs.push(Output::default());
    };
    let value: Change = |psbt| psbt.unsigned_tx.output[0].value = Amount::from_sat(1);
    let data: Change =
        |psbt| psbt.unsigned_tx.output[0].script_pubkey = ScriptBuf::new_op_return(*b"data");
    let index: Change = |psbt| psbt.unsigned_tx.input[0].previous_output.vout = 1;
    let version: Change = |psbt| psbt.unsigned_tx.version = Version::ONE;
    let signer = owner(Type::P2wpkh, 0);
    let signed_after = |change: Change| {
        let mut psbt = file(&signer, TEXT, &[]);
        change(&mut psbt);
        let signed = transaction(&signed(psbt, &signer, &[]));
        Signature::new(&signer, full(&signed))
    };
    let mut cases = Vec::new();
    for (id, change, because) in [
        ("form-two-outputs", more, "There are two outputs."),
        ("form-value", value, "The output has a value."),
        ("form-data", data, "The output is not a bare OP_RETURN."),
        (
            "form-output-index",
            index,
            "The first input spends output 1 of to_spend.",
        ),
    ] {
        let wrong = signed_after(change).wrong(Reason::Form);
        cases.push(wrong.case(id, because, form));
    }
    let wrong = signed_after(version).wrong(Reason::UnknownVersion);
    let because = "The version of to_sign is neither 0 nor 2.";
    let source = "BIP-322, Verification Process, upgradeable rules (version)";
    cases.push(wrong.case("version-1", because, source));
    cases
}

/// Signed with this type by this key, where the signature of the first signer belongs.
fn signed_as(kind: Type, sighash: u8, by: &TestKey) -> (Owner, Transaction) {
    let signer = owner(kind, 0);
    let mut psbt = file(&signer, TEXT, &[]);
    let made = signature(&psbt, 0, by, sighash);
    place(&mut psbt.inputs[0], &signer.signers[0].key, &made);
    if let Some(second) = signer.needed().get(1) {
        sign(&mut psbt, 0, &second.key, 1);
    }
    finish(&mut psbt.inputs[0]);
    (signer, transaction(&psbt))
}

/// Wrong signatures, and right ones in a form that BIP-322 forbids.
fn signatures() -> Vec<Value> {
    let mut cases = Vec::new();
    for (kind, sighash, name) in [
        (Type::P2pkh, 2, "NONE"),
        (Type::P2wpkh, 0x81, "ALL|ANYONECANPAY"),
        (Type::P2wshMultisig, 3, "SINGLE"),
        (Type::P2tr, 0x83, "SINGLE|ANYONECANPAY"),
    ] {
        let own = owner(kind, 0).signers[0].key.clone();
        let (signer, signed) = signed_as(kind, sighash, &own);
        let wrong = Signature::new(&signer, full(&signed)).wrong(Reason::Sighash);
        let because = format!("The signature hash type is {name}.");
        let source = "BIP-322, Verification Process, required rules (SIGHASH_ALL)";
        cases.push(wrong.case(&format!("sighash-{}", signer.name), &because, source));
    }
    for kind in [Type::P2wpkh, Type::P2tr] {
        let other = owner(kind, 1).signers[0].key.clone();
        let (signer, signed) = signed_as(kind, owner(kind, 0).sighash(), &other);
        let wrong = Signature::new(&signer, simple(&signed)).wrong(Reason::WrongSignature);
        let because = "Another key made the signature.";
        cases.push(wrong.case(
            &format!("wrong-key-{}", signer.name),
            because,
            "BIP-141; BIP-341",
        ));
    }
    for kind in [Type::P2pkh, Type::P2wpkh] {
        let (signer, mut signed) = of(kind);
        make_high_s(&mut signed.input[0]);
        let wrong = Signature::new(&signer, full(&signed)).wrong(Reason::NotStrict);
        let source = "BIP-322, Verification Process, required rules (LOW_S)";
        cases.push(wrong.case(
            &format!("high-s-{}", signer.name),
            "S is in the upper half.",
            source,
        ));
    }
    let (signer, mut signed) = of(Type::P2tr);
    let mut with_byte = signed.input[0].witness.to_vec();
    with_byte[0].push(0);
    signed.input[0].witness = Witness::from_slice(&with_byte);
    let wrong = Signature::new(&signer, simple(&signed)).wrong(Reason::WrongSignature);
    let because = "The signature ends with type 0, which only 64 bytes may mean.";
    let source = "BIP-341, Common signature message";
    cases.push(wrong.case("sighash-byte-p2tr", because, source));
    cases
}

/// Changes the signature of a key: the first push of the script, or the first element of the witness.
fn make_high_s(input: &mut TxIn) {
    let pushed = input.script_sig.instructions().flatten();
    let pushed = pushed.filter_map(|it| Some(it.push_bytes()?.as_bytes().to_vec()));
    let (mut pushed, mut elements) = (pushed.collect::<Vec<_>>(), input.witness.to_vec());
    let mut all = pushed.iter_mut().chain(&mut elements);
    let signature = all.next().expect("signed");
    let mut high = ecdsa::Signature::from_slice(signature).expect("a signature");
    let mut compact = high.signature.serialize_compact();
    let s = SecretKey::from_slice(&compact[32..]).expect("a scalar");
    compact[32..].copy_from_slice(&s.negate().secret_bytes());
    let negated = bitcoin::secp256k1::ecdsa::Signature::from_compact(&compact);
    high.signature = negated.expect("a signature");
    *signature = high.to_vec();
    input.script_sig = pushes(pushed);
    input.witness = Witness::from_slice(&elements);
}

/// Proofs of funds.
fn funds() -> Vec<Value> {
    let (signer, coins) = (owner(Type::P2wpkh, 0), right::coins(Type::P2wpkh));
    let psbt = || file(&signer, TEXT, &coins);
    let finalized = signed(psbt(), &signer, &coins);
    let own = &coins[0].owner.signers[0].key;
    let sign_others = |psbt: &mut Psbt| {
        sign(psbt, 0, own, 1);
        sign(psbt, 2, &coins[1].owner.signers[0].key, 0);
    };

    let mut unsigned_coin = finalized.clone();
    unsigned_coin.inputs[1].final_script_witness = None;

    let mut foreign = psbt();
    let made = signature(&foreign, 1, &owner(Type::P2wpkh, 1).signers[0].key, 1);
    place(&mut foreign.inputs[1], own, &made);
    sign_others(&mut foreign);
    foreign.inputs.iter_mut().for_each(finish);

    let mut partial = psbt();
    sign(&mut partial, 1, own, 1);
    sign_others(&mut partial);

    let mut swapped = psbt();
    swapped.unsigned_tx.input.swap(0, 1);
    swapped.inputs.swap(0, 1);
    let swapped = signed(swapped, &signer, &coins);

    let case = |id, psbt, chain: &[Coin], reason, because| {
        let wrong = Signature::new(&signer, proof_of_funds(psbt)).with(chain);
        wrong.wrong(reason).case(id, because, FUNDS)
    };
    let mut more = coins.clone();
    more[0].previous.output[0].value = Amount::from_sat(70_000_001);
    let because = "The chain has another value of a coin than the one that is signed.";
    let mut dearer = case(
        "funds-value",
        finalized.clone(),
        &more,
        Reason::WrongSignature,
        because,
    );
    // The same outpoint.
    dearer["coins"][0]["txid"] = coins[0].stated()["txid"].clone();
    let mut cases = vec![dearer];
    for (id, psbt, reason, because) in [
        (
            "funds-unsigned-coin",
            unsigned_coin,
            Reason::NoSignature,
            "A coin is not signed.",
        ),
        (
            "funds-wrong-key",
            foreign,
            Reason::WrongSignature,
            "Another key signed a coin.",
        ),
        (
            "funds-not-finalized",
            partial,
            Reason::NotFinalized,
            "The PSBT is signed, and not finalized.",
        ),
        (
            "funds-order",
            swapped,
            Reason::OtherMessage,
            "The first input is a coin, not the message.",
        ),
    ] {
        cases.push(case(id, psbt, &coins, reason, because));
    }
    let because = "The chain does not have one of the coins.";
    let reason = Reason::CoinsNotLookedUp;
    cases.push(case(
        "funds-unknown-coin",
        finalized,
        &coins[1..],
        reason,
        because,
    ));
    cases
}
