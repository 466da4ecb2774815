//! The parts of the JavaScript half that tests write from what is said in Rust.

use std::path::Path;

/// Between these lines.
const START: &str = "// <layout>\n";
const END: &str = "// </layout>\n";

/// Asserts that a file of `js` has these constants; with `UPDATE_FIXTURES`, after they have been written there.
pub(super) fn assert_current(file: &str, constants: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("js").join(file);
    let script = std::fs::read_to_string(&path).expect("the other half");
    let (before, rest) = script.split_once(START).expect("where they start");
    let (_, after) = rest.split_once(END).expect("where they end");
    let expected = [before, START, constants, END, after].concat();
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, &expected).expect("writable");
    }
    let script = std::fs::read_to_string(&path).expect("readable");
    assert!(script == expected, "run with UPDATE_FIXTURES=1");
}
