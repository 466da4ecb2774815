//! Entries of the log, as JSON. The exact bytes are hashed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::json::{Canonical, Json};

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Entry {
    /// The first entry of a log.
    Begin {
        /// 1 for the first log of a board.
        log: u64,
        time: String,
        /// Why the previous log ended, in the operator's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
        /// The newest known checkpoint of the previous log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    /// The board as of a block: commits to a snapshot.
    Board {
        height: u64,
        block: String,
        time: String,
        /// How many rows the snapshot has.
        rows: u64,
        /// The root over them, hex.
        root: String,
    },
    /// From the next entry on, another key signs.
    Key { time: String, key: String },
    /// The files of the static pages that check proofs, each with its SHA-256 in hex.
    Page {
        time: String,
        files: BTreeMap<String, String>,
    },
}

impl Entry {
    /// The JSON that is logged.
    pub fn text(&self) -> String {
        // Serialization of these types cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Canonical for Entry {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        json.expect("{\"kind\":\"")?;
        let entry = if json.has("begin\",\"log\":") {
            Self::Begin {
                log: u64::read(json)?,
                time: member(json, ",\"time\":")?,
                because: json.optional(",\"because\":")?,
                before: json.optional(",\"before\":")?,
            }
        } else if json.has("board\",\"height\":") {
            Self::Board {
                height: u64::read(json)?,
                block: member(json, ",\"block\":")?,
                time: member(json, ",\"time\":")?,
                rows: member(json, ",\"rows\":")?,
                root: member(json, ",\"root\":")?,
            }
        } else if json.has("key\",\"time\":") {
            Self::Key {
                time: String::read(json)?,
                key: member(json, ",\"key\":")?,
            }
        } else {
            Self::Page {
                time: member(json, "page\",\"time\":")?,
                files: member(json, ",\"files\":")?,
            }
        };
        json.expect("}")?;
        Some(entry)
    }
}

/// The value of a member, whose name is before it.
fn member<T: Canonical>(json: &mut Json<'_>, name: &str) -> Option<T> {
    json.expect(name)?;
    T::read(json)
}

/// An object whose names are in order, each once.
impl Canonical for BTreeMap<String, String> {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        json.expect("{")?;
        let mut members = Self::new();
        if json.has("}") {
            return Some(members);
        }
        loop {
            let name = String::read(json)?;
            let last = members.last_key_value();
            if last.is_some_and(|(last, _)| *last >= name) {
                return None;
            }
            members.insert(name, member(json, ":")?);
            if json.has("}") {
                return Some(members);
            }
            json.expect(",")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::canonical;
    use super::*;

    #[test]
    fn entries_are_read_as_they_are_written_and_no_other_way() {
        let time = || "2025-06-06T22:00:00Z".to_owned();
        let begin = |because: Option<&str>, before: Option<&str>| Entry::Begin {
            log: 2,
            time: time(),
            because: because.map(str::to_owned),
            before: before.map(str::to_owned),
        };
        let files = [("a", "00"), ("b\"", "11")];
        let entries = [
            begin(None, None),
            begin(Some("A disk \"was\" lost.\n"), None),
            begin(None, Some("x\n1\n")),
            begin(Some(""), Some("")),
            Entry::Board {
                height: 900_000,
                block: "00".to_owned(),
                time: time(),
                rows: 0,
                root: "11".to_owned(),
            },
            Entry::Key {
                time: time(),
                key: "a+b+c".to_owned(),
            },
            Entry::Page {
                time: time(),
                files: BTreeMap::new(),
            },
            Entry::Page {
                time: time(),
                files: files
                    .map(|(name, hash)| (name.to_owned(), hash.to_owned()))
                    .into(),
            },
        ];
        for entry in entries {
            let text = entry.text();
            assert_eq!(canonical::<Entry>(&text).as_ref(), Some(&entry), "{text}");
            let other = [
                text.replacen(',', ", ", 1),
                text.replacen('{', "{ ", 1),
                text.replacen("\"kind\"", "\"time\":\"\",\"kind\"", 1),
                format!("{} ", text),
                format!("{},\"more\":1}}", text.trim_end_matches('}')),
                text.replace("\"time\"", "\"Time\""),
                text.replace(&time(), "\\u0032"),
            ];
            for other in other {
                assert_eq!(canonical::<Entry>(&other), None, "{other}");
            }
        }
        for files in [
            r#"{"b":"","a":""}"#,
            r#"{"a":"","a":""}"#,
            r#"{"a":""#,
            r#"{"a":1}"#,
        ] {
            let text = format!("{{\"kind\":\"page\",\"time\":\"\",\"files\":{files}}}");
            assert_eq!(canonical::<Entry>(&text), None, "{text}");
        }
        assert_eq!(
            canonical::<Entry>("{\"kind\":\"begin\",\"log\":1,\"time\":\"\",\"because\":null}"),
            None
        );
    }
}
