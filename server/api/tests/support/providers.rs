//! The providers on ports of this machine, and a browser that signs in there. The providers are a
//! Node.js process with a published authorization server in it (`tests/providers`).

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use reqwest::Response;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;

use crate::support::prelude::*;

/// The client id and secret of the server at the providers. A space and a plus must be escaped in both of the
/// encodings that they are sent in.
const CLIENT_ID: &str = "the-client";
const CLIENT_SECRET: &str = "the-secret of + the client";

/// The address by which the stand-ins are controlled. They end with the tests: a process without input ends.
fn control() -> &'static str {
    static CONTROL: OnceLock<String> = OnceLock::new();
    CONTROL.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/providers");
        let installed = folder.join("node_modules/oidc-provider").is_dir();
        assert!(installed, "run npm ci in server/api/tests/providers");
        let mut node = Command::new("node");
        let node = node.arg("main.mjs").current_dir(folder);
        let node = node.stdin(Stdio::piped());
        // The package warns about settings that are fine in tests. Failures are in the recorded requests.
        let node = node.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut node = node.expect("node runs; install Node.js 20.19 or newer");
        let mut output = BufReader::new(node.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        // Leaks the process, so that its pipes stay open.
        std::mem::forget((node, output));
        let said: Value = serde_json::from_str(&line).unwrap();
        text(&said["control"])
    })
}

/// Providers for one test only.
pub(crate) struct Providers {
    control: String,
    addresses: HashMap<String, String>,
}

impl Providers {
    /// Providers that redirect to the site at `origin`.
    pub(crate) async fn start(origin: &str) -> Self {
        let worlds = format!("{}/worlds", control());
        let made = ask(&worlds, Some(json!({ "site": origin }))).await;
        let control = format!("{worlds}/{}", text(&made["id"]));
        let addresses = api::providers::oauth().map(|(provider, _)| {
            let address = made[provider.name].as_str();
            let address = address.expect("tests/providers has a stand-in for every provider");
            (provider.name.to_owned(), address.to_owned())
        });
        let addresses = addresses.collect();
        Self { control, addresses }
    }

    /// The settings of a server for sign-in at these providers.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let provider = |(name, address): (&String, &String)| {
            [
                format!("--{name}-client-id={CLIENT_ID}"),
                format!("--{name}-client-secret={CLIENT_SECRET}"),
                format!("--{name}-url={address}"),
            ]
        };
        self.addresses.iter().flat_map(provider).collect()
    }

    /// The address at which programs in other languages steer them.
    pub(crate) fn control(&self) -> &str {
        &self.control
    }

    /// The address of one of them.
    pub(crate) fn address(&self, provider: &str) -> &str {
        &self.addresses[provider]
    }

    /// Sets the user of every browser from now on, in this provider's format; null for a user who declines.
    pub(crate) async fn person(&self, provider: &str, person: Value) {
        let steer = json!({ "provider": provider, "person": person });
        ask(&self.control, Some(steer)).await;
    }

    /// Makes every response of one kind useless from now on (`tests/providers/stand.mjs` has the kinds), closes the
    /// port with "down", or ends all faults with null.
    pub(crate) async fn fault(&self, provider: &str, fault: Value) {
        let steer = json!({ "provider": provider, "fault": fault });
        ask(&self.control, Some(steer)).await;
    }

    /// The requests that have reached an endpoint of a provider, in order.
    pub(crate) async fn seen(&self, provider: &str, endpoint: &str) -> Vec<Value> {
        let mut all = ask(&self.control, None).await.as_array().unwrap().clone();
        let broken = all.iter().find(|it| it["failed"].is_string());
        assert_eq!(broken, None, "the provider itself is broken");
        all.retain(|it| it["provider"] == provider && it["endpoint"] == endpoint);
        all
    }
}

async fn ask(url: &str, body: Option<Value>) -> Value {
    let client = super::http_client();
    let request = match body {
        Some(body) => client.post(url).json(&body),
        None => client.get(url),
    };
    let answer = request.send().await.expect("the providers answer");
    let status = answer.status();
    let said = answer.text().await.unwrap();
    assert_eq!(status, 200, "{said}");
    serde_json::from_str(&said).unwrap()
}

/// A user's browser: it keeps cookies, each for its own site, and sends the headers that browsers send when a user
/// follows a link. It follows redirects only as far as the caller asks.
pub(crate) struct Browser {
    client: Client,
    /// Separated by host and port, unlike real ones, so that sites on one machine are as far apart as real sites.
    cookies: Mutex<HashMap<String, BTreeMap<String, String>>>,
}

impl Browser {
    /// A new browser.
    pub(crate) fn new() -> Self {
        let client = Client::builder().redirect(Policy::none()).no_proxy();
        let (client, cookies) = (client.build().unwrap(), Mutex::default());
        Self { client, cookies }
    }

    /// Opens an address.
    pub(crate) async fn open(&self, url: &Url) -> Response {
        self.open_at(url, url.authority()).await
    }

    /// Opens an address that another server behind the same name answers.
    pub(crate) async fn open_at(&self, url: &Url, authority: &str) -> Response {
        let site = url.authority();
        let address = url.as_str().replacen(site, authority, 1);
        let request = self.client.get(address);
        let request = request.header("sec-fetch-site", "cross-site");
        let request = request.header("sec-fetch-mode", "navigate");
        let mut request = request.header("sec-fetch-dest", "document");
        if let Some(cookies) = self.cookies(site) {
            request = request.header(COOKIE, cookies);
        }
        let answer = request.send().await.unwrap();
        for cookie in answer.headers().get_all(SET_COOKIE) {
            self.keep(site, cookie.to_str().unwrap());
        }
        answer
    }

    /// Opens an address and follows redirects up to an address that begins with `until`, which it
    /// does not open.
    pub(crate) async fn follow(&self, from: Url, until: &str) -> Url {
        let mut at = from;
        for _ in 0..10 {
            if at.as_str().starts_with(until) {
                return at;
            }
            at = redirect(&self.open(&at).await, &at);
        }
        panic!("too many redirects, the last one to {at}");
    }

    /// The cookies that it would send there.
    pub(crate) fn cookies(&self, authority: &str) -> Option<String> {
        let jars = self.cookies.lock().expect("nobody panicked");
        let jar = jars.get(authority).filter(|jar| !jar.is_empty())?;
        let pairs = jar.iter().map(|(name, value)| format!("{name}={value}"));
        Some(pairs.collect::<Vec<_>>().join("; "))
    }

    /// Stores or deletes a cookie.
    pub(crate) fn keep(&self, authority: &str, set_cookie: &str) {
        let (pair, attributes) = set_cookie.split_once(';').unwrap_or((set_cookie, ""));
        let (name, value) = pair.split_once('=').unwrap();
        let attributes = attributes.to_ascii_lowercase();
        let over = value.is_empty()
            || attributes.contains("max-age=0")
            || attributes.contains("expires=thu, 01 jan 1970");
        let mut jars = self.cookies.lock().expect("nobody panicked");
        let jar = jars.entry(authority.to_owned()).or_default();
        match over {
            true => jar.remove(name),
            false => jar.insert(name.to_owned(), value.to_owned()),
        };
    }
}

/// The target of a redirect.
pub(crate) fn redirect(answer: &Response, from: &Url) -> Url {
    let location = answer.headers().get(LOCATION);
    let location = location.unwrap_or_else(|| panic!("{} at {from}", answer.status()));
    from.join(location.to_str().unwrap()).unwrap()
}
