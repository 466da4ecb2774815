//! Files and messages of public bug reports, each with the right answer (`public_reports/INDEX.tsv`).

use psbt_wasm::{MessageOptions, OtherText, Recognized, inspect, recognize, verify_message_with};

use super::field_types::{has, is_warned_of};
use super::*;

const INDEX: &str = include_str!("public_reports/INDEX.tsv");
const MESSAGES: &str = include_str!("public_reports/messages.json");

fn file(name: &str) -> Vec<u8> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/behavior/public_reports/"
    );
    std::fs::read(format!("{folder}{name}")).expect("a file")
}

fn refusal(bytes: &[u8]) -> Error {
    let read = decode(bytes).and_then(|file| file.read(Keys::Curve).map(drop));
    read.expect_err("refused")
}

fn code_of(result: Result<impl core::fmt::Debug, Error>) -> (&'static str, Option<usize>) {
    let error = result.expect_err("refused");
    (error.code(), error.input())
}

#[test]
fn every_file_has_its_right_answer() {
    let still = MakeOptions::new("A line", Form::Transaction);
    for row in INDEX.lines() {
        let (name, _) = row.split_once('\t').expect("a name and an answer");
        let bytes = file(name);
        let problems = || {
            inspect(&bytes, Network::Mainnet, false)
                .expect("a PSBT")
                .problems
        };
        match name {
            "p1-core-rpc.json.psbt" | "p1-quoted.psbt" | "p1-base64url.psbt" => {
                let found = decode(&bytes[..]).expect("a PSBT");
                let read = found.read(Keys::Curve).expect("read");
                let check = check_signatures(&read).expect("checked");
                assert!(check.is_complete(), "{name}");
            }
            "p1-pem.psbt" => assert_eq!(recognize(&bytes), Some(Recognized::Pem)),
            "p1-base43-electrum-qr.txt" => {
                assert_eq!(recognize(&bytes), Some(Recognized::ElectrumQr));
            }
            "p2-no-outputs-bip174js.psbt" => {
                assert_eq!(refusal(&bytes).to_string(), "No outputs found");
                assert_eq!(make_proof(&bytes[..], &still).expect("made").inputs, 1);
            }
            "p3-bip127-commitment.psbt" => {
                let made = make_proof(&bytes[..], &still).expect("made");
                let notes = made.notes.iter().map(|note| (note.code, note.input));
                assert_eq!(made.inputs, 1);
                assert!(
                    notes
                        .into_iter()
                        .any(|it| it == (NoteCode::Commitment, Some(0)))
                );
            }
            "p4-unsigned-raw.txn" | "p4-half-signed-raw.hex.txn" => {
                let input = usize::from(name.contains("half"));
                assert_eq!(code_of(extract(&bytes)), ("not-signed", Some(input)));
                let made = code_of(make_proof(&bytes[..], &still));
                assert_eq!(made, ("unsigned-transaction", None), "{name}");
            }
            "p5-asks-none-signed-all.psbt" | "p5-asks-single-signed-all.psbt" => {
                assert_eq!(code_of(extract(&bytes)), ("sighash-mismatch", Some(0)));
            }
            "p6-taproot-type-1-sig-of-64.psbt" => {
                assert_eq!(code_of(extract(&bytes)), ("sighash-byte-missing", Some(0)));
            }
            "p7-type-minimal-of-three-bytes-control.psbt" => {
                assert_eq!(problems(), []);
                assert!(!is_warned_of(&bytes));
            }
            "p7-type-cut-short-global.psbt"
            | "p7-type-not-minimal-global.psbt"
            | "p7-type-hides-known-field-fd0100.psbt" => {
                let [problem] = &problems()[..] else {
                    panic!("{name}: {:?}", problems())
                };
                assert!(problem.message.contains("Its type"), "{problem:?}");
                assert!(is_warned_of(&bytes));
                let combined = combine(&[&bytes]).expect("combined").psbt;
                for key in [&[0xfd, 0x63][..], &[0xfd, 1, 0], &NOT_MINIMAL] {
                    assert!(!has(&combined, key));
                }
            }
            _ => panic!("no answer to {name}"),
        }
    }
}

/// The type 255 in nine bytes.
const NOT_MINIMAL: [u8; 9] = [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0];

#[test]
fn every_message_has_its_right_answer() {
    let messages: Vec<Value> = serde_json::from_str(MESSAGES).expect("JSON");
    for case in messages {
        let text = |member: &str| case[member].as_str().expect("text");
        let message = text("message");
        let (nfc, nfd) = ("Das geh\u{f6}rt J\u{f6}rg", "Das geho\u{308}rt Jo\u{308}rg");
        let forms = [nfc, nfd]
            .contains(&message)
            .then(|| [nfc, nfd].map(str::as_bytes));
        let options = MessageOptions {
            forms,
            ..MessageOptions::default()
        };
        let check = verify_message_with(
            text("address"),
            message.as_bytes(),
            text("signature"),
            &options,
        );
        let found = (check.status, check.reason, check.other_text);
        let other = |text| {
            let reason = Some(MessageReason::OtherText);
            (MessageStatus::Invalid, reason, Some(text))
        };
        match text("id") {
            "m1-a" | "m1-b" => assert_eq!(found, (MessageStatus::Valid, None, None)),
            "m2-a" if message == nfd => assert_eq!(found, other(OtherText::Nfc)),
            "m2-a" => assert_eq!(found, other(OtherText::Nfd)),
            "m2-c" => assert_eq!(found, other(OtherText::WithoutLineBreak)),
            "m3-a" => assert_eq!(check.reason, Some(MessageReason::NotFinalized)),
            id => panic!("no answer to {id}"),
        }
    }
}
