//! Each statement of these files finds what it wants by an index, on both databases: one that reads a whole table has to say why.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use store::Database;
use syn::visit::Visit;

use super::*;
use crate::support::database::texts;

on_both!(every_foreign_key_has_an_index);

/// Files of the store whose statements may meet a lot of rows.
const FILES: [&str; 15] = [
    "claims.rs",
    "claims/change.rs",
    "claims/record.rs",
    "claims/settle.rs",
    "claims/takeover.rs",
    "follower.rs",
    "follower/cursor.rs",
    "follower/sweep.rs",
    "history.rs",
    "jobs.rs",
    "proofs.rs",
    "published.rs",
    "changes.rs",
    "rate_limits.rs",
    "reverify.rs",
];

/// Tables that are small, or are read whole on purpose.
const MEANT: [(&str, &str); 15] = [
    ("accounts_set_aside", "the few that cannot be settled"),
    ("chain_cursor", "one row for each network"),
    ("chain_blocks", "a week of blocks"),
    ("leases", "one row for each piece of work"),
    ("live_sequence", "one row"),
    ("unsent_changes", "all of them are passed on"),
    ("changed", "of those, each profile once"),
    (
        "own_changes",
        "what one user's claims have done, found by an index",
    ),
    ("rate_limits", "counts of windows that are over are deleted"),
    (
        "profiles_to_reverify",
        "those who are due first, up to a limit",
    ),
    ("claims_undone", "the few that wait for a block"),
    ("log_lines", "an entry compares all rows"),
    ("log_rotations", "a note for each new key of the log"),
    ("ended_logs", "a row for each time that a log ended"),
    ("server_keys", "one or two for each purpose"),
];

/// Statements that read all rows on purpose.
const MEANT_STATEMENTS: [(&str, &str); 5] = [
    ("delete from log_lines", "a log ends, and a new one begins"),
    (
        "from profiles left join log_lines",
        "an entry compares all rows",
    ),
    (
        "copy (select id, provider,",
        "the board is read at the start",
    ),
    (
        "select id from profiles",
        "development fills its chain anew",
    ),
    (
        "where network = $1 and end_reason = 'spent' and proof_id in",
        "none of the followed blocks is in the chain any more",
    ),
];

/// What only PostgreSQL is asked.
const POSTGRES_ONLY: [&str; 5] = [
    "for share",
    "for update",
    "for no key update",
    "pg_notify",
    "copy (",
];

/// A row for every statement that is given some.
const GIVEN: &str = "(select 'a' as id, 'a' as profile_id, 'a' as line, 'a' as txid, 'a' as hashes, 'a' as funding_block,
    1 as vout, 1 as level, 1 as tile, 1 as value_sats, 1 as funding_height, true as bound) as given";

struct Texts(Vec<String>);

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, text: &syn::LitStr) {
        self.0.push(text.value());
    }
}

/// The statements as they are in the source, with single spaces, rows and lists.
fn statements(list: impl Fn(usize) -> String) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/src");
    let mut found = Texts(Vec::new());
    for file in FILES {
        let source = std::fs::read_to_string(folder.join(file)).expect(file);
        found.visit_file(&syn::parse_file(&source).expect(file));
    }
    let verbs = ["select ", "insert ", "update ", "delete ", "with "];
    let texts = found.0.into_iter();
    let statements = texts.filter(|text| verbs.iter().any(|verb| text.starts_with(verb)));
    let statements = statements.map(|text| {
        let sql = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let sql = sql.replace("in ($list)", &list(parameters(&sql) + 1));
        let sql = sql.replace("$rows", GIVEN);
        match sql.contains("from passed") {
            true => format!("with passed as (select noted from unsent_changes) {sql}"),
            false => sql,
        }
    });
    statements.collect()
}

/// The highest number of a parameter.
fn parameters(sql: &str) -> usize {
    let after = sql.split('$').skip(1);
    let numbers =
        after.filter_map(|it| it.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
    numbers.max().unwrap_or(0)
}

fn is_meant(sql: &str, line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let meant = |it| MEANT.iter().any(|(word, _)| *word == it);
    words.any(meant) || MEANT_STATEMENTS.iter().any(|(part, _)| sql.contains(part))
}

/// Fails for the statements with lines of a plan that read a whole table and are not meant.
fn all_meant(read: &[(String, Vec<String>)]) {
    assert!(
        read.len() > 60,
        "statements are found at all: {}",
        read.len()
    );
    let unmeant =
        |(sql, lines): &&(String, Vec<String>)| lines.iter().any(|line| !is_meant(sql, line));
    let unmeant: Vec<_> = read.iter().filter(unmeant).collect();
    assert!(unmeant.is_empty(), "these read all rows: {unmeant:#?}");
}

#[tokio::test]
async fn sqlite_reads_no_more_than_it_must() {
    let store = TestDatabase::sqlite().await.store().await;
    let Database::Sqlite(pool) = store.database() else {
        panic!("this is SQLite");
    };
    let mut read = Vec::new();
    for sql in statements(|number| format!("in (select value from json_each(${number}))")) {
        if POSTGRES_ONLY.iter().any(|part| sql.contains(part)) {
            continue;
        }
        let explain = AssertSqlSafe(format!("explain query plan {sql}"));
        let rows = sqlx::query(explain).fetch_all(pool).await.expect(&sql);
        let lines = rows.iter().map(|row| row.get::<String, _>("detail"));
        read.push((sql, lines.filter(|line| sqlite_reads_all(line)).collect()));
    }
    all_meant(&read);
}

/// Whether a line of SQLite's plan goes through a whole table or index, and not through what the statement itself was given or has found.
fn sqlite_reads_all(line: &str) -> bool {
    let own = [
        "VIRTUAL TABLE",
        "CONSTANT ROW",
        "SCAN live",
        "SCAN given",
        "SCAN (subquery",
        "SCAN passed",
    ];
    line.contains("AUTOMATIC")
        || (line.starts_with("SCAN") && !own.iter().any(|it| line.contains(it)))
}

/// Without leave to read whole tables it still does where no index helps.
#[tokio::test]
async fn postgres_reads_no_more_than_it_must() {
    let database = TestDatabase::postgres().await;
    database.store().await.close().await;
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let settings = "set enable_seqscan = off; set plan_cache_mode = force_generic_plan";
    sqlx::raw_sql(settings)
        .execute(&mut connection)
        .await
        .unwrap();
    let mut read = Vec::new();
    for sql in statements(|number| format!("= any(${number})")) {
        let nulls = vec!["null"; parameters(&sql)].join(", ");
        let nulls = if nulls.is_empty() {
            nulls
        } else {
            format!("({nulls})")
        };
        let prepare = AssertSqlSafe(format!("prepare it as {sql}"));
        sqlx::raw_sql(prepare)
            .execute(&mut connection)
            .await
            .expect(&sql);
        let explain = AssertSqlSafe(format!("explain execute it{nulls}"));
        let plan = sqlx::raw_sql(explain)
            .fetch_all(&mut connection)
            .await
            .expect(&sql);
        sqlx::raw_sql("deallocate it")
            .execute(&mut connection)
            .await
            .unwrap();
        let lines: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        read.push((sql, postgres_reads_all(&lines)));
    }
    all_meant(&read);
}

/// The nodes of a plan that read a whole table, or a whole index.
fn postgres_reads_all(lines: &[String]) -> Vec<String> {
    let begins = |line: &String| line.contains("(cost=");
    let mut whole = Vec::new();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| begins(line)) {
        let own = lines[number + 1..].iter().take_while(|line| !begins(line));
        let by_index = own
            .clone()
            .any(|line| line.trim().starts_with("Index Cond"));
        let index = line.contains("Index Scan") || line.contains("Index Only Scan");
        if line.contains("Seq Scan") || (index && !by_index) {
            whole.push(line.trim().to_owned());
        }
    }
    whole
}

/// Without one the database reads the whole table at each deletion of what it refers to.
async fn every_foreign_key_has_an_index(database: TestDatabase) {
    let store = database.store().await;
    let without = match store.database() {
        Database::Sqlite(_) => {
            "select tables.name || '.' || keys.\"from\" from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
             where tables.type = 'table' and not exists (
               select 1 from pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
               where columns.seqno = 0 and columns.name = keys.\"from\")"
        }
        Database::Postgres(_) => {
            "select conname::text from pg_constraint where contype = 'f' and not exists (
               select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])"
        }
    };
    assert_eq!(texts(store.database(), without).await, Vec::<String>::new());
}
