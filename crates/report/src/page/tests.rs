use expect_test::expect_file;
use prophet_page::base64;
use sha2::{Digest, Sha256};

use super::*;

/// Returns the text between two other texts, at their first occurrence.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let start = text.find(before).expect("it begins") + before.len();
    let length = text[start..].find(after).expect("it ends");
    &text[start..start + length]
}

const DATA: &str = "<script type=\"application/json\" id=\"data\">";

#[test]
fn text_of_strangers_stays_text() {
    let evil = "</script><!--<script>alert(1)//\u{2028}\u{1f600}\"'&";
    let mut data = Data::default();
    data.run.model = evil.to_owned();
    let html = render(&data);
    assert_eq!(html.matches("</script").count(), 2, "the data's and ours");
    assert_eq!(html.matches("<script").count(), 2);
    assert!(!html.contains("<!--"));
    let json = between(&html, DATA, "</script>");
    assert!(json.is_ascii());
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(value["run"]["model"], evil);
    data.run.model = "a\0b\u{1b}[2J\u{202e}c".to_owned();
    let html = render(&data);
    let title = between(&html, "<title>", ": prediction</title>");
    assert_eq!(title, "a\u{fffd}b\u{fffd}[2J\u{fffd}c");
}

#[test]
fn the_policy_names_what_is_in_the_page() {
    let policy = PAGE.policy_with(|text| base64(&Sha256::digest(text)));
    expect_file!["policy.txt"].assert_eq(&policy);
}

#[test]
fn nothing_in_the_page_points_elsewhere() {
    let html = render(&Data::default());
    let names = ["http://www.w3.org/2000/svg"];
    let links = html.matches("://").count();
    let known: usize = names.iter().map(|name| html.matches(name).count()).sum();
    assert_eq!(links, known, "namespaces are the only addresses");
    for word in [
        "innerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
    ] {
        assert!(!html.contains(word), "{word}");
    }
}
