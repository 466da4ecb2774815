use super::*;

const CODE: &str = "abcdefghijklmnopqrst";

const ALICE: Person<'_> = Person {
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
    let name = ALICE.name(&site, Some("satoshi-nakamoto"));
    assert_eq!(name, "gh:s~kq55");
    let line = statement(&site, &name, CODE).expect("it fits");
    assert_eq!(line.len(), MAX_BYTES);
    let script = script(&line).expect("one push");
    assert_eq!(script[..2], [0x6a, 75]);
    assert_eq!(&script[2..], line.as_bytes());
    // One more letter of the name, or of the site, is too many.
    assert_eq!(ALICE.name(&site, Some("finney")), "gh:finney");
    assert_eq!(ALICE.name(&site, Some("finneyy")), "gh:f~kq55");
    let too_long = format!("{name}x");
    assert_eq!(statement(&site, &too_long, CODE), Err(StatementError::Name));
}

#[test]
fn names_say_where_they_are_from_in_lower_case_and_the_line_is_what_a_device_shows() {
    let named = |provider, name| person(provider, "42").name("b.example", Some(name));
    assert_eq!(named("github", "Alice"), "gh:alice");
    assert_eq!(named("mock", "Alice"), "mock:alice");
    let name = named("twitter", "Alice_1");
    let line = format!("Proof of Reserves board.example @alice_1 {CODE}");
    assert_eq!(statement("board.example", &name, CODE), Ok(line));
}

#[test]
fn a_person_without_a_name_is_eight_letters() {
    let site = "b.example";
    let nobody = person("github", "583231");
    assert_eq!(nobody.name(site, None), "~kq556kzy");
    assert_eq!(nobody.name(site, Some("")), "~kq556kzy");
    // Names there are those of passports, and not unique.
    let google = person("google", "583231");
    assert_eq!(google.name(site, Some("Alice")), google.name(site, None));
    assert_ne!(google.name(site, None), nobody.name(site, None));
}

#[test]
fn what_a_device_may_not_show_is_cut_off_and_marked() {
    for (name, expected) in [
        ("J\u{fc}rg", "gh:j~kq55"),
        ("two words", "gh:two~kq55"),
        ("\u{65e5}\u{672c}", "gh:~kq55"),
        // A Kelvin sign is no k.
        ("\u{212a}raken", "gh:~kq55"),
        ("tab\t", "gh:tab~kq55"),
        ("\u{202e}evil", "gh:~kq55"),
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
        for provider in ["twitter", "github", "google", "mock"] {
            for (number, username) in usernames.iter().enumerate() {
                let subject = format!("{provider}{number}");
                let person = Person {
                    provider,
                    subject: &subject,
                    ..ALICE
                };
                for shown in [Some(*username), None] {
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
    let full = ALICE.full_name(Some("Satoshi-Nakamoto-the-Inventor-1"));
    assert_eq!(full, "gh:satoshi-nakamoto-the-inventor-1");
    let code = ALICE.code(&full, &nonce, &block);
    let cut = format!("Proof of Reserves board.example gh:satoshi-nakamo~kq55 {code}");
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
        let person = Person::for_reader(words, name);
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
    // It is always dated: this is what a statement without a site would be in the first version.
    let reader = Person::for_reader("Acme Bank, loan 4711", "Mira Kowal");
    let undated = format!("Proof of Reserves  acme {}", reader.undated_code(&nonce));
    assert!(!reader.is_statement(&undated, &nonce, None));
}

/// Published before there were blocks in statements, also at a site that is too long today.
#[test]
fn a_statement_of_the_first_version_has_the_letters_of_its_person_alone() {
    let nonce = [7; 16];
    let line = |name: &str| {
        let code = ALICE.undated_code(&nonce);
        format!("{TITLE}board.example {name} {code}")
    };
    let right = "gh:alice,gh:a~kq55,~kq556kzy,github:alice,github:??".split(',');
    let wrong = ",two words,gh:a~kq5x,gh:a~kq5,gh:a~kq556kzy,~kq55,a~b~kq55,~kq556kzx,gh:j\u{fc}rg";
    let right = right.map(|name| (name, true));
    for (name, expected) in right.chain(wrong.split(',').map(|name| (name, false))) {
        let found = ALICE.is_undated_statement(&line(name), &nonce);
        assert_eq!(found, expected, "{name}");
    }
    assert!(!ALICE.is_undated_statement(&line("gh:alice"), &[8; 16]));
    let elsewhere = line("gh:alice").replace("board.example", "board.examples");
    assert!(!ALICE.is_undated_statement(&elsewhere, &nonce));
    let dated = ALICE.statement("gh:alice", &nonce, &[0; 32]);
    assert!(!ALICE.is_undated_statement(&dated.expect("it fits"), &nonce));
    let long = Person {
        origin: "https://twenty-eight-letters.example",
        ..ALICE
    };
    let code = long.undated_code(&nonce);
    let old = format!("{TITLE}twenty-eight-letters.example github: {code}");
    assert!(long.is_undated_statement(&old, &nonce));
}

#[test]
fn a_site_a_name_or_a_code_of_another_form_is_refused() {
    let long = "a".repeat(MAX_SITE_BYTES + 1);
    for site in ["", "two words", "b\u{fc}cher.example", &long] {
        assert_eq!(statement(site, "n", CODE), Err(StatementError::Site));
    }
    for name in ["", "two words", "j\u{fc}rg", &"n".repeat(36)] {
        assert_eq!(statement("b", name, CODE), Err(StatementError::Name));
    }
    for code in ["", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrs1"] {
        assert_eq!(statement("b", "n", code), Err(StatementError::Code));
    }
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

/// Computed with Python: `base64.b32encode(hashlib.sha256(…).digest()[:15])[:20].lower()`.
#[test]
fn the_code_is_the_documented_hash() {
    let person = person("x", "783214");
    let nonce = core::array::from_fn(|at| u8::try_from(at).expect("small"));
    let genesis = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin);
    let block = *AsRef::<[u8; 32]>::as_ref(&genesis.block_hash());
    let code = |person: Person<'_>| person.code("@satoshi", &nonce, &block);
    assert_eq!(code(person), "os4su27jehh2f264koiy");
    assert_eq!(person.undated_code(&nonce), "pjt4jw2hxkzej5i6i7sd");
    let mut others = [person; 5];
    others[0].origin = "https://board.exampl";
    others[1].provider = "github";
    others[2].subject = "783215";
    others[3].account = "0190d0c2-0000-7000-8000-000000000002";
    // A letter that moves from one field to the next is another person.
    (others[4].provider, others[4].subject) = ("x7", "83214");
    for other in others {
        assert_ne!(code(other), code(person), "{other:?}");
        assert_ne!(other.undated_code(&nonce), person.undated_code(&nonce));
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
fn mangled_statements_are_still_recognised_as_such() {
    let mangled = "Proof of Reserves b.example n c|roof of Reserves b.example n c|\
        xx PROOF OF RESERVES|Proof  of\nReserves";
    for text in mangled.split('|') {
        assert!(speaks_of_one(text.as_bytes()), "{text}");
    }
    for text in ["", "Proof of something", "OMNI"] {
        assert!(!speaks_of_one(text.as_bytes()), "{text}");
    }
}
