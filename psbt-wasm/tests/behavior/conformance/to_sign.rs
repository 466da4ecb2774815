//! Messages and PSBTs to sign, and PSBTs that a signer refuses.

use super::*;

pub(super) fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    for kind in Type::VARIANTS {
        let (name, owner) = (<&str>::from(kind), owner(*kind, 0));
        let carrier = if kind.has_simple() { "simple" } else { "full" };
        let source = if kind.has_simple() {
            "BIP-322, Simple"
        } else {
            "BIP-322, Full"
        };
        cases.push(case(
            &format!("sign-{name}"),
            "sign",
            carrier,
            &owner,
            &[],
            None,
            "Sign the message.",
            source,
        ));
    }
    for kind in Type::VARIANTS {
        let (name, owner) = (<&str>::from(kind), owner(*kind, 0));
        let psbt = exported(with_message(file(&owner, TEXT, &[]), TEXT));
        let because = "Sign the message in the PSBT.";
        cases.push(case(
            &format!("psbt-{name}"),
            "sign",
            "psbt",
            &owner,
            &[],
            Some(psbt.serialize()),
            because,
            "BIP-322, Full; BIP-174",
        ));
        let coins = right::coins(*kind);
        let psbt = exported(with_message(file(&owner, TEXT, &coins), TEXT));
        let because = "Sign the message and both coins.";
        let source = "BIP-322, Full (Proof of Funds); BIP-174";
        cases.push(case(
            &format!("psbt-funds-{name}"),
            "sign",
            "proof-of-funds",
            &owner,
            &coins,
            Some(psbt.serialize()),
            because,
            source,
        ));
        if matches!(kind, Type::P2wpkh | Type::P2tr) {
            let psbt = as_version_2(&psbt).serialize();
            let source = "BIP-322, Full (Proof of Funds); BIP-370";
            cases.push(case(
                &format!("psbt-v2-funds-{name}"),
                "sign",
                "proof-of-funds",
                &owner,
                &coins,
                Some(psbt),
                because,
                source,
            ));
        }
    }
    let signer = owner(Type::P2wpkh, 0);
    let every: Vec<Coin> = Type::VARIANTS
        .iter()
        .zip(1..)
        .map(|(kind, number)| Coin::new(owner(*kind, 0), 10_000_000, number))
        .collect();
    let psbt = exported(with_message(file(&signer, TEXT, &every), TEXT));
    let source = "BIP-322, Full (Proof of Funds); BIP-174";
    cases.push(case(
        "psbt-funds-every-type",
        "sign",
        "proof-of-funds",
        &signer,
        &every,
        Some(psbt.serialize()),
        "Sign the message and a coin of every type.",
        source,
    ));
    cases.extend(refused());
    cases
}

fn with_message(mut psbt: Psbt, message: &str) -> Psbt {
    psbt.unknown
        .insert(unknown(SIGNED_MESSAGE), message.as_bytes().to_vec());
    psbt
}

fn refused() -> Vec<Value> {
    let source = "BIP-322, Verification Process, 1.3 (to_sign)";
    let signer = owner(Type::P2wpkh, 0);
    let coins = right::coins(Type::P2wpkh);
    let psbt = || with_message(file(&signer, TEXT, &coins), TEXT);
    let mut paying = psbt();
    paying
        .unsigned_tx
        .output
        .push(output(99_000_000, elsewhere()));
    paying.outputs.push(Output::default());
    let mut index = psbt();
    index.unsigned_tx.input[0].previous_output.vout = 1;
    let mut open = psbt();
    open.inputs[1].sighash_type = Some(PsbtSighashType::from_u32(2));
    [
        (
            "refuse-other-message",
            with_message(psbt(), "I hold those coins."),
            "The message in the file is not the one that its first input commits to.",
            source,
        ),
        (
            "refuse-payment",
            paying,
            "It has a second output, which pays an address.",
            source,
        ),
        (
            "refuse-output-index",
            index,
            "Its first input does not spend output 0 of to_spend.",
            source,
        ),
        (
            "refuse-sighash",
            open,
            "It asks for a signature of type NONE.",
            "BIP-322, Verification Process, required rules (SIGHASH_ALL)",
        ),
    ]
    .into_iter()
    .map(|(id, psbt, because, source)| {
        case(
            id,
            "refuse",
            "proof-of-funds",
            &signer,
            &coins,
            Some(exported(psbt).serialize()),
            because,
            source,
        )
    })
    .collect()
}

/// An address of another wallet.
fn elsewhere() -> ScriptBuf {
    key(9).segwit()
}

#[expect(clippy::too_many_arguments, reason = "each is a member of the case")]
fn case(
    id: &str,
    task: &str,
    carrier: &str,
    owner: &Owner,
    coins: &[Coin],
    psbt: Option<Vec<u8>>,
    because: &str,
    source: &str,
) -> Value {
    let mut case = json!({
        "id": id,
        "task": task,
        "carrier": carrier,
        "script": owner.name,
        "address": owner.address(),
        "message": TEXT,
        "coins": coins.iter().map(Coin::stated).collect::<Vec<_>>(),
        "psbt": psbt.map(|bytes| STANDARD.encode(bytes)),
        "because": because,
        "source": source,
    });
    case.as_object_mut()
        .expect("an object")
        .append(owner.stated().as_object_mut().expect("an object"));
    case
}
