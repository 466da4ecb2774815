//! A client that signs in, refreshes and signs out.

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
    let cookie = set_cookie(answer).and_then(|cookie| {
        let (_, value) = cookie.split(';').next()?.split_once('=')?;
        Some(value.to_owned())
    });
    Signed {
        access: text(&answer.body["access_token"]),
        refresh: text(&answer.body["refresh_token"]),
        user_id: text(&answer.body["user"]["id"]),
        cookie,
    }
}

/// The whole Set-Cookie header.
pub(super) fn set_cookie(answer: &Answer) -> Option<&str> {
    Some(answer.header("set-cookie")).filter(|cookie| !cookie.is_empty())
}

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
        let below = if path.starts_with('/') {
            "/api"
        } else {
            "/api/auth/v1/"
        };
        let address = format!("{}{below}{path}", self.origin);
        let method = method.parse().unwrap();
        let mut request = with_headers(direct_client().request(method, address), headers);
        if let Some(body) = body {
            request = request.json(&body);
        }
        Answer::read(request.send().await.unwrap()).await
    }

    /// `GET authorize` with these parameters.
    pub(super) async fn authorize(&self, parameters: &[(&str, &str)]) -> Answer {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters)
            .finish();
        self.auth("GET", &format!("authorize?{query}"), &[], None)
            .await
    }

    /// Signs in with the mock as far as the code.
    pub(super) async fn code(&self, verifier: &str) -> String {
        code_at(&self.origin, verifier).await
    }

    /// Exchanges a code, as a page of this origin with this cookie, or as a program.
    pub(super) async fn exchange(
        &self,
        code: &str,
        verifier: &str,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Answer {
        let body = json!({ "auth_code": code, "code_verifier": verifier });
        self.token("pkce", body, origin, cookie).await
    }

    /// Signs in a user from a provider, as a page of this origin or as a program.
    pub(super) async fn enter(&self, identity: &Identity, origin: Option<&str>) -> Answer {
        let verifier = verifier();
        let code = self
            .state
            .sign_in
            .admit(identity, challenge(&verifier), true);
        let code = code.await.unwrap();
        self.exchange(&code, &verifier, origin, None).await
    }

    /// Presents a refresh token or a rotation id.
    pub(super) async fn refresh(
        &self,
        token: &str,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Answer {
        let body = json!({ "refresh_token": token });
        self.token("refresh_token", body, origin, cookie).await
    }

    /// Refreshes a session as its own client: our page with its cookie, or a program.
    pub(super) async fn renew(&self, session: &Signed) -> Answer {
        let (site, cookie) = (self.site(), session.cookie.as_deref());
        let origin = cookie.map(|_| site.as_str());
        self.refresh(&session.refresh, origin, cookie).await
    }

    /// The same, as the client library does it: when the server is busy, it retries, and its session continues.
    pub(super) async fn renew_patiently(&self, session: &Signed) -> Signed {
        until("a refresh", async || {
            let answer = self.renew(session).await;
            if answer.status != 503 {
                return Some(signed(&answer));
            }
            assert_ne!(answer.header("retry-after"), "", "{answer:?}");
            assert_eq!(set_cookie(&answer), None);
            None
        })
        .await
    }

    async fn token(
        &self,
        grant: &str,
        body: Value,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Answer {
        let cookie = cookie.map(|value| format!("por-refresh={value}"));
        let origin = origin.map(|origin| ("origin", origin));
        let cookie = cookie.as_deref().map(|cookie| ("cookie", cookie));
        let headers: Vec<_> = origin.into_iter().chain(cookie).collect();
        let path = format!("token?grant_type={grant}");
        self.auth("POST", &path, &headers, Some(body)).await
    }

    /// A new user in body mode.
    pub(super) async fn program(&self) -> Signed {
        let verifier = verifier();
        let code = self.code(&verifier).await;
        signed(&self.exchange(&code, &verifier, None, None).await)
    }

    /// A new user in cookie mode.
    pub(super) async fn page(&self) -> Signed {
        let verifier = verifier();
        let code = self.code(&verifier).await;
        let site = self.site();
        signed(&self.exchange(&code, &verifier, Some(&site), None).await)
    }

    /// `POST logout` with this access token and query; the status of the response.
    pub(super) async fn sign_out(&self, access: &str, scope: &str) -> u16 {
        let headers = [("authorization", &*format!("Bearer {access}"))];
        let path = format!("logout{scope}");
        let answer = self.auth("POST", &path, &headers, None).await;
        answer.status.as_u16()
    }

    /// `GET user` with this access token.
    pub(super) async fn user(&self, access: &str) -> Answer {
        let headers = [("authorization", &*format!("Bearer {access}"))];
        self.auth("GET", "user", &headers, None).await
    }

    /// Whether an access token is accepted.
    pub(super) async fn is_in(&self, access: &str) -> bool {
        self.user(access).await.status == 200
    }

    /// How many users there are.
    pub(super) async fn people(&self) -> usize {
        self.state.store.profile_ids().await.unwrap().len()
    }
}

/// A server on SQLite, in development mode.
pub(super) async fn site() -> TestApp {
    TestApp::development().await
}

/// A server on this database, in development mode.
pub(super) async fn site_on(database: TestDatabase) -> TestApp {
    TestApp::start(database, &[]).await
}

/// A server on the same database whose clock differs by some seconds.
pub(super) async fn with_clock(site: &TestApp, seconds: i64) -> TestApp {
    site.replica(Clock::manual(site.state.clock.now() + seconds))
        .await
}
