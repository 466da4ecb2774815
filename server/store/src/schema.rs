//! The migrations (`migrations/README.md`): files that both databases share, and files of each one.

use std::sync::LazyLock;

use sqlx::migrate::Migrator;

/// The migrations of SQLite.
pub static SQLITE: LazyLock<Migrator> =
    LazyLock::new(|| shared_and(&sqlx::migrate!("../../migrations/sqlite")));

/// The migrations of PostgreSQL.
pub static POSTGRES: LazyLock<Migrator> =
    LazyLock::new(|| shared_and(&sqlx::migrate!("../../migrations/postgres")));

fn shared_and(own: &Migrator) -> Migrator {
    let shared = sqlx::migrate!("../../migrations");
    Migrator::with_migrations(shared.iter().chain(own.iter()).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_databases_have_the_same_steps_and_each_once() {
        let versions = |migrator: &Migrator| -> Vec<i64> {
            migrator.iter().map(|migration| migration.version).collect()
        };
        let sqlite = versions(&SQLITE);
        assert_eq!(sqlite, versions(&POSTGRES));
        let all: Vec<i64> = (1..).take(sqlite.len()).collect();
        assert_eq!(sqlite, all);
    }
}
