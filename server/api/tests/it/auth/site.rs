//! A client that signs in, refreshes and signs out.

use store::sessions::Session;

use crate::support::prelude::*;
use crate::support::sign_in::code_at;

/// A session as a client sees it.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub(super) access: String,
    pub(super) refresh: String,
    /// The cookie's value, in cookie mode.
    pub(super) cookie: Option<String>,
    pub(super) user_id: String,
}

/// Reads a session out of a token response.
pub(super) fn signed(answer: &Answer) -> Signed {
    assert_eq!(answer.status, 200, "{answer:?}");
    let pair = answer.header("set-cookie").split(';').next();
    let cookie = pair.and_then(|pair| pair.split_once('='));
    Signed {
        access: text(&answer.body["access_token"]),
        refresh: text(&answer.body["refresh_token"]),
        user_id: text(&answer.body["user"]["id"]),
        cookie: cookie.map(|(_, value)| value.to_owned()),
    }
}

/// The origin of a page, and the cookie that its browser sends.
pub(super) type Caller<'a> = (Option<&'a str>, Option<&'a str>);

/// A program has neither.
pub(super) const PROGRAM: Caller<'static> = (None, None);

impl TestApp {
    /// Another server on the same database, with the same address and clock.
    pub(super) async fn another(&self) -> Self {
        self.replica(self.state.clock.clone()).await
    }

    /// Sends a request below `/api/auth/v1/`, or below `/api` when the path begins with a slash, and follows no redirect.
    pub(super) async fn auth(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        let below = ["/api/auth/v1/", "/api"][usize::from(path.starts_with('/'))];
        let address = format!("{}{below}{path}", self.origin);
        let request = direct_client().request(method.parse().unwrap(), address);
        let mut request = with_headers(request, headers);
        if let Some(body) = body {
            request = request.json(&body);
        }
        Answer::read(request.send().await.unwrap()).await
    }

    /// `GET authorize` with this query.
    pub(super) async fn authorize(&self, query: &str) -> Answer {
        let path = format!("authorize?{query}");
        self.auth("GET", &path, &[], None).await
    }

    /// Its query as the client library makes it.
    pub(super) fn query(&self, provider: &str, verifier: &str) -> String {
        let back = format!("redirect_to={}/auth/callback&scopes=ignored", self.site());
        let challenge = format!("code_challenge={}", challenge(verifier));
        format!("provider={provider}&{back}&{challenge}&code_challenge_method=s256")
    }

    pub(super) async fn begin(&self, provider: &str, verifier: &str) -> Answer {
        self.authorize(&self.query(provider, verifier)).await
    }

    /// Signs in with the mock as far as the code.
    pub(super) async fn code(&self, verifier: &str) -> String {
        code_at(&self.origin, verifier).await
    }

    /// Exchanges a code.
    pub(super) async fn exchange(&self, code: &str, verifier: &str, caller: Caller<'_>) -> Answer {
        let body = json!({ "auth_code": code, "code_verifier": verifier });
        self.grant("pkce", body, caller).await
    }

    /// Signs in a user from a provider, as a page of this origin or as a program.
    pub(super) async fn enter(&self, identity: &Identity, origin: Option<&str>) -> Answer {
        let (verifier, room) = (verifier(), &self.state.sign_in);
        let code = room.admit(identity, challenge(&verifier), true).await;
        self.exchange(&code.unwrap(), &verifier, (origin, None))
            .await
    }

    /// Presents a refresh token or a rotation id.
    pub(super) async fn refresh(&self, token: &str, caller: Caller<'_>) -> Answer {
        let body = json!({ "refresh_token": token });
        self.grant("refresh_token", body, caller).await
    }

    /// Refreshes a session as its own client: our page with its cookie, or a program.
    pub(super) async fn renew(&self, session: &Signed) -> Answer {
        let (site, cookie) = (self.site(), session.cookie.as_deref());
        let origin = cookie.map(|_| site.as_str());
        self.refresh(&session.refresh, (origin, cookie)).await
    }

    async fn grant(&self, grant: &str, body: Value, (origin, cookie): Caller<'_>) -> Answer {
        let cookie = cookie.map(|value| format!("por-refresh={value}"));
        let origin = origin.map(|origin| ("origin", origin));
        let cookie = cookie.as_deref().map(|cookie| ("cookie", cookie));
        let headers: Vec<_> = origin.into_iter().chain(cookie).collect();
        let path = format!("token?grant_type={grant}");
        self.auth("POST", &path, &headers, Some(body)).await
    }

    /// A new user in body mode.
    pub(super) async fn program(&self) -> Signed {
        self.newcomer(None).await
    }

    /// A new user in cookie mode.
    pub(super) async fn page(&self) -> Signed {
        self.newcomer(Some(&self.site())).await
    }

    async fn newcomer(&self, origin: Option<&str>) -> Signed {
        let verifier = verifier();
        let code = self.code(&verifier).await;
        signed(&self.exchange(&code, &verifier, (origin, None)).await)
    }

    /// `POST logout` with this access token and query; the status of the response.
    pub(super) async fn sign_out(&self, access: &str, scope: &str) -> u16 {
        let path = format!("logout{scope}");
        let answer = self.auth_as(access, "POST", &path).await;
        answer.status.as_u16()
    }

    /// `GET user` with this access token.
    pub(super) async fn user(&self, access: &str) -> Answer {
        self.auth_as(access, "GET", "user").await
    }

    async fn auth_as(&self, access: &str, method: &str, path: &str) -> Answer {
        let headers = [("authorization", &*format!("Bearer {access}"))];
        self.auth(method, path, &headers, None).await
    }

    /// Whether an access token is accepted.
    pub(super) async fn is_in(&self, access: &str) -> bool {
        self.user(access).await.status == 200
    }

    /// The session of an access token, as the database has it.
    pub(super) async fn on_record(&self, access: &str) -> Option<Session> {
        let session = self.state.store.session(&session_id(access)).await;
        session.unwrap()
    }

    /// How many users there are.
    pub(super) async fn people(&self) -> usize {
        self.state.store.profile_ids().await.unwrap().len()
    }
}
