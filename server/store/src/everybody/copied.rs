//! Rows as PostgreSQL copies them out in its binary format (its manual, `COPY`, "Binary Format").

use bytes::{Buf, TryGetError};

use crate::changes::ShownProfile;
use crate::shown_as::UnknownWord;

/// What the first row stands behind: these bytes, some flags, and the length of what is said besides, which is nothing.
const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";
const FLAGS_AND_LENGTH: usize = 8;

/// The number of columns of what stands behind the last row.
const END: i16 = -1;

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Misread {
    #[error("a row that PostgreSQL has copied ends too early")]
    Cut(#[from] TryGetError),
    #[error("a row that PostgreSQL has copied has a text that is not UTF-8")]
    Text(#[from] std::str::Utf8Error),
    #[error("a row that PostgreSQL has copied has nothing where something must be")]
    Null,
    #[error(transparent)]
    Word(#[from] UnknownWord),
}

/// The profile of a row; none behind the last one.
pub(super) fn profile(row: &[u8]) -> Result<Option<ShownProfile>, Misread> {
    let mut rest = row;
    if let Some(behind) = row.strip_prefix(SIGNATURE) {
        rest = behind.get(FLAGS_AND_LENGTH..).unwrap_or_default();
    }
    if rest.try_get_i16()? == END {
        return Ok(None);
    }
    let mut columns = Columns(rest);
    let profile = ShownProfile {
        id: columns.text()?.ok_or(Misread::Null)?,
        provider: columns.text()?.ok_or(Misread::Null)?,
        username: columns.text()?.ok_or(Misread::Null)?,
        username_folded: columns.text()?.ok_or(Misread::Null)?,
        avatar_url: columns.text()?,
        shown_as: columns.text()?.ok_or(Misread::Null)?.try_into()?,
        shown_sats: columns.number()?,
        published_sats: columns.number()?,
        shown_verified: columns.number()?,
        shown_updated_at: columns.number()?.ok_or(Misread::Null)?,
    };
    Ok(Some(profile))
}

/// Columns, each behind its length; a negative one is null.
struct Columns<'a>(&'a [u8]);

impl<'a> Columns<'a> {
    fn next(&mut self) -> Result<Option<&'a [u8]>, TryGetError> {
        let Ok(requested) = usize::try_from(self.0.try_get_i32()?) else {
            return Ok(None);
        };
        let available = self.0.len();
        let (column, rest) = self.0.split_at_checked(requested).ok_or(TryGetError {
            requested,
            available,
        })?;
        self.0 = rest;
        Ok(Some(column))
    }

    fn text(&mut self) -> Result<Option<String>, Misread> {
        let text = self.next()?.map(std::str::from_utf8).transpose()?;
        Ok(text.map(str::to_owned))
    }

    /// A `bigint`.
    fn number(&mut self) -> Result<Option<i64>, Misread> {
        let number = self.next()?.map(|mut column| column.try_get_i64());
        Ok(number.transpose()?)
    }
}
