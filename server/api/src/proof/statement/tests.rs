use std::collections::BTreeSet;

use super::*;
use crate::providers;
use store::shown_as::ShownAs;

const NOW: UnixTime = 1_790_000_000;

fn statements(origin: &str) -> Statements {
    Statements::new(KeyedHash::new(b"secret"), Network::Bitcoin, origin)
}

fn block(height: u32, byte: u8) -> Block {
    let header = [byte; 80];
    Block { height, header }
}

/// The blocks that count at a tip.
fn blocks(tip: u32) -> Blocks {
    let counting = Blocks::heights(tip).map(|height| block(height, 1));
    Blocks {
        tip,
        counting: counting.collect(),
        gone: Vec::new(),
    }
}

fn account(provider: &str, username: &str) -> Profile {
    Profile {
        id: "0190d0c2-0000-7000-8000-000000000001".to_owned(),
        provider: provider.to_owned(),
        subject: "42".to_owned(),
        username: username.to_owned(),
        named: true,
        email: None,
        avatar_url: None,
        tier: None,
        holdings_sats: None,
        last_verified: None,
        last_auto_reverify: None,
        created_at: NOW,
        updated_at: NOW,
        shown_as: ShownAs::Exact,
        shown_since: None,
    }
}

fn line(account: &Profile) -> String {
    line_of(&statements("https://board.example"), account)
}

fn line_of(statements: &Statements, account: &Profile) -> String {
    let statement = statements.for_account(account, &blocks(970_000), NOW);
    statement.line().to_owned()
}

/// Rule C10.
#[test]
fn two_periods_count_each_once_six_blocks_are_above_its_first_block() {
    let heights = |tip| Blocks::heights(tip).collect::<Vec<_>>();
    for (tip, expected) in [
        (0, vec![0]),
        (5, vec![0]),
        (2_021, vec![0]),
        (2_022, vec![2_016, 0]),
        (4_037, vec![2_016, 0]),
        (4_038, vec![4_032, 2_016]),
        (975_749, vec![973_728, 971_712]),
        (975_750, vec![975_744, 973_728]),
    ] {
        assert_eq!(heights(tip), expected, "{tip}");
    }
}

#[test]
fn a_line_counts_in_its_period_and_the_one_after() {
    let statements = statements("https://board.example");
    let hal = account("twitter", "hal");
    let at = |tip| statements.for_account(&hal, &blocks(tip), NOW);
    let first = at(975_750);
    assert_eq!(first.counts_until.height, 975_744 + 4_032 + 6);
    assert_eq!(first.next_line.height, 975_744 + 2_016 + 6);
    assert_eq!(at(977_765).line(), first.line());
    for tip in [977_766, 979_781] {
        let second = at(tip);
        assert_ne!(second.line(), first.line());
        assert!(second.texts().any(|line| line == first.line()), "{tip}");
    }
    let third = at(first.counts_until.height);
    assert!(third.texts().all(|line| line != first.line()));
    // 2,016 blocks take about two weeks.
    assert_eq!((first.next_line.day - NOW) / DAY, 13);
    let said = first.next_line.to_string();
    assert!(said.contains("block 977,766, about "), "{said}");
}

#[test]
fn lines_of_a_block_that_is_gone_are_recognized() {
    let statements = statements("https://board.example");
    let hal = account("twitter", "hal");
    let mut known = blocks(975_750);
    let before = statements.for_account(&hal, &known, NOW);
    known.gone.push(known.counting[0].clone());
    known.counting[0] = block(975_744, 2);
    let after = statements.for_account(&hal, &known, NOW);
    assert_ne!(after.line(), before.line());
    let why = |line: &str| after.why_not_bound(|known| known == line);
    assert_eq!(why(before.line()), NotBound::BlockGone);
    assert_eq!(why(after.line()), NotBound::OtherStatement);
}

#[test]
fn the_line_names_the_site_and_the_person() {
    let named = line(&account("github", "Hal"));
    let expected = "Proof of Reserves board.example gh:hal ";
    assert_eq!(&named[..named.len() - 20], expected);
    // Another user's handle could be the name that we made up.
    let unnamed = Profile {
        named: false,
        ..account("twitter", "user_0190d")
    };
    assert!(line(&unnamed).contains(" ~"), "{}", line(&unnamed));
    assert!(!line(&unnamed).contains("user_"));
}

/// Every name in a statement says which provider it is from. Rule C11: boards know no provider `reader`.
#[test]
fn the_same_name_at_two_providers_is_two_names() {
    let mut names = BTreeSet::new();
    for provider in providers::ALL {
        assert_ne!(provider.name, "reader");
        let line = line(&account(provider.name, "hal"));
        let name = line.split(' ').nth(4).unwrap_or_default();
        assert!(names.insert(name.to_owned()), "{name} twice");
    }
}

#[test]
fn everyone_has_a_line_of_their_own() {
    let hal = account("twitter", "hal");
    let mut subject = hal.clone();
    subject.subject = "43".to_owned();
    let mut id = hal.clone();
    id.id = "0190d0c2-0000-7000-8000-000000000002".to_owned();
    let (github, finney) = (account("github", "hal"), account("twitter", "finney"));
    let other_site = statements("https://board.example:8443");
    let secret = KeyedHash::new(b"secret");
    let test_coins = Statements::new(secret, Network::Testnet4, "https://board.example");
    let other_server = Statements::new(
        KeyedHash::new(b"other"),
        Network::Bitcoin,
        "https://board.example",
    );
    let lines = [&hal, &subject, &id, &github, &finney].map(line);
    let elsewhere = [other_site, test_coins, other_server];
    let elsewhere = elsewhere.map(|statements| line_of(&statements, &hal));
    let lines = lines.iter().chain(&elsewhere);
    let codes: BTreeSet<_> = lines.map(|line| &line[line.len() - 20..]).collect();
    assert_eq!(codes.len(), 8);
}
