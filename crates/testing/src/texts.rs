//! Checks of texts, which show the whole text where they fail.
#![expect(clippy::missing_panics_doc, reason = "checks fail by panics")]

/// Fails unless a text has a part.
#[track_caller]
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not in: {text}");
}

/// Fails unless a text begins with a part.
#[track_caller]
pub fn assert_starts(text: &str, part: &str) {
    assert!(text.starts_with(part), "`{part}` does not begin: {text}");
}
