//! Signatures that are valid.

use super::*;

/// A coin at the same address, and a coin of another type.
pub(super) fn coins(kind: Type) -> Vec<Coin> {
    let is_first = kind == Type::P2wpkh;
    let other = if is_first { Type::P2tr } else { Type::P2wpkh };
    vec![
        Coin::new(owner(kind, 0), 70_000_000, 1),
        Coin::new(owner(other, 1), 30_000_000, 2),
    ]
}

pub(super) fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    for kind in Type::VARIANTS {
        let (name, signer, coins) = (<&str>::from(kind), owner(*kind, 0), coins(*kind));
        let alone = signed_text(&signer, TEXT);
        if kind.has_simple() {
            let because = "The witness signs the message.";
            let right = Signature::new(&signer, simple(&alone));
            cases.push(right.case(&format!("{name}-simple"), because, "BIP-322, Simple"));
        }
        let because = "The transaction signs the message.";
        let right = Signature::new(&signer, full(&alone));
        cases.push(right.case(&format!("{name}-full"), because, "BIP-322, Full"));
        let funds = signed(file(&signer, TEXT, &coins), &signer, &coins);
        let right = Signature::new(&signer, proof_of_funds(funds)).with(&coins);
        let (because, source) = (
            "It signs the message and both coins.",
            "BIP-322, Full (Proof of Funds)",
        );
        cases.push(right.case(&format!("{name}-proof-of-funds"), because, source));
    }
    cases.extend(messages());
    cases.extend(locks());
    let (legacy_owner, compact) = legacy();
    let because = "The compact signature is by the key of the address.";
    let right = Signature::new(&legacy_owner, compact);
    let right = Signature {
        carrier: "legacy",
        ..right
    };
    cases.push(right.case("p2pkh-legacy", because, "BIP-322, Legacy; BIP-137"));
    cases
}

/// Messages are bytes, whatever they look like.
fn messages() -> Vec<Value> {
    let signer = owner(Type::P2wpkh, 0);
    let long = "0123456789".repeat(100);
    let messages = [
        ("empty", "", "The message is empty."),
        ("unicode", "Zürich, 東京, 😄", "The message is UTF-8."),
        (
            "lines",
            "first\nsecond\n",
            "The message has two lines, each with a line feed.",
        ),
        (
            "spaces",
            " spaces at both ends ",
            "Spaces at the ends belong to the message.",
        ),
        ("long", &long, "The message has 1,000 bytes."),
    ];
    let mut cases = Vec::new();
    for (name, message, because) in messages {
        let signature = simple(&signed_text(&signer, message));
        let right = Signature::new(&signer, signature).of(message);
        let source = "BIP-322, Full (message_hash)";
        cases.push(right.case(&format!("message-{name}"), because, source));
    }
    for kind in [Type::P2wpkh, Type::P2tr] {
        let signer = owner(kind, 0);
        let signature = simple(&signed_text(&signer, TEXT))[3..].to_owned();
        let id = format!("{}-simple-without-prefix", signer.name);
        let because =
            "A signature without a prefix is simple, as earlier versions of BIP-322 wrote it.";
        cases.push(Signature::new(&signer, signature).case(&id, because, "BIP-322, Simple"));
    }
    cases
}

/// Signed with this sequence and this lock time.
pub(super) fn locked(signer: &Owner, version: i32, sequence: u32, lock_time: u32) -> String {
    let mut psbt = file(signer, TEXT, &[]);
    psbt.unsigned_tx.version = Version(version);
    psbt.unsigned_tx.input[0].sequence = Sequence(sequence);
    psbt.unsigned_tx.lock_time = LockTime::from_consensus(lock_time);
    full(&transaction(&signed(psbt, signer, &[])))
}

/// `<lock> <check> DROP <key> CHECKSIG`
pub(super) fn with_lock(lock: i64, check: Opcode) -> Owner {
    owner::of_witness_script(|key| {
        let script = Builder::new().push_int(lock).push_opcode(check);
        let script = script.push_opcode(OP_DROP).push_key(&key.public());
        script.push_opcode(OP_CHECKSIG).into_script()
    })
}

fn locks() -> Vec<Value> {
    let (plain, relative) = (owner(Type::P2pkh, 0), with_lock(2_016, OP_CSV));
    let absolute = with_lock(840_000, OP_CLTV);
    let cases = [
        (
            "locks-unused",
            &plain,
            locked(&plain, 2, 2_016, 840_000),
            "Valid at time 840,000 and age 2,016, although the script asks for neither.",
        ),
        (
            "locks-relative",
            &relative,
            locked(&relative, 2, 2_016, 0),
            "The script asks for an age of 2,016 blocks, and the sequence number says it.",
        ),
        (
            "locks-absolute",
            &absolute,
            locked(&absolute, 0, 0, 840_000),
            "The script asks for block 840,000, and the lock time says it.",
        ),
    ];
    let source = "BIP-322, Verification (valid at time T and age S)";
    let case = |(id, owner, signature, because)| {
        let right = Signature {
            found: (MessageStatus::ValidWithLocks, None),
            ..Signature::new(owner, signature)
        };
        right.case(id, because, source)
    };
    cases.map(case).into()
}

/// The compact signature of [`TEXT`].
pub(super) fn legacy() -> (Owner, String) {
    let signer = owner(Type::P2pkh, 0);
    let length = u8::try_from(TEXT.len()).expect("short");
    let text = [
        b"\x18Bitcoin Signed Message:\n",
        &[length][..],
        TEXT.as_bytes(),
    ]
    .concat();
    let digest = Message::from_digest(sha256d::Hash::hash(&text).to_byte_array());
    let secret = signer.signers[0].key.0.secret_key();
    let (recovery, bytes) = secp()
        .sign_ecdsa_recoverable(&digest, &secret)
        .serialize_compact();
    let header = 31 + u8::try_from(recovery.to_i32()).expect("0 to 3");
    let signature = STANDARD.encode([&[header][..], &bytes].concat());
    (signer, signature)
}
