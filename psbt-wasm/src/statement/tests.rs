use super::*;

const ALICE: Person<'_> = Person {
    network: CoinNetwork::Mainnet,
    origin: "https://board.example",
    provider: "github",
    subject: "583231",
    account: "0190d0c2-0000-7000-8000-000000000001",
};

fn person(provider: &'static str, subject: &'static str) -> Person<'static> {
    Person {
        provider,
        subject,
        ..ALICE
    }
}

/// The longest line is one direct push, and so a script of 77 bytes.
#[test]
fn a_name_that_does_not_fit_is_cut_and_marked() {
    let site = "a".repeat(MAX_SITE_BYTES);
    let name = ALICE.name(&site, Some("gh:satoshi-nakamoto"));
    assert_eq!(name, "gh:s~kq55");
    let origin = format!("https://{site}");
    let person = Person {
        origin: &origin,
        ..ALICE
    };
    let line = person.statement("gh:satoshi-nakamoto", &[7; 16], &[9; 32]);
    let line = line.expect("it fits");
    assert_eq!(line.len(), MAX_BYTES);
    let script = script(&line).expect("one push");
    assert_eq!(script[..2], [0x6a, 75]);
    assert_eq!(&script[2..], line.as_bytes());
    // One more letter of the name, or of the site, is too many.
    assert_eq!(ALICE.name(&site, Some("gh:finney")), "gh:finney");
    assert_eq!(ALICE.name(&site, Some("gh:finneyy")), "gh:f~kq55");
}

#[test]
fn names_are_in_lower_case() {
    assert_eq!(ALICE.name("b.example", Some("gh:Alice")), "gh:alice");
    assert_eq!(ALICE.name("b.example", Some("@Alice_1")), "@alice_1");
}

#[test]
fn a_person_without_a_name_is_eight_letters() {
    let site = "b.example";
    let nobody = person("github", "583231");
    assert_eq!(nobody.name(site, None), "~kq556kzy");
    let elsewhere = person("google", "583231");
    assert_ne!(elsewhere.name(site, None), nobody.name(site, None));
}

#[test]
fn what_a_device_may_not_show_is_cut_off_and_marked() {
    for (name, expected) in [
        ("gh:J\u{fc}rg", "gh:j~kq55"),
        ("gh:two words", "gh:two~kq55"),
        ("gh:\u{65e5}\u{672c}", "gh:~kq55"),
        // A Kelvin sign is no k.
        ("gh:\u{212a}raken", "gh:~kq55"),
        ("gh:tab\t", "gh:tab~kq55"),
        ("gh:\u{202e}evil", "gh:~kq55"),
    ] {
        assert_eq!(ALICE.name("b.example", Some(name)), expected);
    }
}

/// Rule C12: what reads alike is one and the same person.
#[test]
fn no_two_people_have_the_same_name() {
    let usernames = [
        "satoshi-nakamoto-the-inventor-1",
        "satoshi-nakamoto-the-inventor-2",
        "satoshi",
        "~kq556kzy",
        "s~kq55",
        "\u{65e5}\u{672c}",
        "\u{4e2d}\u{56fd}",
        "????",
        "gh:satoshi",
        "@satoshi",
    ];
    // From hosts of a few letters to the longest, at which all GitHub users had the name `github:` before.
    for length in [4, 9, 15, 22, MAX_SITE_BYTES, 28] {
        let site = "a".repeat(length);
        let mut seen = std::collections::BTreeMap::new();
        let providers = [("twitter", "@"), ("github", "gh:"), ("google", "google:")];
        for (provider, prefix) in providers {
            for (number, username) in usernames.iter().enumerate() {
                let subject = format!("{provider}{number}");
                let person = Person {
                    provider,
                    subject: &subject,
                    ..ALICE
                };
                let named = format!("{prefix}{username}");
                for shown in [Some(&*named), None] {
                    let name = person.name(&site, shown);
                    let owner = seen.entry(name.clone()).or_insert_with(|| subject.clone());
                    assert_eq!(*owner, subject, "{name} at {site}");
                }
            }
        }
    }
}

/// Every checker builds the whole line again.
#[test]
fn the_code_commits_to_the_full_name_and_the_line_has_it_cut() {
    let (nonce, block) = ([7; 16], [9; 32]);
    let line = |name: &str| ALICE.statement(name, &nonce, &block).expect("it fits");
    let full = ALICE.full_name(Some("gh:Satoshi-Nakamoto-the-Inventor-1"));
    assert_eq!(full, "gh:satoshi-nakamoto-the-inventor-1");
    let code = ALICE.code(&full, &nonce, &block);
    let cut = format!(
        "Proof of Reserves board.example gh:satoshi-nakamo~kq55 {}",
        &code[..20]
    );
    assert_eq!(line(&full), cut);
    // What reads alike once it is cut has another code.
    assert_ne!(line(&full), line("gh:satoshi-nakamoto-the-inventor-2"));
    let nameless = ALICE.full_name(None);
    assert!(line(&nameless).starts_with("Proof of Reserves board.example ~kq556kzy "));
    // Another person's letters are cut as what they are: a name.
    assert!(line("~kq556kzx").starts_with("Proof of Reserves board.example ~kq55 "));
}

#[test]
fn a_statement_for_a_reader_names_the_words_and_no_site() {
    let (nonce, block) = ([7; 16], [9; 32]);
    let line = |words: &str, name: &str| {
        let person = Person::for_reader(CoinNetwork::Mainnet, words, name);
        person.statement(name, &nonce, &block).expect("it fits")
    };
    let acme = line("Acme Bank, loan 4711 k3v9q2", "Alice");
    let start = "Proof of Reserves for:acme-bank-loan-4711-k3v~";
    assert!(acme.starts_with(start), "{acme}");
    assert_eq!(acme.len(), MAX_BYTES);
    for (words, name) in [
        ("Acme Bank, loan 4711 k3v9q3", "Alice"),
        ("acme Bank, loan 4711 k3v9q2", "Alice"),
        ("\u{410}cme Bank, loan 4711 k3v9q2", "Alice"),
        ("Acme Bank, loan 4711 k3v9q2", "alice"),
    ] {
        assert_ne!(line(words, name), acme, "{words} {name}");
    }
    assert!(line("\u{9280}\u{884c}", "Alice").starts_with("Proof of Reserves for:~"));
}

/// Issue of Sparrow: it shows a push of 64 or 65 bytes as a signature.
#[test]
fn no_line_is_as_long_as_a_signature_and_each_has_one_code() {
    let (nonce, block) = ([7; 16], [9; 32]);
    let mut lengths = [0; MAX_BYTES + 1];
    for site in 1..=MAX_SITE_BYTES {
        let origin = format!("https://{}", "a".repeat(site));
        let person = Person {
            origin: &origin,
            ..ALICE
        };
        for name in 1..=40 {
            let name = person.full_name(Some(&format!("gh:{}", "n".repeat(name))));
            let line = person.statement(&name, &nonce, &block).expect("it fits");
            let (start, code) = line.rsplit_once(' ').expect("words");
            let is_long = SIGNATURE_LENGTHS.contains(&(start.len() + 21));
            assert_eq!(code.len(), if is_long { 22 } else { 20 }, "{line}");
            assert!(person.code(&name, &nonce, &block).starts_with(code));
            lengths[line.len()] += 1;
        }
    }
    for label in 1..=30 {
        let words = "w".repeat(label);
        let reader = Person::for_reader(CoinNetwork::Mainnet, &words, "Alice");
        let line = reader.statement("Alice", &nonce, &block).expect("it fits");
        lengths[line.len()] += 1;
    }
    assert_eq!(lengths[64..=65], [0, 0]);
    assert!(lengths[63] > 0 && lengths[66] > 0 && lengths[67] > 0);
}

#[test]
fn a_site_of_another_form_has_no_statement() {
    let long = format!("https://{}", "a".repeat(MAX_SITE_BYTES + 1));
    for origin in [
        "",
        "board.example",
        "https://",
        "https://two words",
        "https://b\u{fc}cher.example",
        &long,
    ] {
        let person = Person { origin, ..ALICE };
        assert_eq!(person.statement("n", &[7; 16], &[9; 32]), Err(SiteError));
    }
}

/// The hash of Bitcoin's transactions with one input and the output, without the input: `sha256(value ‖ length ‖ script)`.
#[test]
fn previous_outputs_are_hashed_as_a_transaction_encodes_them() {
    let long = [0x51; 300];
    let outputs: [(u64, &[u8]); 2] = [(1, &[0xac]), (2, &long)];
    let bytes = [
        &[1, 0, 0, 0, 0, 0, 0, 0, 1, 0xac][..],
        &[2, 0, 0, 0, 0, 0, 0, 0, 0xfd, 0x2c, 0x01],
        &long,
    ];
    assert_eq!(outputs_hash(outputs.into_iter()), sha256(&bytes));
}

#[test]
fn the_site_is_the_host_and_an_unusual_port() {
    for (origin, expected) in [
        ("https://board.example", Some("board.example")),
        ("https://board.example:443", Some("board.example")),
        ("https://board.example.:8443", Some("board.example:8443")),
        ("http://127.0.0.1:8080", Some("127.0.0.1:8080")),
        ("http://localhost", Some("localhost:80")),
        ("https://[::1]:8080", Some("[::1]:8080")),
        ("https://[::1]", Some("[::1]")),
        ("ftp://board.example", None),
        ("https://", None),
    ] {
        assert_eq!(site(origin).as_deref(), expected, "{origin}");
    }
}

/// Computed with Python: `base64.b32encode(hashlib.sha256(…).digest()[:15])[:22].lower()`.
#[test]
fn the_code_is_the_documented_hash() {
    let person = person("x", "783214");
    let nonce = core::array::from_fn(|at| u8::try_from(at).expect("small"));
    let genesis = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin);
    let block = *AsRef::<[u8; 32]>::as_ref(&genesis.block_hash());
    let code = |person: Person<'_>| person.code("@satoshi", &nonce, &block);
    assert_eq!(code(person), "t7xq4gaeehyvnad7qogevx");
    let mut others = [person; 6];
    others[5].network = CoinNetwork::Testnet4;
    others[0].origin = "https://board.exampl";
    others[1].provider = "github";
    others[2].subject = "783215";
    others[3].account = "0190d0c2-0000-7000-8000-000000000002";
    // A letter that moves from one field to the next is another person.
    (others[4].provider, others[4].subject) = ("x7", "83214");
    for other in others {
        assert_ne!(code(other), code(person), "{other:?}");
    }
    assert_ne!(person.code("@satosh", &nonce, &block), code(person));
    assert_ne!(person.code("@satoshi", &[0; 16], &block), code(person));
    assert_ne!(person.code("@satoshi", &nonce, &[0; 32]), code(person));
}

#[test]
fn the_lock_time_follows_from_the_name_of_the_product() {
    let hash = sha256(&[b"Proof of Reserves"]);
    let number = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
    assert_eq!(LOCK_TIME, 400_000_000 + number % 99_000_000);
}

#[test]
fn mangled_statements_are_still_recognized_as_such() {
    let mangled = "Proof of Reserves b.example n c|roof of Reserves b.example n c|\
        xx PROOF OF RESERVES|Proof  of\nReserves";
    for text in mangled.split('|') {
        assert!(mentions_statement(text.as_bytes()), "{text}");
    }
    for text in ["", "Proof of something", "OMNI"] {
        assert!(!mentions_statement(text.as_bytes()), "{text}");
    }
}
