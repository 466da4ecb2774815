//! Stopping: running requests complete, streams end, and all of it within a limit.

use super::*;

#[tokio::test]
async fn sigterm_stops_the_server_although_a_page_is_open() {
    // SIGHUP is sent when a terminal closes.
    for signal in ["TERM", "INT", "HUP"] {
        let mut server = ServerProcess::on_sqlite(&[]).await;
        let changes = format!("{}/api/rest/v1/profiles/changes", server.origin);
        let mut stream = http_client().get(changes).send().await.unwrap();
        stream.chunk().await.unwrap().expect("the opening");
        server.signal(signal);
        server.stopped().await;
        while stream.chunk().await.expect("an ordered end").is_some() {}
    }
}

/// The first and the second half of a submission.
async fn half_sent(server: &ServerProcess) -> (TcpStream, Vec<u8>) {
    let person = server.sign_in().await;
    let (file, token) = (person.sample("self-transfer.psbt").await, &person.token);
    let body = json!({"psbtBase64": STANDARD.encode(file), "utxos": [], "file_name": "a.psbt"});
    let body = body.to_string().into_bytes();
    let head = format!(
        "POST /api/functions/v1/submit-proof HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        server.address,
        body.len()
    );
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(head.as_bytes()).await.unwrap();
    // The log shows that the handler has begun to read.
    let mut go_on = [0; 25];
    connection.read_exact(&mut go_on).await.unwrap();
    assert!(go_on.starts_with(b"HTTP/1.1 100"), "{go_on:?}");
    let (first, rest) = body.split_at(body.len() / 2);
    connection.write_all(first).await.unwrap();
    (connection, rest.to_vec())
}

#[tokio::test]
async fn sigterm_lets_a_running_submission_finish() {
    let mut server = ServerProcess::on_sqlite(&[]).await;
    let (mut connection, rest) = half_sent(&server).await;
    server.tell_to_stop();
    wait_until("stopping", async || server.log().contains("stopping")).await;
    // No new connection is accepted.
    let connect = async || TcpStream::connect(server.address).await.err();
    until("closing the door", connect).await;
    connection.write_all(&rest).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    has(&answer, &["\"status\":\"success\""]);
    server.stopped().await;
}

#[tokio::test]
async fn no_client_keeps_the_server_from_stopping() {
    let mut server = ServerProcess::on_sqlite(&["--shutdown-seconds=1"]).await;
    let half = half_sent(&server).await;
    server.tell_to_stop();
    let stopped = tokio::time::timeout(Duration::from_secs(20), server.stopped()).await;
    stopped.expect("it gives up");
    has(&server.log(), &["aborting"]);
    drop(half);
}
