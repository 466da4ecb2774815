//! What users and operators see while a part is frozen, slow or wrong. Each test checks its row of the table in OPERATIONS.md, or writes
//! it: `WRITE_ROWS=1 ./test all rust parts`, and `frozen`. A new row is a line with only its first cell.

use std::process::Command;
use std::{env, fs};

use crate::standby::{body, enter};
use crate::support::prelude::*;
use crate::support::small_disk::SmallPostgres;
use crate::support::tunnel::{State, Tunnel};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.github/OPERATIONS.md");
const COIN: Amount = Amount::from_sat(1_000_000);

/// What is seen at a replica: the board, signing in, proving, and `/readyz`.
pub(crate) async fn seen(origin: &str, site: &str, (token, file): (&str, &[u8])) -> [String; 4] {
    let get = async |path: &str| {
        let answer = http_client().get(format!("{origin}{path}")).send().await;
        Answer::read(answer.unwrap()).await
    };
    let board = get("/api/rest/v1/profiles?limit=1").await.status;
    let signed_in = match enter(origin, site).await {
        Some(_) => "works",
        None => "503",
    };
    let proof = http_client().post(format!("{origin}{SUBMIT}"));
    let proof = proof.bearer_auth(token).json(&body(file, false));
    let proof = Answer::read(proof.send().await.unwrap()).await;
    let proved = match proof.status.as_u16() {
        200 => "works".to_owned(),
        status => format!("{status}"),
    };
    let said = readiness(origin).await;
    let board = match board.as_u16() {
        200 => "works".to_owned(),
        status => format!("{status}"),
    };
    [board, signed_in.to_owned(), proved, said]
}

/// What `/readyz` says, in words and codes.
async fn readiness(origin: &str) -> String {
    let answer = http_client().get(format!("{origin}/readyz")).send().await;
    let ready = Answer::read(answer.unwrap()).await;
    let codes = ["reasons", "troubles"].map(|name| ready.body[name].clone());
    let codes = codes.iter().filter_map(Value::as_array).flatten();
    let mut said = text(&ready.body["status"]);
    if !ready.body["writes_failing_since"].is_null() {
        said += ", `writes_failing_since`";
    }
    for code in codes {
        said += &format!(", `{}`", text(&code["code"]));
    }
    said
}

/// Fails unless the page has this row, or writes it there.
#[track_caller]
pub(crate) fn is_on_the_page(part: &str, seen: &[String; 4]) {
    // Tests run at the same time.
    static WRITING: Mutex<()> = Mutex::new(());
    let begin = format!("| {part} |");
    let row = format!("{begin} {} |", seen.join(" | "));
    let _one = WRITING.lock();
    let page = fs::read_to_string(PAGE).unwrap();
    let line = page.lines().find(|line| line.starts_with(&begin));
    let line = line.unwrap_or_else(|| panic!("the page lacks: {row}"));
    if env::var_os("WRITE_ROWS").is_some() {
        fs::write(PAGE, page.replacen(line, &row, 1)).unwrap();
    } else {
        assert_eq!(line, row);
    }
}

/// Whether only `./test all` waits for this part.
fn only_in_long_runs() -> bool {
    let later = size(true, false);
    if later {
        println!("skipped: ./test all runs it");
    }
    later
}

/// Waits until `/readyz` says `ok` and users can sign in and prove again. An account may submit sixty files an hour.
async fn heals(origin: &str, site: &str, work: (&str, &[u8])) {
    wait_until("healing", async || readiness(origin).await == "ok").await;
    wait_until("working again", async || {
        tokio::time::sleep(Duration::from_secs(2)).await;
        seen(origin, site, work)
            .await
            .iter()
            .eq(["works", "works", "works", "ok"])
    })
    .await;
}

/// A server over a node's coins, a user and the file that the user submits.
struct Setup {
    server: ServerProcess,
    token: String,
    file: Vec<u8>,
}

impl Setup {
    async fn open(url: &str, node: &Node, sources: &str, more: &[&str]) -> Self {
        let chain = format!("--chain={sources}");
        let usual = [&*chain, "--network=regtest", "--proof-binding=optional"];
        let server = ServerProcess::start(url, &[&usual, more].concat()).await;
        let wallet = node.wallet().await;
        let coin = wallet.fund(AddressType::Bech32, COIN).await;
        let file = wallet.proof(&[coin], true).await.binary();
        let token = server.sign_in().await.token;
        Self {
            server,
            token,
            file,
        }
    }

    fn work(&self) -> (&str, &[u8]) {
        (&self.token, &self.file)
    }

    async fn seen(&self) -> [String; 4] {
        seen(&self.server.origin, &self.server.origin, self.work()).await
    }

    async fn heals(&self) {
        heals(&self.server.origin, &self.server.origin, self.work()).await;
    }
}

#[tokio::test]
async fn a_postgresql_that_takes_a_second_for_each_statement_is_slow_for_those_who_write() {
    if only_in_long_runs() {
        return;
    }
    let node = Node::start().await;
    let database = TestDatabase::postgres().await;
    let mut url: Url = database.url.parse().unwrap();
    let tunnel = Tunnel::start(url.socket_addrs(|| Some(5432)).unwrap()[0]).await;
    url.set_ip_host(tunnel.address.ip()).unwrap();
    url.set_port(Some(tunnel.address.port())).unwrap();
    let setup = Setup::open(
        url.as_str(),
        &node,
        &format!("bitcoind:{}", node.url()),
        &[],
    )
    .await;
    tunnel.set(State::Slow);
    is_on_the_page(
        "PostgreSQL takes a second for each statement",
        &setup.seen().await,
    );
    tunnel.set(State::Open);
    setup.heals().await;
}

#[tokio::test]
async fn a_source_that_is_ten_blocks_behind_is_not_believed() {
    if only_in_long_runs() {
        return;
    }
    let (node, slow) = (Node::start().await, Node::start().await);
    let database = TestDatabase::sqlite().await;
    let give = async |from: u32, to: u32| {
        for height in from..=to {
            let hash = node.call("getblockhash", json!([height])).await;
            let block = node.call("getblock", json!([hash, 0])).await;
            slow.call("submitblock", json!([block])).await;
        }
    };
    let (before, _) = node.tip().await;
    give(1, before).await;
    let sources = format!("bitcoind:{},bitcoind:{}", node.url(), slow.url());
    let setup = Setup::open(&database.url, &node, &sources, &["--chain-quorum=2"]).await;
    let (mined, _) = node.tip().await;
    give(before + 1, mined).await;
    setup.heals().await;
    node.mine(10).await;
    let origin = &setup.server.origin;
    wait_until("noticing", async || readiness(origin).await != "ok").await;
    is_on_the_page(
        "one of two chain sources is ten blocks behind",
        &setup.seen().await,
    );
    give(mined + 1, mined + 10).await;
    setup.heals().await;
}

/// Names are looked up in a file here.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_names_the_chain_is_silent_and_everything_else_works() {
    if only_in_long_runs() {
        return;
    }
    let node = Node::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("hosts"), "127.0.0.1 this-machine\n").unwrap();
    fs::write(file("nsswitch.conf"), "hosts: files\n").unwrap();
    let mounts = format!(
        "mount --bind {} /etc/hosts && mount --bind {} /etc/nsswitch.conf",
        file("hosts"),
        file("nsswitch.conf")
    );
    let mut may = Command::new("unshare");
    if !may
        .args(["-rm", "sh", "-c", &mounts])
        .status()
        .is_ok_and(|it| it.success())
    {
        println!("skipped: this machine lets nobody bind a file in a namespace (unshare -rm)");
        return;
    }
    let words = format!("exec unshare -rm sh -c '{mounts} && exec \"$0\" \"$@\"' \"$0\" \"$@\"");
    let database = TestDatabase::sqlite().await;
    let named = node.url().replace("127.0.0.1", "localhost");
    let chain = format!("--chain=bitcoind:{named}");
    let usual = [&*chain, "--network=regtest", "--proof-binding=optional"];
    let server = ServerProcess::start_after(&words, &database.url, &usual).await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file_of = wallet.proof(&[coin], true).await.binary();
    let setup = Setup {
        token: server.sign_in().await.token,
        server,
        file: file_of,
    };
    is_on_the_page("no names are found (DNS)", &setup.seen().await);
    fs::write(file("hosts"), "127.0.0.1 localhost\n").unwrap();
    setup.heals().await;
}

#[tokio::test]
async fn a_clock_that_is_two_minutes_off_is_said_and_harms_nobody() {
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let database = TestDatabase::postgres().await;
    let right = TestApp::at_node(database.again(), node.url()).await;
    let site = format!("--public-url={}", right.origin);
    let chain = format!("--chain=bitcoind:{}", node.url());
    let more = [
        &*chain,
        "--network=regtest",
        "--proof-binding=optional",
        &site,
    ];
    for ahead in [120, -120] {
        let wrong = TestApp::start(database.again(), &more).await;
        for (app, ahead) in [(&right, 0), (&wrong, ahead)] {
            let clock = &app.state.clock;
            clock.advance(Clock::System.now() + ahead - clock.now());
        }
        wrong.state.health.try_write().await.unwrap();
        for origin in [&right.origin, &wrong.origin] {
            // Signed in at the other one.
            let other = [&right.origin, &wrong.origin]
                .into_iter()
                .find(|it| *it != origin);
            let (_, token) = enter(other.unwrap(), &right.origin).await.unwrap();
            let coin = wallet.fund(AddressType::Bech32, COIN).await;
            let file = wallet.proof(&[coin], true).await.binary();
            let seen = seen(origin, &right.origin, (&token, &file)).await;
            if *origin == wrong.origin {
                is_on_the_page("a clock is two minutes off", &seen);
            } else {
                assert!(seen[..3].iter().all(|it| it == "works"), "{seen:?}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_under_postgresql_is_said_and_everything_works_once_there_is_room() {
    if only_in_long_runs() {
        return;
    }
    let Some(small) = SmallPostgres::start() else {
        println!("skipped: this user may not mount a small disk (unshare --mount)");
        return;
    };
    wait_until("PostgreSQL", async || {
        PgConnection::connect(&small.url).await.is_ok()
    })
    .await;
    let node = Node::start().await;
    let sources = format!("bitcoind:{}", node.url());
    let setup = Setup::open(&small.url, &node, &sources, &[]).await;
    let filler = small.filler();
    let fill = || {
        let file = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&filler);
        let mut file = file.unwrap();
        while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    };
    let origin = &setup.server.origin;
    wait_until("noticing", async || {
        fill();
        readiness(origin).await != "ok"
    })
    .await;
    // Until the last pages with room are used up.
    wait_until("refusing", async || enter(origin, origin).await.is_none()).await;
    is_on_the_page("the disk of PostgreSQL is full", &setup.seen().await);
    fs::remove_file(&filler).unwrap();
    setup.heals().await;
}
