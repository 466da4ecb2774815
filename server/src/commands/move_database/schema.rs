//! What a table is made of, and the order in which tables can be filled.

use super::MoveError;

/// The types that the two databases have in common (`migrations/README.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Boolean,
}

impl Kind {
    /// A type as either database spells it; none when it is none of ours.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "text" => Some(Self::Text),
            "bigint" | "integer" => Some(Self::Number),
            "boolean" => Some(Self::Boolean),
            _ => None,
        }
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

impl Table {
    /// Its name in SQL.
    pub(super) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// Its columns in SQL, in the order in which they are carried.
    pub(super) fn quoted_columns(&self) -> String {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|column| quoted(&column.name))
            .collect();
        names.join(", ")
    }

    /// For telling whether two tables are the same, and for people.
    pub(super) fn describe(&self) -> String {
        let mut names: Vec<&str> = self
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        names.sort_unstable();
        format!("{} ({})", self.name, names.join(", "))
    }
}

/// A name in SQL, of either database.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Puts every table behind those that its rows refer to. Each comes with their names.
pub(super) fn in_order(mut tables: Vec<(Table, Vec<String>)>) -> Result<Vec<Table>, MoveError> {
    let mut ordered: Vec<Table> = Vec::with_capacity(tables.len());
    while !tables.is_empty() {
        let free = tables.iter().position(|(table, others)| {
            others
                .iter()
                .all(|other| *other == table.name || ordered.iter().any(|done| done.name == *other))
        });
        let Some(free) = free else {
            let names: Vec<String> = tables.into_iter().map(|(table, _)| table.name).collect();
            return Err(MoveError::Circle(names.join(", ")));
        };
        ordered.push(tables.remove(free).0);
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, others: &[&str]) -> (Table, Vec<String>) {
        let table = Table {
            name: name.to_owned(),
            columns: Vec::new(),
        };
        (table, others.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_table_comes_after_those_it_refers_to() {
        let tables = vec![
            table("claims", &["proofs", "profiles"]),
            table("proofs", &["profiles"]),
            table("profiles", &["profiles"]),
        ];
        let ordered = in_order(tables).expect("an order");
        let names: Vec<&str> = ordered.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["profiles", "proofs", "claims"]);
        let circle = in_order(vec![table("a", &["b"]), table("b", &["a"])]);
        assert!(matches!(circle, Err(MoveError::Circle(_))), "{circle:?}");
    }
}
