//! Statements as they were run, and their plans.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, Once, PoisonError};

use sqlx::{AssertSqlSafe, Row as _};
use store::{Database, Store};
use tracing::field::{Field, Visit};
use tracing::{Event, Instrument as _, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use super::written::{is_statement, spaced};

/// A statement, and the lines of its plan that read a whole table or index.
pub(super) struct Explained {
    pub(super) sql: String,
    pub(super) plan: Vec<String>,
}

const SPAN: &str = "explained";

/// What was said in each span of ours, by its id.
static HEARD: Mutex<Option<HashMap<u64, Vec<String>>>> = Mutex::new(None);

/// Listens to what the driver tells of statements, whatever thread it tells it on.
struct Listener;

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(mut scope) = context.event_scope(event) else {
            return;
        };
        let Some(span) = scope.find(|span| span.name() == SPAN) else {
            return;
        };
        let mut said = Said::default();
        event.record(&mut said);
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        let all = heard.get_or_insert_default();
        all.entry(span.id().into_u64())
            .or_default()
            .push(said.text());
    }
}

#[derive(Default)]
struct Said {
    message: String,
    summary: String,
    statement: String,
}

impl Said {
    fn text(self) -> String {
        match (self.statement.trim(), self.summary.as_str()) {
            ("", "") => self.message,
            ("", summary) => summary.to_owned(),
            (statement, _) => statement.to_owned(),
        }
    }
}

impl Visit for Said {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let place = match field.name() {
            "summary" => &mut self.summary,
            "db.statement" => &mut self.statement,
            "message" => &mut self.message,
            _ => return,
        };
        place.clear();
        write!(place, "{value:?}").expect("memory");
    }
}

/// Everything that is run while `work` is done.
pub(super) async fn explained(store: &Store, work: impl Future<Output = ()>) -> Vec<Explained> {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        let wanted = Targets::new()
            .with_target("sqlx::query", tracing::Level::DEBUG)
            .with_target("sqlx::postgres::notice", tracing::Level::INFO)
            .with_target(module_path!(), tracing::Level::INFO);
        let listener = tracing_subscriber::registry().with(Listener.with_filter(wanted));
        tracing::subscriber::set_global_default(listener).expect("nobody else listens");
    });
    let span = tracing::info_span!(SPAN);
    work.instrument(span.clone()).await;
    let id = span.id().expect("a span that is listened to").into_u64();
    let heard = {
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        heard
            .as_mut()
            .and_then(|all| all.remove(&id))
            .unwrap_or_default()
    };
    match store.database() {
        Database::Postgres(_) => heard.iter().filter_map(|said| postgres(said)).collect(),
        Database::Sqlite(pool) => {
            let mut explained = Vec::new();
            for sql in heard.iter().map(|said| spaced(said)) {
                if !is_statement(&sql) {
                    continue;
                }
                let explain = AssertSqlSafe(format!("explain query plan {sql}"));
                let rows = sqlx::query(explain).fetch_all(pool).await.expect(&sql);
                let plan = rows.iter().map(|row| row.get::<String, _>("detail"));
                let plan = plan.filter(|line| sqlite_reads_all(line)).collect();
                explained.push(Explained { sql, plan });
            }
            explained
        }
    }
}

/// Whether a line of SQLite's plan goes through a whole table or index, and not through what the statement itself was given or has found.
fn sqlite_reads_all(line: &str) -> bool {
    let own = [
        "VIRTUAL TABLE",
        "CONSTANT ROW",
        "SCAN live",
        "SCAN given",
        "SCAN (subquery",
        "SCAN page",
        "SCAN stepped",
        "SCAN counted",
    ];
    line.contains("AUTOMATIC")
        || (line.starts_with("SCAN") && !own.iter().any(|it| line.contains(it)))
}

/// What PostgreSQL takes reading a few pages for, which is what an empty table or a small index has. One of our tables has thousands.
const LITTLE: f64 = 500.0;

/// The whole cost in a line of a plan: `(cost=0.42..8.44 rows=1 width=6)`.
fn cost(line: &str) -> f64 {
    let after = line.split_once("..").map_or("", |(_, after)| after);
    let cost = after.split(' ').next().and_then(|cost| cost.parse().ok());
    cost.unwrap_or(f64::INFINITY)
}

/// What auto_explain tells: `Query Text:`, the statement, the plan.
fn postgres(notice: &str) -> Option<Explained> {
    let text = notice.split_once("Query Text: ")?.1;
    let begins = |line: &str| line.contains("(cost=");
    let lines: Vec<&str> = text.lines().collect();
    let plan = lines.iter().position(|line| begins(line))?;
    let sql = spaced(&lines[..plan].join(" "));
    let mut whole = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(plan) {
        let own = lines[number + 1..].iter().take_while(|line| !begins(line));
        let conditions = own
            .filter(|line| line.trim().starts_with("Index Cond"))
            .count();
        let index = line.contains("Index Scan") || line.contains("Index Only Scan");
        let whole_one = line.contains("Seq Scan") || (index && conditions == 0);
        if whole_one && cost(line) > LITTLE {
            whole.push(line.trim().to_owned());
        }
    }
    Some(Explained { sql, plan: whole })
}
