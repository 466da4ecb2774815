//! Each statement in these files uses an index, on both databases: one that reads a whole table must be listed with a reason.

use sqlx::{AssertSqlSafe, Row};
use syn::visit::Visit;

use super::*;

on_both!(every_foreign_key_has_an_index);

/// Files of the store whose statements may meet many rows.
const FILES: &str = "claims claims/change claims/record claims/settle claims/takeover chain_cursor chain_cursor/moves \
    board_log board_log/withdraw board_log/write jobs proofs published_proofs changes rate_limits removals reverify";

/// Names of tables, and parts of statements, that are read whole on purpose, each with its reason.
const MEANT: &str = include_str!("read-whole.txt");

/// Statements that only PostgreSQL runs.
const POSTGRES_ONLY: &str =
    "for share|for update|for no key update|pg_notify|copy (|pg_current_wal_lsn";

/// The rows for statements that take `$rows`.
const GIVEN: &str = "(select 'a' as id, 'a' as profile_id, 'a' as line, 'a' as txid, 'a' as funding_block,
    1 as vout, 1 as value_sats, 1 as funding_height, true as bound, 1 as number, 'a' as origin, 1 as size, 'a' as checkpoint,
    'a' as verifier_key, 1 as board_entry, 1 as changes, 1 as height, 'a' as block, 'a' as salt_key, 1 as withdrawn,
    1 as page, 'no' as restored, 'a' as noted) as given";

struct Texts(Vec<String>);

impl Visit<'_> for Texts {
    fn visit_lit_str(&mut self, text: &syn::LitStr) {
        self.0.push(text.value());
    }
}

/// The statements as they are in the source, with single spaces, the time, rows and lists.
fn statements(now: &str, list: impl Fn(usize) -> String) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/src");
    let mut found = Texts(Vec::new());
    for file in FILES.split(' ') {
        let source = std::fs::read_to_string(folder.join(format!("{file}.rs"))).expect(file);
        found.visit_file(&syn::parse_file(&source).expect(file));
    }
    let verbs = ["select ", "insert ", "update ", "delete ", "with "];
    let texts = found.0.into_iter();
    let statements = texts.filter(|text| verbs.iter().any(|verb| text.starts_with(verb)));
    let statements = statements.map(|text| {
        let sql = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let sql = sql.replace("in ($list)", &list(parameters(&sql) + 1));
        let sql = sql.replace("$rows", GIVEN).replace("$now", now);
        sql.replace("$portion", "count(*)")
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
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut meant = MEANT.lines().filter(|line| !line.starts_with('#'));
    meant.any(|meant| match meant.contains(' ') {
        true => sql.contains(meant),
        false => words.clone().any(|word| word == meant),
    })
}

/// Fails for statements whose plan reads a whole table without a listed reason.
fn all_meant(mut read: Vec<(String, Vec<String>)>) {
    assert!(read.len() > 60, "statements are found at all: {read:?}");
    read.retain(|(sql, lines)| lines.iter().any(|line| !is_meant(sql, line)));
    assert!(read.is_empty(), "these read all rows: {read:#?}");
}

#[tokio::test]
async fn sqlite_reads_no_more_than_it_must() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    let Database::Sqlite(pool) = store.database() else {
        panic!("this is SQLite");
    };
    let mut read = Vec::new();
    let list = |number: usize| format!("in (select value from json_each(${number}))");
    for sql in statements("unixepoch()", list) {
        if POSTGRES_ONLY.split('|').any(|part| sql.contains(part)) {
            continue;
        }
        let explain = AssertSqlSafe(format!("explain query plan {sql}"));
        let rows = sqlx::query(explain).fetch_all(pool).await.expect(&sql);
        let lines = rows.iter().map(|row| row.get::<String, _>("detail"));
        read.push((sql, lines.filter(|line| sqlite_reads_all(line)).collect()));
    }
    all_meant(read);
}

/// Whether a line of SQLite's plan scans a whole table or index, except for values given to or found by the statement itself.
fn sqlite_reads_all(line: &str) -> bool {
    let mut own = "live given shown (subquery".split(' ');
    let scan = line.strip_prefix("SCAN ").filter(|rest| {
        let given = rest.contains("VIRTUAL TABLE") || rest.contains("CONSTANT ROW");
        !given && !own.any(|own| rest.starts_with(own))
    });
    line.contains("AUTOMATIC") || scan.is_some()
}

/// 20,000 users, each with a proof of one coin: PostgreSQL plans by its statistics of the rows. Most proofs have ended, as after years.
const MANY: &str = "
    into profiles (id, provider, subject, username, username_folded, named, tier, holdings_sats, last_verified,
        reverify_at, created_at, updated_at)
      select 'u' || n, 'mock', 'u' || n, 'u' || n, 'u' || n, true, case when n % 50 = 0 then 'premium' end,
        case when n % 20 = 0 then n end, case when n % 20 = 0 then n end,
        case when n % 50 = 0 then 1780000000 + n * 100 end, 1, 1;
    into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at)
      select 'p' || n, 'u' || n, 't' || n, 'f', 5, 'verified', 'transaction', false, n, 1790000000 + n,
        case when n % 20 > 0 then 1000 + n end;
    into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, funding_height, bound, ordinal, ended_at,
        end_reason, spent_block)
      select 'c' || n, 'p' || n, 'u' || n, 'regtest', 'x' || n, n % 5, n, 'b' || n % 1000, n, true, 0,
        case when n % 20 > 0 then 1000 + n end, case when n % 20 > 0 then 'spent' end,
        case when n % 20 > 0 then 's' || n % 1000 end;
    into recorded_transactions (tx_hash, recorded_at) select 't' || n, n;
    into published_proofs (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin,
        provider, subject, nonce, statement_name, block_height, block_header)
      select 'p' || n, 'u' || n, 1, 'regtest', 'aa', 'bb', 'line', 'origin', 'mock', 'u' || n, 'cc', 'u' || n, 0, 'dd';
    into log_entries (log, number, entry) select 1, n, 'entry';
    into log_lines (profile_id, line) select 'u' || n, 'row'";

/// PostgreSQL's estimated cost of reading a few pages, as small tables have. The tables here cost several hundred.
const LITTLE: f64 = 100.0;

#[tokio::test]
async fn postgres_reads_no_more_than_it_must() {
    let database = TestDatabase::postgres().await;
    let store = database.store().await;
    for rows in MANY.split(';') {
        let numbers = "from generate_series(1, 20000) as n";
        execute(&store, format!("insert {rows} {numbers}")).await;
    }
    execute(&store, "delete from unsent_changes; analyze").await;
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let settings = sqlx::raw_sql("set plan_cache_mode = force_generic_plan");
    settings.execute(&mut connection).await.unwrap();
    let mut read = Vec::new();
    let now = "cast(extract(epoch from clock_timestamp()) as bigint)";
    for sql in statements(now, |number| {
        format!("= any(array(select json_array_elements_text(cast(${number} as json))))")
    }) {
        let nulls = match parameters(&sql) {
            0 => String::new(),
            some => format!("({})", vec!["null"; some].join(", ")),
        };
        let explain = format!("prepare it as {sql}; explain execute it{nulls}; deallocate it");
        let plan = sqlx::raw_sql(AssertSqlSafe(explain));
        let plan = plan.fetch_all(&mut connection).await.expect(&sql);
        let lines: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        read.push((sql, postgres_reads_all(&lines)));
    }
    all_meant(read);
}

/// The total cost in a line of a plan: `(cost=0.42..8.44 rows=1 width=6)`.
fn cost(line: &str) -> f64 {
    let after = line.split_once("..").map_or("", |(_, after)| after);
    let cost = after.split(' ').next().and_then(|cost| cost.parse().ok());
    cost.unwrap_or(f64::INFINITY)
}

/// The nodes of a plan that read a whole table, or a whole index.
fn postgres_reads_all(lines: &[String]) -> Vec<String> {
    let begins = |line: &String| line.contains("(cost=");
    let mut whole = lines.to_vec();
    let mut after = lines.iter().skip(1);
    whole.retain(|line| {
        let mut own = after.clone().take_while(|line| !begins(line));
        after.next();
        let by_index = own.any(|line| line.trim().starts_with("Index Cond"));
        let index = line.contains("Index Scan") || line.contains("Index Only Scan");
        let all = line.contains("Seq Scan") || (index && !by_index);
        begins(line) && cost(line) > LITTLE && all
    });
    whole
}

/// Without an index on a foreign key, the database reads the whole table at each deletion of a referenced row. Codes are short-lived.
async fn every_foreign_key_has_an_index(database: TestDatabase) {
    let store = database.store().await;
    let without = match store.database() {
        Database::Sqlite(_) => {
            "select tables.name || '.' || keys.\"from\" from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
             where tables.type = 'table' and tables.name <> 'auth_codes' and not exists (
               select 1 from pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
               where columns.seqno = 0 and columns.name = keys.\"from\")"
        }
        Database::Postgres(_) => {
            "select conname::text from pg_constraint
             where contype = 'f' and conname not like 'auth_codes%' and not exists (
               select 1 from pg_index where indrelid = conrelid and indkey[0] = conkey[1])"
        }
    };
    assert_eq!(texts(store.database(), without).await, Vec::<String>::new());
}
