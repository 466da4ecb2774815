//! The file name that its owner sees in the history.

use verify::Refusal;

/// The most characters of a name.
const MAX_CHARACTERS: usize = 120;

/// The base name, without folders and control characters, and shortened. `.txn` is the extension of completed transactions from Electrum and
/// Coldcard (decisions, D13).
///
/// # Errors
/// [`Refusal::Extension`] for anything but `.psbt` and `.txn`.
pub fn base_name(name: &str) -> Result<String, Refusal> {
    let base: String = name
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    let (stem, extension) = base.rsplit_once('.').ok_or(Refusal::Extension)?;
    if !["psbt", "txn"].contains(&extension.to_ascii_lowercase().as_str()) {
        return Err(Refusal::Extension);
    }
    let kept: String = stem.chars().take(MAX_CHARACTERS).collect();
    Ok(format!("{kept}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_base_name_alone() {
        assert_eq!(base_name("/home/me/cold.psbt"), Ok("cold.psbt".to_owned()));
        assert_eq!(base_name("C:\\me\\cold.PSBT"), Ok("cold.PSBT".to_owned()));
        assert_eq!(base_name("a\u{0}b.txn"), Ok("ab.txn".to_owned()));
        assert_eq!(
            base_name(&format!("{}.psbt", "x".repeat(500))),
            Ok(format!("{}.psbt", "x".repeat(MAX_CHARACTERS)))
        );
    }

    #[test]
    fn refuses_other_extensions() {
        for name in [
            "",
            "psbt",
            "proof.pdf",
            "proof.psbt.exe",
            "folder.psbt/proof",
        ] {
            assert_eq!(base_name(name), Err(Refusal::Extension), "{name}");
        }
    }
}
