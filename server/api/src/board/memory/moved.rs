//! Where somebody stood, and where they stand.

use uuid::Uuid;

/// Somebody's place in the board's order, and what is shown as proven there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// How many stand before them.
    pub index: usize,
    /// In sats; none when nothing is.
    pub holdings_sats: Option<i64>,
}

/// What one change did to the order: somebody left it here, and entered it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub id: Uuid,
    /// None for somebody new.
    pub from: Option<Stand>,
    /// None for somebody who is gone.
    pub to: Option<Stand>,
    /// Whether the name in lower case is another one than before.
    pub renamed: bool,
}
