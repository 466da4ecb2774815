//! What an answer of one of the npm package's modules is. The constants of `js/answers.js` are made from this list by a test.

macro_rules! kinds {
    ($($(#[$attribute:meta])* $kind:ident = $number:literal, $name:literal;)+) => {
        /// What an answer is.
        #[derive(Debug, Clone, Copy)]
        #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for a test"))]
        pub(super) enum Kind {
            $($(#[$attribute])* $kind = $number,)+
        }

        /// What JavaScript calls them.
        #[cfg(test)]
        const NAMES: &[(&str, Kind)] = &[$(($name, Kind::$kind)),+];
    };
}

kinds! {
    /// An error: the index of its input or `u32::MAX`, the code, a line feed and the sentence.
    Refusal = 0, "REFUSAL";
    /// A packed report.
    #[cfg(any(test, feature = "report"))]
    Report = 1, "REPORT";
    /// A file.
    #[cfg(any(test, feature = "report", feature = "signatures"))]
    File = 2, "FILE";
    /// JSON text.
    #[cfg(any(test, feature = "signatures"))]
    Text = 3, "TEXT";
    /// The length of a JSON text in 4 bytes, the text, and a file.
    #[cfg(any(test, feature = "make"))]
    Made = 4, "MADE";
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::wasm::generated::assert_current;

    #[test]
    fn the_kinds_of_the_javascript_half_are_current() {
        let constants = NAMES.iter().map(|(name, kind)| {
            let number = *kind as u8;
            format!("export const {name} = {number};\n")
        });
        assert_current("answers.js", &constants.collect::<String>());
    }
}
