//! Promises on the pages, and what keeps them.

/// The part of a page below this heading.
fn below<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, rest) = page.split_once(heading).expect("the heading");
    rest.split("\n## ").next().unwrap_or_default()
}

#[test]
fn times_to_mend_are_promised_and_advisories_are_asked_for() {
    let page = include_str!("../../../../../.github/SECURITY.md");
    let soon = below(page, "\n## How soon\n");
    let rows = soon.lines().filter(|line| line.starts_with("| "));
    let promised = rows.filter(|row| row.contains(" days")).count();
    assert_eq!(promised, 4, "{soon}");
    let lint = include_str!("../../../../../test");
    let asked = lint.contains("\"$CARGO_DENY\"") && lint.contains("\n  advisories\n");
    assert!(asked, "./test lint asks");
}

/// The privacy policy promises 12 months, and the deployment guide installs what keeps that.
#[test]
fn the_log_is_gone_after_the_time_that_people_are_told() {
    let journal = include_str!("../../../../../.deploy/journald.conf.d/proof-of-reserves.conf");
    assert!(journal.contains("\nMaxRetentionSec=1year\n"), "{journal}");
    let policy = include_str!("../../../../../web/src/features/legal/privacy-policy.md");
    assert!(policy.contains("is kept for 12 months"));
    let page = include_str!("../../../../../.github/OPERATIONS.md");
    let step = below(page, "\n### 7. Start\n").split("\n### ").next();
    let installed = ".deploy/journald.conf.d/proof-of-reserves.conf /etc/systemd/journald.conf.d/";
    assert!(step.is_some_and(|step| step.contains(installed)));
}
