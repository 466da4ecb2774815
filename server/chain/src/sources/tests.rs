use super::*;

const NODE: &str = "bitcoind:http://user:secret@127.0.0.1:8332";
const OTHER_NODE: &str = "bitcoind:http://user:secret@127.0.0.2:8332";
const EXPLORER: &str = "esplora:https://explorer.example/api";
const OTHER_EXPLORER: &str = "esplora:https://other.example/api";

fn read(chain: &[&str], quorum: Option<u8>, trust: Trust) -> Result<Sources, SourcesError> {
    let client = outbound::client().expect("a client");
    let read = Sources::read(chain, quorum, trust, &client);
    read.map(|(sources, _)| sources)
}

fn production(chain: &[&str], quorum: Option<u8>) -> Result<Sources, SourcesError> {
    read(chain, quorum, Trust::Production)
}

fn in_development(chain: &[&str]) -> Result<Sources, SourcesError> {
    read(chain, None, Trust::Development)
}

/// How many sources there are, and how many must agree.
fn counts(sources: Result<Sources, SourcesError>) -> (usize, usize) {
    let sources = sources.expect("sources");
    (sources.list.len(), sources.quorum)
}

macro_rules! assert_refused {
    ($sources:expr, $variant:ident) => {{
        let sources = $sources;
        assert!(
            matches!(sources, Err(SourcesError::$variant { .. })),
            "{sources:?}"
        );
    }};
}

#[test]
fn production_wants_a_chain_and_the_development_chain_is_for_development_alone() {
    assert_refused!(production(&[], None), NotSet);
    assert_refused!(production(&["development"], None), Development);
    assert_refused!(production(&[EXPLORER, "development"], None), Development);
    assert_refused!(in_development(&["development", EXPLORER]), Development);
    for chain in [&["development"][..], &[]] {
        let sources = in_development(chain);
        let is_embedded = sources.as_ref().is_ok_and(|it| it.embedded.is_some());
        assert!(is_embedded, "{sources:?}");
        assert_refused!(read(chain, Some(2), Trust::Development), QuorumTooLarge);
    }
}

#[test]
fn a_single_public_source_is_not_believed() {
    assert_refused!(production(&[EXPLORER], None), SinglePublicSource);
    assert_eq!(counts(in_development(&[EXPLORER])), (1, 1));
    for sources in [[EXPLORER, OTHER_EXPLORER], [NODE, OTHER_EXPLORER]] {
        assert_refused!(production(&sources, Some(1)), SinglePublicSource);
        assert_eq!(counts(production(&sources, None)), (2, 2));
    }
    let sentence = SourcesError::SinglePublicSource.to_string();
    assert!(sentence.starts_with("a single public chain source"));
}

/// An auditor with a source on their own machine needs no second one.
#[test]
fn a_source_on_this_machine_is_the_auditors_own() {
    const HERE: &str = "esplora:http://127.0.0.1:3000";
    let audit = |chain: &[&str]| read(chain, None, Trust::Audit);
    assert_eq!(counts(audit(&[HERE])), (1, 1));
    assert_eq!(counts(audit(&[HERE, NODE])), (2, 1));
    assert_eq!(counts(audit(&[HERE, EXPLORER])), (2, 2));
    assert_refused!(audit(&[EXPLORER]), SinglePublicSource);
    assert_refused!(audit(&[]), NotSet);
    assert_refused!(audit(&["development"]), Development);
    assert_refused!(production(&[HERE], None), SinglePublicSource);
}

#[test]
fn ones_own_nodes_stand_in_for_each_other_and_sources_that_could_never_agree_are_refused() {
    assert_eq!(counts(production(&[NODE], None)), (1, 1));
    assert_eq!(counts(production(&[NODE, OTHER_NODE], None)), (2, 1));
    assert_eq!(counts(production(&[NODE, OTHER_NODE], Some(2))), (2, 2));
    let too_many = production(&[EXPLORER, OTHER_EXPLORER], Some(3));
    assert_refused!(too_many, QuorumTooLarge);
    assert_refused!(production(&[EXPLORER, EXPLORER], None), SameSourceTwice);
}

#[tokio::test]
async fn one_server_is_one_source_whatever_it_is_called() {
    for other in [
        "esplora:https://explorer.example/other/api",
        "esplora:https://key:secret@EXPLORER.example.:443/api",
        "bitcoind:https://explorer.example",
    ] {
        assert_refused!(production(&[EXPLORER, other], None), SameSourceTwice);
    }
    let named = [
        "bitcoind:http://a:secret@localhost:1",
        "esplora:http://127.0.0.1:1",
    ];
    let client = outbound::client().expect("a client");
    let sources = Sources::open(&named, None, Trust::Production, &client).await;
    let said = sources.expect_err("one server").to_string();
    let named = said.contains("CHAIN_QUORUM");
    assert!(named && !said.contains("secret"), "{said}");
}

#[test]
fn a_misspelled_source_is_refused_with_how_to_name_one_and_without_what_it_hides() {
    let help = "use development, bitcoind:URL or esplora:URL";
    for chain in [
        "bitcoin:http://user:hunter2@127.0.0.1:8332",
        "bitcoind:http://user:hunter2@[127.0.0.1:8332",
        "user-hunter2@127.0.0.1",
    ] {
        let said = production(&[chain], None).expect_err(chain).to_string();
        let helps = said.starts_with("CHAIN: ") && said.ends_with(help);
        assert!(helps && !said.contains("hunter2"), "{said}");
    }
}

#[test]
fn credentials_of_the_node_are_not_shown() {
    let shown = format!("{:?}", production(&[NODE, OTHER_EXPLORER], None));
    assert!(!shown.contains("secret"), "{shown}");
    assert!(shown.contains("Esplora at other.example"), "{shown}");
}
