//! What satisfies a script in a way that BIP-322 or consensus forbids.

use super::*;

const REQUIRED: &str = "BIP-322, Verification Process, required rules";
const UPGRADEABLE: &str = "BIP-322, Verification Process, upgradeable rules";

pub(super) fn cases() -> Vec<Value> {
    let mut cases = multisig();
    cases.extend(rules());
    cases.extend(locks());
    cases
}

fn witness(elements: &[Vec<u8>]) -> String {
    let witness = serialize(&Witness::from_slice(elements));
    format!("smp{}", STANDARD.encode(witness))
}

/// Changes of the witness of 2 of 3: nothing, two signatures, the script.
fn multisig() -> Vec<Value> {
    type Change = fn(&mut Vec<Vec<u8>>);
    let (signer, right) = of(Type::P2wshMultisig);
    let one: Change = |elements| elements[2].clear();
    let twice: Change = |elements| elements[2] = elements[1].clone();
    let dummy: Change = |elements| elements[0] = vec![1];
    let unclean: Change = |elements| elements.insert(0, vec![1]);
    let cases = [
        (
            "multisig-one",
            one,
            "One of two signatures is there.",
            "BIP-141",
        ),
        (
            "multisig-twice",
            twice,
            "One key has signed twice.",
            "BIP-141",
        ),
        (
            "multisig-dummy",
            dummy,
            "The element that OP_CHECKMULTISIG ignores is not empty.",
            "BIP-147",
        ),
        (
            "clean-stack",
            unclean,
            "An element is left on the stack.",
            REQUIRED,
        ),
    ];
    let case = |(id, change, because, source): (_, Change, _, _)| {
        let mut elements = right.input[0].witness.to_vec();
        change(&mut elements);
        let wrong = Signature::new(&signer, witness(&elements)).wrong(Reason::WrongSignature);
        wrong.case(id, because, source)
    };
    cases.map(case).into()
}

/// The key with this opcode before it, and its check.
fn after(opcode: Opcode) -> Owner {
    owner::of_witness_script(|key| {
        let script = Builder::new().push_opcode(opcode);
        let script = script.push_key(&key.public());
        script.push_opcode(OP_CHECKSIG).into_script()
    })
}

fn rules() -> Vec<Value> {
    let (legacy, mut longer) = of(Type::P2pkh);
    let script = longer.input[0].script_sig.to_bytes();
    // OP_PUSHDATA1 before the length of the signature.
    longer.input[0].script_sig = [&[0x4c][..], &script].concat().into();
    let longer = Signature::new(&legacy, full(&longer)).wrong(Reason::NotStrict);

    let mut separated = after(OP_CODESEPARATOR);
    let script = separated.witness_script.take().expect("a script");
    (separated.name, separated.script_pubkey) = ("p2sh", script.to_p2sh());
    // What comes after the separator is signed.
    separated.redeem_script = Some(script.as_bytes()[1..].to_vec().into());
    let mut psbt = file(&separated, TEXT, &[]);
    let made = signature(&psbt, 0, &separated.signers[0].key, 1);
    psbt.inputs[0].final_script_sig = Some(pushes(vec![made, script.into_bytes()]));
    let in_script = full(&transaction(&psbt));
    let in_script = Signature::new(&separated, in_script).wrong(Reason::CodeSeparator);

    // OP_NOP4.
    let upgradable = after(Opcode::from(0xb3));
    let key = &upgradable.signers[0].key;
    let made = signature(&file(&upgradable, TEXT, &[]), 0, key, 1);
    let script = upgradable.witness_script.clone().expect("a script");
    let nop = Signature::new(&upgradable, witness(&[made, script.into_bytes()]));
    let nop = nop.wrong(Reason::UnknownScript);

    let mut future = owner(Type::P2tr, 0);
    future.name = "witness-v2";
    future.script_pubkey = ScriptBuf::from([&[0x52, 0x20][..], &[2; 32]].concat());
    let version = Signature::new(&future, witness(&[vec![1; 64]])).wrong(Reason::UnknownVersion);

    let (leaf, right) = of(Type::P2trScript);
    let mut elements = right.input[0].witness.to_vec();
    elements[2][1] ^= 1;
    let control = Signature::new(&leaf, witness(&elements)).wrong(Reason::WrongSignature);

    [
        (
            "minimal-push",
            longer,
            "A push is longer than it needs to be.",
            REQUIRED,
        ),
        (
            "code-separator",
            in_script,
            "The script has OP_CODESEPARATOR.",
            REQUIRED,
        ),
        (
            "upgradable-nop",
            nop,
            "The script has OP_NOP4, which may get a meaning.",
            UPGRADEABLE,
        ),
        (
            "future-version",
            version,
            "The address is of witness version 2.",
            UPGRADEABLE,
        ),
        (
            "control-block",
            control,
            "The control block names another internal key.",
            "BIP-341",
        ),
    ]
    .map(|(id, wrong, because, source)| wrong.case(id, because, source))
    .into()
}

/// Locks that the transaction does not meet.
fn locks() -> Vec<Value> {
    let relative = right::with_lock(2_016, OP_CSV);
    let absolute = right::with_lock(840_000, OP_CLTV);
    [
        (
            "lock-relative-low",
            &relative,
            right::locked(&relative, 2, 2_015, 0),
            "The script asks for an age of 2,016 blocks.",
            "BIP-112",
        ),
        (
            "lock-relative-version",
            &relative,
            right::locked(&relative, 0, 2_016, 0),
            "An age means nothing in version 0.",
            "BIP-68",
        ),
        (
            "lock-absolute-low",
            &absolute,
            right::locked(&absolute, 0, 0, 839_999),
            "The script asks for block 840,000.",
            "BIP-65",
        ),
        (
            "lock-absolute-final",
            &absolute,
            right::locked(&absolute, 0, u32::MAX, 840_000),
            "A final sequence number turns the lock time off.",
            "BIP-65",
        ),
    ]
    .map(|(id, owner, signature, because, source)| {
        let wrong = Signature::new(owner, signature).wrong(Reason::LockNotMet);
        wrong.case(id, because, source)
    })
    .into()
}
