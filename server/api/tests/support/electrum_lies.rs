//! Electrum servers that answer badly: made up from lines, or a real one with some answers changed.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines, ReadHalf, WriteHalf};
use tokio::net::TcpStream;

use crate::support::prelude::*;

/// A made-up server's answer.
pub(crate) enum Say {
    /// Sends this line.
    Line(String),
    /// Sends these bytes again and again.
    Forever(&'static [u8]),
    /// Sends nothing.
    Nothing,
    /// Closes the connection.
    Close,
}

impl Say {
    /// A proper answer.
    pub(crate) fn result(question: &Value, result: Value) -> Self {
        Self::Line(json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string())
    }

    /// A proper refusal.
    pub(crate) fn error(question: &Value, error: Value) -> Self {
        Self::Line(json!({"jsonrpc": "2.0", "id": question["id"], "error": error}).to_string())
    }
}

/// A server that completes the protocol's greeting and then answers each request with `say`.
pub(crate) async fn made_up(say: impl Fn(&Value) -> Say + Send + Sync + 'static) -> String {
    let say = Arc::new(say);
    serve(move |stream| {
        let say = say.clone();
        async move {
            let (mut lines, mut write) = parts(stream);
            while let Ok(Some(line)) = lines.next_line().await {
                let question: Value = serde_json::from_str(&line).unwrap();
                let said = match question["method"].as_str() {
                    Some("server.version") => Say::result(&question, json!(["made up", "1.4"])),
                    _ => say(&question),
                };
                match said {
                    Say::Line(line) => send(&mut write, &line).await,
                    Say::Forever(bytes) => while write.write_all(bytes).await.is_ok() {},
                    Say::Nothing => {}
                    Say::Close => return,
                }
            }
        }
    })
    .await
}

/// A changed result that makes the proxy answer with an error.
pub(crate) fn refusal(message: &str) -> Value {
    json!({ "refused": message })
}

/// The server at `port` of this machine, with `change` applied to each result; it also gets the
/// method's name and the parameters.
pub(crate) async fn changed(
    port: u16,
    change: impl Fn(&str, &Value, &mut Value) + Send + Sync + 'static,
) -> String {
    let change = Arc::new(change);
    serve(move |stream| {
        let change = change.clone();
        async move {
            let real = TcpStream::connect(("127.0.0.1", port)).await;
            let (mut answers, mut ask) = parts(real.expect("the real server"));
            let (mut questions, mut answer) = parts(stream);
            let mut asked: HashMap<u64, Value> = HashMap::new();
            loop {
                tokio::select! {
                    Ok(Some(line)) = questions.next_line() => {
                        let question: Value = serde_json::from_str(&line).unwrap();
                        asked.insert(question["id"].as_u64().unwrap(), question);
                        send(&mut ask, &line).await;
                    }
                    Ok(Some(line)) = answers.next_line() => {
                        let mut message: Value = serde_json::from_str(&line).unwrap();
                        let id = message["id"].as_u64();
                        if let Some(question) = id.and_then(|id| asked.remove(&id)) {
                            let method = question["method"].as_str().unwrap();
                            change(method, &question["params"], &mut message["result"]);
                        }
                        if let Some(refused) = message["result"].get("refused") {
                            let error = json!({"code": 1, "message": refused});
                            message = json!({"jsonrpc": "2.0", "id": id, "error": error});
                        }
                        send(&mut answer, &message.to_string()).await;
                    }
                    else => return,
                }
            }
        }
    })
    .await
}

/// Serves every connection to a free port of this machine until the test's runtime ends.
async fn serve<F, W>(work: F) -> String
where
    F: Fn(TcpStream) -> W + Send + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let (listener, origin) = port().await;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(work(stream));
        }
    });
    origin.replace("http://", "tcp://")
}

type Reading = Lines<BufReader<ReadHalf<TcpStream>>>;

fn parts(stream: TcpStream) -> (Reading, WriteHalf<TcpStream>) {
    let (read, write) = tokio::io::split(stream);
    (BufReader::new(read).lines(), write)
}

async fn send(write: &mut WriteHalf<TcpStream>, line: &str) {
    // The client may have disconnected.
    let _sent = write.write_all(format!("{line}\n").as_bytes()).await;
}
