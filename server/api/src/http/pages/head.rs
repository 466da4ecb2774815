//! Titles, descriptions and previews of pages, for search engines and social networks.

use std::sync::LazyLock;

use askama::Template;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::board::person::{BRAND, Person};

const DESCRIPTION: &str = "Prove your Bitcoin holdings with a signed transaction that is never broadcast, and take your place on the public leaderboard.";

/// A page: an entry of `pages.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    path: String,
    title: Option<String>,
    description: Option<String>,
    /// Whether search engines may list it.
    #[serde(default)]
    listed: bool,
    /// Whether it is a page of the app for which the server has no handler of its own (`web/src/routes.tsx`).
    #[serde(default)]
    app: bool,
}

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("pages.json")).expect("the list is well-formed")
});

/// The addresses that search engines may list, in the order of the sitemap.
pub(super) fn listed() -> impl Iterator<Item = &'static str> {
    let listed = PAGES.iter().filter(|page| page.listed);
    listed.map(|page| page.path.as_str())
}

/// The pages of the app without a handler of their own.
pub fn app_pages() -> impl Iterator<Item = &'static str> {
    let pages = PAGES.iter().filter(|page| page.app);
    pages.map(|page| page.path.as_str())
}

/// The head of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    title: String,
    description: String,
    /// Path and query of the page, as links should name it. Pages that are not listed do not show it, so that they are one page.
    address: String,
    /// Path of its card.
    card: String,
    /// Whether search engines should list it.
    listed: bool,
}

#[derive(Template)]
#[template(path = "head.html")]
struct HeadTemplate<'a> {
    head: &'a Head,
    origin: &'a str,
}

impl Head {
    /// The head of the page at this path.
    pub(super) fn for_path(path: &str) -> Self {
        // All published proofs have the page of `/verify`, which is listed once.
        let known = match path.starts_with("/verify/") {
            true => "/verify",
            false => path,
        };
        let page = PAGES.iter().find(|page| page.path == known);
        let title = page.and_then(|page| page.title.as_deref());
        let description = page.and_then(|page| page.description.as_deref());
        Self {
            title: title.map_or_else(|| BRAND.to_owned(), |title| format!("{title} · {BRAND}")),
            description: description.unwrap_or(DESCRIPTION).to_owned(),
            address: path.to_owned(),
            card: "/card/leaderboard.png".to_owned(),
            listed: page.is_some_and(|page| page.listed && page.path == path),
        }
    }

    /// The head of the leaderboard for a shared link (decisions, D15).
    pub(super) fn for_person(person: &Person) -> Self {
        let (title, description) = person.link();
        Self {
            title,
            description,
            address: leaderboard_path(person),
            card: card_path(person),
            listed: true,
        }
    }

    /// As HTML, with everything escaped.
    pub(super) fn html(&self, origin: &str) -> Result<String, askama::Error> {
        HeadTemplate { head: self, origin }.render()
    }
}

/// The path and query of a link that shares a holder's row.
pub(super) fn leaderboard_path(person: &Person) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let query = query.append_pair("u", &person.handle).finish();
    format!("/leaderboard?{query}")
}

/// The address of a holder's card. It changes with the card, because social networks cache it.
fn card_path(person: &Person) -> String {
    // A query's encoding, but for the space, is a path's as well.
    let name: String = form_urlencoded::byte_serialize(person.handle.as_bytes()).collect();
    let shown = format!("{person:?}");
    let version = hex::encode(&Sha256::digest(shown)[..4]);
    format!("/card/{}.png?v={version}", name.replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn person(name: &str) -> Person {
        let mut person = Person::sample(name);
        person.handle = format!("google:{name}");
        person.name = format!("google:{name}");
        person
    }

    #[test]
    fn a_persons_page_says_rank_name_and_holdings() {
        let html = Head::for_person(&person("sa to"))
            .html("https://a.example")
            .unwrap();
        for text in [
            "<title>#3 · google:sa to · 1.25000000 BTC · Proof of Reserves</title>",
            "<link rel=\"canonical\" href=\"https://a.example/leaderboard?u=google%3Asa+to\" />",
            "content=\"https://a.example/card/google%3Asa%20to.png?v=",
            "ranked #3 on the Bitcoin Leaderboard with 1.25000000 BTC",
        ] {
            assert!(html.contains(text), "{text} in {html}");
        }
    }

    #[test]
    fn a_range_says_at_least() {
        let holder = Person {
            sats: Some(100_000_000),
            is_range: true,
            last_verified: None,
            ..person("satoshi")
        };
        let html = Head::for_person(&holder).html("https://a.example").unwrap();
        for text in [
            "<title>#3 · google:satoshi · at least 1 BTC · Proof of Reserves</title>",
            "with at least 1 BTC, proven by signatures",
        ] {
            assert!(html.contains(text), "{text} in {html}");
        }
    }

    #[test]
    fn a_name_is_text_and_nothing_else() {
        let hostile = person("</title><script>alert(1)</script>\" onload=\"x' <!--");
        let html = Head::for_person(&hostile)
            .html("https://a.example")
            .unwrap();
        assert!(!html.contains("<script") && !html.contains("<!--") && !html.contains("\" onload"));
        assert_eq!(html.matches("</title>").count(), 1);
    }

    #[test]
    fn a_card_that_shows_something_else_has_another_address() {
        let (before, mut after) = (person("a"), person("a"));
        after.rank = Some(2);
        assert_ne!(card_path(&before), card_path(&after));
    }

    #[test]
    fn the_pages_are_those_of_the_app() {
        let routes = include_str!("../../../../../web/src/routes.tsx");
        let paths = routes.split("<Route path=\"").skip(1);
        let paths = paths.filter_map(|rest| rest.split_once('"').map(|(path, _)| path));
        // These pages have handlers of their own.
        let others = ["/", "/leaderboard", "/privacy", "/terms"];
        let paths = paths.filter(|path| !others.contains(path));
        let paths: BTreeSet<_> = paths.map(|path| path.replace(":id", "{id}")).collect();
        assert_eq!(paths, app_pages().map(str::to_owned).collect());
    }

    #[test]
    fn private_pages_are_not_listed() {
        for path in [
            "/login",
            "/upload",
            "/profile/1",
            "/choose-plan",
            "/auth/callback",
            "/verify/0190a0b0-0000-7000-8000-000000000000",
            "/prove/ask",
            "/nowhere",
        ] {
            let html = Head::for_path(path).html("https://a.example").unwrap();
            assert!(
                html.contains("noindex") && !html.contains("canonical"),
                "{path}"
            );
        }
        let html = Head::for_path("/how-it-works")
            .html("https://a.example")
            .unwrap();
        assert!(html.contains("<title>How It Works · Proof of Reserves</title>"));
        assert!(!html.contains("noindex"));
    }
}
