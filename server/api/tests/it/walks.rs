//! The first walk of ARCHITECTURE.md has the layers that a real request comes to, in their order, and the page has all others by their names.

use std::fmt;
use std::sync::Mutex;

use api::http::stops;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::prelude::*;

const PAGE: &str = include_str!("../../../docs/ARCHITECTURE.md");

const ROUTER: &str = include_str!("../../src/http/router.rs");

const ROWS: &str = "/api/rest/v1/profiles?limit=100";

/// Notes the names of layers.
#[derive(Clone, Default)]
struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    /// The names since the last call.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Visit for Trace {
    fn record_str(&mut self, _: &Field, name: &str) {
        self.0.lock().unwrap().push(name.to_owned());
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl Subscriber for Trace {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == stops::TARGET
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
}

#[tokio::test]
async fn a_get_of_rows_comes_to_the_layers_that_the_page_names() {
    let (_, walk) = PAGE.split_once("\n## A GET of rows\n").unwrap();
    let (walk, _) = walk.split_once("\n## ").unwrap();
    let names = walk.lines().filter_map(|line| {
        let (_, name) = line
            .split_once(". `")
            .filter(|(number, _)| number.chars().all(|character| character.is_ascii_digit()))?;
        Some(name.split_once('`')?.0.to_owned())
    });
    let names: Vec<String> = names.collect();
    let app = TestApp::development().await;
    app.caught_up().await;
    let trace = Trace::default();
    // The server runs on this thread, too.
    let _tracing = tracing::subscriber::set_default(trace.clone());
    app.get(ROWS).await.ok();
    assert_eq!(trace.take(), names);
    app.get(ROWS).await.ok();
    let hit = names.iter().position(|name| name == "cache_responses");
    assert_eq!(
        trace.take(),
        names[..=hit.unwrap()],
        "a hit ends at the cache"
    );
}

#[test]
fn the_page_names_every_layer() {
    let names = ROUTER.split("named(").skip(1);
    let names = names.map(|rest| rest.split('"').nth(1).unwrap());
    let missing: Vec<&str> = names
        .filter(|name| !PAGE.contains(&format!("`{name}`")))
        .collect();
    assert_eq!(missing, [""; 0]);
}
